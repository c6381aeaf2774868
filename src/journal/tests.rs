//! Tests of the journal, by subject.

mod contacts;
mod copies;
mod damage;
mod faults;
mod format;
mod fuzzed;
mod imports;
mod laws;
mod life;
mod power;
mod reopened;
mod sample;
mod together;
