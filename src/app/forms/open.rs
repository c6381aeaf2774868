//! A form is opened: as it was kept, or with what is selected.

use super::field::Slot;
use super::review::Fate;
use super::sheet::{Sheet, Stop};
use super::supply::{Picked, Take};
use super::{Form, Stage, batch, show_order, withdraw};
use crate::app::ask;
use crate::app::book;
use crate::app::link::Link;
use crate::app::model::{Mode, Model, Page};
use crate::app::msg::Effect;
use crate::app::orders;
use crate::domain::address;
use crate::domain::chain::same;
use crate::domain::history::Scope;
use crate::domain::{Operation, Reason, Wallet};

/// Opens a form: the one that was kept, or a new one with what is selected.
pub(in crate::app) fn open(model: &mut Model, operation: Operation) -> Vec<Effect> {
    // On the page of markets the selected pair is meant, whatever was typed before.
    let on_markets = operation.is_swap() && model.page == Page::Markets;
    let pair = model.pairs.selected().filter(|_| on_markets).map(|pair| (pair.from.clone(), pair.to.clone()));
    open_for(model, operation, |sheet| {
        pair.as_ref().is_none_or(|(from, to)| {
            sheet.value(Slot::Token).eq_ignore_ascii_case(from) && sheet.value(Slot::Bought).eq_ignore_ascii_case(to)
        })
    })
}

/// The same for something: of the forms that were kept, only one that is meant is taken up, the newest; the others stay
/// kept.
fn open_for(model: &mut Model, operation: Operation, is_meant: impl Fn(&Sheet) -> bool) -> Vec<Effect> {
    if let Err(why) = may_open(model) {
        model.notice = Some(why);
        return Vec::new();
    }
    let kept = model.forms.kept.iter().rposition(|sheet| sheet.operation == operation && is_meant(sheet));
    let mut sheet = match kept {
        Some(index) => {
            let mut sheet = model.forms.kept.remove(index);
            let more = match model.forms.kept_of(operation) {
                0 => String::new(),
                more => format!(" ({more} more kept)"),
            };
            model.notice = Some(format!("the draft that was kept{more}; “Start anew” empties it"));
            // What was known when it was closed may have changed since.
            sheet.found.filter = None;
            sheet.told = None;
            // Where the cursor was left is forgotten by then: what is typed first goes into the first field.
            if sheet.rows.editing.is_none() {
                (sheet.at, sheet.choice) = (Stop::Field(0), None);
            }
            sheet.rows.resume();
            sheet
        }
        None => prefilled(model, operation).into_given(),
    };
    if operation == Operation::Batch {
        batch::settle(model, &mut sheet);
    }
    let mut effects = sheet.ask(&mut model.forms.turn);
    if sheet.picked.wallet.is_some() && sheet.held.of.is_some() {
        effects.push(sheet.ask_held(&mut model.forms.turn));
    }
    if !model.tokens.is_loaded() {
        effects.push(ask::markets(model));
    }
    model.mode = Mode::Form(Box::new(Form { sheet, stage: Stage::Filling }));
    effects
}

/// Opens the form of a payment, by the version that the profile pays by.
pub(in crate::app) fn pays(model: &mut Model) -> Vec<Effect> {
    let operation = if model.v2 { Operation::Withdraw } else { Operation::Payment };
    open(model, operation)
}

/// Opens the form of a swap, likewise.
pub(in crate::app) fn swaps(model: &mut Model) -> Vec<Effect> {
    let operation = if model.v2 { Operation::Swap } else { Operation::InstantSwap };
    open(model, operation)
}

/// Opens the form of a simulated deposit to a wallet.
pub(in crate::app) fn simulate(model: &mut Model, wallet: Wallet) -> Vec<Effect> {
    about(model, Operation::SimulateDeposit, Picked { wallet: Some(wallet), ..Picked::default() })
}

