//! Proofs of the store: against an invented service that lists, shifts and repeats, and against plain searches.

mod again;
mod by_time;
pub(super) mod costs;
mod disk;
mod final_words;
mod first_rows;
mod gone;
mod interrupted;
mod knowing;
mod past;
mod paying;
mod reading;
mod sample;
mod searching;
mod totals;
mod valued;
mod walking;

pub(in crate::store) use sample::transaction;
