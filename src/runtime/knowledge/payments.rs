//! Payments that were made, or may have been: by this console, by its journal, and by anybody, by the service's history.

mod asked;
mod order;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::time::Duration;

use super::Sources;
use crate::domain::address::Shape;
use crate::domain::draft::Tag;
use crate::domain::{
    Amount, FinalWords, Intent, IntentId, Seen, Sender, Stated, Status, SubType, Text, Timestamp, Transaction, Verdict,
    chain,
};
use crate::guard::{About, Earlier, Paid, Payee, Spent, Usual, is_since, may_be_same};
use crate::store::Stretch;
pub(super) use asked::Asked;
use order::Order;
pub(super) use order::{sent, word};

/// Payments of this time are compared.
pub(super) const DAY: Duration = Duration::from_hours(24);

/// What was paid.
#[derive(Debug, Default)]
pub(super) struct Payments {
    /// Recipients of this console's accepted payments.
    pub(super) payees: Vec<Payee>,
    /// What others paid to each of the recipients, and how much of the token it got by each earlier payment.
    pub(super) each: Vec<About>,
    /// What is compared with this payment.
    pub(super) recent: Vec<Paid>,
    /// What left within the time over which limits are counted.
    pub(super) spent: Vec<Spent>,
    /// How many of the service's payments of that time do not say how much they paid.
    pub(super) unclear: usize,
    /// How many of the last 24 hours name no recipient, as batches and swaps do, and are not surely orders of this journal,
    /// which know whom they paid.
    pub(super) nameless: usize,
    /// What is usually paid of the token at once.
    pub(super) usual: Option<Usual>,
    /// Orders that paid the same file.
    pub(super) same_file: Vec<Earlier>,
}

pub(super) fn gather(sources: &Sources<'_>, stretch: &Stretch, asked: &Asked<'_>, now: Timestamp) -> Payments {
    let orders = order::all(sources.intents, sources.final_words, now);
    // From here on only windows of time are asked for.
    let now = sources.skew.earlier(now);
    let may_have_paid = || orders.iter().filter(|order| order.may_have_paid());
    let compared = Compared::of(may_have_paid().flat_map(Order::paid), asked, now);
    let mut recent: Vec<Paid> =
        may_have_paid().flat_map(Order::paid).filter(|paid| paid.is_unresolved || compared.has(paid)).collect();
    let known = Known::of(&orders);
    let counted = Counted::over(sources.policy.cooling.unwrap_or_default().max(DAY), now);
    let mut spent: Vec<Spent> = may_have_paid().flat_map(Order::spent).filter(|spent| counted.has(spent)).collect();
    let mut each = vec![About::default(); asked.count()];
    let tell_before = |each: &mut Vec<About>, paid: &Paid| {
        for index in before(paid, asked) {
            if let Some(about) = each.get_mut(index) {
                about.before.push(paid.amount);
            }
        }
    };
    let is_usual = |paid: &Paid| !paid.is_unresolved && is_of_token(paid, asked);
    let mut amounts: Vec<Amount> = Vec::new();
    for paid in may_have_paid().flat_map(Order::paid) {
        tell_before(&mut each, &paid);
        amounts.extend(is_usual(&paid).then_some(paid.amount));
    }
    let (mut unclear, mut nameless) = (0, 0);
    let of_day = Counted::over(DAY, now);
    let mut told: HashSet<IntentId> = HashSet::new();
    let certain: HashSet<IntentId> =
        stretch.outgoing.iter().filter_map(|(_, row)| known.certainly(row)).map(|order| order.intent.id).collect();
    for (seen_at, row) in &stretch.outgoing {
        let is_own = || known.certainly(row).is_some_and(Order::may_have_paid);
        if row.to_address.is_none() && of_day.is_of_time(row.at().unwrap_or(*seen_at)) && !is_own() {
            nameless += 1;
        }
        if sources.final_words.verdict(&Seen::of(row)) == Verdict::Failed {
            continue;
        }
        // Of several rows with one reference, one is the order's; of a batch each may be one of its recipients.
        let is_free = |order: &&Order<'_>| {
            let is_told = told.contains(&order.intent.id) && order.intent.recipients() <= 1;
            !certain.contains(&order.intent.id) && !is_told
        };
        let order = known.certainly(row).or_else(|| known.by_reference(row).find(is_free));
        if let Some(order) = order
            && order.may_have_paid()
        {
            // The order stands for it, and is one payment to each recipient even if several rows belong to it.
            if told.insert(order.intent.id) {
                let own = recent.iter_mut().filter(|paid| paid.intent == Some(order.intent.id));
                own.for_each(|paid| paid.transaction = Some(row.id.clone()));
            }
            continue;
        }
        if !matches!(row.sub_type, Some(SubType::Sweep | SubType::InternalTransfer)) {
            let left = spent_by(row, *seen_at);
            unclear += usize::from(left.is_none() && counted.is_of_time(row.at().unwrap_or(*seen_at)));
            spent.extend(left.filter(|spent| counted.has(spent)));
        }
        let Some(to) = &row.to_address else { continue };
        if order.is_none() && chain::same(&row.token.blockchain, asked.blockchain) {
            for index in asked.at(to) {
                let Some(About { others, .. }) = each.get_mut(index) else { continue };
                others.payments = others.payments.saturating_add(1);
                others.last = others.last.max(Some(row.at().unwrap_or(*seen_at)));
            }
        }
        let Some(mut paid) = paid(row, to, *seen_at, asked.sender) else { continue };
        // It stands under a key of this console, whatever became of its order by the journal.
        paid.intent = order.map(|order| order.intent.id);
        tell_before(&mut each, &paid);
        let is_payment = !matches!(row.sub_type, Some(SubType::Sweep | SubType::InternalTransfer));
        amounts.extend((is_payment && is_usual(&paid)).then_some(paid.amount));
        recent.extend(Some(paid).filter(|paid| compared.has(paid)));
    }
    let mut same_file: Vec<Earlier> = may_have_paid().filter_map(|order| order.same_file(asked)).collect();
    same_file.sort_by_key(|earlier| std::cmp::Reverse(earlier.at));
    let usual = Usual::of(amounts);
    Payments { payees: payees(&orders), each, recent, spent, unclear, nameless, usual, same_file }
}

