//! Brings an order, its rows and the names together into a receipt.

use super::approvals::approval_section;
use super::field::{OptionalText, field, optional_text, optional_time};
use super::{Receipt, ReceiptField, ReceiptRecipient, ReceiptSection, ReceiptStanding};
use crate::domain::address_names::AddressNames;
use crate::domain::chain::chain_display_name;
use crate::domain::draft::{Batch, Recipient, V1Payment};
use crate::domain::history::HistoryRow;
use crate::domain::{
    Amount, Day, Direction, Draft, FinalStatuses, Network, ObservedTransaction, Order, PriceHistory, ReportedAmount,
    Status, Text, Timestamp, Token, WalletId, explorer,
};

/// Everything from which a receipt is made: an order, rows, or both.
#[derive(Debug, Clone, Copy)]
pub struct ReceiptFacts<'a> {
    pub business: &'a Text,
    pub order: Option<&'a Order>,
    /// The rows of the order or of the recipient, or the one transaction.
    pub rows: &'a [&'a HistoryRow],
    /// One recipient of a batch, counted from 0.
    pub recipient: Option<u32>,
    pub names: &'a AddressNames,
    pub listed_tokens: &'a [Token],
    pub prices: &'a PriceHistory,
    pub statuses: &'a FinalStatuses,
    pub now: Timestamp,
}

impl<'a> ReceiptFacts<'a> {
    /// `None` for an order that is no payment, and without an order or a row.
    pub fn receipt(&self) -> Option<Receipt> {
        if let Some(order) = self.order {
            order.drafted.draft.payment_details()?;
        } else if self.rows.is_empty() {
            return None;
        }
        let standing = self.standing();
        let settled_at = optional_time(self.settled_at()).filter(|_| standing == ReceiptStanding::Settled);
        let is_imitation = self.rows.iter().any(|row| row.suspicious);
        let mut warnings = Vec::new();
        if is_imitation {
            warnings.push(
                "The token imitates another one or hides characters: it is not the token whose name it bears, and this \
                 is no receipt for that token."
                    .into(),
            );
        }
        if let Some(ReportedAmount::Disputed { formatted, .. }) =
            self.row().and_then(|row| row.transaction.amount.as_ref())
        {
            warnings.push(format!("The service also stated the amount as {formatted}, which contradicts it."));
        }
        let link = self.explorer_link();
        Some(Receipt {
            standing,
            is_imitation,
            outcome: standing.sentence(settled_at.as_deref()),
            warnings,
            proof: proof_sentences(standing, settled_at.as_deref(), link.is_some(), self.hash().is_some()),
            sections: [
                Some(self.payer_section()),
                Some(self.payee_section()),
                Some(self.amount_section()),
                Some(self.reference_section(link)),
                Some(self.time_section(settled_at)),
                self.order.and_then(approval_section),
            ]
            .into_iter()
            .flatten()
            .collect(),
            recipients: if self.recipient.is_none() { self.recipients() } else { Vec::new() },
        })
    }

    pub fn standing(&self) -> ReceiptStanding {
        let by_rows = || {
            let row = self.row()?;
            Some(ReceiptStanding::of_verdict(row.transaction.verdict(self.statuses)))
        };
        match (self.order, self.recipient) {
            (Some(order), Some(_)) => match self.part_report() {
                Some(report) => ReceiptStanding::of_verdict(self.statuses.verdict(report)),
                None => match ReceiptStanding::of_order_and_rows(order, self.rows, self.statuses, self.now) {
                    // Nothing tells whose part it is.
                    ReceiptStanding::PartlySettled => ReceiptStanding::Unknown,
                    standing => standing,
                },
            },
            (Some(order), None) => ReceiptStanding::of_order_and_rows(order, self.rows, self.statuses, self.now),
            (None, _) => by_rows().unwrap_or(ReceiptStanding::Unknown),
        }
    }

