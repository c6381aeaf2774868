//! What version 1's list of withdrawals shows of a version 1 payment, by its `clientTxId`. A service may show such
//! payments in the history of version 2 without that reference, or not at all.

use std::collections::HashSet;

use crate::domain::comparison::{ExpectedReport, ReportedPayment};
use crate::domain::draft::Draft;
use crate::domain::order::HistoryLookup;
use crate::domain::v1::Movement;
use crate::domain::{
    Amount, FinalStatuses, ObservedTransaction, Order, PagedList, Text, Timestamp, TransactionId, Verdict,
};
use crate::orders::claim::{MAX_CLOCK_DIFFERENCE, order_reference};

/// The source named in a difference.
const V1_HISTORY: &str = "the history of version 1";

pub enum V1Lookup {
    /// Not requested: the order is not of version 1, or was found before.
    NotRequested,
    Failed,
    /// The service has no such list, or does not know the sub-wallet.
    NotServed,
    Listed {
        /// Whether these are all withdrawals, or all since the order was drafted.
        is_whole: bool,
        /// The row that carries the order's reference, if any; a row that did not fail comes first.
        lookup: Option<Box<HistoryLookup>>,
        /// Whether the list is whole and all rows under the reference failed.
        has_failed: bool,
    },
}

/// The evidence in version 1 rows that bear a mark of an order; `None` where they are not its own after all. A version
/// 2 payment may share its reference with another payment, so a row that differs from its request is not counted.
pub fn evidence_in_v1_rows(
    rows: &[&Movement],
    order: &Order,
    usual_fee: Option<Amount>,
    final_statuses: &FinalStatuses,
) -> Option<HistoryLookup> {
    let is_by_v1 = matches!(order.drafted.draft, Draft::Payment(_));
    let is_own = |row: &&&Movement| {
        let is_referred = row.client_tx_id.is_some() && row.client_tx_id.as_deref() == order_reference(order);
        let is_payment = order.drafted.draft.single_payment().is_some();
        let is_like = is_by_v1 || evidence_in_v1_row(row, order, usual_fee).differences.is_empty();
        is_payment && ((is_referred && is_like) || order.transaction_id() == Some(&row.id))
    };
    let own: Vec<&Movement> = rows.iter().filter(is_own).copied().collect();
    V1Lookup::from_own_rows(&own, false, order, usual_fee, final_statuses).evidence()
}

/// A time that is earlier than `at` by either clock.
pub fn earlier_by_any_clock(at: Timestamp) -> Timestamp {
    let differ = i64::try_from(MAX_CLOCK_DIFFERENCE.as_millis()).unwrap_or(i64::MAX);
    Timestamp::from_millis(at.millis().saturating_sub(differ))
}

/// Whether a list holds every row since a time: it was read to its end, or its times show that it is newest first and
/// reaches back before `since`. Rows of a single time, or a single row, prove no order; nor do filtered pages before
/// the last.
pub fn covers_all_since(deposits: &PagedList<Movement>, since: Timestamp) -> bool {
    let times: Option<Vec<Timestamp>> = deposits.rows.iter().map(|row| row.created_at).collect();
    let is_newest_first = |times: &Vec<Timestamp>| times.is_sorted_by(|one, next| one >= next);
    let falls = |times: &Vec<Timestamp>| times.first() > times.last();
    let goes_down = |times: &Vec<Timestamp>| times.last().is_some_and(|last| *last < since);
    let reaches = || times.as_ref().is_some_and(|times| is_newest_first(times) && falls(times) && goes_down(times));
    deposits.unreadable == 0
        && !deposits.paging_ignored
        && (!deposits.has_more || (deposits.filtered_out == 0 && reaches()))
}

/// Whether a second read proves that the first missed no row that was there when it began: no row has left, and a row
/// of the first page is still on it unchanged, so that rows that moved or arrived meanwhile are above it, and were
/// seen.
pub fn confirms_first_read(first: &PagedList<Movement>, second: &PagedList<Movement>) -> bool {
    let top = |deposits: &PagedList<Movement>| {
        let length = deposits.pages.first().copied().unwrap_or_default();
        deposits.rows.iter().take(length).cloned().collect::<Vec<_>>()
    };
    let (before, now) = (top(first), top(second));
    let second_ids: HashSet<&TransactionId> = second.rows.iter().map(|row| &row.id).collect();
    now.iter().any(|row| before.contains(row)) && first.rows.iter().all(|row| second_ids.contains(&row.id))
}