/// Opens the form of a payment to the selected entry of the address book: by version 1 where it needs a tag and the
/// profile has that version, since no other request can carry one.
pub(in crate::app) fn pay_contact(model: &mut Model) -> Vec<Effect> {
    let Some(contact) = book::selected(model).map(|known| known.contact.clone()) else { return Vec::new() };
    let by_v1 = !model.v2 || (contact.tag.is_some() && model.v1);
    let operation = if by_v1 { Operation::Payment } else { Operation::Withdraw };
    // What was typed for another recipient is not for this one.
    let is_to = |sheet: &Sheet| {
        let wallet = sheet.picked.wallet.as_ref();
        let tag = contact.tag.as_ref().filter(|_| operation == Operation::Payment);
        wallet.is_none_or(|wallet| same(&wallet.blockchain, &contact.blockchain))
            && address::same(sheet.value(Slot::Recipient), &contact.address)
            && tag.is_none_or(|tag| sheet.value(Slot::Memo) == tag.as_str())
    };
    let effects = open_for(model, operation, is_to);
    let turn = &mut model.forms.turn;
    let Mode::Form(form) = &mut model.mode else { return effects };
    let sheet = &mut form.sheet;
    if !sheet.value(Slot::Recipient).is_empty() {
        return effects;
    }
    let is_there = sheet.picked.wallet.as_ref().is_some_and(|wallet| same(&wallet.blockchain, &contact.blockchain));
    if !is_there {
        // Its chain finds the wallets that can pay there.
        *sheet = Sheet::new(operation);
        sheet.take(Slot::Wallet, &contact.blockchain, Take::Words);
    }
    sheet.take(Slot::Recipient, &contact.address, Take::Words);
    if let Some(tag) = contact.tag.as_ref().filter(|_| operation == Operation::Payment) {
        sheet.take(Slot::Memo, tag, Take::Words);
    }
    let first = if !is_there {
        Slot::Wallet
    } else if sheet.picked.token.is_none() {
        Slot::Token
    } else {
        Slot::Amount
    };
    sheet.go_to(first);
    sheet.set_given();
    // After what was asked on opening: of two questions of a kind the last one is answered.
    let mut effects = effects;
    effects.extend(sheet.ask(turn));
    effects
}

/// Opens the form that changes what is selected: a user on the page of users, else a wallet.
pub(in crate::app) fn change(model: &mut Model) -> Vec<Effect> {
    if model.page == Page::Users {
        let user = model.users.selected().map(|user| user.entry.clone());
        return about(model, Operation::UpdateUser, Picked { user, ..Picked::default() });
    }
    let wallet = model.wallets.selected().map(|wallet| wallet.entry.clone());
    about(model, Operation::UpdateWallet, Picked { wallet, ..Picked::default() })
}

/// Opens a form about something that was chosen before. What was typed about another is not for this one.
fn about(model: &mut Model, operation: Operation, what: Picked) -> Vec<Effect> {
    let id = |picked: &Picked| {
        (picked.wallet.as_ref().map(|wallet| wallet.id.clone()), picked.user.as_ref().map(|user| user.id.clone()))
    };
    let effects = open_for(model, operation, |sheet| id(&sheet.picked) == id(&what));
    if let Mode::Form(form) = &mut model.mode {
        form.sheet.picked = what;
    }
    effects
}

/// Why nothing can be changed from here, if so.
pub fn may_open(model: &Model) -> Result<(), String> {
    if let Some(why) = &model.read_only {
        return Err(format!("this console only reads: {why}"));
    }
    orders::may_change(model)?;
    // A key that is not known cannot pay either: the order would only wait for somebody to look after it.
    let rejected =
        model.remotes.head.failure.as_ref().is_some_and(|(failure, _)| failure.reason == Reason::KeyRejected);
    if model.link == Link::KeyRejected && rejected {
        return Err("the API key is rejected; mend it, then press r".into());
    }
    Ok(())
}

