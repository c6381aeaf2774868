//! The columns of an account, of a wallet and of a user.

use super::table::{Cell, multi_line_cell, optional_cell};
use crate::domain::history::{EntryFact, EntryFactSet, EntrySource, Sourced};
use crate::domain::{Account, State, User, Wallet};

pub const ACCOUNT_COLUMNS: [&str; 8] =
    ["account", "account_name", "kind", "state", "network", "created_at", "known_from", "by_import_alone"];

pub fn account_cells(known: &Sourced<Account>) -> [Cell; ACCOUNT_COLUMNS.len()] {
    let Account { id, name, kind, state, network, created_at } = &known.entry;
    [
        Some(id.to_string()),
        optional_cell(name.as_ref()),
        kind.as_ref().map(|kind| kind.word().to_owned()),
        state_cell(state.as_ref()),
        optional_cell(network.as_ref()),
        optional_cell(created_at.as_ref()),
        Some(source_text(known.source).to_owned()),
        imported_facts_cell(known.imported_facts),
    ]
}

pub const WALLET_COLUMNS: [&str; 14] = [
    "wallet",
    "wallet_name",
    "blockchain",
    "address",
    "network",
    "state",
    "gasless",
    "auto_sweep",
    "account",
    "user",
    "ref_id",
    "created_at",
    "known_from",
    "by_import_alone",
];

pub fn wallet_cells(known: &Sourced<Wallet>) -> [Cell; WALLET_COLUMNS.len()] {
    let wallet = &known.entry;
    // A wallet without a reported chain has an empty one.
    let blockchain = Some(&wallet.blockchain).filter(|blockchain| !blockchain.is_empty());
    [
        Some(wallet.id.to_string()),
        optional_cell(wallet.name.as_ref()),
        optional_cell(blockchain),
        optional_cell(known.deposit_address(None).ok()),
        optional_cell(wallet.network.as_ref()),
        state_cell(wallet.state.as_ref()),
        optional_cell(wallet.gasless_withdraw.as_ref()),
        optional_cell(wallet.auto_sweep.as_ref()),
        optional_cell(wallet.account.as_ref()),
        optional_cell(wallet.user.as_ref()),
        optional_cell(wallet.ref_id.as_ref()),
        optional_cell(wallet.created_at.as_ref()),
        Some(source_text(known.source).to_owned()),
        imported_facts_cell(known.imported_facts),
    ]
}

pub const USER_COLUMNS: [&str; 7] = ["user", "user_name", "ref_id", "email", "is_active", "created_at", "known_from"];

pub fn user_cells(known: &Sourced<User>) -> [Cell; USER_COLUMNS.len()] {
    let User { id, display_name, ref_id, email, is_active, created_at } = &known.entry;
    [
        Some(id.to_string()),
        optional_cell(display_name.as_ref()),
        optional_cell(ref_id.as_ref()),
        optional_cell(email.as_ref()),
        optional_cell(is_active.as_ref()),
        optional_cell(created_at.as_ref()),
        Some(source_text(known.source).to_owned()),
    ]
}

fn state_cell(state: Option<&State>) -> Cell {
    state.map(|state| state.word().to_owned())
}

/// The strongest source of an entry.
fn source_text(source: EntrySource) -> &'static str {
    match source {
        EntrySource::Created => "created",
        EntrySource::Imported => "imported",
        EntrySource::Listed => "listed",
        EntrySource::History => "history",
    }
}

/// The facts of an entry that the service has not reported, each on its own line under the name of its column.
fn imported_facts_cell(facts: EntryFactSet) -> Cell {
    let name = |fact| match fact {
        EntryFact::Address => "address",
        EntryFact::Blockchain => "blockchain",
        EntryFact::Network => "network",
        EntryFact::User => "user",
        EntryFact::Account => "account",
    };
    multi_line_cell(EntryFact::ALL.into_iter().filter(|fact| facts.has(*fact)).map(name))
}
