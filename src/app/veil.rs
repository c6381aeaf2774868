//! The veil: figures, names, addresses and identifiers hidden from whoever else looks at the screen, while watching
//! goes on.
//!
//! No view knows of it. While the veil is on, what is drawn is not the model but its `twin`: a model that
//! was blank at first and into which only what was made a stand-in of is put. What nobody has said how to veil, such as a
//! field that is new, therefore does not stand on the screen at all. Over the finished picture goes a second net: no
//! digit passes that is not part of a time (`view::hide_figures`).
//!
//! ```text
//!   Model ──twin──▶ Model of stand-ins ──view──▶ picture ──hide_figures──▶ terminal
//! ```
//!
//! While it is on nothing is paid, copied, exported or imported: `allows` lists what may be done, so that a new
//! command is refused until somebody has thought of it here.

mod mask;
mod orders;
mod stand_in;
mod values;
pub(super) mod view;

use super::keymap::Command;
use super::model::{Mode, Model};
use super::msg::{Effect, Msg};
use super::panes::orders::prompt::PromptSubject;
use super::panes::users::record::Record;
use crate::domain::intent::Because;

pub(super) use mask::mask_model;
pub use stand_in::VeilKey;

/// Why something cannot be done while the veil is on.
pub const VEILED_MESSAGE: &str = "the veil is on; p lifts it";

/// What is said in place of words that were not written for strangers.
pub const WITHHELD_MESSAGE: &str = "veiled; shown again once p lifts the veil";

/// What may call the operator's eyes back to a veiled screen.
const CALL: &str = "a watch was raised; the screen is veiled";

/// Whether the screen is veiled, and what makes its stand-ins.
#[derive(Debug, Clone, Default)]
pub struct Veil {
    on: bool,
    key: VeilKey,
}

impl Veil {
    /// A veil with the key of this run.
    pub fn new(on: bool, key: VeilKey) -> Self {
        Self { on, key }
    }

    /// Whether it is on.
    pub fn is_on(&self) -> bool {
        self.on
    }
}

/// Puts the veil on, or lifts it.
pub(super) fn toggle(model: &mut Model) {
    model.veil.on = !model.veil.on;
    if model.veil.on {
        // What was open may show what no stand-in is made of; what was said may hold a name.
        if !has_twin(&model.mode) {
            model.mode = Mode::Browse;
        }
        model.raw = super::panes::detail::raw::Raw::default();
        model.notice = Some("veiled: figures, names and addresses are hidden, and paying is locked; p lifts it".into());
    } else {
        model.notice = Some("the veil is lifted".into());
    }
}

/// Whether a mode can be shown through the veil.
fn has_twin(mode: &Mode) -> bool {
    match mode {
        Mode::Browse | Mode::Filter { .. } | Mode::Detail { .. } | Mode::Order { .. } => true,
        Mode::Record { record, .. } => !matches!(**record, Record::Sandbox(_)),
        Mode::Help { over, .. } => has_twin(over),
        Mode::Palette(palette) => has_twin(&palette.previous_mode),
        Mode::Menu(menu) => menu.kind != super::menu::MenuKind::Copy && has_twin(&menu.previous_mode),
        Mode::Prompt(prompt) => prompt.subject == PromptSubject::Leave && has_twin(&prompt.previous_mode),
        Mode::Unlock(line) => has_twin(&line.previous_mode),
        _ => false,
    }
}

/// Whether a command may be used through the veil: whoever watches may look around.
pub(super) fn allows_command(command: Command) -> bool {
    command.is_motion()
        || matches!(
            command,
            Command::Veil
                | Command::Lock
                | Command::Quit
                | Command::Suspend
                | Command::Help
                | Command::Palette
                | Command::Page(_)
                | Command::NextPane
                | Command::PreviousPane
                | Command::Zoom
                | Command::Filter
                | Command::FilterMenu
                | Command::Sort
                | Command::Mark
                | Command::Refresh
                | Command::Pause
                | Command::Open
                | Command::Back
                | Command::Hidden
                | Command::Theme
        )
}

/// What a message left to be done, without what would carry something past the veil. Whatever key or answer led there:
/// this is the last gate, and it holds for what is new, too.
pub(super) fn filter_effects(model: &Model, effects: Vec<Effect>) -> Vec<Effect> {
    if !model.veil.on {
        return effects;
    }
    effects.into_iter().filter_map(through).collect()
}

fn through(effect: Effect) -> Option<Effect> {
    match effect {
        Effect::Alert { alert, .. } => Some(Effect::Alert { alert, words: CALL.into() }),
        // What was confirmed before the veil came is looked after as ever.
        Effect::Send { reason: because, .. } if because != Because::Retry => None,
        Effect::Prepare { .. }
        | Effect::WriteOff { .. }
        | Effect::RecordServiceAddress { .. }
        | Effect::Import(_)
        | Effect::ResolveAddress { .. }
        | Effect::ChangeBook { .. }
        | Effect::ImportBook(_)
        | Effect::LoadSandbox { .. }
        | Effect::Export { .. }
        | Effect::LoadRaw { .. }
        | Effect::Copy(_)
        | Effect::OpenProfile(_) => None,
        effect => Some(effect),
    }
}

/// What the footer said before a message. What an answer has it say may hold what the veil hides; a key that is allowed
/// through the veil is answered in words of the program, in which the picture's net hides figures.
#[derive(Debug)]
pub(super) struct FooterMessage {
    before: Option<String>,
    by_key: bool,
}

impl FooterMessage {
    pub(super) fn capture(model: &Model, msg: &Msg) -> Self {
        Self { before: model.notice.clone(), by_key: matches!(msg, Msg::Key(_)) }
    }

    /// Holds back what an answer had the footer say.
    pub(super) fn withhold(self, model: &mut Model) {
        if model.veil.on && !self.by_key && model.notice.is_some() && model.notice != self.before {
            model.notice = Some(WITHHELD_MESSAGE.into());
        }
    }
}