impl V1Lookup {
    /// What a list shows; `is_whole` says whether it holds every withdrawal since the order was drafted.
    pub fn from_list(
        deposits: &PagedList<Movement>,
        is_whole: bool,
        order: &Order,
        usual_fee: Option<Amount>,
        final_statuses: &FinalStatuses,
    ) -> Self {
        let Some(reference) = order_reference(order) else { return Self::NotRequested };
        let own: Vec<&Movement> =
            deposits.rows.iter().filter(|row| row.client_tx_id.as_deref() == Some(reference)).collect();
        // A row with an unreadable reference may be the order's.
        let is_unread = |row: &Movement| row.unreadable.iter().any(|unread| unread.name == "clientTxId");
        let is_whole = is_whole && !deposits.rows.iter().any(is_unread);
        Self::from_own_rows(&own, is_whole, order, usual_fee, final_statuses)
    }

    fn from_own_rows(
        own: &[&Movement],
        is_whole: bool,
        order: &Order,
        usual_fee: Option<Amount>,
        final_statuses: &FinalStatuses,
    ) -> Self {
        let has_failed = |row: &Movement| final_statuses.verdict(&observe_v1_row(row)) == Verdict::Failed;
        let stand: Vec<&Movement> = own.iter().copied().filter(|row| !has_failed(row)).collect();
        let own_row = stand.first().or(own.first());
        let mut look = own_row.map(|row| evidence_in_v1_row(row, order, usual_fee));
        if let ([first, second, ..], Some(look)) = (stand.as_slice(), &mut look) {
            let (first, second) = (&first.id, &second.id);
            let message = format!("paid twice? Transactions {first} and {second} both carry its reference");
            look.differences.push(Text::clean(&message));
        }
        // If the read is partial, a row that did not fail may be among the rest.
        let has_failed = is_whole && stand.is_empty() && !own.is_empty();
        Self::Listed { is_whole, lookup: look.map(Box::new), has_failed }
    }

    /// Whether the whole list shows that the payment was not made, or failed.
    pub fn shows_not_paid(&self) -> bool {
        matches!(self, Self::Listed { is_whole: true, lookup, has_failed, .. } if lookup.is_none() || *has_failed)
    }

    pub fn evidence(&self) -> Option<HistoryLookup> {
        let Self::Listed { lookup, .. } = self else { return None };
        lookup.as_deref().cloned()
    }

    /// Whether the payment may have been made although no row was found under its reference, so that it cannot be
    /// reported as not found. The history of version 2 need not show a version 1 payment, nor its `clientTxId`: only
    /// version 1's own list, read whole, can rule it out.
    pub fn may_have_been_paid(&self, order: &Order, look: &HistoryLookup) -> bool {
        match self {
            Self::NotRequested => order.drafted.request.key.is_none(),
            Self::Failed | Self::NotServed => true,
            Self::Listed { is_whole, .. } => !is_whole || look.similar_transaction.is_some(),
        }
    }

    /// Whether the payment may be reported as failed: the list is whole, and every row under its reference failed.
    pub fn shows_failure(&self) -> bool {
        matches!(self, Self::Listed { has_failed: true, .. })
    }
}

fn observe_v1_row(row: &Movement) -> ObservedTransaction {
    ObservedTransaction {
        transaction: Some(row.id.clone()),
        status: row.status.clone(),
        confirmed: None,
        confirmed_at: None,
        confirmation: row.confirmation,
        tx_hash: row.hash.clone(),
        swap: None,
    }
}

