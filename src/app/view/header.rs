//! The first line: whose treasury, in which environment, how the connection stands, what is pending, the time.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use crate::app::link::{self, Link};
use crate::app::model::Model;
use crate::app::panes::{grouped, orders};
use crate::domain::Reason;
use crate::ui::{Theme, paint, row};

/// Paints the first line.
pub(super) fn draw(model: &Model, theme: &Theme, area: Rect, buf: &mut Buffer) {
    paint::tint(buf, area, theme.header);
    let mut x = area.x + 1 + paint::put(buf, area.x + 1, area.y, 8, "bursar", theme.brand) + 2;
    // What the eye looks for first stands at the right and is drawn first; the name gives way where room is short.
    let mut right = area.right().saturating_sub(1);
    if area.width >= 48 {
        right -= paint::put_right(buf, right, area.y, 6, &model.now.format("%H:%MZ"), theme.header) + 3;
    }
    let unresolved = orders::unresolved(model);
    if unresolved > 0 {
        let words = format!("{unresolved} unresolved");
        right -= paint::put_right(buf, right, area.y, 16, &words, row::over(theme.header, theme.bad)) + 3;
    }
    if model.progress.pending > 0 && area.width >= 60 {
        let words = format!("{} pending", grouped(model.progress.pending));
        right -= paint::put_right(buf, right, area.y, 16, &words, row::over(theme.header, theme.warn)) + 3;
    }
    let (words, style) = link_words(model, theme);
    right -= paint::put_right(buf, right, area.y, 40, &words, row::over(theme.header, style));
    let room = right.saturating_sub(x + 1);
    let mut environment = environment(model);
    while paint::width(&environment) + 2 > room {
        // The first words say what must not be missed.
        let Some(end) = environment.rfind(' ') else { break };
        environment.truncate(end);
    }
    let badge = paint::width(&environment) + 2;
    let name = room.saturating_sub(badge + 1);
    if name > 1 {
        x += paint::put(buf, x, area.y, name, &model.identity.name, theme.header) + 1;
    }
    let loud = match model.identity.environment.as_deref() {
        Some("testnet") => theme.testing,
        _ if model.identity.demo => theme.testing,
        _ => theme.production,
    };
    if !environment.is_empty() {
        paint::put(buf, x, area.y, right.saturating_sub(x + 1), &format!(" {environment} "), loud);
    }
}

/// The environment in words: it comes from the same value that requests use.
fn environment(model: &Model) -> String {
    let word = model.identity.environment.as_deref().unwrap_or("");
    let fault = model.identity.fault.as_deref().map_or_else(String::new, |fault| format!(" fault:{fault}"));
    match (model.identity.demo, word) {
        (true, word) => format!("DEMO{fault} {word}").trim_end().to_owned(),
        (false, "mainnet") => "PRODUCTION mainnet".to_owned(),
        (false, "") => "environment not set".to_owned(),
        (false, word) => word.to_owned(),
    }
}

/// How the connection stands, with glyph, word and age.
fn link_words(model: &Model, theme: &Theme) -> (String, Style) {
    let last = model.remotes.head.last_good.or(model.read_before);
    let age = last.map_or_else(String::new, |last| format!(" {}", link::words(last.age(model.now))));
    match model.link {
        Link::Connecting if last.is_some() => (format!("◌ connecting, data{age} old"), theme.warn),
        Link::Connecting => ("◌ connecting".into(), theme.warn),
        // While answers come in time the bound on their age is said, not the age: that would change with every tick.
        Link::Live => (format!("● live ≤{}", bound(model)), theme.good),
        Link::Slow => (format!("◐ slow{age}"), theme.warn),
        Link::Busy if last.is_some() => (format!("◌ busy, data{age} old"), theme.warn),
        Link::Busy => ("◌ service busy".into(), theme.warn),
        Link::Offline { .. } => {
            let data = if last.is_some() { format!(", data{age} old") } else { String::new() };
            (format!("{}{data}", fault(model)), theme.bad)
        }
        Link::KeyRejected if forbidden(model) => ("✗ key not allowed".into(), theme.bad),
        Link::KeyRejected => ("✗ key rejected".into(), theme.bad),
    }
}

/// What is wrong while nothing can be read: a service that answers nonsense is not offline, and a full disk is not its
/// fault.
fn fault(model: &Model) -> String {
    match model.remotes.head.failure.as_ref().map(|(failure, _)| &failure.reason) {
        None | Some(Reason::Unreachable | Reason::TimedOut | Reason::Broken) => "○ offline".into(),
        Some(Reason::Local) => "✗ own store failed".into(),
        Some(reason) => format!("✗ {reason}"),
    }
}

fn forbidden(model: &Model) -> bool {
    model.remotes.head.failure.as_ref().is_some_and(|(failure, _)| failure.reason == Reason::Forbidden)
}

/// How old figures may be while the connection is live, rounded up to whole seconds.
fn bound(model: &Model) -> String {
    let limit = link::stale_after(model.period);
    format!("{}s", limit.as_millis().div_ceil(1_000))
}
