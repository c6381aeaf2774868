//! The tests that look at bursar from outside, in one binary so that it is linked once.
//!
//! Each module says `cfg(test)`, which is always so here, because clippy takes that as leave to unwrap.

#[cfg(test)]
mod service;