pub fn evidence_in_v1_row(row: &Movement, order: &Order, usual_fee: Option<Amount>) -> HistoryLookup {
    let (expected, reported) = (ExpectedReport::from_order(order, usual_fee), ReportedPayment::from_v1_record(row));
    let costs = expected.cost_alarm(&reported).into_iter().collect();
    HistoryLookup {
        observed: Some(observe_v1_row(row)),
        differences: expected.differences(&reported, V1_HISTORY),
        cost_alarms: costs,
        ..HistoryLookup::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{Outcome, Status};
    use crate::orders::fixtures::order;

    fn withdrawal(id: &str, status: &str) -> Movement {
        Movement {
            id: TransactionId::from_text(id),
            workspace: None,
            destination: None,
            from_wallet: None,
            to_wallet: None,
            coin: "USDC".into(),
            chain: None,
            network: None,
            amount: None,
            status: Some(Status::from_word(status)),
            network_fee: None,
            confirmation: None,
            created_at: None,
            updated_at: None,
            client_tx_id: Some("own-1".into()),
            from_address: None,
            to_address: None,
            hash: None,
            link: None,
            tag_memo: None,
            unreadable: Vec::new(),
        }
    }

    #[test]
    fn a_payment_failed_only_by_a_list_that_was_read_whole() {
        let (order, final_statuses) = (order(1, 10, Some(Outcome::Unknown)), FinalStatuses::default());
        let (failed, pending) = (withdrawal("a", "failed"), withdrawal("b", "pending"));
        let lookup =
            |own: &[&Movement], is_whole| V1Lookup::from_own_rows(own, is_whole, &order, None, &final_statuses);
        assert!(lookup(&[&failed], true).shows_failure());
        assert!(!lookup(&[&failed], false).shows_failure(), "one that stands may be among those that were not read");
        assert!(lookup(&[&failed], false).evidence().is_some(), "it arrived, whatever became of it");
        assert!(!lookup(&[&failed, &pending], true).shows_failure());
        assert!(!lookup(&[], true).shows_failure());
    }

    #[test]
    fn a_list_tells_all_that_is_newer_than_its_last_row_where_its_times_say_so() {
        let at = |minutes: i64| Timestamp::from_millis(1_790_000_000_000 + minutes * 60_000);
        let list = |minutes: &[Option<i64>], more| {
            let row = |minutes: &Option<i64>| Movement { created_at: minutes.map(at), ..withdrawal("a", "pending") };
            PagedList { rows: minutes.iter().map(row).collect(), has_more: more, ..PagedList::default() }
        };
        let since = earlier_by_any_clock(at(30));
        assert_eq!(since, at(20));
        for (minutes, more, tells) in [
            (&[Some(9), Some(40)][..], false, true),
            (&[], true, false),
            (&[Some(40), Some(40), Some(30), Some(19)], true, true),
            (&[Some(40), Some(20)], true, false),
            (&[Some(40), Some(10), Some(50), Some(9)], true, false),
            (&[Some(40), None, Some(9)], true, false),
            (&[Some(9)], true, false),
            (&[Some(9), Some(9), Some(9)], true, false),
            (&[Some(9)], false, true),
        ] {
            assert_eq!(covers_all_since(&list(minutes, more), since), tells, "{minutes:?} {more}");
        }
        let odd = PagedList { unreadable: 1, ..list(&[Some(9)], false) };
        assert!(!covers_all_since(&odd, since));
        assert!(!covers_all_since(&PagedList { paging_ignored: true, ..list(&[Some(9)], false) }, since));
        // What was kept of a page shows no order of the page.
        let filtered_list = |more| PagedList { filtered_out: 1, ..list(&[Some(40), Some(9)], more) };
        assert!(!covers_all_since(&filtered_list(true), since) && covers_all_since(&filtered_list(false), since));
    }

    #[test]
    fn a_second_read_bears_out_the_first_where_no_row_left_and_the_first_page_held() {
        let list = |pages: &[&[&str]]| PagedList {
            rows: pages.concat().iter().map(|id| withdrawal(id, "pending")).collect(),
            pages: pages.iter().map(|page| page.len()).collect(),
            ..PagedList::default()
        };
        let first = list(&[&["d", "c"], &["b", "a"]]);
        for (second, is_so) in [
            (list(&[&["d", "c"], &["b", "a"]]), true),
            (list(&[&["e", "d"], &["c", "b"], &["a"]]), true),
            (list(&[&["f", "e"], &["d", "c"], &["b", "a"]]), false),
            (list(&[&["d", "b"], &["a"]]), false),
            (list(&[]), false),
        ] {
            assert_eq!(confirms_first_read(&first, &second), is_so, "{:?}", second.pages);
        }
        let mut changed = first.clone();
        for row in &mut changed.rows {
            row.status = Some(Status::from_word("success"));
        }
        assert!(!confirms_first_read(&first, &changed), "each of them may have moved");
    }

    #[test]
    fn a_second_read_is_worth_it_where_something_would_be_claimed() {
        let (order, final_statuses) = (order(1, 10, Some(Outcome::Unknown)), FinalStatuses::default());
        let (failed, pending) = (withdrawal("a", "failed"), withdrawal("b", "pending"));
        let claims = |own: &[&Movement], is_whole| {
            V1Lookup::from_own_rows(own, is_whole, &order, None, &final_statuses).shows_not_paid()
        };
        assert!(claims(&[], true) && claims(&[&failed], true));
        assert!(!claims(&[], false) && !claims(&[&failed], false) && !claims(&[&pending], true));
    }

    #[test]
    fn only_its_own_list_read_whole_tells_that_what_version_1_was_asked_for_was_not_seen() {
        let mut order = order(1, 10, Some(Outcome::Unknown));
        let may_hold = |by_v1: &V1Lookup, order: &Order| by_v1.may_have_been_paid(order, &HistoryLookup::default());
        assert!(!may_hold(&V1Lookup::NotRequested, &order), "the key tells");
        order.drafted.request.key = None;
        assert!(may_hold(&V1Lookup::NotRequested, &order) && may_hold(&V1Lookup::Failed, &order));
        assert!(may_hold(&V1Lookup::NotServed, &order));
        let lookup = |is_whole| V1Lookup::from_own_rows(&[], is_whole, &order, None, &FinalStatuses::default());
        assert!(may_hold(&lookup(false), &order) && !may_hold(&lookup(true), &order));
        let look =
            HistoryLookup { similar_transaction: Some(TransactionId::from_text("x")), ..HistoryLookup::default() };
        assert!(lookup(true).may_have_been_paid(&order, &look));
    }
}
