//! The veil is drawn and lifted, and what it holds back.

use super::Veil;
use crate::app::input::keymap::{Command, binding_of};
use crate::app::model::{Mode, Model};
use crate::app::msg::{Effect, EffectRisk, Msg};
use crate::app::overlays::menu::MenuKind;
use crate::app::pages::orders::prompt::PromptSubject;

/// Shown in place of text that may contain names or figures.
pub const WITHHELD_MESSAGE: &str = "veiled; shown again once p lifts the veil";

/// The alert of a raised watch while the screen is veiled.
const VEILED_ALERT_MESSAGE: &str = "a watch was raised; the screen is veiled";

pub(in crate::app) fn toggle_veil(model: &mut Model) {
    model.session.veil.on = !model.session.veil.on;
    if model.session.veil.on {
        // The open mode may have no stand-ins; the notice may contain a name.
        if !model.open_modes().all(|mode| can_be_masked(&model.session.veil, mode)) {
            model.show_mode(Mode::Browse);
        }
        model.overlays.raw = crate::app::overlays::detail::raw::RawJson::default();
        model.notice = Some("veiled: figures, names and addresses are hidden, and paying is locked; p lifts it".into());
    } else {
        model.notice = Some("the veil is lifted".into());
    }
}

#[expect(clippy::wildcard_enum_match_arm, reason = "closed by default: what is not known to be masked is not shown")]
pub(super) fn can_be_masked(veil: &Veil, mode: &Mode) -> bool {
    match mode {
        Mode::Browse
        | Mode::Filter { .. }
        | Mode::Detail { .. }
        | Mode::Order { .. }
        | Mode::Help { .. }
        | Mode::Palette(_)
        | Mode::Unlock(_) => true,
        Mode::Record { record, .. } => record.to_masked(veil).is_some(),
        Mode::Menu(menu) => matches!(menu.kind, MenuKind::Filter(_) | MenuKind::Views),
        Mode::Prompt(prompt) => prompt.subject == PromptSubject::Quit,
        _ => false,
    }
}

/// Whether a command is allowed through the veil: looking around is.
pub(in crate::app) fn allows_command(command: Command) -> bool {
    command.is_motion() || binding_of(command).is_some_and(|binding| binding.under_veil)
}

/// The effects of a message, without those that would carry data past the veil: the last gate, whatever led here.
pub(in crate::app) fn filter_effects(model: &Model, effects: Vec<Effect>) -> Vec<Effect> {
    if !model.session.veil.on {
        return effects;
    }
    effects.into_iter().filter_map(allow_effect).collect()
}

fn allow_effect(effect: Effect) -> Option<Effect> {
    if let Effect::Alert { alert, .. } = effect {
        return Some(Effect::Alert { alert, text: VEILED_ALERT_MESSAGE.into() });
    }
    (effect.risk() == EffectRisk::None).then_some(effect)
}

/// The notice before a message. A notice caused by an answer may contain what the veil hides; one caused by an allowed
/// key is in the program's own words, whose figures `view::hide_figures` hides.
#[derive(Debug)]
pub(in crate::app) struct NoticeGuard {
    before: Option<String>,
    by_key: bool,
}

impl NoticeGuard {
    pub(in crate::app) fn capture(model: &Model, msg: &Msg) -> Self {
        Self { before: model.notice.clone(), by_key: matches!(msg, Msg::Key(_)) }
    }

    pub(in crate::app) fn withhold(self, model: &mut Model) {
        if model.session.veil.on && !self.by_key && model.notice.is_some() && model.notice != self.before {
            model.notice = Some(WITHHELD_MESSAGE.into());
        }
    }
}
