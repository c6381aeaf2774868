//! Items from the history: failed and stuck payments, poison, unusual movements.

use super::{AttentionId, AttentionItem, AttentionKind, AttentionTarget};
use crate::domain::address_names::AddressFormatter;
use crate::domain::chain::chain_display_name;
use crate::domain::duration::duration_text;
use crate::domain::history::HistoryRow;
use crate::domain::settlement_times::StuckLimit;
use crate::domain::{Amount, Direction, ReportedAmount, Text, Timestamp, Transaction};

/// What the newest rows of the history show that may need a person.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct HistoryFindings {
    /// How many rows were examined.
    pub rows: u64,
    /// The time of the oldest of them.
    pub since: Option<Timestamp>,
    pub failed: Vec<HistoryRow>,
    /// The oldest pending rows; whether they are stuck depends on the time.
    pub pending: Vec<StuckCandidate>,
    pub large: Vec<LargeRow>,
    /// First payments to addresses outside of the address book, as far back as rows were examined.
    pub first_paid: Vec<HistoryRow>,
    pub look_alikes: Vec<LookAlikeRows>,
    pub imitations: Vec<ImitationRows>,
    pub dust: Option<DustRows>,
}

impl HistoryFindings {
    /// Every address that its items name.
    pub fn addresses(&self) -> impl Iterator<Item = &str> + Clone {
        let rows = self.failed.iter().chain(&self.first_paid).chain(self.large.iter().map(|finding| &finding.row));
        let rows = rows.map(|row| &row.transaction).chain(self.pending.iter().map(|finding| &finding.transaction));
        let resembled = self.look_alikes.iter().map(|finding| &finding.resembles);
        let contracts = self.imitations.iter().filter_map(|finding| finding.newest.transaction.token.contract.as_ref());
        rows.filter_map(Transaction::counterparty).chain(resembled).chain(contracts).map(Text::as_str)
    }

    /// The rows that raise an item unless they were approved here.
    pub fn unusual_rows(&self) -> impl Iterator<Item = &HistoryRow> {
        self.large.iter().map(|finding| &finding.row).chain(&self.first_paid)
    }

    /// The row that an item is about, or the newest of several.
    pub fn row_of<'a>(&'a self, item: &AttentionId) -> Option<&'a HistoryRow> {
        let of_kind = |kind| move |row: &'a HistoryRow| (AttentionId::new(kind, row.transaction.id.as_str()), row);
        let payments = self.failed.iter().map(of_kind(AttentionKind::FailedPayment));
        let large = self.large.iter().map(|finding| &finding.row).map(of_kind(AttentionKind::LargeMovement));
        let first = self.first_paid.iter().map(of_kind(AttentionKind::FirstPayment));
        let dust = self.dust.iter().map(|finding| &finding.newest).map(of_kind(AttentionKind::Dust));
        let look_alikes = self.look_alikes.iter().map(|finding| (finding.id(), &finding.newest));
        let imitations = self.imitations.iter().map(|finding| (finding.id(), &finding.newest));
        let mut rows = payments.chain(large).chain(first).chain(dust).chain(look_alikes).chain(imitations);
        rows.find(|(id, _)| id == item).map(|(_, row)| row)
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StuckCandidate {
    pub since: Timestamp,
    pub transaction: Transaction,
    pub limit: StuckLimit,
}

/// A row that is many times as large as is usual.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LargeRow {
    pub row: HistoryRow,
    /// The median of its token and direction, and of how many.
    pub usual: Amount,
    pub samples: u64,
}

/// The rows of an address that resembles a known one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LookAlikeRows {
    pub newest: HistoryRow,
    pub rows: u64,
    pub address: Text,
    /// The known address, and why it is known.
    pub resembles: Text,
    pub reason: String,
}

impl LookAlikeRows {
    fn id(&self) -> AttentionId {
        AttentionId::new(AttentionKind::LookAlike, &format!("{} {}", self.address, self.newest.transaction.id))
    }
}

/// The rows of a token that imitates a listed one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImitationRows {
    pub newest: HistoryRow,
    /// The time of the oldest of them, as far back as rows were examined.
    pub since: Timestamp,
    pub rows: u64,
}

impl ImitationRows {
    fn id(&self) -> AttentionId {
        let row = &self.newest.transaction;
        let token = row.token.contract.as_ref().unwrap_or(&row.symbol);
        AttentionId::new(AttentionKind::ImitationToken, &format!("{} {token}", row.token.blockchain))
    }
}

/// Rows of addresses that only ever moved dust.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DustRows {
    pub newest: HistoryRow,
    pub rows: u64,
    pub addresses: u64,
}

