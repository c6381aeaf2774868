//! The columns of an account, of a wallet and of a user.

use super::cells::{Cell, columns, multi_line_cell, optional_cell};
use crate::domain::entry_source::{EntryField, EntryFieldSet, EntrySource, Sourced};
use crate::domain::{Account, State, User, Wallet};

columns! {
    pub fn account_cells(sourced_account: &Sourced<Account>) -> ACCOUNT_COLUMNS {
        let Account { id, name, kind, state, network, evm_details, solana_details, created_at, updated_at } = &sourced_account.entry;
        let [evm, solana] = [evm_details, solana_details].map(Option::as_ref);
        "account" => Some(id.to_string()),
        "account_name" => optional_cell(name.as_ref()),
        "kind" => kind.as_ref().map(|kind| kind.word().to_owned()),
        "state" => state_cell(state.as_ref()),
        "network" => optional_cell(network.as_ref()),
        "evm_address" => optional_cell(evm.and_then(|details| details.address.as_ref())),
        "evm_ref_id" => optional_cell(evm.and_then(|details| details.ref_id.as_ref())),
        "solana_address" => optional_cell(solana.and_then(|details| details.address.as_ref())),
        "solana_ref_id" => optional_cell(solana.and_then(|details| details.ref_id.as_ref())),
        "created_at" => optional_cell(created_at.as_ref()),
        "updated_at" => optional_cell(updated_at.as_ref()),
        "known_from" => Some(source_text(sourced_account.source).to_owned()),
        "by_import_alone" => imported_fields_cell(sourced_account.imported_fields),
    }
}

columns! {
    pub fn wallet_cells(sourced_wallet: &Sourced<Wallet>) -> WALLET_COLUMNS {
        let wallet = &sourced_wallet.entry;
        // A wallet without a reported chain has an empty one.
        let blockchain = Some(&wallet.blockchain).filter(|blockchain| !blockchain.is_empty());
        "wallet" => Some(wallet.id.to_string()),
        "wallet_name" => optional_cell(wallet.name.as_ref()),
        "blockchain" => optional_cell(blockchain),
        "address" => optional_cell(sourced_wallet.deposit_address(None).ok()),
        "protocol" => optional_cell(wallet.protocol.as_ref()),
        "network" => optional_cell(wallet.network.as_ref()),
        "evm_compatible" => optional_cell(wallet.is_evm_compatible.as_ref()),
        "kind" => optional_cell(wallet.kind.as_ref()),
        "intent" => optional_cell(wallet.intent.as_ref()),
        "custody_type" => optional_cell(wallet.custody_type.as_ref()),
        "decimals" => optional_cell(wallet.decimals.as_ref()),
        "state" => state_cell(wallet.state.as_ref()),
        "gasless" => optional_cell(wallet.gasless_withdraw.as_ref()),
        "auto_sweep" => optional_cell(wallet.auto_sweep.as_ref()),
        "account" => optional_cell(wallet.account.as_ref()),
        "user" => optional_cell(wallet.user.as_ref()),
        "ref_id" => optional_cell(wallet.ref_id.as_ref()),
        "created_at" => optional_cell(wallet.created_at.as_ref()),
        "updated_at" => optional_cell(wallet.updated_at.as_ref()),
        "known_from" => Some(source_text(sourced_wallet.source).to_owned()),
        "by_import_alone" => imported_fields_cell(sourced_wallet.imported_fields),
    }
}

columns! {
    pub fn user_cells(sourced_user: &Sourced<User>) -> USER_COLUMNS {
        let User { id, display_name, ref_id, email, is_active, created_at } = &sourced_user.entry;
        "user" => Some(id.to_string()),
        "user_name" => optional_cell(display_name.as_ref()),
        "ref_id" => optional_cell(ref_id.as_ref()),
        "email" => optional_cell(email.as_ref()),
        "is_active" => optional_cell(is_active.as_ref()),
        "created_at" => optional_cell(created_at.as_ref()),
        "known_from" => Some(source_text(sourced_user.source).to_owned()),
    }
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

/// The fields of an entry that the service has not reported, each on its own line under the name of its column.
fn imported_fields_cell(fields: EntryFieldSet) -> Cell {
    let name = |field| match field {
        EntryField::Address => "address",
        EntryField::Blockchain => "blockchain",
        EntryField::Network => "network",
        EntryField::User => "user",
        EntryField::Account => "account",
    };
    multi_line_cell(EntryField::ALL.into_iter().filter(|field| fields.has(*field)).map(name))
}
