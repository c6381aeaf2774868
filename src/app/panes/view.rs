//! What the drawings of panes share.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::{Tone, grouped};
use crate::app::listing::{Keyed, Listing};
use crate::app::model::Model;
use crate::app::screen::Pane;
use crate::domain::history::Count;
use crate::domain::{Reason, State};
use crate::ui::chrome::Head;
use crate::ui::{Theme, paint};

/// What a list says whose filter no row matches.
pub const NOTHING_MATCHES: &str = "nothing matches; Esc drops the filter";

/// The head of a pane, without notes.
pub fn head_of(model: &Model, pane: Pane, title: String) -> Head {
    Head { title, notes: Vec::new(), focused: model.focus() == pane }
}

/// What a list without rows says: that it is being read, that there is nothing, or why it could not be read.
pub fn empty(model: &Model, theme: &Theme, area: Rect, buf: &mut Buffer, loaded: bool, nothing: &str) {
    let failure = model.remotes.head.failure.as_ref().map(|(failure, _)| failure);
    match failure.filter(|_| model.remotes.head.last_good.is_none()) {
        // A service that is busy says what with.
        Some(failure) if matches!(failure.reason, Reason::Busy { .. }) && !failure.detail.is_empty() => {
            paint::say(buf, area, &failure.detail, theme.warn);
        }
        Some(failure) => {
            paint::say(buf, area, &format!("not read: {failure}"), theme.warn);
        }
        None if loaded && model.remotes.head.last_good.is_some() => paint::say(buf, area, nothing, theme.dim),
        None => paint::say(buf, area, "reading…", theme.dim),
    }
}

/// The style that shows a meaning.
pub fn tone(theme: &Theme, tone: Tone) -> Style {
    match tone {
        Tone::Text => theme.text,
        Tone::Dim => theme.dim,
        Tone::Accent => theme.accent,
        Tone::Good => theme.good,
        Tone::Warn => theme.warn,
        Tone::Bad => theme.bad,
    }
}

/// Where in a list the view stands, when not all of it is visible.
pub fn position<T: Keyed>(listing: &Listing<T>) -> Option<String> {
    let count = match listing.count() {
        Count::Exact(0) => return None,
        Count::Exact(count) => grouped(count),
        Count::AtLeast(count) => format!("{}+", grouped(count)),
    };
    Some(match listing.rank() {
        Some(rank) => format!("{} of {count}", grouped(rank + 1)),
        None => count,
    })
}

/// The style of a state: working or not.
pub fn state_style(theme: &Theme, state: Option<&State>) -> Style {
    match state {
        Some(State::Live) => theme.good,
        Some(State::Inactive) => theme.warn,
        _ => theme.dim,
    }
}
