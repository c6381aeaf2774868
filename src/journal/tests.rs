//! Tests of the journal, by subject.

mod acknowledgements;
mod backups;
mod concurrent_consoles;
mod contacts;
mod damage;
mod disk_faults;
mod fixtures;
mod format;
mod fuzzed;
mod imports;
mod order_states;
mod power_cuts;
mod properties;
mod reopened;
mod templates;
