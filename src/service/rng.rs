//! Deterministic pseudo-random numbers.

use uuid::Uuid;

/// A small generator (`SplitMix64`, of Steele, Lea and Flood): fast, uniform, not secret.
#[derive(Debug, Clone)]
pub struct Rng(u64);

impl Rng {
    /// Different strands of one seed are unrelated.
    pub fn new(seed: u64, strand: u64) -> Self {
        let mut rng = Self(seed);
        rng.0 = rng.draw() ^ strand.wrapping_mul(0xd6e8_feb8_6659_fd93);
        rng.0 = rng.draw();
        rng
    }

    pub fn draw(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `limit`; 0 if `limit` is 0.
    pub fn below(&mut self, limit: u64) -> u64 {
        let wide = u128::from(self.draw()) * u128::from(limit);
        u64::try_from(wide >> 64).unwrap_or(0)
    }

    /// A number from `low` to `high`, both included.
    pub fn in_range(&mut self, low: u64, high: u64) -> u64 {
        low + self.below(high.saturating_sub(low) + 1)
    }

    /// True once in `n` times, on average.
    pub fn one_in(&mut self, n: u64) -> bool {
        self.below(n) == 0
    }

    /// A random element; `None` if there are none.
    pub fn pick<'a, T>(&mut self, from: &'a [T]) -> Option<&'a T> {
        from.get(usize::try_from(self.below(from.len() as u64)).unwrap_or(0))
    }

    /// A random index, by weight.
    pub fn weighted(&mut self, weights: &[u64]) -> usize {
        let mut rest = self.below(weights.iter().sum());
        for (index, weight) in weights.iter().enumerate() {
            if rest < *weight {
                return index;
            }
            rest -= weight;
        }
        0
    }

    pub fn bytes<const N: usize>(&mut self) -> [u8; N] {
        let mut bytes = [0; N];
        for chunk in bytes.chunks_mut(8) {
            for (byte, drawn) in chunk.iter_mut().zip(self.draw().to_le_bytes()) {
                *byte = drawn;
            }
        }
        bytes
    }

    /// A random UUID in the form of version 4.
    pub fn uuid(&mut self) -> Uuid {
        uuid::Builder::from_random_bytes(self.bytes()).into_uuid()
    }
}
