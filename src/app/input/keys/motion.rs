//! Motions in lists and in texts.

use crate::app::input::keymap::Command;
use crate::app::model::Model;
use crate::app::msg::Effect;
use crate::app::pages::registry::pane_logic;

/// Moves in the list that has the focus.
pub(in crate::app) fn move_in_focused_list(model: &mut Model, command: Command) -> Vec<Effect> {
    pane_logic(model.focus()).run_motion(model, command)
}

/// Scrolls a text. Returns whether the command is a motion.
#[expect(clippy::wildcard_enum_match_arm, reason = "other commands are no motions")]
pub(super) fn scroll_text(top: &mut u16, page: u16, command: Command) -> bool {
    *top = match command {
        Command::Down => top.saturating_add(1),
        Command::Up => top.saturating_sub(1),
        Command::HalfDown => top.saturating_add(page.div_ceil(2)),
        Command::HalfUp => top.saturating_sub(page.div_ceil(2)),
        Command::PageDown => top.saturating_add(page),
        Command::PageUp => top.saturating_sub(page),
        Command::First => 0,
        Command::Last => u16::MAX,
        _ => return false,
    };
    true
}
