//! Proofs of the store: against an invented service that lists, shifts and repeats, and against plain searches.

mod balance_history;
mod by_time;
pub(super) mod costs;
mod directory_and_holdings;
mod disk;
mod final_statuses;
mod first_payments;
mod first_rows;
mod fixtures;
mod interrupted;
mod lost_overlap;
mod order_rows;
mod payment_lookups;
mod poison;
mod recent_activity;
mod reports;
mod rescan_after_moves;
mod row_sums;
mod row_walk;
mod search_results;
mod sync_and_backfill;
mod total_samples;
mod totals;
mod value_search;

pub(in crate::store) use fixtures::transaction;
