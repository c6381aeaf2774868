//! Proofs of the store: against an invented service that lists, shifts and repeats, and against plain searches.
#![expect(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test ends with its first surprise")]

mod reading;
mod sample;
mod searching;