    fn row(&self) -> Option<&'a HistoryRow> {
        self.rows.first().copied()
    }

    fn is_incoming(&self) -> bool {
        self.order.is_none() && self.row().is_some_and(|row| row.transaction.direction == Direction::Incoming)
    }

    fn batch_draft(&self) -> Option<&'a Batch> {
        match &self.order?.drafted.draft {
            Draft::Batch(batch) => Some(batch),
            _ => None,
        }
    }

    /// The one recipient of a batch that this is about.
    fn part(&self) -> Option<&'a Recipient> {
        self.batch_draft()?.to.get(usize::try_from(self.recipient?).ok()?)
    }

    fn part_report(&self) -> Option<&'a ObservedTransaction> {
        self.order?.recipient_reports().get(&self.recipient?).copied()
    }

    fn chain(&self) -> Option<&'a Text> {
        let by_order = self.order.and_then(|order| order.drafted.draft.chain(order.drafted.sender.as_ref()));
        by_order.or_else(|| Some(&self.row()?.transaction.token.blockchain))
    }

    fn symbol(&self) -> Option<&'a Text> {
        let by_order = self.order.and_then(|order| order.drafted.draft.payment_details()).map(|payment| payment.token);
        by_order.or_else(|| Some(&self.row()?.transaction.symbol))
    }

    /// The amount without the fee: of the order as it was requested, else of the row.
    fn amount(&self) -> Option<Amount> {
        if let Some(sender) = self.order.and_then(|order| order.drafted.sender.as_ref()) {
            return match self.part() {
                Some(part) => Amount::parse(&part.amount, sender.amount.decimals()).ok(),
                None => Some(sender.amount),
            };
        }
        self.row()?.transaction.amount.as_ref().map(ReportedAmount::even_if_disputed)
    }

    fn hash(&self) -> Option<&'a Text> {
        if let Some(report) = self.part_report() {
            return report.tx_hash.as_ref();
        }
        let by_row = self.row().and_then(|row| row.transaction.tx_hash.as_ref());
        by_row.or_else(|| self.order?.sure_observations().find_map(|observed| observed.tx_hash.as_ref()))
    }

    fn explorer_link(&self) -> OptionalText {
        let by_row = self.row().map(|row| explorer::transaction_url(&row.transaction, self.listed_tokens));
        let by_order = || Some(explorer::order_url(self.order?, self.hash()?, self.listed_tokens));
        by_row.or_else(by_order)?.ok()
    }

    fn settled_at(&self) -> Option<Timestamp> {
        let reported = |row: &&HistoryRow| row.transaction.confirmed_at.or(row.transaction.created_at);
        let by_part = self.part_report().and_then(|observed| observed.confirmed_at);
        let by_order = || self.order?.sure_observations().find_map(|observed| observed.confirmed_at);
        by_part.or_else(|| self.rows.iter().filter_map(reported).max()).or_else(by_order)
    }

    /// The own wallet, by name.
    fn own_wallet_fields(&self) -> [ReceiptField; 4] {
        let sender = self.order.and_then(|order| order.drafted.sender.as_ref());
        let transaction = self.row().map(|row| &row.transaction);
        let by_order = self.order.and_then(|order| order.drafted.draft.payment_details()).map(|payment| payment.wallet);
        let wallet: Option<&WalletId> = by_order.or_else(|| transaction?.wallet.as_ref());
        let account = sender.and_then(|sender| sender.account.as_ref()).or_else(|| transaction?.account.as_ref());
        let name = wallet.and_then(|id| self.names.wallet_name(id));
        let name = name.or_else(|| sender?.name.as_ref()).or_else(|| self.row()?.wallet_name.as_ref());
        let address = sender.and_then(|sender| sender.address.as_ref());
        let address = address.or_else(|| transaction?.own_wallet_address());
        let account_name = account.and_then(|id| self.names.account_name(id));
        [
            field("account", "Account", optional_text(account_name).or_else(|| optional_text(account))),
            field("wallet", "Wallet", optional_text(name)),
            field("wallet_id", "Wallet id", optional_text(wallet)),
            field("wallet_address", "Wallet address", optional_text(address)),
        ]
    }

    fn counterparty_fields(&self) -> [ReceiptField; 3] {
        let order = self.order;
        let address = match self.part() {
            Some(part) => Some(&part.address),
            None => match order {
                Some(order) => order.drafted.draft.only_recipient(),
                None => self.row().and_then(|row| row.transaction.counterparty()),
            },
        };
        let name = address.zip(self.chain()).and_then(|(address, chain)| self.names.party(address, chain));
        let label = self.part().and_then(|part| part.label.as_ref());
        let several = self.batch_draft().filter(|batch| self.recipient.is_none() && batch.to.len() > 1);
        let several = several.map(|batch| format!("{} recipients, listed below", batch.to.len()));
        let memo = match order.map(|order| &order.drafted.draft) {
            Some(Draft::Payment(V1Payment { memo, .. })) => memo.as_ref(),
            _ => None,
        };
        let name = optional_text(name.map(|party| &party.name)).or_else(|| optional_text(label)).or(several);
        [
            field("counterparty", "Name", name),
            field("counterparty_address", "Address", optional_text(address)),
            field("memo", "Memo or tag", optional_text(memo)),
        ]
    }

    fn payer_section(&self) -> ReceiptSection {
        let mut fields = Vec::new();
        if self.is_incoming() {
            fields.extend(self.counterparty_fields());
        } else {
            fields.push(field("business", "Business", Some(self.business.to_string())));
            fields.extend(self.own_wallet_fields());
        }
        ReceiptSection { title: "Paid by", fields }
    }

    fn payee_section(&self) -> ReceiptSection {
        let mut fields = Vec::new();
        if self.is_incoming() {
            fields.push(field("business", "Business", Some(self.business.to_string())));
            fields.extend(self.own_wallet_fields());
        } else {
            fields.extend(self.counterparty_fields());
        }
        ReceiptSection { title: "Paid to", fields }
    }

    fn amount_section(&self) -> ReceiptSection {
        let (symbol, amount) = (self.symbol(), self.amount());
        let transaction = self.row().map(|row| &row.transaction);
        let sender = self.order.and_then(|order| order.drafted.sender.as_ref());
        let token = transaction.map(|transaction| &transaction.token).or_else(|| Some(&sender?.token));
        let fee = transaction.and_then(|transaction| transaction.total_fee.as_ref()).filter(|_| self.rows.len() == 1);
        let fee_token = transaction.and_then(|transaction| transaction.fee_token.as_ref()).or(symbol);
        // The fee of a whole batch is no single recipient's.
        let is_shared =
            self.part().is_some() && transaction.is_some_and(|transaction| transaction.to_address.is_none());
        let with_symbol = |amount: OptionalText, symbol: Option<&Text>| Some(format!("{} {}", amount?, symbol?));
        ReceiptSection {
            title: "Amount",
            fields: vec![
                field("amount", "Amount", with_symbol(optional_text(amount), symbol)),
                field(
                    "token_name",
                    "Token",
                    optional_text(transaction.and_then(|transaction| transaction.token_name.as_ref())),
                ),
                field("chain", "Chain", optional_text(self.chain().map(|chain| chain_display_name(chain)))),
                field("contract", "Contract", optional_text(token.and_then(|token| token.contract.as_ref()))),
                field("network", "Network", optional_text(self.network_name())),
                field(
                    "fee",
                    if is_shared { "Fee of the whole batch" } else { "Fee, as reported" },
                    with_symbol(optional_text(fee.map(ReportedAmount::even_if_disputed)), fee_token),
                ),
                field("value", "Value", self.value(symbol, amount)),
            ],
        }
    }

    fn network_name(&self) -> Option<&'a str> {
        let by_row =
            self.row().and_then(|row| row.transaction.network.as_ref().or(row.transaction.environment.as_ref()));
        by_row.map(Text::as_str).or_else(|| self.order?.drafted.destination.environment.map(Network::name))
    }

    fn value(&self, symbol: Option<&Text>, amount: Option<Amount>) -> OptionalText {
        let (symbol, amount) = symbol.zip(amount)?;
        if self.rows.iter().any(|row| row.suspicious) {
            return None;
        }
        let at = self.settled_at().or_else(|| Some(self.row()?.time)).or_else(|| Some(self.order?.display_time()))?;
        let (day, valuation) = (Day::from_timestamp(at), self.prices.valuation_symbol());
        let dated = self.prices.nearest_rate(symbol, day)?;
        let value = dated.rate.worth(amount)?.format_plain();
        let priced_on = dated.at.format("%Y-%m-%d");
        Some(if dated.day() == day {
            format!("about {value} {valuation} at the price of {priced_on}")
        } else {
            format!("about {value} {valuation} at the price of {priced_on}, the nearest day with a recorded price")
        })
    }

    fn reference_section(&self, link: OptionalText) -> ReceiptSection {
        let order = self.order;
        let transaction = self.row().map(|row| &row.transaction);
        let draft = order.map(|order| &order.drafted.draft);
        let by_draft = draft.and_then(Draft::reference);
        let reference = by_draft.or_else(|| transaction?.ref_id.as_ref());
        let note = draft.and_then(Draft::note).or_else(|| transaction?.note.as_ref());
        let id = optional_text(self.part_report().and_then(|observed| observed.transaction.as_ref()));
        let id = id.or_else(|| optional_text(transaction.map(|transaction| &transaction.id)));
        let id = id.or_else(|| optional_text(order?.transaction_id()));
        let is_v1 = matches!(draft, Some(Draft::Payment(_)));
        ReceiptSection {
            title: "References",
            fields: vec![
                field(
                    "reference",
                    if is_v1 { "Reference (clientTxId)" } else { "Reference" },
                    optional_text(reference),
                ),
                field(
                    "recipient_reference",
                    "Recipient's reference",
                    optional_text(self.part().and_then(|part| part.reference.as_ref())),
                ),
                field("note", "Note", optional_text(note)),
                field("metadata", "Metadata", optional_text(draft.and_then(Draft::metadata))),
                field("order", "Order", optional_text(order.map(|order| order.id))),
                field("transaction", "Transaction", id),
                field("hash", "Hash", optional_text(self.hash())),
                field("explorer", "Explorer", link),
            ],
        }
    }

    fn time_section(&self, settled_at: OptionalText) -> ReceiptSection {
        let order = self.order;
        let confirmed = order.and_then(|order| order.confirmed.as_ref()).map(|(stamp, _)| stamp);
        let by = |user: &Text, host: &Text| format!("{user} on {host}");
        let transaction = self.row().map(|row| &row.transaction);
        let status = self.part_report().and_then(|observed| observed.status.as_ref());
        let status =
            status.or_else(|| transaction?.status.as_ref()).or_else(|| order?.last_observation()?.status.as_ref());
        ReceiptSection {
            title: "Times",
            fields: vec![
                field("drafted_at", "Drafted", optional_time(order.map(|order| order.created.at))),
                field(
                    "drafted_by",
                    "Drafted by",
                    order.map(|order| by(&order.created.by.user, &order.created.by.host)),
                ),
                field("confirmed_at", "Confirmed", optional_time(confirmed.map(|stamp| stamp.at))),
                field("confirmed_by", "Confirmed by", confirmed.map(|stamp| by(&stamp.by.user, &stamp.by.host))),
                field("sent_at", "Sent", optional_time(order.and_then(Order::first_sent_at))),
                field("settled_at", "Settled", settled_at),
                field("service_status", "Service's status", optional_text(status.map(Status::word))),
                field("written_at", "Written", optional_time(Some(self.now))),
            ],
        }
    }

    fn recipients(&self) -> Vec<ReceiptRecipient> {
        let Some((order, batch)) = self.order.zip(self.batch_draft()) else { return Vec::new() };
        let reports = order.recipient_reports();
        let whole = self.standing();
        let recipient = |(index, to): (usize, &Recipient)| {
            let report = u32::try_from(index).ok().and_then(|index| reports.get(&index));
            let standing = match (report, whole) {
                (Some(observed), _) => ReceiptStanding::of_verdict(self.statuses.verdict(observed)),
                (None, ReceiptStanding::PartlySettled) => ReceiptStanding::Unknown,
                (None, whole) => whole,
            };
            let party = self.names.party(&to.address, &batch.blockchain);
            ReceiptRecipient {
                number: index + 1,
                name: party.map(|party| party.name.clone()),
                address: to.address.clone(),
                amount: Text::clean(&format!("{} {}", to.amount, batch.token)),
                label: to.label.clone(),
                reference: to.reference.clone(),
                standing,
                transaction: optional_text(report.and_then(|observed| observed.transaction.as_ref())),
                hash: report.and_then(|observed| observed.tx_hash.clone()),
            }
        };
        batch.to.iter().enumerate().map(recipient).collect()
    }
}

fn proof_sentences(standing: ReceiptStanding, at: Option<&str>, has_link: bool, has_hash: bool) -> [String; 2] {
    let at = at.map_or_else(String::new, |at| format!(" at {at}"));
    let check = match (has_hash, has_link) {
        (true, true) => "; the hash can be checked at the explorer",
        (true, false) => "; the hash can be checked at an explorer of the chain",
        (false, _) => "; it reported no hash by which anybody else could check it",
    };
    let proves = match standing {
        ReceiptStanding::Settled => format!("The service reported this payment as settled{at}{check}."),
        ReceiptStanding::PartlySettled
        | ReceiptStanding::Pending
        | ReceiptStanding::Failed
        | ReceiptStanding::Unknown
        | ReceiptStanding::NotSent
        | ReceiptStanding::Refused
        | ReceiptStanding::WrittenOff
        | ReceiptStanding::Contradicted => {
            "This is not a receipt: it does not show that anybody was paid in full.".into()
        }
    };
    [proves, "It is not signed, and does not prove who wrote it or that it was not changed since.".into()]
}
