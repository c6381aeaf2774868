//! The number of confirmations at which a blockchain's transactions settle.
//!
//! The service reports how many confirmations a transaction has, but not how many it requires. A service that stops
//! counting at settlement leaves the required number in every settled row; one that counts on leaves different numbers.
//! So the smallest number is taken only where several rows share it.

use std::collections::HashMap;

use super::{Status, Text, Transaction};

/// How many settled rows must share the smallest number.
const MIN_SHARED_ROWS: u32 = 3;

/// The required confirmations of each blockchain whose rows show them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ConfirmationThresholds(HashMap<Text, u64>);

impl ConfirmationThresholds {
    pub fn from_rows<'a>(rows: impl Iterator<Item = &'a Transaction>) -> Self {
        let mut least: HashMap<&Text, (u64, u32)> = HashMap::new();
        for row in rows {
            let is_settled = row.status == Some(Status::Success) && row.confirmed != Some(false);
            // A transfer within the service is on no chain, and has no confirmations.
            let Some(blocks) = row.confirmation.filter(|blocks| is_settled && *blocks > 0) else { continue };
            let (smallest, times) = least.entry(&row.token.blockchain).or_insert((blocks, 0));
            if blocks < *smallest {
                (*smallest, *times) = (blocks, 0);
            }
            *times += u32::from(blocks == *smallest);
        }
        let believed = least.into_iter().filter(|(_, (_, times))| *times >= MIN_SHARED_ROWS);
        Self(believed.map(|(chain, (blocks, _))| (chain.clone(), blocks)).collect())
    }

    /// The confirmations that a row requires, if it has fewer.
    pub fn required_by_pending_row(&self, row: &Transaction) -> Option<u64> {
        let blocks = row.confirmation.filter(|_| row.status == Some(Status::Pending))?;
        self.0.get(&row.token.blockchain).copied().filter(|awaited| blocks < *awaited)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(chain: &str, status: Status, blocks: u64) -> Transaction {
        Transaction { status: Some(status), confirmation: Some(blocks), ..Transaction::minimal(chain) }
    }

    fn thresholds_from_rows(rows: &[(&str, Status, u64)]) -> ConfirmationThresholds {
        let rows: Vec<Transaction> =
            rows.iter().map(|(chain, status, blocks)| row(chain, status.clone(), *blocks)).collect();
        ConfirmationThresholds::from_rows(rows.iter())
    }

    #[test]
    fn the_smallest_number_that_several_settled_rows_share_is_what_is_waited_for() {
        let settled = |chain, blocks| (chain, Status::Success, blocks);
        let settling = thresholds_from_rows(&[
            settled("ethereum", 12),
            settled("ethereum", 40),
            settled("ethereum", 12),
            settled("ethereum", 12),
            // Not settled, or not on the chain.
            ("ethereum", Status::Pending, 1),
            ("ethereum", Status::Failed, 0),
            settled("ethereum", 0),
            // Counted on, each from another time.
            settled("tron", 812),
            settled("tron", 40),
            settled("tron", 41),
            // Too few.
            settled("base", 10),
            settled("base", 10),
        ]);
        let awaited = |chain, status, blocks| settling.required_by_pending_row(&row(chain, status, blocks));
        assert_eq!(awaited("ethereum", Status::Pending, 3), Some(12));
        assert_eq!(awaited("ethereum", Status::Pending, 0), Some(12));
        for (chain, status, blocks) in [
            ("ethereum", Status::Pending, 12),
            ("ethereum", Status::Success, 3),
            ("tron", Status::Pending, 3),
            ("base", Status::Pending, 3),
            ("solana", Status::Pending, 3),
        ] {
            assert_eq!(awaited(chain, status.clone(), blocks), None, "{chain} {status:?} {blocks}");
        }
    }

    #[test]
    fn a_row_that_the_service_calls_unconfirmed_is_not_settled() {
        let mut rows = vec![row("ethereum", Status::Success, 2); 3];
        assert_eq!(ConfirmationThresholds::from_rows(rows.iter()).0.len(), 1);
        for row in &mut rows {
            row.confirmed = Some(false);
        }
        assert_eq!(ConfirmationThresholds::from_rows(rows.iter()), ConfirmationThresholds::default());
    }
}
