//! Forms: what the operator wants, filled in, checked, reviewed, sent.
//!
//! ```text
//!   w, n ──▶ filling ──▶ preparing ──▶ review ──▶ sending ──▶ the Orders page
//!              ▲  │ Esc: kept   │ Esc     │ Esc
//!              └──┴─────────────┴─────────┘ nothing was sent
//! ```
//!
//! A form is pure like everything here. It ends in a draft, which the runtime freezes and records; what comes back is
//! reviewed as the bytes say it, and only then sent.

pub mod choose;
mod create;
pub mod field;
pub mod review;
pub mod sheet;
pub mod view;
mod withdraw;

use super::key::{Key, KeyCode};
use super::listing::Keyed as _;
use super::model::{Mode, Model, Page};
use super::msg::{Dataset, Effect, Prepared, Turn};
use super::orders;
use super::panes::orders::prompt;
use crate::domain::chain::display_name;
use crate::domain::draft::Operation;
use crate::domain::history::{Known, Scope, Window};
use crate::domain::intent::{Because, State};
use crate::domain::{Chain, Draft, Failure, Holding, IntentId, Made, Sender, Text, TokenKey, Wallet, WalletId};
use crate::guard::{Estimate, Knowledge};
use review::{Fate, Review};
use sheet::{Sheet, Step};

/// A form that has the keys.
#[derive(Debug, Clone)]
pub struct Form {
    /// As it is filled in.
    pub sheet: Sheet,
    /// How far it is.
    pub stage: Stage,
}

/// How far a form is.
#[derive(Debug, Clone)]
pub enum Stage {
    /// It is filled in.
    Filling,
    /// Its draft is frozen and recorded.
    Preparing(Turn),
    /// Its bytes are reviewed.
    Review(Box<Review>),
}

/// What outlives a form.
#[derive(Debug, Clone, Default)]
pub struct Forms {
    /// The turn of the newest question of any form.
    pub turn: Turn,
    /// Forms that were closed and not sent, one of each kind at most.
    pub kept: Vec<Sheet>,
    /// What was just made, to be selected when it is listed, unless a key comes first.
    pub made: Option<Scope>,
}

/// Opens a form: the one that was kept, or a new one with what is selected.
pub(super) fn open(model: &mut Model, operation: Operation) -> Vec<Effect> {
    if let Err(why) = may_open(model) {
        model.notice = Some(why);
        return Vec::new();
    }
    let kept = model.forms.kept.iter().position(|sheet| sheet.operation == operation);
    let mut sheet = match kept {
        Some(index) => {
            model.notice = Some("the draft that was kept; “Start anew” empties it".into());
            let mut sheet = model.forms.kept.swap_remove(index);
            // What was known when it was closed may have changed since.
            sheet.found.filter = None;
            sheet.told = None;
            sheet
        }
        None => prefilled(model, operation),
    };
    let mut effects = sheet.ask(&mut model.forms.turn);
    if sheet.picked.wallet.is_some() && sheet.held.of.is_some() {
        effects.push(sheet.ask_held(&mut model.forms.turn));
    }
    if !model.tokens.is_loaded() {
        effects.push(super::ask::markets(model));
    }
    model.mode = Mode::Form(Box::new(Form { sheet, stage: Stage::Filling }));
    effects
}

/// Why nothing can be changed from here, if so.
pub fn may_open(model: &Model) -> Result<(), String> {
    if let Some(why) = &model.read_only {
        return Err(format!("this console only reads: {why}"));
    }
    orders::may_change(model)
}

/// A form with what is selected.
fn prefilled(model: &Model, operation: Operation) -> Sheet {
    let mut sheet = Sheet::new(operation);
    match operation {
        Operation::Withdraw => {
            if let Some(wallet) = model.wallets.selected() {
                let wallet = wallet.entry.clone();
                let shown = model.balances.shown == Scope::Wallet(wallet.id.clone());
                sheet.take(
                    field::Slot::Wallet,
                    &withdraw::name_of(&wallet),
                    sheet::Take::Wallet(Box::new(wallet.clone())),
                );
                sheet.go_to(field::Slot::Token);
                if let Some(holding) = model.balances.listing.selected().filter(|_| shown) {
                    sheet.held.rows = model.balances.all.clone();
                    sheet.held.of = Some(wallet.id);
                    sheet.take(field::Slot::Token, &holding.symbol, sheet::Take::Token(holding.token.clone()));
                    sheet.go_to(field::Slot::Recipient);
                }
            }
        }
        Operation::CreateWallet => {
            if let Some(account) = model.accounts.selected() {
                let account = account.entry.clone();
                let name = account.name.as_ref().map_or_else(|| account.id.to_string(), ToString::to_string);
                sheet.take(field::Slot::Account, &name, sheet::Take::Account(Box::new(account)));
                sheet.go_to(field::Slot::Chain);
            }
        }
        Operation::CreateUser | Operation::CreateAccount => {}
    }
    sheet
}

