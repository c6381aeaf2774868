//! The values of a draft, name by name, for the review and for the order's details.

use crate::app::model::Model;
use crate::domain::chain::chain_display_name;
use crate::domain::draft::{Draft, NewUser, WalletChange};
use crate::domain::history::Scope;
use crate::domain::{Text, UserId, WalletId, address};

/// A name and its value; `None` where the draft omits it.
type LabelledValue = (&'static str, Option<String>);

/// The values of a draft; empty for a payment or batch, which have lines of their own.
pub fn draft_values(model: &Model, draft: &Draft) -> Vec<LabelledValue> {
    let chain = |word: &Text| Some(format!("{} ({word})", chain_display_name(word)));
    match draft {
        Draft::Withdraw(_) | Draft::Batch(_) | Draft::Payment(_) => Vec::new(),
        Draft::CreateUser(user) => new_user_values(user),
        Draft::CreateAccount(account) => vec![("Name", text_value(Some(&account.name)))],
        Draft::CreateWallet(wallet) => {
            let account = model.scope_name(&Scope::Account(wallet.account.clone()));
            vec![
                ("Name", text_value(wallet.name.as_ref())),
                ("Account", Some(format!("{account} · {}", wallet.account))),
                ("Chain", chain(&wallet.blockchain)),
                ("Owner", wallet.user.as_ref().map(UserId::to_string)),
                ("Reference", text_value(wallet.ref_id.as_ref())),
                ("Auto-sweep", Some(yes_or_no(wallet.auto_sweep).into())),
            ]
        }
        Draft::UpdateWallet(WalletChange { wallet, user, name, is_active, auto_sweep }) => vec![
            ("Wallet", Some(format!("{} · {wallet}", wallet_name(model, wallet)))),
            ("Name", text_value(name.as_ref())),
            ("Owner", user.as_ref().map(UserId::to_string)),
            ("In use", is_active.map(|on| if on { "yes" } else { "no: the wallet can no longer pay" }.into())),
            ("Auto-sweep", auto_sweep.map(|on| yes_or_no(on).into())),
        ],
        Draft::UpdateUser(change) => {
            let mut said = vec![("User", Some(format!("{} · {}", user_name(model, &change.user), change.user)))];
            said.extend(new_user_values(&change.to));
            said
        }
        Draft::CreateSubWallet(new) => {
            let mut said = new_user_values(&new.user);
            said.push(("Trading", Some(yes_or_no(new.can_trade).into())));
            said
        }
        Draft::CreateAddress(new) => vec![
            ("Sub-wallet", Some(format!("{} · {}", user_name(model, &new.sub_wallet), new.sub_wallet))),
            ("Coin", text_value(Some(&new.coin))),
            ("Chain", chain(&new.chain)),
        ],
        Draft::CreateSandboxAddress(new) => vec![
            ("Wallet", Some("the Prime Wallet of the sandbox".into())),
            ("Coin", text_value(Some(&new.coin))),
            ("Chain", chain(&new.chain)),
            ("Money", Some("none: this is a sandbox address, with no blockchain behind it".into())),
        ],
        Draft::SimulateDeposit(deposit) => vec![
            ("Amount", Some(format!("{} {}", deposit.amount, deposit.token))),
            ("To", Some(address::format_grouped(&deposit.to))),
            ("Chain", chain(&deposit.blockchain)),
            ("Money", Some("none: the test service only records it, with no blockchain behind it".into())),
        ],
        Draft::Swap(swap) => vec![
            ("Sell", Some(format!("{} {}", swap.amount, swap.from))),
            ("Buy", text_value(Some(&swap.to))),
            ("Wallet", Some(format!("{} · {}", wallet_name(model, &swap.wallet), swap.wallet))),
            ("Chain", chain(&swap.blockchain)),
            ("Reference", text_value(swap.ref_id.as_ref())),
            ("Note", text_value(swap.note.as_ref())),
        ],
        Draft::InstantSwap(swap) => vec![
            ("Sell", Some(format!("{} {}", swap.amount, swap.from))),
            ("Buy", text_value(Some(&swap.to))),
            ("Sub-wallet", Some(format!("{} · {}", user_name(model, &swap.sub_wallet), swap.sub_wallet))),
            ("Reference", text_value(swap.ext_id.as_ref())),
        ],
    }
}

fn new_user_values(user: &NewUser) -> Vec<LabelledValue> {
    vec![
        ("Name", text_value(user.display_name.as_ref())),
        ("Email", text_value(user.email.as_ref())),
        ("Reference", text_value(user.ref_id.as_ref())),
    ]
}

/// The best available name of a new or changed user.
pub fn new_user_name(user: &NewUser) -> Option<&Text> {
    user.display_name.as_ref().or(user.email.as_ref()).or(user.ref_id.as_ref())
}

fn text_value(text: Option<&Text>) -> Option<String> {
    text.map(Text::to_string)
}

fn yes_or_no(on: bool) -> &'static str {
    if on { "yes" } else { "no" }
}

pub fn wallet_name(model: &Model, id: &WalletId) -> String {
    model.scope_name(&Scope::Wallet(id.clone()))
}

pub fn user_name(model: &Model, id: &UserId) -> String {
    model.scope_name(&Scope::User(id.clone()))
}
