//! Payments that were made, or may have been: by this console, by its journal, and by anybody, by the service's history.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::time::Duration;

use super::Sources;
use crate::domain::address::{Shape, same};
use crate::domain::intent::State;
use crate::domain::{
    Amount, Intent, IntentId, Seen, Sender, Stated, Status, SubType, Text, Timestamp, Transaction, Verdict, Withdrawal,
    chain,
};
use crate::guard::{Others, Paid, Payee, Spent};
use crate::store::Stretch;

/// Payments of this time are compared.
pub(super) const DAY: Duration = Duration::from_hours(24);

/// What was paid.
#[derive(Debug, Default)]
pub(super) struct Payments {
    /// Recipients of this console's accepted payments.
    pub(super) payees: Vec<Payee>,
    /// What others paid to this recipient.
    pub(super) others: Others,
    /// What is compared with this payment.
    pub(super) recent: Vec<Paid>,
    /// What left within the time over which limits are counted.
    pub(super) spent: Vec<Spent>,
    /// How many of the service's payments of that time do not say how much they paid.
    pub(super) unclear: usize,
    /// How much of the token this recipient got by each earlier payment.
    pub(super) before: Vec<Amount>,
}

/// An order of this console for a payment.
struct Order<'a> {
    intent: &'a Intent,
    says: &'a Withdrawal,
    sender: &'a Sender,
    state: State,
    sent: Timestamp,
}

