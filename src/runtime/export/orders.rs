//! The columns of an order, and of a record of the journal.

mod batch;
mod stands;
#[cfg(test)]
mod tests;

use sha2::{Digest, Sha256};

use super::table::{Cell, words};
use crate::domain::draft::{
    Batch, InstantSwap, NewAccount, NewAddress, NewSandboxAddress, NewSubWallet, NewUser, NewWallet, Payment,
    SimulatedDeposit, Swap, UserChange, WalletChange,
};
use crate::domain::intent::{Because, End, Stamp};
use crate::domain::{Draft, Intent, Made, Timestamp, Withdrawal};
use crate::journal::Record;

pub use batch::order_lines;
use stands::{outcome_word, state_word};

/// Columns of a record.
pub const RECORD: [&str; 12] =
    ["record", "at", "user", "host", "run", "profile", "environment", "order", "kind", "body", "prev_hash", "hash"];

/// Cells of a record. The body is the text over which its hash was made.
pub fn record(record: &Record) -> [Cell; RECORD.len()] {
    [
        Some(record.seq.to_string()),
        Some(record.at.to_string()),
        Some(record.by.user.to_string()),
        Some(record.by.host.to_string()),
        Some(record.by.run.to_string()),
        Some(record.profile.to_string()),
        words(record.environment.as_ref()),
        words(record.intent.as_ref()),
        Some(record.kind.clone()),
        Some(record.body.clone()),
        Some(hex::encode(record.prev)),
        Some(hex::encode(record.hash)),
    ]
}

/// Columns of an order.
pub const ORDER: [&str; 75] = [
    "order",
    "operation",
    "state",
    "profile",
    "environment",
    "base_url",
    "key_mark",
    "drafted_at",
    "drafted_by",
    "drafted_on",
    "drafted_in_run",
    // The payment.
    "wallet",
    "wallet_name",
    "wallet_address",
    "account",
    "user",
    "blockchain",
    "token",
    "contract",
    "amount",
    "amount_raw",
    "decimals",
    "to",
    "ref_id",
    "note",
    "memo",
    "fee_at_most",
    // What is made instead.
    "name",
    "email",
    "auto_sweep",
    // The request.
    "method",
    "path",
    "idempotency_key",
    "request",
    "request_sha256",
    "newest_known",
    // The confirmation.
    "confirmed_at",
    "confirmed_by",
    "confirmed_on",
    "typed",
    "findings",
    // Sending.
    "attempts",
    "sent_because",
    "first_sent_at",
    "last_sent_at",
    "gives_up_at",
    "outcome",
    "http_status",
    "said",
    "answered_at",
    "answer",
    "differences",
    // What the service tells.
    "made",
    "transaction",
    "transaction_status",
    "transaction_confirmed",
    "transaction_confirmed_at",
    "confirmations",
    "tx_hash",
    "reads",
    "last_read_told_at",
    // The end.
    "ended_at",
    "ended_by",
    "written_off_because",
    // One recipient of a batch, which has a line for each.
    "recipient",
    "label",
    "recipient_status",
    "batch_file",
    "batch_file_sha256",
    // A swap.
    "bought",
    "quoted",
    "quoted_at",
    "bound",
    "received",
    "swap_group",
];

