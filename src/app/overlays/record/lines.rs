//! The lines of a record.

use super::{AnyRecord, policy, sandbox};
use crate::app::model::Model;
use crate::app::overlays::detail::{DetailLine, amount_text, text_or_dash, time_or_dash};
use crate::app::overlays::directory_record;
use crate::app::pages::Tone;
use crate::app::pages::book::facts;
use crate::app::pages::users::DepositAddress;
use crate::app::transaction_text::{look_alike_warning, status_text};
use crate::domain::chain::chain_display_name;
use crate::domain::v1::{Movement, Transfer};
use crate::domain::{Text, UserId};

fn text_line(name: &'static str, value: String) -> DetailLine {
    DetailLine { name, value, tone: Tone::Text }
}

fn coin_name_lines(model: &Model, coin: &Text) -> Vec<DetailLine> {
    let mut facts = vec![text_line("Coin", coin.to_string())];
    if model.pages.users.imitations.contains(coin) {
        let value = "looks like a listed coin but is spelt differently, or advertises a web page".into();
        facts.push(DetailLine { name: "", value, tone: Tone::Warn });
    }
    facts
}

fn wallet_phrase(name: &'static str, id: Option<&UserId>) -> DetailLine {
    text_line(name, id.map_or_else(|| "—".into(), ToString::to_string))
}

/// The lines of a deposit, or of a withdrawal, which has the same fields; `way_name` is the name of its way.
fn movement_lines(model: &Model, deposit: &Movement, way_name: &'static str) -> Vec<DetailLine> {
    let (status, tone) =
        status_text(&model.journal.final_statuses, deposit.status.as_ref(), deposit.confirmation, None);
    let blocks = deposit.confirmation.map_or_else(|| "—".into(), |blocks| blocks.to_string());
    let way = deposit.destination.as_ref().map_or_else(|| "—".into(), ToString::to_string);
    let amount_of = |amount| amount_text(amount, "", &deposit.coin);
    let mut facts = vec![
        DetailLine { name: "Status", value: status, tone },
        text_line("Confirmations", blocks),
        text_line(way_name, way),
        DetailLine { name: "Amount", value: amount_of(deposit.amount.as_ref()), tone: Tone::Accent },
        text_line("Network fee", amount_of(deposit.network_fee.as_ref())),
    ];
    facts.extend(coin_name_lines(model, &deposit.coin));
    facts.extend([
        text_line("Chain", deposit.chain.as_deref().map_or("—", chain_display_name).to_owned()),
        text_line("Network", text_or_dash(deposit.network.as_ref())),
    ]);
    for (name, address) in [("From", &deposit.from_address), ("To", &deposit.to_address)] {
        facts.push(text_line(
            name,
            format!("{}{}", address_name(model, deposit, address.as_ref()), text_or_dash(address.as_ref())),
        ));
        let look_alike = address.as_ref().and_then(|address| model.data.analyses.look_alikes.match_of_address(address));
        facts.extend(look_alike.map(|other| DetailLine {
            name: "",
            value: look_alike_warning(other),
            tone: Tone::Warn,
        }));
    }
    facts.extend([
        text_line("Tag or memo", text_or_dash(deposit.tag_memo.as_ref())),
        text_line("Hash", text_or_dash(deposit.hash.as_ref())),
        text_line("Explorer", text_or_dash(deposit.link.as_ref())),
        wallet_phrase("From wallet", deposit.from_wallet.as_ref()),
        wallet_phrase("To wallet", deposit.to_wallet.as_ref()),
        text_line("Reference", text_or_dash(deposit.client_tx_id.as_ref())),
        text_line("Created", time_or_dash(model, deposit.created_at)),
        text_line("Changed", time_or_dash(model, deposit.updated_at)),
        text_line("Workspace", text_or_dash(deposit.workspace.as_ref())),
        DetailLine { name: "Id", value: deposit.id.to_string(), tone: Tone::Dim },
    ]);
    facts
}

fn transfer_lines(model: &Model, transfer: &Transfer) -> Vec<DetailLine> {
    let (status, tone) = status_text(&model.journal.final_statuses, transfer.status.as_ref(), None, transfer.confirmed);
    let amount_of = |amount| amount_text(amount, "", &transfer.coin);
    let mut facts = vec![
        DetailLine { name: "Status", value: status, tone },
        DetailLine { name: "Amount", value: amount_of(transfer.amount.as_ref()), tone: Tone::Accent },
        text_line("Network fee", amount_of(transfer.network_fee.as_ref())),
    ];
    facts.extend(coin_name_lines(model, &transfer.coin));
    facts.extend([
        wallet_phrase("From wallet", transfer.from_wallet.as_ref()),
        wallet_phrase("To wallet", transfer.to_wallet.as_ref()),
        text_line("Tag or memo", text_or_dash(transfer.tag_memo.as_ref())),
        text_line("Reference", text_or_dash(transfer.client_tx_id.as_ref())),
        text_line("Created", time_or_dash(model, transfer.created_at)),
        text_line("Confirmed", time_or_dash(model, transfer.confirmed_at)),
        text_line("Workspace", text_or_dash(transfer.workspace.as_ref())),
        DetailLine { name: "Id", value: transfer.id.to_string(), tone: Tone::Dim },
    ]);
    facts
}

/// The name of a sender or recipient, before the address.
fn address_name(model: &Model, deposit: &Movement, address: Option<&Text>) -> String {
    let address = address.zip(deposit.chain.as_ref());
    let name = address.and_then(|(address, chain)| model.party_name(address, chain));
    name.map_or_else(String::new, |name| format!("{name} · "))
}

fn deposit_address_lines(deposit_address: &DepositAddress) -> Vec<DetailLine> {
    let coins: Vec<&str> = deposit_address.coins.iter().map(Text::as_str).collect();
    let coins = if deposit_address.is_wallet_address { "every token of its chain".into() } else { coins.join(", ") };
    let from =
        if deposit_address.is_wallet_address { "the list of wallets, or the history" } else { "deposits of version 1" };
    let mut facts = vec![
        text_line("Chain", chain_display_name(&deposit_address.chain).to_owned()),
        DetailLine { name: "Address", value: deposit_address.address.to_string(), tone: Tone::Accent },
        text_line("Coins", coins),
        text_line("Wallet", text_or_dash(deposit_address.wallet.as_ref())),
        text_line("Tag or memo", text_or_dash(deposit_address.tag.as_ref())),
        text_line("Known from", from.to_owned()),
    ];
    if !deposit_address.is_wallet_address {
        let value =
            "funds arrived here before; confirm the address with the service before you give it to anybody".into();
        facts.push(DetailLine { name: "", value, tone: Tone::Warn });
    }
    facts
}

impl AnyRecord {
    pub fn detail_lines(&self, model: &Model) -> Vec<DetailLine> {
        match self {
            Self::Deposit(deposit) => movement_lines(model, deposit, "Received via"),
            Self::Withdrawal(withdrawal) => movement_lines(model, withdrawal, "Sent via"),
            Self::Transfer(transfer) => transfer_lines(model, transfer),
            Self::Address(address) => deposit_address_lines(address),
            Self::Contact(line) => facts::contact_facts(model, line),
            Self::Directory(record) => directory_record::facts::record_lines(model, record),
            Self::Sandbox(sandbox_record) => sandbox::sandbox_facts(sandbox_record),
            Self::Policy => policy::policy_lines(model),
        }
    }
}