/// The time over which payments are counted.
struct Counted {
    time: Duration,
    now: Timestamp,
}

impl Counted {
    fn over(time: Duration, now: Timestamp) -> Self {
        Self { time, now }
    }

    fn is_of_time(&self, at: Timestamp) -> bool {
        at.age(self.now) <= self.time
    }

    fn has(&self, spent: &Spent) -> bool {
        spent.is_unresolved || spent.at.is_none_or(|at| self.is_of_time(at))
    }
}

/// Of which of the recipients an earlier payment says what they usually get of this token.
fn before(paid: &Paid, asked: &Asked<'_>) -> Vec<usize> {
    let is_known = !paid.is_unresolved && is_of_token(paid, asked);
    if is_known && chain::same(&paid.blockchain, asked.blockchain) { asked.at(&paid.to) } else { Vec::new() }
}

fn is_of_token(paid: &Paid, asked: &Asked<'_>) -> bool {
    paid.token == asked.sender.token || paid.symbol.eq_ignore_ascii_case(asked.token)
}

/// What left by a row; `None` where it does not say how much. Where its amount contradicts itself, the integer counts.
fn spent_by(row: &Transaction, seen_at: Timestamp) -> Option<Spent> {
    Some(Spent {
        at: Some(row.at().unwrap_or(seen_at)),
        to: row.to_address.clone(),
        blockchain: row.token.blockchain.clone(),
        token: row.token.clone(),
        symbol: row.symbol.clone(),
        amount: row.amount.as_ref().map(Stated::raw)?,
        is_unresolved: false,
    })
}

/// This console's orders by what the service's history tells of them.
struct Known<'a> {
    keys: HashMap<String, &'a Order<'a>>,
    transactions: HashMap<&'a str, &'a Order<'a>>,
    references: HashMap<&'a str, Vec<&'a Order<'a>>>,
}

impl<'a> Known<'a> {
    fn of(orders: &'a [Order<'a>]) -> Self {
        let transactions = |order: &'a Order<'a>| order.intent.transactions().map(move |id| (id.as_str(), order));
        let mut references: HashMap<&'a str, Vec<&'a Order<'a>>> = HashMap::new();
        for order in orders {
            if let Some(reference) = order.ref_id {
                references.entry(reference.as_str()).or_default().push(order);
            }
        }
        Self {
            keys: orders
                .iter()
                .filter_map(|order| Some((order.intent.drafted.frozen.key?.to_string(), order)))
                .collect(),
            transactions: orders.iter().flat_map(transactions).collect(),
            references,
        }
    }

    /// The order to which a row belongs by its identifier, else by its key.
    fn certainly(&self, row: &Transaction) -> Option<&'a Order<'a>> {
        if let Some(order) = self.transactions.get(row.id.as_str()) {
            return Some(order);
        }
        self.keys.get(&row.idempotency_key.as_ref()?.to_ascii_lowercase()).copied()
    }

    /// The orders to which a row that names no key may belong by its reference: anybody may use a reference again, so
    /// that it must pay the same, for an order whose transaction is not known. What was asked of version 1 has no key,
    /// and may be known by another identifier there than in the history of version 2.
    fn by_reference(&self, row: &Transaction) -> impl Iterator<Item = &'a Order<'a>> {
        let reference = row.ref_id.as_deref().filter(|_| row.idempotency_key.is_none());
        let orders = reference.and_then(|reference| self.references.get(reference));
        let is_open =
            |order: &&Order<'_>| order.intent.transaction().is_none() || order.intent.drafted.frozen.key.is_none();
        orders.into_iter().flatten().copied().filter(is_open).filter(|order| order.pays_as(row))
    }
}

