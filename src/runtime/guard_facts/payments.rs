//! Payments that were made, or may have been: this console's from the journal, all others from the service's history.

mod order;
mod payables;
mod payment_under_review;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::time::Duration;

use super::FactSources;
use crate::domain::address::ComparableAddress;
use crate::domain::draft::MemoSupport;
use crate::domain::{
    Amount, FinalStatuses, ObservedTransaction, Order, OrderId, ReportedAmount, Sender, Status, SubType, Text,
    Timestamp, Transaction, Verdict, chain,
};
use crate::guard::{
    Outflow, Payee, RecentPayment, RecipientFacts, SameFileOrder, UsualAmount, may_be_after, may_share_reference,
};
use crate::orders::claim::resembles_order;
use crate::store::OutgoingRows;
use order::SentOrder;
pub(super) use order::{order_sent_at, order_state_text};
pub(super) use payables::payments_of_payables;
pub(super) use payment_under_review::PaymentUnderReview;

/// How far back payments are compared.
pub(super) const COMPARISON_PERIOD: Duration = Duration::from_hours(24);

#[derive(Debug, Default)]
pub(super) struct PaymentFacts {
    /// Recipients of this console's accepted payments.
    pub(super) payees: Vec<Payee>,
    /// For each recipient: payments by other clients, and the amounts of the token that it got before.
    pub(super) facts_per_recipient: Vec<RecipientFacts>,
    pub(super) recent: Vec<RecentPayment>,
    /// Outflows within the time over which limits are counted.
    pub(super) outflows: Vec<Outflow>,
    /// How many of the service's payments of that time report no amount.
    pub(super) payments_without_amount: usize,
    /// How many payments of the last 24 hours name no recipient, as batches and swaps do, and are not certainly this
    /// journal's orders, whose recipients are known.
    pub(super) payments_without_recipient: usize,
    pub(super) usual_amount: Option<UsualAmount>,
    pub(super) same_file: Vec<SameFileOrder>,
}

