//! What the history shows that may need a person. Blocks on the disk.

use std::collections::{HashMap, HashSet};

use super::look_alikes::LookAlikeIndex;
use crate::app::data::look_alikes::LookAlikeQuery;
use crate::domain::address::ComparableAddress;
use crate::domain::attention::{DustRows, HistoryFindings, ImitationRows, LargeRow, LookAlikeRows, StuckCandidate};
use crate::domain::history::HistoryRow;
use crate::domain::recent_activity::{AddressRows, RowMark};
use crate::domain::{Text, Timestamp};
use crate::store::{Cancel, Store, StoreError};

/// The most pending rows that are examined, the oldest.
const MAX_PENDING_ROWS: u32 = 200;
/// The most first payments that are looked up in the whole history, the newest.
const MAX_FIRST_PAYMENTS: usize = 16;

/// Reads the findings. `compared` has what own wallets, contacts and recipients are known by.
pub fn read_findings(store: &Store, compared: &LookAlikeQuery, now: Timestamp) -> Result<HistoryFindings, StoreError> {
    read_findings_with_index(store, &LookAlikeIndex::default(), compared, now)
}

pub(super) fn read_findings_with_index(
    store: &Store,
    look_alike_index: &LookAlikeIndex,
    compared: &LookAlikeQuery,
    now: Timestamp,
) -> Result<HistoryFindings, StoreError> {
    let activity = store.recent_activity(now, &Cancel::new())?;
    let matches = look_alike_index.find_matches(store, compared, activity.counterparty_addresses(), now)?;
    let own = store.own_addresses()?;
    let contacts = compared.book.entries().iter().map(|entry| &entry.contact.address);
    let contacts: HashSet<ComparableAddress> = contacts.map(|address| ComparableAddress::parse(address)).collect();
    let is_known =
        |address: &Text| own.has_on_any_chain(address) || contacts.contains(&ComparableAddress::parse(address));
    let notable = activity.notable_rows(now, is_known, |address| matches.contains_key(address));
    let first_paid: Vec<RowMark> = {
        let candidates = notable.first_paid.iter().take(MAX_FIRST_PAYMENTS);
        let is_first = candidates.map(|(address, mark)| Ok((*mark, !store.was_paid_before(address, mark.seq)?)));
        let judged: Vec<(RowMark, bool)> = is_first.collect::<Result<_, StoreError>>()?;
        judged.into_iter().filter(|(_, first)| *first).map(|(mark, _)| mark).collect()
    };
    let marks = notable.failed.iter().copied();
    let marks = marks.chain(notable.large.iter().map(|large| large.row)).chain(first_paid.iter().copied());
    let marks = marks.chain(notable.look_alikes.iter().map(|look_alike| look_alike.newest));
    let marks = marks.chain(notable.dust.first().map(|dust| dust.newest));
    let marks = marks.chain(notable.imitations.iter().map(|(_, imitation)| imitation.newest));
    let mut seqs: Vec<i64> = marks.map(|mark| mark.seq).collect();
    seqs.sort_unstable();
    seqs.dedup();
    let rows: HashMap<i64, HistoryRow> = store.read_rows_by_seq(&seqs)?.into_iter().map(|row| (row.seq, row)).collect();
    let row = |mark: RowMark| rows.get(&mark.seq).cloned();
    let settling = activity.settlement_times();
    let pending = store.pending_rows(MAX_PENDING_ROWS)?.into_iter().map(|(seen_at, transaction)| StuckCandidate {
        since: transaction.reported_time().unwrap_or(seen_at),
        limit: settling.stuck_limit(&transaction.token.blockchain),
        transaction,
    });
    let look_alike = |rows: &AddressRows| {
        let resembled = matches.get(&rows.address)?;
        Some(LookAlikeRows {
            newest: row(rows.newest)?,
            rows: rows.rows,
            address: rows.address.clone(),
            resembles: resembled.address.clone(),
            reason: resembled.reason.clone(),
        })
    };
    Ok(HistoryFindings {
        rows: activity.row_count(),
        since: activity.oldest_row_time(),
        failed: notable.failed.iter().filter_map(|mark| row(*mark)).collect(),
        pending: pending.collect(),
        large: notable
            .large
            .iter()
            .filter_map(|large| Some(LargeRow { row: row(large.row)?, usual: large.usual, samples: large.samples }))
            .collect(),
        first_paid: first_paid.iter().filter_map(|mark| row(*mark)).collect(),
        look_alikes: notable.look_alikes.iter().filter_map(look_alike).collect(),
        imitations: notable
            .imitations
            .iter()
            .filter_map(|(_, imitation)| {
                Some(ImitationRows { newest: row(imitation.newest)?, since: imitation.oldest.at, rows: imitation.rows })
            })
            .collect(),
        dust: notable.dust.first().and_then(|newest| {
            Some(DustRows {
                newest: row(newest.newest)?,
                rows: notable.dust.iter().map(|dust| dust.rows).sum(),
                addresses: u64::try_from(notable.dust.len()).unwrap_or(u64::MAX),
            })
        }),
    })
}
