//! Ids of requests, by which answers find what asked for them.

/// Identifies a request among those of its kind; an answer to an older request is dropped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Hash)]
pub struct RequestId(pub u64);

impl RequestId {
    /// The id of the next request.
    #[must_use = "the request must carry it"]
    pub fn advance(&mut self) -> Self {
        self.0 = self.0.wrapping_add(1);
        *self
    }
}