/// The word for a chain that requests use: the service's own slug where it lists the chain.
fn chain_word(model: &Model, word: &Text) -> Text {
    let slugs = || model.tokens.held().iter().flat_map(|token| &token.blockchains).map(|chain| &chain.slug);
    if slugs().any(|slug| slug == word) {
        return word.clone();
    }
    let known = Chain::find(word).map(|chain| chain.slug);
    let same = slugs().find(|slug| known.is_some() && Chain::find(slug).map(|chain| chain.slug) == known);
    same.unwrap_or(word).clone()
}

/// A key while a form has the keys.
pub(super) fn key(model: &mut Model, key: Key) -> Vec<Effect> {
    match key.code {
        KeyCode::Char('c') if key.ctrl => return prompt::leave(model),
        KeyCode::Char('z') if key.ctrl => return vec![Effect::Suspend],
        _ => {}
    }
    let Mode::Form(mut form) = std::mem::take(&mut model.mode) else { return Vec::new() };
    match &mut form.stage {
        Stage::Filling => filling(model, form, key),
        Stage::Preparing(_) if key.code == KeyCode::Esc => {
            form.stage = Stage::Filling;
            model.mode = Mode::Form(form);
            Vec::new()
        }
        Stage::Preparing(_) => {
            model.mode = Mode::Form(form);
            Vec::new()
        }
        Stage::Review(_) => reviewing(model, form, key),
    }
}

fn filling(model: &mut Model, mut form: Box<Form>, key: Key) -> Vec<Effect> {
    let mut turn = model.forms.turn;
    let step = form.sheet.key(model, &mut turn, key);
    model.forms.turn = turn;
    let effects = match step {
        Step::Close => {
            if !form.sheet.is_empty() {
                model.forms.kept.push(form.sheet);
                model.notice = Some("the draft is kept; the same key takes it up again".into());
            }
            return Vec::new();
        }
        Step::Stay(effects) => effects,
        Step::Submit(draft, sender) => prepare(model, &mut form, *draft, sender.map(|sender| *sender)),
    };
    model.mode = Mode::Form(form);
    effects
}

fn prepare(model: &mut Model, form: &mut Form, draft: Draft, sender: Option<Sender>) -> Vec<Effect> {
    let turn = model.forms.turn.advance();
    form.sheet.told = None;
    form.stage = Stage::Preparing(turn);
    vec![Effect::Prepare { draft, sender, turn }]
}

fn reviewing(model: &mut Model, mut form: Box<Form>, key: Key) -> Vec<Effect> {
    let Stage::Review(review) = &mut form.stage else { return Vec::new() };
    let id = review.intent.id;
    match review.key(model, key) {
        review::Step::Stay => {}
        review::Step::Look => {
            let effects = review.look(&mut model.forms.turn);
            model.mode = Mode::Form(form);
            return effects;
        }
        review::Step::Back => {
            form.stage = Stage::Filling;
            model.mode = Mode::Form(form);
            return vec![Effect::Abandon(id)];
        }
        review::Step::Leave => {
            show_order(model, id);
            return Vec::new();
        }
        review::Step::Send(confirmation) => {
            let effects = orders::send(model, id, Because::Confirmed, Some(confirmation));
            if effects.is_empty() {
                review.told = model.notice.take();
            } else {
                review.fate = Fate::Sending;
                review.told = None;
            }
            model.mode = Mode::Form(form);
            return effects;
        }
    }
    model.mode = Mode::Form(form);
    Vec::new()
}

/// Text was pasted while a form has the keys.
pub(super) fn paste(model: &mut Model, text: &str) -> Vec<Effect> {
    let Mode::Form(form) = &mut model.mode else { return Vec::new() };
    match &mut form.stage {
        Stage::Filling => match form.sheet.paste(&mut model.forms.turn, text) {
            Ok(effects) => effects,
            Err(why) => {
                model.notice = Some(why);
                Vec::new()
            }
        },
        Stage::Preparing(_) => Vec::new(),
        Stage::Review(_) => {
            model.notice = Some("a review is typed by hand; the paste was not taken".into());
            Vec::new()
        }
    }
}

