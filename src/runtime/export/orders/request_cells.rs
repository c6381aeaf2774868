//! The cells of an order's request.

use crate::domain::draft::{
    Batch, InstantSwap, NewAccount, NewAddress, NewSandboxAddress, NewSubWallet, NewUser, NewWallet, SimulatedDeposit,
    Swap, UserChange, V1Payment, WalletChange,
};
use crate::domain::{Draft, Order, Withdrawal};
use crate::runtime::export::table::{Cell, optional_cell};

/// The cells from `wallet` to `auto_sweep`.
pub(super) fn request_cells(intent: &Order) -> [Cell; 19] {
    let mut cells: [Cell; 19] = Default::default();
    let [wallet, wallet_name, address, account, user, blockchain, token, contract, rest @ ..] = &mut cells;
    let [amount, raw, decimals, to, ref_id, note, memo, fee_at_most, name, email, auto_sweep] = rest;
    if let Some(sender) = &intent.drafted.sender {
        *wallet_name = optional_cell(sender.name.as_ref());
        *address = optional_cell(sender.address.as_ref());
        *account = optional_cell(sender.account.as_ref());
        *user = optional_cell(sender.user.as_ref());
        *contract = optional_cell(sender.token.contract.as_ref());
        *raw = Some(sender.amount.raw().to_string());
        *decimals = Some(sender.amount.decimals().to_string());
    }
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
            } = paid;
            *wallet = Some(from.to_string());
            *blockchain = Some(chain.to_string());
            *token = Some(symbol.to_string());
            *amount = Some(much.to_string());
            *to = Some(whom.to_string());
            *ref_id = optional_cell(reference.as_ref());
            *note = optional_cell(noted.as_ref());
            if let Draft::Payment(V1Payment { fee, memo: carried, .. }) = &intent.drafted.draft {
                *memo = optional_cell(carried.as_ref());
                *fee_at_most = optional_cell(fee.as_ref());
            }
        }
        Draft::CreateUser(person)
        | Draft::UpdateUser(UserChange { to: person, .. })
        | Draft::CreateSubWallet(NewSubWallet { user: person, .. }) => {
            let NewUser { email: mail, display_name, ref_id: reference } = person;
            *email = optional_cell(mail.as_ref());
            *name = optional_cell(display_name.as_ref());
            *ref_id = optional_cell(reference.as_ref());
            if let Draft::UpdateUser(change) = &intent.drafted.draft {
                *user = Some(change.user.to_string());
            }
        }
        Draft::UpdateWallet(WalletChange {
            wallet: changed,
            user: owner,
            name: called,
            is_active: _,
            auto_sweep: sweeps,
        }) => {
            *wallet = Some(changed.to_string());
            *name = optional_cell(called.as_ref());
            *user = optional_cell(owner.as_ref());
            *auto_sweep = sweeps.map(|sweeps| sweeps.to_string());
        }
        Draft::CreateAddress(NewAddress { sub_wallet, coin, chain }) => {
            *user = Some(sub_wallet.to_string());
            *token = Some(coin.to_string());
            *blockchain = Some(chain.to_string());
        }
        Draft::CreateSandboxAddress(NewSandboxAddress { coin, chain }) => {
            *token = Some(coin.to_string());
            *blockchain = Some(chain.to_string());
        }
        Draft::CreateAccount(NewAccount { name: called }) => *name = Some(called.to_string()),
        Draft::CreateWallet(NewWallet {
            account: within,
            blockchain: chain,
            name: called,
            ref_id: reference,
            user: owner,
            auto_sweep: sweeps,
        }) => {
            *account = Some(within.to_string());
            *blockchain = Some(chain.to_string());
            *name = optional_cell(called.as_ref());
            *ref_id = optional_cell(reference.as_ref());
            *user = optional_cell(owner.as_ref());
            *auto_sweep = Some(sweeps.to_string());
        }
        // Recipients and amounts are in the row of each recipient.
        Draft::Batch(Batch {
            wallet: from,
            blockchain: chain,
            token: symbol,
            to: _,
            ref_id: reference,
            note: noted,
            file: _,
        }) => {
            *wallet = Some(from.to_string());
            *blockchain = Some(chain.to_string());
            *token = Some(symbol.to_string());
            *ref_id = optional_cell(reference.as_ref());
            *note = optional_cell(noted.as_ref());
        }
        Draft::SimulateDeposit(SimulatedDeposit { token: symbol, blockchain: chain, amount: much, to: whom }) => {
            *token = Some(symbol.to_string());
            *blockchain = Some(chain.to_string());
            *amount = Some(much.to_string());
            *to = Some(whom.to_string());
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
            *wallet = Some(within.to_string());
            *blockchain = Some(chain.to_string());
            *token = Some(from.to_string());
            *amount = Some(much.to_string());
            *ref_id = optional_cell(reference.as_ref());
            *note = optional_cell(noted.as_ref());
        }
        Draft::InstantSwap(InstantSwap { sub_wallet, from, amount: much, to: _, ext_id }) => {
            *user = Some(sub_wallet.to_string());
            *token = Some(from.to_string());
            *amount = Some(much.to_string());
            *ref_id = optional_cell(ext_id.as_ref());
        }
    }
    cells
}