/// Cells of an order, as it stands at a time.
pub fn order(intent: &Intent, now: Timestamp) -> Vec<Cell> {
    let drafted = &intent.drafted;
    let to = &drafted.destination;
    let mut cells = vec![
        Some(intent.id.to_string()),
        Some(drafted.draft.operation().word().to_owned()),
        Some(state_word(intent.state(now)).to_owned()),
        Some(to.profile.to_string()),
        words(to.environment.as_ref()),
        Some(to.base_url.to_string()),
        Some(to.key_mark.to_string()),
    ];
    cells.extend(stamp(Some(&intent.born)));
    cells.push(Some(intent.born.by.run.to_string()));
    cells.extend(wanted(intent));
    let request = &drafted.frozen;
    cells.extend([
        Some(request.method.clone()),
        Some(request.path.clone()),
        words(request.key.as_ref()),
        Some(request.body.clone()),
        Some(hex::encode(Sha256::digest(request.body.as_bytes()))),
        lines(drafted.newest.iter()),
    ]);
    cells.extend(stamp(intent.confirmed.as_ref().map(|(stamp, _)| stamp)));
    let confirmation = intent.confirmed.as_ref().map(|(_, confirmation)| confirmation);
    cells.push(confirmation.and_then(|confirmation| lines(confirmation.typed.iter())));
    cells.push(confirmation.and_then(|confirmation| lines(confirmation.findings.iter())));
    cells.extend(sending(intent));
    cells.extend(told(intent));
    let end = intent.end.as_ref();
    cells.extend([
        words(end.map(|(stamp, _)| stamp.at).as_ref()),
        words(end.map(|(stamp, _)| &stamp.by.user)),
        end.and_then(|(_, end)| if let End::WrittenOff(reason) = end { Some(reason.to_string()) } else { None }),
    ]);
    cells.extend([const { None }; 5]);
    cells.extend(swapped(intent));
    cells
}

/// From `bought` to `swap_group`.
fn swapped(intent: &Intent) -> [Cell; 6] {
    let (agreed, seen) = (intent.agreed(), intent.seen());
    [
        words(intent.drafted.draft.exchange().map(|exchange| exchange.to)),
        words(agreed.map(|agreed| agreed.amount).as_ref()),
        words(agreed.map(|agreed| agreed.at).as_ref()),
        agreed.map(|agreed| agreed.bound.words()),
        words(intent.received().map(|received| received.amount).as_ref()),
        words(seen.and_then(|seen| seen.swapped.as_ref()?.group.as_ref())),
    ]
}

/// From `wallet` to `auto_sweep`.
fn wanted(intent: &Intent) -> [Cell; 19] {
    let mut cells: [Cell; 19] = Default::default();
    let [wallet, wallet_name, address, account, user, blockchain, token, contract, rest @ ..] = &mut cells;
    let [amount, raw, decimals, to, ref_id, note, memo, fee_at_most, name, email, auto_sweep] = rest;
    if let Some(sender) = &intent.drafted.sender {
        *wallet_name = words(sender.name.as_ref());
        *address = words(sender.address.as_ref());
        *account = words(sender.account.as_ref());
        *user = words(sender.user.as_ref());
        *contract = words(sender.token.contract.as_ref());
        *raw = Some(sender.amount.raw().to_string());
        *decimals = Some(sender.amount.decimals().to_string());
    }
    match &intent.drafted.draft {
        Draft::Withdraw(paid) | Draft::Payment(Payment { paid, .. }) => {
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
            *ref_id = words(reference.as_ref());
            *note = words(noted.as_ref());
            if let Draft::Payment(Payment { fee, memo: carried, .. }) = &intent.drafted.draft {
                *memo = words(carried.as_ref());
                *fee_at_most = words(fee.as_ref());
            }
        }
        Draft::CreateUser(person)
        | Draft::UpdateUser(UserChange { to: person, .. })
        | Draft::CreateSubWallet(NewSubWallet { user: person, .. }) => {
            let NewUser { email: mail, display_name, ref_id: reference } = person;
            *email = words(mail.as_ref());
            *name = words(display_name.as_ref());
            *ref_id = words(reference.as_ref());
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
            *name = words(called.as_ref());
            *user = words(owner.as_ref());
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
            *name = words(called.as_ref());
            *ref_id = words(reference.as_ref());
            *user = words(owner.as_ref());
            *auto_sweep = Some(sweeps.to_string());
        }
        // Whom it pays, and how much, stands in the line of each recipient.
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
            *ref_id = words(reference.as_ref());
            *note = words(noted.as_ref());
        }
        Draft::SimulateDeposit(SimulatedDeposit { token: symbol, blockchain: chain, amount: much, to: whom }) => {
            *token = Some(symbol.to_string());
            *blockchain = Some(chain.to_string());
            *amount = Some(much.to_string());
            *to = Some(whom.to_string());
        }
        // What is bought stands in a column of its own.
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
            *ref_id = words(reference.as_ref());
            *note = words(noted.as_ref());
        }
        Draft::InstantSwap(InstantSwap { sub_wallet, from, amount: much, to: _, ext_id }) => {
            *user = Some(sub_wallet.to_string());
            *token = Some(from.to_string());
            *amount = Some(much.to_string());
            *ref_id = words(ext_id.as_ref());
        }
    }
    cells
}

