//! Tests of the journal, by subject.

mod life;
mod sample;