/// A form with what is selected.
fn prefilled(model: &Model, operation: Operation) -> Sheet {
    let mut sheet = Sheet::new(operation);
    match operation {
        Operation::Withdraw | Operation::Payment => prefill_wallet(model, &mut sheet, Slot::Recipient),
        // In a visit there is no field for a file.
        Operation::Batch if model.visit => prefill_wallet(model, &mut sheet, Slot::Note),
        Operation::Batch => prefill_wallet(model, &mut sheet, Slot::File),
        Operation::Swap | Operation::InstantSwap => prefill_swap(model, &mut sheet),
        Operation::CreateWallet => {
            if let Some(account) = model.accounts.selected() {
                let account = account.entry.clone();
                let name = account.name.as_ref().map_or_else(|| account.id.to_string(), ToString::to_string);
                sheet.take(Slot::Account, &name, Take::Account(Box::new(account)));
                sheet.go_to(Slot::Chain);
            }
        }
        Operation::CreateAddress => {
            if let Some(user) = model.users.selected().filter(|_| model.page == Page::Users) {
                let id = user.entry.id.to_string();
                sheet.take(Slot::Owner, &id, Take::Words);
                sheet.go_to(Slot::Token);
            }
        }
        Operation::CreateUser
        | Operation::CreateAccount
        | Operation::CreateSubWallet
        | Operation::UpdateWallet
        | Operation::UpdateUser
        | Operation::SimulateDeposit
        | Operation::CreateSandboxAddress => {}
    }
    sheet
}

/// The selected wallet, and the selected balance of it; then the cursor goes on to the field that follows.
fn prefill_wallet(model: &Model, sheet: &mut Sheet, next: Slot) {
    let Some(wallet) = model.wallets.selected() else { return };
    let wallet = wallet.entry.clone();
    let shown = model.balances.shown == Scope::Wallet(wallet.id.clone());
    sheet.take(Slot::Wallet, &withdraw::name_of(&wallet), Take::Wallet(Box::new(wallet.clone())));
    sheet.go_to(Slot::Token);
    if let Some(holding) = model.balances.listing.selected().filter(|holding| shown && !holding.suspicious) {
        sheet.held.rows.clone_from(&model.balances.all);
        sheet.held.of = Some(wallet.id);
        sheet.take(Slot::Token, &holding.symbol, Take::Token(holding.token.clone()));
        sheet.go_to(next);
    }
}

/// The pair that is selected on the page of markets; elsewhere the selected balance is what is sold.
fn prefill_swap(model: &Model, sheet: &mut Sheet) {
    let Some(pair) = model.pairs.selected().filter(|_| model.page == Page::Markets) else {
        return prefill_wallet(model, sheet, Slot::Amount);
    };
    if let Some(wallet) = model.wallets.selected() {
        let wallet = wallet.entry.clone();
        sheet.take(Slot::Wallet, &withdraw::name_of(&wallet), Take::Wallet(Box::new(wallet)));
        sheet.go_to(Slot::Token);
    }
    // Which token of this symbol is meant is settled with the wallet.
    sheet.take(Slot::Token, &pair.from, Take::Words);
    sheet.take(Slot::Bought, &pair.to, Take::Words);
}

/// Whether a review is open of which nothing was sent, be it under what is asked or shown over it.
pub(in crate::app) fn is_reviewing(mode: &Mode) -> bool {
    match mode {
        Mode::Form(form) => matches!(&form.stage, Stage::Review(review) if review.fate == Fate::Open),
        Mode::Prompt(prompt) => is_reviewing(&prompt.over),
        Mode::Help { over, .. } => is_reviewing(over),
        _ => false,
    }
}

/// Closes the form that is open: what was typed is kept as a draft, and what was recorded for its review is given up.
/// One whose answer is waited for has become an order, which is shown.
pub(in crate::app) fn put_away(model: &mut Model) -> Vec<Effect> {
    let Mode::Form(form) = std::mem::take(&mut model.mode) else { return Vec::new() };
    let Form { sheet, stage } = *form;
    let recorded = match stage {
        Stage::Review(review) if review.fate == Fate::Sending => {
            show_order(model, review.intent.id);
            return Vec::new();
        }
        Stage::Review(review) => Some(review.intent.id),
        Stage::Filling | Stage::Preparing(_) => None,
    };
    if sheet.holds_more_than_given() && sheet.follows.is_none() {
        model.forms.kept.push(sheet);
    }
    recorded.map(Effect::Abandon).into_iter().collect()
}

#[cfg(test)]
mod tests;