/// A draft was frozen and recorded, or could not be.
pub(super) fn prepared(model: &mut Model, turn: Turn, result: Result<Box<Prepared>, Failure>) -> Vec<Effect> {
    let now = model.now;
    if let Some(form) = form_mut(&mut model.mode)
        && matches!(form.stage, Stage::Preparing(awaited) if awaited == turn)
    {
        match result {
            Ok(prepared) => form.stage = Stage::Review(Box::new(Review::new(*prepared, turn, now))),
            Err(failure) => {
                form.stage = Stage::Filling;
                form.sheet.told = Some(format!("{failure}. Nothing was sent"));
            }
        }
        return Vec::new();
    }
    // The operator did not wait for it.
    result.map_or_else(|_| Vec::new(), |prepared| vec![Effect::Abandon(prepared.intent.id)])
}

/// What is known around a payment was looked at anew.
pub(super) fn known(model: &mut Model, turn: Turn, intent: IntentId, result: Result<Box<Knowledge>, Failure>) {
    let now = model.now;
    let Some(review) = review_mut(model) else { return };
    if review.intent.id != intent || review.know.0 != turn {
        return;
    }
    review.know.1 = false;
    match result {
        Ok(known) => review.learn(*known, now),
        Err(failure) => review.told = Some(format!("what is known could not be looked at anew: {failure}")),
    }
}

/// Figures were read, or could not be: a form that shows some of them looks again.
pub(super) fn loaded(model: &mut Model, what: &Dataset) -> Vec<Effect> {
    if !matches!(what, Dataset::Head | Dataset::Balances(_)) {
        return Vec::new();
    }
    let Some(form) = form_mut(&mut model.mode) else { return Vec::new() };
    match &mut form.stage {
        Stage::Review(review) => review.look(&mut model.forms.turn),
        Stage::Filling if form.sheet.picked.wallet.is_some() => vec![form.sheet.ask_held(&mut model.forms.turn)],
        Stage::Filling | Stage::Preparing(_) => Vec::new(),
    }
}

/// Wallets were found.
pub(super) fn found(model: &mut Model, turn: Turn, filter: String, window: Window<Known<Wallet>>) {
    if let Some(form) = form_mut(&mut model.mode)
        && form.sheet.found.turn == turn
    {
        form.sheet.found.filter = Some(filter);
        form.sheet.found.window = window;
        form.sheet.choice = None;
    }
}

/// What a wallet holds was looked up.
pub(super) fn held(model: &mut Model, turn: Turn, wallet: WalletId, rows: Vec<Holding>) {
    if let Some(form) = form_mut(&mut model.mode)
        && form.sheet.held.turn == turn
    {
        form.sheet.held.of = Some(wallet);
        form.sheet.held.rows = rows;
    }
}

/// What payments of a token cost was looked up.
pub(super) fn fee(model: &mut Model, turn: Turn, token: TokenKey, fee: Option<Estimate>) {
    if let Some(form) = form_mut(&mut model.mode)
        && form.sheet.fee.turn == turn
    {
        form.sheet.fee.of = Some(token);
        form.sheet.fee.estimate = fee;
    }
}

/// An order was sent, and this came of it. Whatever it is, it stands on the Orders page.
pub(super) fn sent(model: &mut Model, intent: IntentId, result: &Result<State, Failure>) {
    let operation = model.orders.iter().find(|order| order.id == intent).map(|order| order.drafted.draft.operation());
    let created = operation.is_some_and(|operation| !operation.moves_money());
    if created && matches!(result, Ok(State::Accepted)) {
        model.remotes.lists.want_if_well();
    }
    let ours = review_mut(model).filter(|review| review.intent.id == intent);
    let Some(review) = ours else { return };
    match result {
        Err(failure) => review.fate = Fate::NotSent(format!("{failure}. Nothing was sent")),
        Ok(state) => {
            // A question that was asked over it has lost its ground, too.
            if let Mode::Prompt(prompt) = &mut model.mode {
                model.mode = std::mem::take(&mut prompt.over);
            }
            let Mode::Form(form) = std::mem::take(&mut model.mode) else { return };
            if *state == State::Refused {
                model.forms.kept.push(form.sheet);
            }
            model.notice = Some(match (state, operation) {
                (State::Accepted, _) if created => made_words(model, intent),
                (State::Accepted, _) => "the service took the payment; it is watched here until it is final".into(),
                (State::Refused, _) => "refused; nothing was executed. The draft is kept".into(),
                _ => "Enter opens the order and says what is known of it".into(),
            });
            if created && *state == State::Accepted {
                model.forms.made = made_scope(model, intent);
            } else {
                show_order(model, intent);
            }
        }
    }
}