/// From `attempts` to `differences`.
fn sending(intent: &Intent) -> [Cell; 11] {
    let last = intent.attempts.last();
    let answer = intent.attempts.iter().rev().find_map(|attempt| attempt.answer.as_ref());
    let because = |because: &Because| match because {
        Because::Confirmed => "confirmed",
        Because::Again => "again by itself",
        Because::Operator { warned: false } => "again by the operator",
        Because::Operator { warned: true } => "again by the operator, warned",
    };
    [
        Some(intent.attempts.len().to_string()),
        lines(intent.attempts.iter().map(|attempt| because(&attempt.because))),
        words(intent.first_sent().as_ref()),
        words(last.map(|attempt| attempt.stamp.at).as_ref()),
        words(last.map(|attempt| attempt.gives_up_at).as_ref()),
        intent.outcome().map(|outcome| outcome_word(outcome).to_owned()),
        words(answer.and_then(|(_, answer)| answer.status).as_ref()),
        words(answer.map(|(_, answer)| &answer.said)),
        words(answer.map(|(at, _)| at)),
        answer.and_then(|(_, answer)| answer.raw.clone()),
        lines(intent.differences().into_iter()),
    ]
}

/// From `made` to `last_read_told_at`.
fn told(intent: &Intent) -> [Cell; 9] {
    let made = intent.attempts.iter().rev().find_map(|attempt| attempt.answer.as_ref()?.1.made.as_ref());
    let seen = intent.seen();
    let reads = intent.looks.len();
    [
        made.and_then(|made| match made {
            Made::Transaction(seen) => words(seen.transaction.as_ref()),
            Made::User(user) => Some(user.id.to_string()),
            Made::Account(account) => Some(account.id.to_string()),
            Made::Wallet(wallet) => Some(wallet.id.to_string()),
            Made::Address(address) => Some(address.address.to_string()),
        }),
        words(seen.and_then(|seen| seen.transaction.as_ref())),
        words(seen.and_then(|seen| seen.status.as_ref())),
        words(seen.and_then(|seen| seen.confirmed).as_ref()),
        words(seen.and_then(|seen| seen.confirmed_at).as_ref()),
        words(seen.and_then(|seen| seen.confirmation).as_ref()),
        words(seen.and_then(|seen| seen.tx_hash.as_ref())),
        Some(reads.to_string()),
        words(intent.looks.last().map(|(at, _)| at)),
    ]
}

fn stamp(stamp: Option<&Stamp>) -> [Cell; 3] {
    [
        words(stamp.map(|stamp| stamp.at).as_ref()),
        words(stamp.map(|stamp| &stamp.by.user)),
        words(stamp.map(|stamp| &stamp.by.host)),
    ]
}

/// Several texts in one cell, each on a line of its own: a [`Text`](crate::domain::Text) never holds a line break.
fn lines<T: ToString>(texts: impl Iterator<Item = T>) -> Cell {
    let all: Vec<String> = texts.map(|text| text.to_string()).collect();
    (!all.is_empty()).then(|| all.join("\n"))
}
