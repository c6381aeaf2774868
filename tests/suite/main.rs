//! The tests that look at bursar from outside, in one binary so that it is linked once.
//!
//! Each module says `cfg(test)`, which is always so here, because clippy takes that as leave to unwrap.

#[cfg(test)]
mod addresses;
#[cfg(test)]
mod approval_crashes;
#[cfg(test)]
mod approvals;
#[cfg(test)]
mod approvals_commands;
#[cfg(test)]
mod approvals_console;
#[cfg(test)]
mod approvals_desk;
#[cfg(test)]
mod approvals_elsewhere;
#[cfg(test)]
mod approvals_enforced;
#[cfg(test)]
mod approvals_folder;
#[cfg(test)]
mod approvals_operations;
#[cfg(test)]
mod approvals_terminal;
#[cfg(test)]
mod attention;
#[cfg(test)]
mod attention_kinds;
#[cfg(test)]
mod batches;
#[cfg(test)]
mod book_commands;
#[cfg(test)]
mod book_page;
#[cfg(test)]
mod bookkeeping;
#[cfg(test)]
mod charts;
#[cfg(test)]
mod cli;
#[cfg(test)]
mod clock_skew;
#[cfg(test)]
mod columns;
#[cfg(test)]
mod crashes;
#[cfg(test)]
mod debian;
#[cfg(test)]
mod deposit_addresses;
#[cfg(test)]
mod desk_keys;
#[cfg(test)]
mod desk_month;
#[cfg(test)]
mod directory_import;
#[cfg(test)]
mod directory_records;
#[cfg(test)]
mod events;
#[cfg(test)]
mod exports;
#[cfg(test)]
mod fake_service;
#[cfg(test)]
mod first_run;
#[cfg(test)]
mod follow_up_payment;
#[cfg(test)]
mod foreign_files;
#[cfg(test)]
mod forms;
#[cfg(test)]
mod frame_cost;
#[cfg(test)]
mod full_disk;
#[cfg(test)]
mod glyphs;
#[cfg(test)]
mod guard;
#[cfg(test)]
mod guard_rules;
#[cfg(test)]
mod harness;
#[cfg(test)]
mod history;
#[cfg(test)]
mod imitations;
#[cfg(test)]
mod interrupted_backfill;
#[cfg(test)]
mod journal;
#[cfg(test)]
mod journeys;
#[cfg(test)]
mod keyring;
#[cfg(test)]
mod keys;
#[cfg(test)]
mod list_sums;
#[cfg(test)]
mod local_failures;
#[cfg(test)]
mod lock;
#[cfg(test)]
mod login;
#[cfg(test)]
mod manual;
#[cfg(test)]
mod names;
#[cfg(test)]
mod onboarding;
#[cfg(test)]
mod order_references;
#[cfg(test)]
mod order_sending;
#[cfg(test)]
mod orders;
#[cfg(test)]
mod pages;
#[cfg(test)]
mod partial_history;
#[cfg(test)]
mod pay_again;
#[cfg(test)]
mod payables;
#[cfg(test)]
mod payment_outcomes;
#[cfg(test)]
mod payment_references;
#[cfg(test)]
mod pictures;
#[cfg(test)]
mod policy;
#[cfg(test)]
mod polling_cost;
#[cfg(test)]
mod presenting;
#[cfg(test)]
mod profiles;
#[cfg(test)]
mod pty;
#[cfg(test)]
mod read_retries;
#[cfg(test)]
mod receipts;
#[cfg(test)]
mod reopened_orders;
#[cfg(test)]
mod report_page;
#[cfg(test)]
mod reports;
#[cfg(test)]
mod saved_views;
#[cfg(test)]
mod scenes;
#[cfg(test)]
mod screens;
#[cfg(test)]
mod secret_leaks;
#[cfg(test)]
mod secret_leaks_paying;
#[cfg(test)]
mod separate_keys;
#[cfg(test)]
mod service;
#[cfg(test)]
mod showcase;
#[cfg(test)]
mod ssh;
#[cfg(test)]
#[cfg(unix)]
mod ssh_keygen;
#[cfg(test)]
mod startup_errors;
#[cfg(test)]
mod status;
#[cfg(test)]
mod swaps;
#[cfg(test)]
mod templates;
#[cfg(test)]
mod temporary_files;
#[cfg(test)]
mod tidy;
#[cfg(test)]
mod tls;
#[cfg(test)]
mod total;
#[cfg(test)]
mod transaction_order;
#[cfg(test)]
mod transport;
#[cfg(test)]
mod users;
#[cfg(test)]
mod v1_movements;
#[cfg(test)]
mod v1_payments;
#[cfg(test)]
mod v1_reads;
#[cfg(test)]
mod veil;
#[cfg(test)]
mod visitor_isolation;
#[cfg(test)]
mod visitor_terminal;
#[cfg(test)]
mod walk;
#[cfg(test)]
mod watch_command;
#[cfg(test)]
mod wire;