pub(super) fn gather_payment_facts(
    sources: &FactSources<'_>,
    outgoing_rows: &OutgoingRows,
    payment: &PaymentUnderReview<'_>,
    now: Timestamp,
) -> PaymentFacts {
    let orders = order::sent_orders(sources.orders, sources.final_statuses, now);
    // From here on only time windows matter.
    let now = sources.skew.earlier_clock(now);
    let may_have_paid = || orders.iter().filter(|order| order.may_have_paid());
    let compared = ComparisonFilter::new(may_have_paid().flat_map(SentOrder::as_recent_payments), payment, now);
    let mut recent: Vec<RecentPayment> = may_have_paid()
        .flat_map(SentOrder::as_recent_payments)
        .filter(|candidate| candidate.is_unresolved || compared.includes(candidate))
        .collect();
    let order_index = OrderIndex::from_orders(&orders);
    let counting_window = CountingWindow::new(sources.policy.cooling.unwrap_or_default().max(COMPARISON_PERIOD), now);
    let mut spent: Vec<Outflow> =
        may_have_paid().flat_map(SentOrder::outflows).filter(|spent| counting_window.counts(spent)).collect();
    let mut each = vec![RecipientFacts::default(); payment.recipient_count()];
    let tell_before = |each: &mut Vec<RecipientFacts>, candidate: &RecentPayment| {
        for index in recipient_indices_paid_by(candidate, payment) {
            if let Some(about) = each.get_mut(index) {
                about.earlier_amounts.push(candidate.amount);
            }
        }
    };
    let is_usual = |candidate: &RecentPayment| !candidate.is_unresolved && is_payment_of_token(candidate, payment);
    let mut amounts: Vec<Amount> = Vec::new();
    for candidate in may_have_paid().flat_map(SentOrder::as_recent_payments) {
        tell_before(&mut each, &candidate);
        amounts.extend(is_usual(&candidate).then_some(candidate.amount));
    }
    let (mut unclear, mut nameless) = (0, 0);
    let of_day = CountingWindow::new(COMPARISON_PERIOD, now);
    let mut counted_orders: HashSet<OrderId> = HashSet::new();
    let certain: HashSet<OrderId> = outgoing_rows
        .outgoing
        .iter()
        .filter_map(|(_, row)| order_index.find_by_id_or_key(row))
        .map(|order| order.order.id)
        .collect();
    for (seen_at, row) in &outgoing_rows.outgoing {
        let is_own = || order_index.find_by_id_or_key(row).is_some_and(SentOrder::may_have_paid);
        if row.to_address.is_none() && of_day.contains(row.reported_time().unwrap_or(*seen_at)) && !is_own() {
            nameless += 1;
        }
        if sources.final_statuses.verdict(&ObservedTransaction::from_transaction(row)) == Verdict::Failed {
            continue;
        }
        // Of several rows with one reference, one is the order's; each row of a batch may be one of its recipients.
        let is_free = |order: &&SentOrder<'_>| {
            let is_fully_counted = counted_orders.contains(&order.order.id) && order.order.recipient_count() <= 1;
            !certain.contains(&order.order.id) && !is_fully_counted
        };
        let order = order_index.find_by_id_or_key(row).or_else(|| order_index.find_by_reference(row).find(is_free));
        if let Some(order) = order
            && order.may_have_paid()
        {
            // The order counts instead of its rows, as one payment to each recipient even if several rows belong to it.
            if counted_orders.insert(order.order.id) {
                let own = recent.iter_mut().filter(|candidate| candidate.order == Some(order.order.id));
                own.for_each(|candidate| candidate.transaction = Some(row.id.clone()));
            }
            continue;
        }
        if !matches!(row.sub_type, Some(SubType::Sweep | SubType::InternalTransfer)) {
            let outflow = transaction_outflow(row, *seen_at);
            unclear +=
                usize::from(outflow.is_none() && counting_window.contains(row.reported_time().unwrap_or(*seen_at)));
            spent.extend(outflow.filter(|spent| counting_window.counts(spent)));
        }
        let Some(to) = &row.to_address else { continue };
        if order.is_none() && chain::is_same_chain(&row.token.blockchain, payment.blockchain) {
            for index in payment.recipient_indices_at(to) {
                let Some(RecipientFacts { other_payments: others, .. }) = each.get_mut(index) else { continue };
                others.payments = others.payments.saturating_add(1);
                others.last = others.last.max(Some(row.reported_time().unwrap_or(*seen_at)));
            }
        }
        let Some(mut candidate) = payment_of_row(row, to, *seen_at, payment.sender) else { continue };
        // The row carries a key of this console, whatever the journal's state of its order.
        candidate.order = order.map(|order| order.order.id);
        tell_before(&mut each, &candidate);
        let is_payment = !matches!(row.sub_type, Some(SubType::Sweep | SubType::InternalTransfer));
        amounts.extend((is_payment && is_usual(&candidate)).then_some(candidate.amount));
        recent.extend(Some(candidate).filter(|candidate| compared.includes(candidate)));
    }
    let mut same_file: Vec<SameFileOrder> =
        may_have_paid().filter_map(|order| order.earlier_payment_of_file(payment)).collect();
    same_file.sort_by_key(|earlier| std::cmp::Reverse(earlier.at));
    let usual = UsualAmount::from_amounts(amounts);
    PaymentFacts {
        payees: accepted_payees(&orders),
        facts_per_recipient: each,
        recent,
        outflows: spent,
        payments_without_amount: unclear,
        payments_without_recipient: nameless,
        usual_amount: usual,
        same_file,
    }
}

struct CountingWindow {
    time: Duration,
    now: Timestamp,
}

impl CountingWindow {
    fn new(time: Duration, now: Timestamp) -> Self {
        Self { time, now }
    }

    fn contains(&self, at: Timestamp) -> bool {
        at.age(self.now) <= self.time
    }

    fn counts(&self, spent: &Outflow) -> bool {
        spent.is_unresolved || spent.at.is_none_or(|at| self.contains(at))
    }
}

/// The recipients for which an earlier payment shows the usual amount of this token.
fn recipient_indices_paid_by(recent: &RecentPayment, payment: &PaymentUnderReview<'_>) -> Vec<usize> {
    let is_known = !recent.is_unresolved && is_payment_of_token(recent, payment);
    if is_known && chain::is_same_chain(&recent.blockchain, payment.blockchain) {
        payment.recipient_indices_at(&recent.to)
    } else {
        Vec::new()
    }
}

