//! Laws that parsers keep whatever comes, tried with what a fuzzer makes of sound inputs.
//!
//! A target stands beside its parser in `tests/fuzzed.rs` and hands over sound inputs (and those that once broke the law)
//! together with the law, which panics where it does not hold. `cargo test` tries it on random mutations of them; `.ci/fuzz`
//! builds the same tests with coverage counters and lets libFuzzer look for inputs that reach new code.

/// Tries a law: on each of the inputs, and on very many that are made from them.
#[cfg(not(fuzzing))]
pub(crate) fn target(seeds: &[&[u8]], law: impl Fn(&[u8])) {
    unguided::run(seeds, law);
}

/// The same, guided by coverage. The folder of inputs that were found is the first argument of libFuzzer.
#[cfg(fuzzing)]
pub(crate) fn target(seeds: &[&[u8]], law: impl Fn(&[u8]) + std::panic::RefUnwindSafe) {
    if let Some(folder) = std::env::var_os("BURSAR_FUZZ_CORPUS") {
        for (number, seed) in seeds.iter().enumerate() {
            std::fs::write(std::path::Path::new(&folder).join(format!("seed-{number}")), seed).unwrap();
        }
    }
    bolero::check!().for_each(|input: &[u8]| law(input));
}

/// An input taken apart: a number below `choices` from its first byte, and the rest.
pub(crate) fn choice(input: &[u8], choices: usize) -> (usize, &[u8]) {
    input.split_first().map_or((0, input), |(first, rest)| (usize::from(*first) % choices, rest))
}

/// A body of JSON in which every object has one member more, of a name that nobody knows.
pub(crate) fn grown(json: &str) -> String {
    let (mut grown, mut in_text, mut escaped) = (String::with_capacity(json.len() * 2), false, false);
    for (at, character) in json.char_indices() {
        grown.push(character);
        match character {
            _ if escaped => escaped = false,
            '\\' if in_text => escaped = true,
            '"' => in_text = !in_text,
            '{' if !in_text => {
                let is_empty = json[at + 1..].trim_start().starts_with('}');
                grown.push_str(if is_empty { "\"unknownToAll\":0" } else { "\"unknownToAll\":0," });
            }
            _ => {}
        }
    }
    grown
}

/// A decimal by its digits: without zeros at either end, and the power of ten that the last digit counts. Written apart
/// from the parsers, for texts of the form `digits[.digits][e[+|-]digits]`.
pub(crate) fn decimal(text: &str) -> Option<(String, i64)> {
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = format!("{whole}{fraction}");
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let power = exponent.parse::<i64>().ok()?.checked_sub(i64::try_from(fraction.len()).ok()?)?;
    let significant = digits.trim_end_matches('0');
    let power = power.checked_add(i64::try_from(digits.len() - significant.len()).ok()?)?;
    let digits = significant.trim_start_matches('0');
    Some((digits.to_owned(), if digits.is_empty() { 0 } else { power }))
}

/// The text of an input, as far as it is one.
pub(crate) fn text(input: &[u8]) -> &str {
    input.utf8_chunks().next().map_or("", |chunk| chunk.valid())
}

#[cfg(not(fuzzing))]
mod unguided {
    use std::fmt;

    use proptest::prelude::*;
    use proptest::sample::{Index, select};
    use proptest::test_runner::TestRunner;

    /// Words that parsers treat in a way of their own.
    const WORDS: [&[u8]; 32] = [
        b"\"",
        b"\\u0000",
        b"\\ud800",
        b"null",
        b"true",
        b"{}",
        b"[]",
        b"{\"",
        b"\":",
        b",",
        b".",
        b"-",
        b"+",
        b"0",
        b"1e9",
        b"1E400",
        b"0x",
        b"99999999999999999999",
        b"115792089237316195423570985008687907853269984665640564039457584007913129639936",
        b"\xff",
        b"\xc3",
        "é".as_bytes(),
        "\u{202e}".as_bytes(),
        "\u{200b}".as_bytes(),
        "\u{feff}".as_bytes(),
        b"\0",
        b"\r\n",
        b"\n",
        b" ",
        b"%00",
        b"&",
        b"=",
    ];