/// The items of payments that are pending for longer than is usual, at a time.
pub fn stuck_payment_items(
    findings: &HistoryFindings,
    now: Timestamp,
    parties: &AddressFormatter<'_>,
) -> Vec<AttentionItem> {
    let mut items = Vec::new();
    for StuckCandidate { since, transaction, limit } in &findings.pending {
        let age = since.age(now);
        if age <= limit.after {
            continue;
        }
        let chain = chain_display_name(&transaction.token.blockchain);
        let usual = match limit.usual {
            Some(usual) => format!("95 of 100 on {chain} took up to {}", duration_text(usual)),
            None => format!("more than {} is long on {chain}", duration_text(limit.after)),
        };
        let subject = format!("{}: pending {}, {usual}", payment_text(transaction, parties), duration_text(age));
        let (mark, target) = (transaction.id.as_str(), rows_by_id(transaction));
        items.push(AttentionItem::new(AttentionKind::StuckPayment, mark, *since, subject, target));
    }
    items
}

/// The other items that the history raises, whatever the time; `is_ours` tells the payments that were approved here.
pub fn history_items(
    findings: &HistoryFindings,
    parties: &AddressFormatter<'_>,
    is_ours: &dyn Fn(&Transaction) -> bool,
) -> Vec<AttentionItem> {
    let mut items = Vec::new();
    for row in &findings.failed {
        let subject = payment_text(&row.transaction, parties);
        let (mark, target) = (row.transaction.id.as_str(), rows_by_id(&row.transaction));
        items.push(AttentionItem::new(AttentionKind::FailedPayment, mark, row.time, subject, target));
    }
    for address_rows in &findings.look_alikes {
        let LookAlikeRows { newest, rows, address, resembles, reason } = address_rows;
        // In full: shortened, it would read as the address that it resembles.
        let subject = format!(
            "{address} resembles {}, {reason}; {}",
            parties.format(resembles, &newest.transaction.token.blockchain),
            count_text(*rows, "transaction")
        );
        let target = AttentionTarget::Transactions(address.to_string());
        items.push(AttentionItem {
            id: address_rows.id(),
            kind: AttentionKind::LookAlike,
            since: newest.time,
            subject,
            target,
        });
    }
    for imitation in &findings.imitations {
        let ImitationRows { newest, since, rows } = imitation;
        let row = &newest.transaction;
        let chain = chain_display_name(&row.token.blockchain);
        let contract = row.token.contract.as_ref();
        let token = contract.map_or_else(String::new, |contract| format!(" at {}", parties.short.shorten(contract)));
        let subject = format!("?{} on {chain}{token}; {}", row.symbol, count_text(*rows, "transaction"));
        let target = AttentionTarget::Transactions(match contract {
            Some(contract) => format!("token:{contract}"),
            None => format!("id:{}", row.id),
        });
        let (id, kind) = (imitation.id(), AttentionKind::ImitationToken);
        items.push(AttentionItem { id, kind, since: *since, subject, target });
    }
    for LargeRow { row, usual, samples } in &findings.large {
        if is_ours(&row.transaction) {
            continue;
        }
        let subject = format!(
            "{}; the usual amount is {}, the median of {samples}",
            payment_text(&row.transaction, parties),
            usual.format_grouped()
        );
        let (mark, target) = (row.transaction.id.as_str(), rows_by_id(&row.transaction));
        items.push(AttentionItem::new(AttentionKind::LargeMovement, mark, row.time, subject, target));
    }
    for row in findings.first_paid.iter().filter(|row| !is_ours(&row.transaction)) {
        let subject = format!("{}, who is not in the address book", payment_text(&row.transaction, parties));
        let (mark, target) = (row.transaction.id.as_str(), rows_by_id(&row.transaction));
        items.push(AttentionItem::new(AttentionKind::FirstPayment, mark, row.time, subject, target));
    }
    if let Some(DustRows { newest, rows, addresses }) = &findings.dust {
        let senders = if *addresses == 1 { "1 address".to_owned() } else { format!("{addresses} addresses") };
        let subject = format!("{} of less than 0.0001, of {senders}", count_text(*rows, "transaction"));
        let mark = newest.transaction.id.as_str();
        let target = AttentionTarget::Transactions("amount:<0.0001".into());
        items.push(AttentionItem::new(AttentionKind::Dust, mark, newest.time, subject, target));
    }
    items
}

fn rows_by_id(row: &Transaction) -> AttentionTarget {
    AttentionTarget::Transactions(format!("id:{}", row.id))
}

fn count_text(rows: u64, word: &str) -> String {
    format!("{rows} {word}{}", if rows == 1 { "" } else { "s" })
}

/// Such as `out 1,000 USDC on Base to Zebra Stores, ref inv-2210`.
pub fn payment_text(row: &Transaction, parties: &AddressFormatter<'_>) -> String {
    let amount = row.amount.as_ref().map(ReportedAmount::even_if_disputed);
    let amount = amount.map_or_else(|| "—".to_owned(), Amount::format_grouped);
    let (way, preposition) = match row.direction {
        Direction::Incoming => ("in", "from"),
        Direction::Outgoing => ("out", "to"),
        Direction::Other(_) => ("moved", "with"),
    };
    let chain = chain_display_name(&row.token.blockchain);
    let other = row
        .counterparty()
        .map_or_else(String::new, |other| format!(" {preposition} {}", parties.format(other, &row.token.blockchain)));
    let reference = row.ref_id.as_ref().map_or_else(String::new, |reference| format!(", ref {reference}"));
    format!("{way} {amount} {} on {chain}{other}{reference}", row.symbol)
}
