//! Tests of the journal, by subject.

mod contacts;
mod copies;
mod damage;
mod faults;
mod format;
mod imports;
mod laws;
mod life;
mod power;
mod sample;
mod together;