fn is_payment_of_token(recent: &RecentPayment, payment: &PaymentUnderReview<'_>) -> bool {
    recent.token == payment.sender.token || recent.symbol.eq_ignore_ascii_case(payment.token)
}

/// The outflow of a row; `None` without an amount. If the amount contradicts itself, the integer counts.
fn transaction_outflow(row: &Transaction, seen_at: Timestamp) -> Option<Outflow> {
    Some(Outflow {
        at: Some(row.reported_time().unwrap_or(seen_at)),
        to: row.to_address.clone(),
        blockchain: row.token.blockchain.clone(),
        token: row.token.clone(),
        symbol: row.symbol.clone(),
        amount: row.amount.as_ref().map(ReportedAmount::even_if_disputed)?,
        is_unresolved: false,
    })
}

/// This console's orders, indexed by the marks that rows of the history carry.
struct OrderIndex<'a> {
    keys: HashMap<String, &'a SentOrder<'a>>,
    transactions: HashMap<&'a str, &'a SentOrder<'a>>,
    references: HashMap<&'a str, Vec<&'a SentOrder<'a>>>,
}

impl<'a> OrderIndex<'a> {
    fn from_orders(orders: &'a [SentOrder<'a>]) -> Self {
        let transactions = |order: &'a SentOrder<'a>| order.order.transaction_ids().map(move |id| (id.as_str(), order));
        let mut references: HashMap<&'a str, Vec<&'a SentOrder<'a>>> = HashMap::new();
        for order in orders {
            if let Some(reference) = order.ref_id {
                references.entry(reference.as_str()).or_default().push(order);
            }
        }
        Self {
            keys: orders
                .iter()
                .filter_map(|order| Some((order.order.drafted.request.key?.to_string(), order)))
                .collect(),
            transactions: orders.iter().flat_map(transactions).collect(),
            references,
        }
    }

    /// The order to which a row belongs by its identifier, else by its key.
    fn find_by_id_or_key(&self, row: &Transaction) -> Option<&'a SentOrder<'a>> {
        if let Some(order) = self.transactions.get(row.id.as_str()) {
            return Some(order);
        }
        self.keys.get(&row.idempotency_key.as_ref()?.to_ascii_lowercase()).copied()
    }

    /// The orders to which a row without a key may belong by its reference. References may be reused, so the row must
    /// pay the same, for an order whose transaction is unknown. A version 1 order has no key, and may have another
    /// identifier in version 1 than in the history of version 2.
    fn find_by_reference(&self, row: &Transaction) -> impl Iterator<Item = &'a SentOrder<'a>> {
        let reference = row.ref_id.as_deref().filter(|_| row.idempotency_key.is_none());
        let orders = reference.and_then(|reference| self.references.get(reference));
        let is_open = |order: &&SentOrder<'_>| {
            order.order.transaction_id().is_none() || order.order.drafted.request.key.is_none()
        };
        orders
            .into_iter()
            .flatten()
            .copied()
            .filter(is_open)
            .filter(|order| row.amount.is_some() && resembles_order(row, order.order))
    }
}

/// Selects the payments to compare with the one under judgement.
struct ComparisonFilter<'a> {
    judged_payment: &'a PaymentUnderReview<'a>,
    now: Timestamp,
    /// When the first unresolved order to each of its recipients was sent.
    first_unresolved_at: HashMap<ComparableAddress, Timestamp>,
}

impl<'a> ComparisonFilter<'a> {
    fn new(
        payments: impl Iterator<Item = RecentPayment>,
        judged_payment: &'a PaymentUnderReview<'a>,
        now: Timestamp,
    ) -> Self {
        let mut first_unresolved_at: HashMap<ComparableAddress, Timestamp> = HashMap::new();
        for payment in payments
            .filter(|payment| payment.is_unresolved && !judged_payment.recipient_indices_at(&payment.to).is_empty())
        {
            let Some(at) = payment.at else { continue };
            first_unresolved_at
                .entry(ComparableAddress::parse(&payment.to))
                .and_modify(|first| *first = at.min(*first))
                .or_insert(at);
        }
        Self { judged_payment, now, first_unresolved_at }
    }

