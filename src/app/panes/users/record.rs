//! A record in full: of the Users page, of the address book or of the sandbox.

use crate::app::Model;
use crate::app::book::{BookRow, facts};
use crate::app::panes::Tone;
use crate::app::panes::detail::{Fact, amount, text, time};
use crate::app::panes::transactions::{resemblance, status_text};
use crate::app::sandbox::{self, Sandbox};
use crate::app::users::KnownAddress;
use crate::domain::chain::display_name;
use crate::domain::v1::{Deposit, Transfer};
use crate::domain::{Text, UserId};

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Record {
    Deposit(Deposit),
    Transfer(Transfer),
    Address(KnownAddress),
    Contact(BookRow),
    Sandbox(Sandbox),
}

impl Record {
    pub fn title(&self) -> &'static str {
        match self {
            Self::Deposit(_) => "Deposit v1",
            Self::Transfer(_) => "Transfer v1",
            Self::Address(_) => "Address",
            Self::Contact(_) => "Address book",
            Self::Sandbox(_) => "Sandbox of version 1",
        }
    }

    /// Takes newer data of the same record, if it is among the rows read.
    pub fn refresh(&mut self, deposits: &[Deposit], transfers: &[Transfer]) {
        match self {
            Self::Deposit(shown) => {
                if let Some(newer) = deposits.iter().find(|row| row.id == shown.id) {
                    shown.clone_from(newer);
                }
            }
            Self::Transfer(shown) => {
                if let Some(newer) = transfers.iter().find(|row| row.id == shown.id) {
                    shown.clone_from(newer);
                }
            }
            Self::Address(_) | Self::Contact(_) | Self::Sandbox(_) => {}
        }
    }

    pub fn facts(&self, model: &Model) -> Vec<Fact> {
        match self {
            Self::Deposit(deposit) => of_deposit(model, deposit),
            Self::Transfer(transfer) => of_transfer(model, transfer),
            Self::Address(address) => of_address(address),
            Self::Contact(line) => facts::facts(model, line),
            Self::Sandbox(told) => sandbox::facts(told),
        }
    }
}

fn fact(name: &'static str, value: String) -> Fact {
    Fact { name, value, tone: Tone::Text }
}

fn coin(model: &Model, coin: &Text) -> Vec<Fact> {
    let mut facts = vec![fact("Coin", coin.to_string())];
    if model.users.imitations.contains(coin) {
        let value = "looks like a listed coin but is spelt differently, or advertises a web page".into();
        facts.push(Fact { name: "", value, tone: Tone::Warn });
    }
    facts
}

fn wallet(name: &'static str, id: Option<&UserId>) -> Fact {
    fact(name, id.map_or_else(|| "—".into(), ToString::to_string))
}

fn of_deposit(model: &Model, deposit: &Deposit) -> Vec<Fact> {
    let (status, tone) = status_text(&model.book.final_words, deposit.status.as_ref(), deposit.confirmation, None);
    let blocks = deposit.confirmation.map_or_else(|| "—".into(), |blocks| blocks.to_string());
    let way = deposit.destination.as_ref().map_or_else(|| "—".into(), ToString::to_string);
    let amount_of = |stated| amount(stated, "", &deposit.coin);
    let mut facts = vec![
        Fact { name: "Status", value: status, tone },
        fact("Confirmations", blocks),
        fact("Received via", way),
        Fact { name: "Amount", value: amount_of(deposit.amount.as_ref()), tone: Tone::Accent },
        fact("Network fee", amount_of(deposit.network_fee.as_ref())),
    ];
    facts.extend(coin(model, &deposit.coin));
    facts.extend([
        fact("Chain", deposit.chain.as_deref().map_or("—", display_name).to_owned()),
        fact("Network", text(deposit.network.as_ref())),
        fact("From", text(deposit.from_address.as_ref())),
    ]);
    let resembled = deposit.from_address.as_ref().and_then(|from| model.charts.look_alikes.of(from));
    facts.extend(resembled.map(|other| Fact { name: "", value: resemblance(other), tone: Tone::Warn }));
    facts.extend([
        fact("To", text(deposit.to_address.as_ref())),
        fact("Tag or memo", text(deposit.tag_memo.as_ref())),
        fact("Hash", text(deposit.hash.as_ref())),
        fact("Explorer", text(deposit.link.as_ref())),
        wallet("From wallet", deposit.from_wallet.as_ref()),
        wallet("To wallet", deposit.to_wallet.as_ref()),
        fact("Reference", text(deposit.client_tx_id.as_ref())),
        fact("Created", time(model, deposit.created_at)),
        fact("Changed", time(model, deposit.updated_at)),
        Fact { name: "Id", value: deposit.id.to_string(), tone: Tone::Dim },
    ]);
    facts
}

fn of_transfer(model: &Model, transfer: &Transfer) -> Vec<Fact> {
    let (status, tone) = status_text(&model.book.final_words, transfer.status.as_ref(), None, transfer.confirmed);
    let amount_of = |stated| amount(stated, "", &transfer.coin);
    let mut facts = vec![
        Fact { name: "Status", value: status, tone },
        Fact { name: "Amount", value: amount_of(transfer.amount.as_ref()), tone: Tone::Accent },
        fact("Network fee", amount_of(transfer.network_fee.as_ref())),
    ];
    facts.extend(coin(model, &transfer.coin));
    facts.extend([
        wallet("From wallet", transfer.from_wallet.as_ref()),
        wallet("To wallet", transfer.to_wallet.as_ref()),
        fact("Tag or memo", text(transfer.tag_memo.as_ref())),
        fact("Reference", text(transfer.client_tx_id.as_ref())),
        fact("Created", time(model, transfer.created_at)),
        fact("Confirmed", time(model, transfer.confirmed_at)),
        Fact { name: "Id", value: transfer.id.to_string(), tone: Tone::Dim },
    ]);
    facts
}

fn of_address(known: &KnownAddress) -> Vec<Fact> {
    let coins: Vec<&str> = known.coins.iter().map(Text::as_str).collect();
    let coins = if known.of_wallet { "every token of its chain".into() } else { coins.join(", ") };
    let from = if known.of_wallet { "the list of wallets, or the history" } else { "deposits of version 1" };
    let mut facts = vec![
        fact("Chain", display_name(&known.chain).to_owned()),
        Fact { name: "Address", value: known.address.to_string(), tone: Tone::Accent },
        fact("Coins", coins),
        fact("Wallet", text(known.wallet.as_ref())),
        fact("Tag or memo", text(known.tag.as_ref())),
        fact("Known from", from.to_owned()),
    ];
    if !known.of_wallet {
        let value =
            "funds arrived here before; confirm the address with the service before you give it to anybody".into();
        facts.push(Fact { name: "", value, tone: Tone::Warn });
    }
    facts
}