/// What the service made of an order.
fn made(model: &Model, intent: IntentId) -> Option<&Made> {
    let order = model.orders.iter().find(|order| order.id == intent)?;
    order.attempts.iter().rev().find_map(|attempt| attempt.answer.as_ref()?.1.made.as_ref())
}

fn made_words(model: &Model, intent: IntentId) -> String {
    let named = |name: &Option<Text>| name.as_ref().map_or_else(String::new, |name| format!(" {name}"));
    match made(model, intent) {
        Some(Made::Wallet(wallet)) => {
            let address = wallet.address.as_ref().map_or_else(String::new, |address| format!(": {address}"));
            format!("wallet{} made on {}{address}", named(&wallet.name), display_name(&wallet.blockchain))
        }
        Some(Made::Account(account)) => format!("account{} made", named(&account.name)),
        Some(Made::User(user)) => format!("user{} made: {}", named(&user.display_name), user.id),
        Some(Made::Transaction(_)) | None => "made".into(),
    }
}

fn made_scope(model: &Model, intent: IntentId) -> Option<Scope> {
    match made(model, intent)? {
        Made::Wallet(wallet) => Some(Scope::Wallet(wallet.id.clone())),
        Made::Account(account) => Some(Scope::Account(account.id.clone())),
        Made::User(_) | Made::Transaction(_) => None,
    }
}

/// Selects what was just made, if it is listed by now.
pub(super) fn select_made(model: &mut Model) -> Vec<Effect> {
    let selected = match &model.forms.made {
        Some(Scope::Account(account)) => model.accounts.select(account),
        Some(Scope::Wallet(wallet)) => model.wallets.select(wallet),
        _ => false,
    };
    if !selected {
        return Vec::new();
    }
    match model.forms.made.take() {
        Some(Scope::Account(_)) => super::keys::account_changed(model),
        _ => super::ask::scoped(model),
    }
}

/// Shows an order on its page.
fn show_order(model: &mut Model, intent: IntentId) {
    model.mode = Mode::Browse;
    model.page = Page::Orders;
    model.zoomed = false;
    model.order_list.select(&intent.key());
}

/// The picture that the model makes has reached the eye of the operator.
pub(super) fn drawn(model: &mut Model) {
    let now = model.now;
    if let Some(review) = review_mut(model) {
        review.drawn(now);
    }
}

/// The review that has the keys.
fn review_mut(model: &mut Model) -> Option<&mut Review> {
    match &mut form_mut(&mut model.mode)?.stage {
        Stage::Review(review) => Some(review),
        Stage::Filling | Stage::Preparing(_) => None,
    }
}

/// The form that has the keys, or will have them again when what is asked over it is answered.
fn form_mut(mode: &mut Mode) -> Option<&mut Form> {
    match mode {
        Mode::Form(form) => Some(form),
        Mode::Prompt(prompt) => form_mut(&mut prompt.over),
        _ => None,
    }
}

impl Model {
    /// The review on screen.
    pub fn review(&self) -> Option<&Review> {
        match &self.mode {
            Mode::Form(form) => match &form.stage {
                Stage::Review(review) => Some(review),
                Stage::Filling | Stage::Preparing(_) => None,
            },
            _ => None,
        }
    }

    /// What must have reached the terminal before keys may count, by a number of its own; the runtime answers with
    /// [`Msg::Drawn`](super::Msg::Drawn).
    pub fn awaits_drawing(&self) -> Option<u64> {
        self.review().filter(|review| review.arms_at.is_none()).map(|review| review.version)
    }

    /// Whose balances are on screen: those of the wallet that a form pays from, else of what is selected.
    pub fn watched(&self) -> Scope {
        if let Mode::Form(form) = &self.mode
            && let Some(wallet) = &form.sheet.picked.wallet
        {
            return Scope::Wallet(wallet.id.clone());
        }
        self.scope()
    }
}

#[cfg(test)]
mod tests;
