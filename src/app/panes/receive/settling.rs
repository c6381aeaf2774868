//! A wallet of which the service told two addresses: neither is given to anybody before somebody has looked at both and says
//! which of them is right.

use super::Tone;
use crate::app::ask;
use crate::app::events::Kind;
use crate::app::key::{Key, KeyCode};
use crate::app::model::{Mode, Model};
use crate::app::msg::Effect;
use crate::domain::address::in_groups;
use crate::domain::chain::display_name;
use crate::domain::history::Known;
use crate::domain::{Failure, Wallet, Withheld};

/// What is typed to say that the address that was known first is right, and that the one that came later is.
const FIRST: &str = "the first is right";
const LATER: &str = "the later is right";

/// The longest line that is typed.
const LONGEST: usize = 40;

/// What is said of an address that is not handed out.
pub(super) fn words(model: &Model, wallet: &Known<Wallet>, why: &Withheld) -> Vec<(String, Tone)> {
    let entry = &wallet.entry;
    let name = entry.name.as_ref().map_or("without a name", |name| name.as_str());
    let mut words = vec![
        (format!("{}, wallet {name}", display_name(&entry.blockchain)), Tone::Accent),
        (format!("ALARM: {why}."), Tone::Bad),
    ];
    let mut say = |said: String, tone| words.push((said, tone));
    let address = entry.address.as_deref().unwrap_or("—");
    let Some(later) = wallet.contradiction() else {
        say(format!("told  {}", in_groups(address)), Tone::Text);
        say("Ask the service for the right one. It is neither shown as a code nor copied.".into(), Tone::Text);
        return words;
    };
    say(format!("first  {}", in_groups(address)), Tone::Text);
    say(format!("later  {}", in_groups(later)), Tone::Text);
    say(
        "Ask whoever runs the service, by another way than this, which of them is the wallet's own.".into(),
        Tone::Text,
    );
    if let Some(why) = &model.read_only {
        say(format!("It is recorded by a console that pays; here not: {why}."), Tone::Warn);
        return words;
    }
    say(format!("Then type “{FIRST}” or “{LATER}”, and Enter. It is recorded with your name."), Tone::Text);
    say(format!("> {}", model.settling), Tone::Accent);
    words
}

/// Whether a key belongs to the line that is typed.
pub(in crate::app) fn takes(model: &Model, key: Key) -> bool {
    let Mode::Receive(wallet) = &model.mode else { return false };
    let is_typing = matches!(key.code, KeyCode::Char(_) | KeyCode::Backspace | KeyCode::Enter) && !key.ctrl;
    wallet.contradiction().is_some() && model.read_only.is_none() && is_typing
}

/// A key of that line.
pub(in crate::app) fn typed(model: &mut Model, key: Key) -> Vec<Effect> {
    match key.code {
        KeyCode::Char(character) if model.settling.chars().count() < LONGEST => model.settling.push(character),
        KeyCode::Backspace => drop(model.settling.pop()),
        KeyCode::Enter => return settle(model),
        _ => {}
    }
    Vec::new()
}

fn settle(model: &mut Model) -> Vec<Effect> {
    let Mode::Receive(wallet) = &model.mode else { return Vec::new() };
    let own = match model.settling.trim() {
        FIRST => wallet.entry.address.clone(),
        LATER => wallet.contradiction().cloned(),
        _ => None,
    };
    let Some(own) = own else {
        model.notice = Some(format!("type “{FIRST}” or “{LATER}”, or press Esc"));
        return Vec::new();
    };
    let wallet = wallet.clone();
    model.settling.clear();
    vec![Effect::SettleAddress { wallet, own }]
}

/// It was recorded, or could not be.
pub(in crate::app) fn settled(model: &mut Model, result: Result<(), Failure>) -> Vec<Effect> {
    match result {
        Ok(()) => {
            if matches!(&model.mode, Mode::Receive(wallet) if wallet.contradiction().is_some()) {
                model.mode = Mode::Browse;
            }
            let words = "the right address of a wallet was recorded; the other one is kept beside it";
            model.note(Kind::Console, Tone::Good, words.into());
            model.notice = Some(format!("{words}; a shows it"));
            let mut effects = ask::page(model);
            effects.push(ask::contradicted(model));
            effects
        }
        Err(failure) => {
            model.notice = Some(format!("nothing was recorded: {failure}"));
            Vec::new()
        }
    }
}

/// Takes in of which wallets another address was told; each is an event once.
pub(in crate::app) fn contradicted(model: &mut Model, wallets: Vec<Known<Wallet>>) {
    let known = std::mem::replace(&mut model.contradicted, wallets);
    let new: Vec<Known<Wallet>> = model.contradicted.iter().filter(|wallet| !known.contains(wallet)).cloned().collect();
    for wallet in &new {
        let words = format!("{}: the service tells another address than before; look at both with a", title(wallet));
        model.note(Kind::Link, Tone::Bad, words);
    }
    refresh(model, &new);
}

/// An address that stands on the screen is withheld as soon as it is contradicted.
pub(in crate::app) fn refresh(model: &mut Model, rows: &[Known<Wallet>]) {
    if let Mode::Receive(shown) = &mut model.mode
        && let Some(newer) = rows.iter().find(|row| row.entry.id == shown.entry.id)
    {
        shown.as_mut().clone_from(newer);
    }
}

/// What is said on every page while a wallet is contradicted.
pub(in crate::app) fn alarm(model: &Model) -> Option<String> {
    let first = model.contradicted.first()?;
    let more = match model.contradicted.len() {
        1 => String::new(),
        count => format!(" and {} others", count - 1),
    };
    let wallet = title(first);
    Some(format!(
        "ALARM: {wallet}{more}: the service tells another address than before. Give out neither; a shows both"
    ))
}

fn title(wallet: &Known<Wallet>) -> String {
    let name = wallet.entry.name.as_ref().map_or_else(|| wallet.entry.id.to_string(), ToString::to_string);
    format!("wallet {name} on {}", display_name(&wallet.entry.blockchain))
}
