//! The cells of an order's request.

use crate::domain::draft::{
    Batch, InstantSwap, NewAccount, NewAddress, NewSandboxAddress, NewSubWallet, NewUser, NewWallet, SimulatedDeposit,
    Swap, UserChange, V1Payment, WalletChange,
};
use crate::domain::{Draft, Order, Withdrawal};
use crate::runtime::export::table::{Cell, optional_cell};

/// The cells of what a request states, by the names of their columns. Those of a recipient are set for a batch alone.
#[derive(Default)]
pub struct RequestCells {
    pub(super) wallet: Cell,
    pub(super) wallet_name: Cell,
    pub(super) wallet_address: Cell,
    pub(super) account: Cell,
    pub(super) user: Cell,
    pub(super) blockchain: Cell,
    pub(super) token: Cell,
    pub(super) contract: Cell,
    pub(super) amount: Cell,
    pub(super) amount_raw: Cell,
    pub(super) decimals: Cell,
    pub(super) to: Cell,
    pub(super) ref_id: Cell,
    pub(super) note: Cell,
    pub(super) metadata: Cell,
    pub(super) queue: Cell,
    pub(super) memo: Cell,
    pub(super) fee_at_most: Cell,
    pub(super) name: Cell,
    pub(super) email: Cell,
    pub(super) auto_sweep: Cell,
    pub(super) recipient: Cell,
    pub(super) label: Cell,
    pub(super) recipient_reference: Cell,
    pub(super) recipient_status: Cell,
    pub(super) batch_file: Cell,
    pub(super) batch_file_sha256: Cell,
}

pub(super) fn request_cells(intent: &Order) -> RequestCells {
    let mut cells = RequestCells::default();
    if let Some(sender) = &intent.drafted.sender {
        cells.wallet_name = optional_cell(sender.name.as_ref());
        cells.wallet_address = optional_cell(sender.address.as_ref());
        cells.account = optional_cell(sender.account.as_ref());
        cells.user = optional_cell(sender.user.as_ref());
        cells.contract = optional_cell(sender.token.contract.as_ref());
        cells.amount_raw = Some(sender.amount.raw().to_string());
        cells.decimals = Some(sender.amount.decimals().to_string());
    }
    cells.metadata = optional_cell(intent.drafted.draft.metadata());
    match &intent.drafted.draft {
        Draft::Withdraw(paid) | Draft::Payment(V1Payment { withdrawal: paid, .. }) => {
            let Withdrawal {
                wallet: from,
                blockchain: chain,
                token: symbol,
                amount: much,
                to: whom,
                ref_id: reference,
                note: noted,
                metadata: _,
            } = paid;
            cells.wallet = Some(from.to_string());
            cells.blockchain = Some(chain.to_string());
            cells.token = Some(symbol.to_string());
            cells.amount = Some(much.to_string());
            cells.to = Some(whom.to_string());
            cells.ref_id = optional_cell(reference.as_ref());
            cells.note = optional_cell(noted.as_ref());
            if let Draft::Payment(V1Payment { fee, memo: carried, .. }) = &intent.drafted.draft {
                cells.memo = optional_cell(carried.as_ref());
                cells.fee_at_most = optional_cell(fee.as_ref());
            }
        }
        Draft::CreateUser(person)
        | Draft::UpdateUser(UserChange { to: person, .. })
        | Draft::CreateSubWallet(NewSubWallet { user: person, .. }) => {
            let NewUser { email: mail, display_name, ref_id: reference } = person;
            cells.email = optional_cell(mail.as_ref());
            cells.name = optional_cell(display_name.as_ref());
            cells.ref_id = optional_cell(reference.as_ref());
            if let Draft::UpdateUser(change) = &intent.drafted.draft {
                cells.user = Some(change.user.to_string());
            }
        }
        Draft::UpdateWallet(WalletChange {
            wallet: changed,
            user: owner,
            name: called,
            is_active: _,
            auto_sweep: sweeps,
        }) => {
            cells.wallet = Some(changed.to_string());
            cells.name = optional_cell(called.as_ref());
            cells.user = optional_cell(owner.as_ref());
            cells.auto_sweep = sweeps.map(|sweeps| sweeps.to_string());
        }
        Draft::CreateAddress(NewAddress { sub_wallet, coin, chain }) => {
            cells.user = Some(sub_wallet.to_string());
            cells.token = Some(coin.to_string());
            cells.blockchain = Some(chain.to_string());
        }
        Draft::CreateSandboxAddress(NewSandboxAddress { coin, chain }) => {
            cells.token = Some(coin.to_string());
            cells.blockchain = Some(chain.to_string());
        }
        Draft::CreateAccount(NewAccount { name: called }) => cells.name = Some(called.to_string()),
        Draft::CreateWallet(NewWallet {
            account: within,
            blockchain: chain,
            name: called,
            ref_id: reference,
            user: owner,
            auto_sweep: sweeps,
        }) => {
            cells.account = Some(within.to_string());
            cells.blockchain = Some(chain.to_string());
            cells.name = optional_cell(called.as_ref());
            cells.ref_id = optional_cell(reference.as_ref());
            cells.user = optional_cell(owner.as_ref());
            cells.auto_sweep = Some(sweeps.to_string());
        }
        // Recipients and amounts are in the row of each recipient.
        Draft::Batch(Batch {
            wallet: from,
            blockchain: chain,
            token: symbol,
            to: _,
            ref_id: reference,
            note: noted,
            metadata: _,
            queue,
            file: _,
        }) => {
            cells.wallet = Some(from.to_string());
            cells.blockchain = Some(chain.to_string());
            cells.token = Some(symbol.to_string());
            cells.ref_id = optional_cell(reference.as_ref());
            cells.note = optional_cell(noted.as_ref());
            cells.queue = optional_cell(queue.as_ref());
        }
        Draft::SimulateDeposit(SimulatedDeposit { token: symbol, blockchain: chain, amount: much, to: whom }) => {
            cells.token = Some(symbol.to_string());
            cells.blockchain = Some(chain.to_string());
            cells.amount = Some(much.to_string());
            cells.to = Some(whom.to_string());
        }
        // The token bought has a column of its own.
        Draft::Swap(Swap {
            wallet: within,
            blockchain: chain,
            from,
            amount: much,
            to: _,
            ref_id: reference,
            note: noted,
        }) => {
            cells.wallet = Some(within.to_string());
            cells.blockchain = Some(chain.to_string());
            cells.token = Some(from.to_string());
            cells.amount = Some(much.to_string());
            cells.ref_id = optional_cell(reference.as_ref());
            cells.note = optional_cell(noted.as_ref());
        }
        Draft::InstantSwap(InstantSwap { sub_wallet, from, amount: much, to: _, ext_id }) => {
            cells.user = Some(sub_wallet.to_string());
            cells.token = Some(from.to_string());
            cells.amount = Some(much.to_string());
            cells.ref_id = optional_cell(ext_id.as_ref());
        }
    }
    cells
}
