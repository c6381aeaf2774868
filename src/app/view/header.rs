//! The first line: whose treasury, in which environment, how the connection stands, what is pending, the time.

use std::time::Duration;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use crate::app::link::{self, Link};
use crate::app::model::Model;
use crate::app::panes::{group_thousands, orders};
use crate::domain::Reason;
use crate::ui::{Theme, paint, row};

/// Columns between two parts at the right.
const GAP: u16 = 3;

/// The program's name, and the columns behind it.
const BRAND: (&str, u16) = ("bursar", 2);

/// Paints the first line.
pub(super) fn draw(model: &Model, theme: &Theme, area: Rect, buf: &mut Buffer) {
    paint::tint(buf, area, theme.header);
    let mut parts = parts(model, theme, area.width);
    let mut environment = environment(model);
    let mut brand = paint::width(BRAND.0) + BRAND.1;
    // Where room is short the treasury's name gives way first, then the time, what is pending and the program's name:
    // where money goes, how the connection stands and what nobody knows of must not be missed.
    let whole = area.width.saturating_sub(2);
    let taken = |parts: &[(String, Style)]| parts.iter().map(|(words, _)| paint::width(words) + GAP).sum::<u16>();
    let fits = |parts: &[(String, Style)], brand: u16, environment: &str| {
        environment.is_empty() || brand + badge(environment) + 1 + taken(parts) - GAP <= whole
    };
    // Whose cache it is says less than whose treasury.
    let name = paint::width(&model.identity.name) + 1;
    if model.has_own_cache && brand + name + badge(&environment) + 1 + taken(&parts) - GAP > whole {
        parts.remove(0);
    }
    while parts.len() > ESSENTIAL + usize::from(orders::unresolved_count(model) > 0)
        && !fits(&parts, brand, &environment)
    {
        parts.remove(0);
    }
    if !fits(&parts, brand, &environment) {
        brand = 0;
    }
    while !fits(&parts, brand, &environment) {
        // The first words say what must not be missed.
        let Some(end) = environment.rfind(' ') else { break };
        environment.truncate(end);
    }
    let mut x = area.x + 1;
    if brand > 0 {
        paint::put(buf, x, area.y, brand, BRAND.0, theme.brand);
        x += brand;
    }
    // What the eye looks for first stands at the right and is drawn first; how the connection stands is cut at last.
    let mut right = area.right().saturating_sub(1);
    for (index, (words, style)) in parts.iter().enumerate() {
        let last = index + 1 == parts.len();
        let left = right.saturating_sub(x + if last { badge(&environment) + 1 } else { 0 });
        right -= paint::put_right(buf, right, area.y, left, words, row::overlay(theme.header, *style));
        right -= if last { 0 } else { GAP };
    }
    let name = right.saturating_sub(x + 1 + badge(&environment) + 1);
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

/// How many parts at the right stay however short room is, besides what is unresolved: how the connection stands.
const ESSENTIAL: usize = 1;

/// What stands at the right, from the right: what gives way first comes first.
fn parts(model: &Model, theme: &Theme, columns: u16) -> Vec<(String, Style)> {
    let mut parts = Vec::new();
    if model.has_own_cache {
        parts.push(("own cache".into(), theme.warn));
    }
    if columns >= 48 {
        parts.push((model.zone.format_with_offset(model.now, "%H:%M"), theme.header));
    }
    if model.read_only.is_some() {
        parts.push(("read-only".into(), theme.header));
    }
    if model.lock.locked_since().is_some() {
        parts.push(("paying locked".into(), theme.warn));
    }
    if model.veil.is_on() {
        parts.push(("veiled".into(), theme.accent));
    }
    if model.is_webhook_down {
        parts.push(("no webhooks".into(), theme.warn));
    }
    let unresolved = orders::unresolved_count(model);
    if model.progress.pending > 0 && columns >= 60 {
        parts.push((format!("{} pending", group_thousands(model.progress.pending)), theme.warn));
    }
    if model.watches.blind_count() > 0 {
        parts.push((format!("⚑?{}", model.watches.blind_count()), theme.warn));
    }
    if model.watches.raised_count() > 0 {
        parts.push((format!("⚑ {}", model.watches.raised_count()), theme.bad));
    }
    if unresolved > 0 {
        parts.push((format!("{unresolved} unresolved"), theme.bad));
    }
    parts.push(link_words(model, theme));
    parts
}

/// Columns of the environment's badge.
fn badge(environment: &str) -> u16 {
    if environment.is_empty() { 0 } else { paint::width(environment) + 2 }
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

/// From which wait on the header says when it ends.
const LONG_WAIT: Duration = Duration::from_mins(1);

/// How the connection stands, with glyph, word and age.
fn link_words(model: &Model, theme: &Theme) -> (String, Style) {
    let last = model.remotes.latest.last_success.or(model.cached_as_of);
    let age = last.map_or_else(String::new, |last| format!(" {}", link::words(last.age(model.now))));
    match model.link {
        Link::Connecting if last.is_some() => (format!("◌ connecting, data{age} old"), theme.warn),
        Link::Connecting => ("◌ connecting".into(), theme.warn),
        // While answers come in time the bound on their age is said, not the age: that would change with every tick.
        // Answers come in time, and do not say all that figures are made of.
        Link::Live if let Some(gap) = model.gap_message() => (format!("◐ live, {gap}"), theme.warn),
        Link::Live => (format!("● live ≤{}", bound(model)), theme.good),
        Link::Slow => (format!("◐ slow{age}"), theme.warn),
        Link::Busy => {
            // Of a short wait the figures' age says enough.
            let until = link::paused_until(model).filter(|until| model.now.age(*until) > LONG_WAIT);
            let until = until
                .map_or_else(String::new, |until| format!(" until {}", model.zone.format_with_offset(until, "%H:%M")));
            let words =
                if last.is_some() { format!("busy{until}, data{age} old") } else { format!("service busy{until}") };
            (format!("◌ {words}"), theme.warn)
        }
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
    match model.remotes.latest.failure.as_ref().map(|(failure, _)| &failure.reason) {
        None | Some(Reason::Unreachable | Reason::TimedOut | Reason::ConnectionLost) => "○ offline".into(),
        Some(Reason::Local) => "✗ store failed".into(),
        Some(reason) => format!("✗ {reason}"),
    }
}

fn forbidden(model: &Model) -> bool {
    model.remotes.latest.failure.as_ref().is_some_and(|(failure, _)| failure.reason == Reason::Forbidden)
}

/// How old figures may be while the connection is live, rounded up to whole seconds.
fn bound(model: &Model) -> String {
    let limit = link::stale_after(model.period);
    format!("{}s", limit.as_millis().div_ceil(1_000))
}