pub(super) fn gather(
    sources: &Sources<'_>,
    stretch: &Stretch,
    says: &Withdrawal,
    sender: &Sender,
    now: Timestamp,
) -> Payments {
    let orders: Vec<Order<'_>> = sources.intents.iter().filter_map(|intent| order(intent, now)).collect();
    let mut recent: Vec<Paid> = orders
        .iter()
        .filter(|order| order.may_have_paid())
        .map(Order::paid)
        .filter(|paid| paid.is_unresolved || concerns(paid, says, now))
        .collect();
    let known = Known::of(&orders);
    let may_have_paid = || orders.iter().filter(|order| order.may_have_paid());
    let counted = Counted::over(sources.policy.cooling.unwrap_or_default().max(DAY), now);
    let mut spent: Vec<Spent> = may_have_paid().map(Order::spent).filter(|spent| counted.has(spent)).collect();
    let mut before: Vec<Amount> =
        may_have_paid().map(Order::paid).filter(|paid| is_before(paid, says, sender)).map(|paid| paid.amount).collect();
    let mut unclear = 0;
    let mut others = Others::default();
    let mut told: HashSet<IntentId> = HashSet::new();
    let certain: HashSet<IntentId> =
        stretch.outgoing.iter().filter_map(|(_, row)| known.certainly(row)).map(|order| order.intent.id).collect();
    for (seen_at, row) in &stretch.outgoing {
        if sources.final_words.verdict(&Seen::of(row)) == Verdict::Failed {
            continue;
        }
        // Of several rows with one reference, one is the order's.
        let is_free = |order: &&Order<'_>| !certain.contains(&order.intent.id) && !told.contains(&order.intent.id);
        let order = known.certainly(row).or_else(|| known.by_reference(row).find(is_free));
        if let Some(order) = order
            && order.may_have_paid()
        {
            // The order stands for it, and is one payment even if several rows belong to it.
            if told.insert(order.intent.id)
                && let Some(paid) = recent.iter_mut().find(|paid| paid.intent == Some(order.intent.id))
            {
                paid.transaction = Some(row.id.clone());
            }
            continue;
        }
        if !matches!(row.sub_type, Some(SubType::Sweep | SubType::InternalTransfer)) {
            let left = spent_by(row, *seen_at);
            unclear += usize::from(left.is_none() && counted.is_of_time(row.at().unwrap_or(*seen_at)));
            spent.extend(left.filter(|spent| counted.has(spent)));
        }
        let Some(to) = &row.to_address else { continue };
        if order.is_none() && same(to, &says.to) && chain::same(&row.token.blockchain, &says.blockchain) {
            others.payments = others.payments.saturating_add(1);
            others.last = others.last.max(Some(row.at().unwrap_or(*seen_at)));
        }
        let paid = paid(row, to, *seen_at, sender);
        before.extend(paid.as_ref().filter(|paid| is_before(paid, says, sender)).map(|paid| paid.amount));
        recent.extend(paid.filter(|paid| concerns(paid, says, now)));
    }
    Payments { payees: payees(&orders), others, recent, spent, unclear, before }
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

/// Whether an earlier payment says what this recipient usually gets of this token.
fn is_before(paid: &Paid, says: &Withdrawal, sender: &Sender) -> bool {
    let of_token = paid.token == sender.token || paid.symbol.eq_ignore_ascii_case(&says.token);
    let is_known = !paid.is_unresolved && of_token;
    is_known && chain::same(&paid.blockchain, &says.blockchain) && same(&paid.to, &says.to)
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

fn order(intent: &Intent, now: Timestamp) -> Option<Order<'_>> {
    let says = intent.drafted.draft.paid()?;
    let sender = intent.drafted.sender.as_ref()?;
    let sent = intent.first_sent()?;
    Some(Order { intent, says, sender, state: intent.state(now), sent })
}

impl Order<'_> {
    /// Whether it was executed, or nobody can say that it was not. An order that was written off is closed, not undone.
    fn may_have_paid(&self) -> bool {
        matches!(
            self.state,
            State::Sending
                | State::Unknown
                | State::ProbablyRefused
                | State::Accepted
                | State::Settled
                | State::WrittenOff
        )
    }

    fn was_accepted(&self) -> bool {
        matches!(self.state, State::Accepted | State::Settled)
    }

    /// Whether a row pays as much of the same to the same place.
    fn pays_as(&self, row: &Transaction) -> bool {
        let amount = row.amount.as_ref().map(Stated::raw);
        amount.is_some_and(|amount| amount.cmp_value(self.sender.amount).is_eq())
            && row.to_address.as_ref().is_some_and(|to| same(to, &self.says.to))
            && (row.token == self.sender.token || row.symbol.eq_ignore_ascii_case(&self.says.token))
            && chain::same(&row.token.blockchain, &self.says.blockchain)
    }

    fn spent(&self) -> Spent {
        let Paid { at, to, blockchain, token, symbol, amount, is_unresolved, .. } = self.paid();
        Spent { at, to: Some(to), blockchain, token, symbol, amount, is_unresolved }
    }

    fn paid(&self) -> Paid {
        Paid {
            intent: Some(self.intent.id),
            transaction: self.intent.transaction().cloned(),
            at: Some(self.sent),
            to: self.says.to.clone(),
            blockchain: self.says.blockchain.clone(),
            token: self.sender.token.clone(),
            symbol: self.says.token.clone(),
            amount: self.sender.amount,
            ref_id: self.says.ref_id.clone(),
            state: word(self.state).into(),
            // One that is on its way at this moment is not known either.
            is_unresolved: matches!(self.state, State::Sending | State::Unknown | State::ProbablyRefused),
        }
    }
}

fn word(state: State) -> &'static str {
    match state {
        State::Drafted | State::Confirmed => "not sent yet",
        State::Sending => "on its way",
        State::NotSent => "not sent",
        State::Unknown => "outcome unknown",
        State::ProbablyRefused => "probably refused",
        State::Refused => "refused",
        State::Accepted => "accepted",
        State::Settled => "settled",
        State::Failed => "failed",
        State::Abandoned => "abandoned",
        State::WrittenOff => "written off",
    }
}

/// This console's orders by what the service's history tells of them.
struct Known<'a> {
    keys: HashMap<String, &'a Order<'a>>,
    transactions: HashMap<&'a str, &'a Order<'a>>,
    references: HashMap<&'a str, Vec<&'a Order<'a>>>,
}

