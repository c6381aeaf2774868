//! The tests that look at bursar from outside, in one binary so that it is linked once.
//!
//! Each module says `cfg(test)`, which is always so here, because clippy takes that as leave to unwrap.

#[cfg(test)]
mod addresses;
#[cfg(test)]
mod at_start;
#[cfg(test)]
mod batches;
#[cfg(test)]
mod book;
#[cfg(test)]
mod book_page;
#[cfg(test)]
mod by_time;
#[cfg(test)]
mod by_v1;
#[cfg(test)]
mod canned;
#[cfg(test)]
mod cli;
#[cfg(test)]
mod clocks;
#[cfg(test)]
mod contradicted;
#[cfg(test)]
mod crashes;
#[cfg(test)]
mod deposit_addresses;
#[cfg(test)]
mod directory;
#[cfg(test)]
mod events;
#[cfg(test)]
mod exports;
#[cfg(test)]
mod figures;
#[cfg(test)]
mod first_run;
#[cfg(test)]
mod forms;
#[cfg(test)]
mod frames;
#[cfg(test)]
mod full_disk;
#[cfg(test)]
mod glyphs;
#[cfg(test)]
mod guard;
#[cfg(test)]
mod guarded;
#[cfg(test)]
mod halves;
#[cfg(test)]
mod harness;
#[cfg(test)]
mod history;
#[cfg(test)]
mod imitations;
#[cfg(test)]
mod interrupted;
#[cfg(test)]
mod journal;
#[cfg(test)]
mod journeys;
#[cfg(test)]
mod keyring;
#[cfg(test)]
mod keys;
#[cfg(test)]
mod keys_apart;
#[cfg(test)]
mod lock;
#[cfg(test)]
mod login;
#[cfg(test)]
mod mending;
#[cfg(test)]
mod newcomer;
#[cfg(test)]
mod orders;
#[cfg(test)]
mod outcomes;
#[cfg(test)]
mod planted;
#[cfg(test)]
mod policy;
#[cfg(test)]
mod polling;
#[cfg(test)]
mod presenting;
#[cfg(test)]
mod profiles;
#[cfg(test)]
mod pty;
#[cfg(test)]
mod readme;
#[cfg(test)]
mod reads;
#[cfg(test)]
mod reports;
#[cfg(test)]
mod rest;
#[cfg(test)]
mod scenes;
#[cfg(test)]
mod screens;
#[cfg(test)]
mod secret_leaks;
#[cfg(test)]
mod sending;
#[cfg(test)]
mod service;
#[cfg(test)]
mod ssh;
#[cfg(test)]
mod swaps;
#[cfg(test)]
mod temporary_files;
#[cfg(test)]
mod tidy;
#[cfg(test)]
mod tls;
#[cfg(test)]
mod transport;
#[cfg(test)]
mod trouble;
#[cfg(test)]
mod users;
#[cfg(test)]
mod veil;
#[cfg(test)]
mod visit;
#[cfg(test)]
mod visits;
#[cfg(test)]
mod walk;
#[cfg(test)]
mod wire;