    /// One change of an input.
    #[derive(Debug, Clone)]
    enum Change {
        Byte(Index, u8),
        Bit(Index, u8),
        Insert(Index, Vec<u8>),
        Word(Index, &'static [u8]),
        Remove(Index, usize),
        Repeat(Index, usize, usize),
        /// Goes on as another sound input does.
        Cross(Index, Index, Index),
    }

    /// Prints as bytes that can be pasted into a list of seeds.
    #[derive(Clone)]
    struct Input(Vec<u8>);

    impl fmt::Debug for Input {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            write!(f, "b\"{}\"", self.0.escape_ascii())
        }
    }

    /// How many inputs each target is tried with. A long campaign sets `BURSAR_CASES`.
    fn cases() -> u32 {
        std::env::var("BURSAR_CASES").ok().and_then(|text| text.parse().ok()).unwrap_or(400)
    }

    pub(super) fn run(seeds: &[&[u8]], law: impl Fn(&[u8])) {
        for seed in seeds {
            law(seed);
        }
        let config = ProptestConfig { cases: cases(), failure_persistence: None, ..ProptestConfig::default() };
        let owned: Vec<Vec<u8>> = seeds.iter().map(|seed| seed.to_vec()).collect();
        let changed =
            (select(owned.clone()), prop::collection::vec(change(), 0..6)).prop_map(move |(seed, changes)| {
                Input(changes.into_iter().fold(seed, |input, change| apply(input, change, &owned)))
            });
        let tried = TestRunner::new(config).run(&changed, |input| {
            law(&input.0);
            Ok(())
        });
        if let Err(broken) = tried {
            panic!("{broken}");
        }
    }

    fn change() -> impl Strategy<Value = Change> {
        let at = any::<Index>;
        prop_oneof![
            (at(), any::<u8>()).prop_map(|(at, byte)| Change::Byte(at, byte)),
            (at(), 0..8_u8).prop_map(|(at, bit)| Change::Bit(at, bit)),
            (at(), prop::collection::vec(any::<u8>(), 1..5)).prop_map(|(at, bytes)| Change::Insert(at, bytes)),
            (at(), select(&WORDS[..])).prop_map(|(at, word)| Change::Word(at, word)),
            (at(), 1..20_usize).prop_map(|(at, length)| Change::Remove(at, length)),
            (at(), 1..20_usize, 1..9_usize).prop_map(|(at, length, times)| Change::Repeat(at, length, times)),
            (at(), at(), at()).prop_map(|(at, which, from)| Change::Cross(at, which, from)),
        ]
    }

    fn apply(mut input: Vec<u8>, change: Change, seeds: &[Vec<u8>]) -> Vec<u8> {
        let place = |at: Index| at.index(input.len() + 1);
        match change {
            Change::Byte(at, byte) => {
                let at = place(at);
                input.iter_mut().skip(at).take(1).for_each(|old| *old = byte);
            }
            Change::Bit(at, bit) => {
                let at = place(at);
                input.iter_mut().skip(at).take(1).for_each(|old| *old ^= 1 << bit);
            }
            Change::Insert(at, bytes) => {
                let at = place(at);
                input.splice(at..at, bytes);
            }
            Change::Word(at, word) => {
                let at = place(at);
                input.splice(at..at, word.iter().copied());
            }
            Change::Remove(at, length) => {
                let at = place(at);
                input.drain(at..(at + length).min(input.len()));
            }
            Change::Repeat(at, length, times) => {
                let at = place(at);
                let part = input[at..(at + length).min(input.len())].repeat(times);
                input.splice(at..at, part);
            }
            Change::Cross(at, which, from) => {
                input.truncate(place(at));
                let other = which.get(seeds);
                input.extend_from_slice(&other[from.index(other.len() + 1)..]);
            }
        }
        input
    }
}