    fn includes(&self, payment: &RecentPayment) -> bool {
        let is_recent = payment.at.is_none_or(|at| at.age(self.now) <= COMPARISON_PERIOD);
        let is_since = || {
            self.first_unresolved_at
                .get(&ComparableAddress::parse(&payment.to))
                .is_some_and(|open| may_be_after(payment.at, Some(*open), self.now))
        };
        is_recent
            || may_share_reference(self.judged_payment.ref_id, self.judged_payment.note, payment)
            || !self.judged_payment.own_references.recipients_sharing(payment).is_empty()
            || (!self.first_unresolved_at.is_empty() && is_since())
    }
}

/// A row as a payment; `None` without an amount. If the amount contradicts itself, the integer counts.
fn payment_of_row(row: &Transaction, to: &Text, seen_at: Timestamp, sender: &Sender) -> Option<RecentPayment> {
    let amount = row.amount.as_ref().map(ReportedAmount::even_if_disputed)?;
    Some(RecentPayment {
        order: None,
        transaction: Some(row.id.clone()),
        at: Some(row.reported_time().unwrap_or(seen_at)),
        to: to.clone(),
        blockchain: row.token.blockchain.clone(),
        token: row.token.clone(),
        symbol: row.symbol.clone(),
        amount: amount.rescaled(sender.amount.decimals()).unwrap_or(amount),
        ref_id: row.ref_id.clone(),
        recipient_reference: None,
        note: row.note.clone(),
        state: row.status.as_ref().map_or("no status", Status::word).into(),
        is_unresolved: false,
    })
}

/// The recipients of those orders that were accepted.
pub(super) fn payees_of_orders(orders: &[Order], final_statuses: &FinalStatuses, now: Timestamp) -> Vec<Payee> {
    accepted_payees(&order::sent_orders(orders, final_statuses, now))
}

type OrderRecipientAmount<'a> = (&'a SentOrder<'a>, &'a Text, Amount);

/// Recipients of accepted payments, one for each chain. Case is ignored where it is insignificant.
fn accepted_payees(orders: &[SentOrder<'_>]) -> Vec<Payee> {
    let mut places: HashMap<(ComparableAddress, String), Vec<OrderRecipientAmount<'_>>> = HashMap::new();
    for order in orders.iter().filter(|order| order.was_accepted()) {
        let blockchain = order.blockchain;
        let chain = chain::Chain::find(blockchain);
        let chain = chain.map_or_else(|| blockchain.to_ascii_lowercase(), |chain| chain.slug.to_owned());
        for (to, amount) in order.unfailed_payments() {
            places.entry((ComparableAddress::parse(to), chain.clone())).or_default().push((order, to, amount));
        }
    }
    let mut payees: Vec<Payee> = places.into_values().filter_map(|payments| summarise_payee(&payments)).collect();
    payees.sort_by(|one, other| other.last.cmp(&one.last).then_with(|| one.address.cmp(&other.address)));
    payees
}

fn summarise_payee(payments: &[OrderRecipientAmount<'_>]) -> Option<Payee> {
    let (latest, to, _) = payments.iter().max_by_key(|(order, ..)| order.sent_at)?;
    let (first, ..) = payments.iter().min_by_key(|(order, ..)| order.sent_at)?;
    let mut totals: BTreeMap<&Text, Option<Amount>> = BTreeMap::new();
    for (order, _, amount) in payments {
        totals
            .entry(order.token)
            .and_modify(|total| *total = total.and_then(|total| total.checked_add(*amount)))
            .or_insert(Some(*amount));
    }
    Some(Payee {
        address: (*to).clone(),
        blockchain: latest.blockchain.clone(),
        payments: u32::try_from(payments.len()).unwrap_or(u32::MAX),
        first: first.sent_at,
        last: latest.sent_at,
        totals: totals.into_iter().filter_map(|(symbol, total)| Some((symbol.clone(), total?))).collect(),
        memos: distinct_memos(payments),
    })
}

/// The memos or tags of these payments, each once.
fn distinct_memos(payments: &[OrderRecipientAmount<'_>]) -> Vec<Option<Text>> {
    let mut memos: Vec<Option<Text>> = Vec::new();
    for (order, ..) in payments {
        let memo =
            if let MemoSupport::Supported(memo) = order.order.drafted.draft.memo() { memo.cloned() } else { None };
        if !memos.contains(&memo) {
            memos.push(memo);
        }
    }
    memos
}