impl<'a> Known<'a> {
    fn of(orders: &'a [Order<'a>]) -> Self {
        let transaction = |order: &'a Order<'a>| Some((order.intent.transaction()?.as_str(), order));
        let mut references: HashMap<&'a str, Vec<&'a Order<'a>>> = HashMap::new();
        for order in orders {
            if let Some(reference) = order.says.ref_id.as_deref() {
                references.entry(reference).or_default().push(order);
            }
        }
        Self {
            keys: orders
                .iter()
                .filter_map(|order| Some((order.intent.drafted.frozen.key?.to_string(), order)))
                .collect(),
            transactions: orders.iter().filter_map(transaction).collect(),
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
    /// that it must pay the same, for an order whose transaction is not known.
    fn by_reference(&self, row: &Transaction) -> impl Iterator<Item = &'a Order<'a>> {
        let reference = row.ref_id.as_deref().filter(|_| row.idempotency_key.is_none());
        let orders = reference.and_then(|reference| self.references.get(reference));
        orders.into_iter().flatten().copied().filter(|order| order.intent.transaction().is_none() && order.pays_as(row))
    }
}

/// Whether a payment is to be compared with this one.
fn concerns(paid: &Paid, says: &Withdrawal, now: Timestamp) -> bool {
    let this = says.ref_id.as_ref().map(|reference| reference.trim()).filter(|reference| !reference.is_empty());
    let that = paid.ref_id.as_ref().map(|reference| reference.trim());
    paid.at.is_none_or(|at| at.age(now) <= DAY)
        || this.zip(that).is_some_and(|(this, that)| this.eq_ignore_ascii_case(that))
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
        state: row.status.as_ref().map_or("no status told", Status::word).into(),
        is_unresolved: false,
    })
}

/// Recipients of the accepted ones of these orders.
pub(super) fn payees_of(intents: &[Intent], now: Timestamp) -> Vec<Payee> {
    let orders: Vec<Order<'_>> = intents.iter().filter_map(|intent| order(intent, now)).collect();
    payees(&orders)
}

/// Recipients of accepted payments, one for each chain. Addresses that differ in nothing but case are one where case
/// means nothing.
fn payees(orders: &[Order<'_>]) -> Vec<Payee> {
    let mut places: HashMap<(Shape, String), Vec<&Order<'_>>> = HashMap::new();
    for order in orders.iter().filter(|order| order.was_accepted()) {
        let chain = chain::Chain::find(&order.says.blockchain);
        let chain = chain.map_or_else(|| order.says.blockchain.to_ascii_lowercase(), |chain| chain.slug.to_owned());
        places.entry((Shape::of(&order.says.to), chain)).or_default().push(order);
    }
    let mut payees: Vec<Payee> = places.into_values().filter_map(|orders| payee(&orders)).collect();
    payees.sort_by(|one, other| other.last.cmp(&one.last).then_with(|| one.address.cmp(&other.address)));
    payees
}

fn payee(orders: &[&Order<'_>]) -> Option<Payee> {
    let latest = orders.iter().max_by_key(|order| order.sent)?;
    let first = orders.iter().min_by_key(|order| order.sent)?;
    let mut totals: BTreeMap<&Text, Option<Amount>> = BTreeMap::new();
    for order in orders {
        let amount = order.sender.amount;
        totals
            .entry(&order.says.token)
            .and_modify(|total| *total = total.and_then(|total| total.checked_add(amount)))
            .or_insert(Some(amount));
    }
    Some(Payee {
        address: latest.says.to.clone(),
        blockchain: latest.says.blockchain.clone(),
        payments: u32::try_from(orders.len()).unwrap_or(u32::MAX),
        first: first.sent,
        last: latest.sent,
        totals: totals.into_iter().filter_map(|(symbol, total)| Some((symbol.clone(), total?))).collect(),
    })
}