/// Which payments are to be compared with the one around which is looked.
struct Compared<'a> {
    asked: &'a Asked<'a>,
    now: Timestamp,
    /// When the first unresolved order to each of its recipients left.
    open: HashMap<Shape, Timestamp>,
}

impl<'a> Compared<'a> {
    fn of(paid: impl Iterator<Item = Paid>, asked: &'a Asked<'a>, now: Timestamp) -> Self {
        let mut open: HashMap<Shape, Timestamp> = HashMap::new();
        for paid in paid.filter(|paid| paid.is_unresolved && !asked.at(&paid.to).is_empty()) {
            let Some(at) = paid.at else { continue };
            open.entry(Shape::of(&paid.to)).and_modify(|first| *first = at.min(*first)).or_insert(at);
        }
        Self { asked, now, open }
    }

    fn has(&self, paid: &Paid) -> bool {
        let is_recent = paid.at.is_none_or(|at| at.age(self.now) <= DAY);
        let is_since =
            || self.open.get(&Shape::of(&paid.to)).is_some_and(|open| is_since(paid.at, Some(*open), self.now));
        is_recent || may_be_same(self.asked.ref_id, self.asked.note, paid) || (!self.open.is_empty() && is_since())
    }
}

/// A row as a payment; `None` where it does not say how much. Where its amount contradicts itself, the integer counts.
fn paid(row: &Transaction, to: &Text, seen_at: Timestamp, sender: &Sender) -> Option<Paid> {
    let amount = row.amount.as_ref().map(Stated::raw)?;
    Some(Paid {
        intent: None,
        transaction: Some(row.id.clone()),
        at: Some(row.at().unwrap_or(seen_at)),
        to: to.clone(),
        blockchain: row.token.blockchain.clone(),
        token: row.token.clone(),
        symbol: row.symbol.clone(),
        amount: amount.rescaled(sender.amount.decimals()).unwrap_or(amount),
        ref_id: row.ref_id.clone(),
        note: row.note.clone(),
        state: row.status.as_ref().map_or("no status told", Status::word).into(),
        is_unresolved: false,
    })
}

/// Recipients of the accepted ones of these orders.
pub(super) fn payees_of(intents: &[Intent], words: &FinalWords, now: Timestamp) -> Vec<Payee> {
    payees(&order::all(intents, words, now))
}

/// One payment to one recipient by an order.
type Payment<'a> = (&'a Order<'a>, &'a Text, Amount);

/// Recipients of accepted payments, one for each chain. Addresses that differ in nothing but case are one where case
/// means nothing.
fn payees(orders: &[Order<'_>]) -> Vec<Payee> {
    let mut places: HashMap<(Shape, String), Vec<Payment<'_>>> = HashMap::new();
    for order in orders.iter().filter(|order| order.was_accepted()) {
        let blockchain = order.blockchain;
        let chain = chain::Chain::find(blockchain);
        let chain = chain.map_or_else(|| blockchain.to_ascii_lowercase(), |chain| chain.slug.to_owned());
        for (to, amount) in order.parts() {
            places.entry((Shape::of(to), chain.clone())).or_default().push((order, to, amount));
        }
    }
    let mut payees: Vec<Payee> = places.into_values().filter_map(|payments| payee(&payments)).collect();
    payees.sort_by(|one, other| other.last.cmp(&one.last).then_with(|| one.address.cmp(&other.address)));
    payees
}

fn payee(payments: &[Payment<'_>]) -> Option<Payee> {
    let (latest, to, _) = payments.iter().max_by_key(|(order, ..)| order.sent)?;
    let (first, ..) = payments.iter().min_by_key(|(order, ..)| order.sent)?;
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
        first: first.sent,
        last: latest.sent,
        totals: totals.into_iter().filter_map(|(symbol, total)| Some((symbol.clone(), total?))).collect(),
        memos: memos(payments),
    })
}

/// With which memos or tags payments were made, each once.
fn memos(payments: &[Payment<'_>]) -> Vec<Option<Text>> {
    let mut memos: Vec<Option<Text>> = Vec::new();
    for (order, ..) in payments {
        let memo = if let Tag::Place(memo) = order.intent.drafted.draft.tag() { memo.cloned() } else { None };
        if !memos.contains(&memo) {
            memos.push(memo);
        }
    }
    memos
}
