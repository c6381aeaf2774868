//! A wallet for which the service reported two addresses: neither is given out before an operator has compared both and
//! recorded which one is correct.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::Tone;
use crate::app::model::{Mode, Model};
use crate::app::msg::Effect;
use crate::app::session::events::EventKind;
use crate::domain::address::format_grouped;
use crate::domain::chain::chain_display_name;
use crate::domain::entry_source::Sourced;
use crate::domain::{AddressUnavailable, Failure, Wallet};

/// The words to type: the address known first is correct, or the one reported later.
const FIRST_IS_RIGHT: &str = "the first is right";
const LATER_IS_RIGHT: &str = "the later is right";

const MAX_ANSWER_CHARS: usize = 40;

/// The text shown in place of an address that is withheld.
pub(super) fn conflict_text(
    model: &Model,
    wallet: &Sourced<Wallet>,
    reason: &AddressUnavailable,
) -> Vec<(String, Tone)> {
    let entry = &wallet.entry;
    let name = entry.name.as_ref().map_or("without a name", |name| name.as_str());
    let mut lines = vec![
        (format!("{}, wallet {name}", chain_display_name(&entry.blockchain)), Tone::Accent),
        (format!("ALARM: {reason}."), Tone::Bad),
    ];
    let mut say = |text: String, tone| lines.push((text, tone));
    let address = entry.address.as_deref().unwrap_or("—");
    let Some(later) = wallet.contradicting_address() else {
        say(format!("reported  {}", format_grouped(address)), Tone::Text);
        say(
            "Ask the service for the correct address. This one is neither shown as a QR code nor copied.".into(),
            Tone::Text,
        );
        return lines;
    };
    say(format!("first  {}", format_grouped(address)), Tone::Text);
    say(format!("later  {}", format_grouped(later)), Tone::Text);
    say(
        "Ask the operator of the service, through another channel, which of the two is the wallet's own address."
            .into(),
        Tone::Text,
    );
    if let Some(reason) = &model.console.read_only {
        say(format!("A console that may pay records the answer. This console is read-only: {reason}."), Tone::Warn);
        return lines;
    }
    say(
        format!(
            "Then type “{FIRST_IS_RIGHT}” or “{LATER_IS_RIGHT}”, and press Enter. The answer is recorded with your name."
        ),
        Tone::Text,
    );
    say(format!("> {}", model.overlays.conflict_input), Tone::Accent);
    lines
}

/// Whether a key belongs to the input line.
pub(in crate::app) fn is_answer_key(model: &Model, key: KeyEvent) -> bool {
    let Mode::Receive(wallet) = &model.mode else { return false };
    let is_typing = matches!(key.code, KeyCode::Char(_) | KeyCode::Backspace | KeyCode::Enter)
        && !key.modifiers.contains(KeyModifiers::CONTROL);
    wallet.contradicting_address().is_some() && model.console.read_only.is_none() && is_typing
}

#[expect(clippy::wildcard_enum_match_arm, reason = "other keys have no meaning here")]
pub(in crate::app) fn edit_answer(model: &mut Model, key: KeyEvent) -> Vec<Effect> {
    match key.code {
        KeyCode::Char(character) if model.overlays.conflict_input.chars().count() < MAX_ANSWER_CHARS => {
            model.overlays.conflict_input.push(character);
        }
        KeyCode::Backspace => drop(model.overlays.conflict_input.pop()),
        KeyCode::Enter => return submit_answer(model),
        _ => {}
    }
    Vec::new()
}

fn submit_answer(model: &mut Model) -> Vec<Effect> {
    let Mode::Receive(wallet) = &model.mode else { return Vec::new() };
    let own = match model.overlays.conflict_input.trim() {
        FIRST_IS_RIGHT => wallet.entry.address.clone(),
        LATER_IS_RIGHT => wallet.contradicting_address().cloned(),
        _ => None,
    };
    let Some(own) = own else {
        model.notice = Some(format!("type “{FIRST_IS_RIGHT}” or “{LATER_IS_RIGHT}”, or press Esc"));
        return Vec::new();
    };
    let wallet = wallet.clone();
    model.overlays.conflict_input.clear();
    vec![Effect::ResolveAddress { wallet, address: own }]
}

/// Takes the result of a decision. Returns whether it was recorded.
pub(in crate::app) fn apply_resolution(model: &mut Model, result: Result<(), Failure>) -> bool {
    match result {
        Ok(()) => {
            if matches!(&model.mode, Mode::Receive(wallet) if wallet.contradicting_address().is_some()) {
                model.show_mode(Mode::Browse);
            }
            let message = "the correct address of a wallet was recorded; the other address is kept with it";
            model.record_event(EventKind::Console, Tone::Good, message.into());
            model.notice = Some(format!("{message}; a shows it"));
            true
        }
        Err(failure) => {
            model.notice = Some(format!("nothing was recorded: {failure}"));
            false
        }
    }
}

/// Takes the wallets with contradicting addresses; each new one is an event.
pub(in crate::app) fn apply_conflicts(model: &mut Model, wallets: Vec<Sourced<Wallet>>) {
    let earlier_conflicts = std::mem::replace(&mut model.data.address_conflicts, wallets);
    let new: Vec<Sourced<Wallet>> =
        model.data.address_conflicts.iter().filter(|wallet| !earlier_conflicts.contains(wallet)).cloned().collect();
    for wallet in &new {
        let message = format!(
            "{}: the service reports a different address than before; press a to see both",
            wallet_title(wallet)
        );
        model.record_event(EventKind::Connection, Tone::Bad, message);
    }
    refresh_wallet(model, &new);
}

/// Refreshes the wallet on screen, so that its address is withheld as soon as it is contradicted.
pub(in crate::app) fn refresh_wallet(model: &mut Model, rows: &[Sourced<Wallet>]) {
    if let Mode::Receive(open_wallet) = &mut model.mode
        && let Some(newer) = rows.iter().find(|row| row.entry.id == open_wallet.entry.id)
    {
        open_wallet.as_mut().clone_from(newer);
    }
}

/// The alarm on every page while a wallet has contradicting addresses.
pub(in crate::app) fn conflict_alarm(model: &Model) -> Option<String> {
    let first = model.data.address_conflicts.first()?;
    let more = match model.data.address_conflicts.len() {
        1 => String::new(),
        count => format!(" and {} others", count - 1),
    };
    let wallet = wallet_title(first);
    Some(format!(
        "ALARM: {wallet}{more}: the service reports a different address than before. Give out neither address; press a to see both"
    ))
}

fn wallet_title(wallet: &Sourced<Wallet>) -> String {
    let name = wallet.entry.name.as_ref().map_or_else(|| wallet.entry.id.to_string(), ToString::to_string);
    format!("wallet {name} on {}", chain_display_name(&wallet.entry.blockchain))
}
