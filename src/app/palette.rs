//! The palette: every action of the one table of keys by its name. What cannot be done now is listed too, and says why.

mod fuzzy;
pub mod view;

use tui_input::{Input, InputRequest};

use super::key::{Key, KeyCode};
use super::keymap::{Binding, Command, KEYS};
use super::keys;
use super::line;
use super::model::{Mode, Model};
use super::msg::Effect;
use super::panes::orders::prompt;
use super::refusal::refusal;
use crate::domain::text::is_hidden;

/// The longest text that finds an action.
const LONGEST: usize = 60;

/// The palette, over whatever was open.
#[derive(Debug, Clone, Default)]
pub struct Palette {
    /// What is typed.
    pub input: Input,
    /// The highlighted action, counted from 0 among those that match.
    pub at: usize,
    /// What had the keys before, and will have them again.
    pub over: Box<Mode>,
}

/// An action that matches.
#[derive(Debug, Clone)]
pub struct Choice {
    /// Its row in the table of keys.
    pub binding: &'static Binding,
    /// Why it cannot be done now, if so.
    pub refused: Option<String>,
}

impl Palette {
    /// Text was pasted.
    pub(super) fn paste(&mut self, text: &str) {
        let room = LONGEST.saturating_sub(self.input.value().chars().count());
        let words = text.trim().chars().map(|c| if c.is_whitespace() { ' ' } else { c });
        for character in words.filter(|c| !is_hidden(*c)).take(room) {
            self.input.handle(InputRequest::InsertChar(character));
        }
        self.at = 0;
    }
}

/// Opens the palette.
pub(super) fn open(model: &mut Model) {
    let over = Box::new(std::mem::take(&mut model.mode));
    model.mode = Mode::Palette(Palette { over, ..Palette::default() });
}

/// The actions that match what is typed, the best match first; all of them, in the order of the help, while nothing is.
pub fn choices(model: &Model, palette: &Palette) -> Vec<Choice> {
    let listed = KEYS.iter().filter(|binding| !binding.command.is_motion() && binding.command != Command::Palette);
    let mut found: Vec<_> = listed
        .filter_map(|binding| Some((fuzzy::score(palette.input.value(), binding.short, binding.long)?, binding)))
        .collect();
    found.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
    let choice = |(_, binding): (u32, &'static Binding)| Choice {
        binding,
        refused: refusal(model, &palette.over, binding.command),
    };
    found.into_iter().map(choice).collect()
}

/// A key while the palette is open.
pub(super) fn key(model: &mut Model, key: Key) -> Vec<Effect> {
    let Mode::Palette(palette) = &model.mode else { return Vec::new() };
    let last = choices(model, palette).len().saturating_sub(1);
    let Mode::Palette(palette) = &mut model.mode else { return Vec::new() };
    match key.code {
        KeyCode::Esc => model.mode = std::mem::take(&mut palette.over),
        KeyCode::Enter => return choose(model),
        KeyCode::Char('c') if key.ctrl => return prompt::leave(model),
        KeyCode::Char('z') if key.ctrl => return vec![Effect::Suspend],
        KeyCode::Up | KeyCode::BackTab => palette.at = palette.at.saturating_sub(1),
        KeyCode::Down | KeyCode::Tab => palette.at = (palette.at + 1).min(last),
        KeyCode::PageUp => palette.at = palette.at.saturating_sub(10),
        KeyCode::PageDown => palette.at = (palette.at + 10).min(last),
        _ => {
            let room = palette.input.value().chars().count() < LONGEST;
            let takes = |request: &InputRequest| match request {
                InputRequest::InsertChar(character) => room && !is_hidden(*character),
                _ => true,
            };
            if let Some(request) = line::request(key).filter(takes) {
                palette.input.handle(request);
                palette.at = 0;
            }
        }
    }
    Vec::new()
}

/// Does what is highlighted, as its key would have where the palette was opened; or says why not, and stays open.
fn choose(model: &mut Model) -> Vec<Effect> {
    let Mode::Palette(palette) = &model.mode else { return Vec::new() };
    let Some(choice) = choices(model, palette).into_iter().nth(palette.at) else {
        model.notice = Some("no action is called so; ? lists them all".into());
        return Vec::new();
    };
    if let Some(why) = choice.refused {
        model.notice = Some(why);
        return Vec::new();
    }
    if let Mode::Palette(palette) = &mut model.mode {
        model.mode = std::mem::take(&mut palette.over);
    }
    // What lies over the panes has no use for most commands; whoever asks for one by name means it.
    let command = choice.binding.command;
    let stays = match (&model.mode, command) {
        (_, Command::Help | Command::Back)
        | (Mode::Detail { .. }, Command::Copy | Command::Raw)
        | (Mode::Order { .. }, Command::Copy | Command::Order(_))
        | (Mode::Receive(_), Command::Copy | Command::Simulate)
        | (Mode::Chart(_), Command::Chart | Command::NextPane | Command::PreviousPane) => true,
        (Mode::Help { .. } | Mode::Receive(_) | Mode::Chart(_), _) => false,
        (mode, _) => !matches!(mode, Mode::Detail { .. } | Mode::Record { .. } | Mode::Order { .. }),
    };
    if !stays {
        model.mode = Mode::Browse;
    }
    keys::run(model, command)
}
