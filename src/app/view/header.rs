//! The header: treasury, environment, the state of the connection, pending transactions and the time.

use std::time::Duration;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use crate::app::data::connection::{self, ConnectionState};
use crate::app::model::Model;
use crate::app::orders;
use crate::app::pages::group_thousands;
use crate::domain::attention::Severity;
use crate::domain::duration;
use crate::domain::{FailureReason, Network};
use crate::ui::{Theme, paint, row};

/// Columns between two parts at the right.
const PART_GAP: u16 = 3;

const BRAND: (&str, u16) = ("bursar", 2);

pub(super) fn draw(model: &Model, theme: &Theme, area: Rect, buf: &mut Buffer) {
    paint::tint(buf, area, theme.header);
    let mut parts = status_parts(model, theme, area.width);
    let mut environment = environment_label(model);
    let mut brand = paint::text_width(BRAND.0) + BRAND.1;
    // Where room is short, the treasury's name gives way first, then counts lose their words, then the parts from the
    // right give way, then the rest of the treasury's name, then the program's name. The environment, the state of the
    // connection, unresolved orders and what needs a person must stay visible.
    let whole = area.width.saturating_sub(2);
    let width_of =
        |parts: &[StatusPart]| parts.iter().map(|part| paint::text_width(&part.text) + PART_GAP).sum::<u16>();
    let fits = |parts: &[StatusPart], brand: u16, environment: &str| {
        environment.is_empty() || brand + environment_badge_width(environment) + 1 + width_of(parts) - PART_GAP <= whole
    };
    // The cache matters less than the treasury's name.
    let name = paint::text_width(&model.console.identity.name) + 1;
    if model.console.has_own_cache
        && brand + name + environment_badge_width(&environment) + 1 + width_of(&parts) - PART_GAP > whole
    {
        parts.remove(0);
    }
    let least = brand + name.min(LEAST_NAME_WIDTH + 1) + environment_badge_width(&environment) + 1;
    for index in (0..parts.len()).rev() {
        if least + width_of(&parts) - PART_GAP > whole
            && let Some(short) = parts[index].short.take()
        {
            parts[index].text = short;
            parts.retain(|part| !part.text.is_empty());
        }
    }
    let alarms = [orders::unresolved_count(model) > 0, model.pages.attention.open_count() > 0];
    let essential = ESSENTIAL_PARTS + alarms.into_iter().filter(|is_raised| *is_raised).count();
    while parts.len() > essential && !fits(&parts, brand, &environment) {
        parts.remove(0);
    }
    if !fits(&parts, brand, &environment) {
        brand = 0;
    }
    while !fits(&parts, brand, &environment) {
        // The first words are the important ones.
        let Some(end) = environment.rfind(' ') else { break };
        environment.truncate(end);
    }
    let mut x = area.x + 1;
    if brand > 0 {
        paint::put(buf, x, area.y, brand, BRAND.0, theme.brand);
        x += brand;
    }
    // Drawn from right to left; the state of the connection comes last and gets the remaining room.
    let mut right = area.right().saturating_sub(1);
    for (index, StatusPart { text, style, .. }) in parts.iter().enumerate() {
        let last = index + 1 == parts.len();
        let room = right.saturating_sub(x + if last { environment_badge_width(&environment) + 1 } else { 0 });
        right -= paint::put_right(buf, right, area.y, room, text, row::with_background_of(theme.header, *style));
        right -= if last { 0 } else { PART_GAP };
    }
    let name = right.saturating_sub(x + 1 + environment_badge_width(&environment) + 1);
    if name > 1 {
        x += paint::put(buf, x, area.y, name, &model.console.identity.name, theme.header) + 1;
    }
    let loud = match model.console.identity.environment {
        Some(Network::Mainnet) | None if !model.console.identity.demo => theme.production,
        Some(_) | None => theme.testing,
    };
    if !environment.is_empty() {
        paint::put(buf, x, area.y, right.saturating_sub(x + 1), &format!(" {environment} "), loud);
    }
}

/// The cells that the treasury's name keeps as long as the words of counts can give way.
const LEAST_NAME_WIDTH: u16 = 8;

/// How many parts at the right always stay, besides unresolved orders and what needs a person: the state of the
/// connection.
const ESSENTIAL_PARTS: usize = 1;

/// A part at the right.
struct StatusPart {
    text: String,
    /// What stands instead while the treasury's name lacks room; empty where the part gives way.
    short: Option<String>,
    style: Style,
}

impl StatusPart {
    fn new(text: impl Into<String>, style: Style) -> Self {
        Self { text: text.into(), short: None, style }
    }
}

/// The parts at the right, from right to left; the first ones give way first.
fn status_parts(model: &Model, theme: &Theme, columns: u16) -> Vec<StatusPart> {
    let mut parts = Vec::new();
    if model.console.has_own_cache {
        parts.push(StatusPart::new("own cache", theme.warn));
    }
    if columns >= 48 {
        parts.push(StatusPart::new(model.console.zone.format_with_offset(model.now, "%H:%M"), theme.header));
    }
    if model.console.read_only.is_some() {
        parts.push(StatusPart::new("read-only", theme.header));
    }
    if model.session.lock.locked_since().is_some() {
        parts.push(StatusPart::new("paying locked", theme.warn));
    }
    if model.session.veil.is_on() {
        parts.push(StatusPart::new("veiled", theme.accent));
    }
    if model.console.is_webhook_down {
        parts.push(StatusPart::new("no webhooks", theme.warn));
    }
    let unresolved = orders::unresolved_count(model);
    if model.data.progress.pending > 0 && columns >= 60 {
        let text = format!("{} pending", group_thousands(model.data.progress.pending));
        // The Overview has the number, too.
        parts.push(StatusPart { short: Some(String::new()), ..StatusPart::new(text, theme.warn) });
    }
    if model.session.watches.blind_count() > 0 {
        parts.push(StatusPart::new(format!("⚑?{}", model.session.watches.blind_count()), theme.warn));
    }
    if let Some(gravest) = model.pages.attention.gravest() {
        let count = model.pages.attention.open_count();
        let short = format!("⚑ {}", group_thousands(u64::try_from(count).unwrap_or(u64::MAX)));
        let text =
            if columns < 60 { short.clone() } else { format!("{short} need{} you", if count == 1 { "s" } else { "" }) };
        let style = if gravest == Severity::Notice { theme.warn } else { theme.bad };
        parts.push(StatusPart { short: Some(short), ..StatusPart::new(text, style) });
    }
    if unresolved > 0 {
        parts.push(StatusPart::new(format!("{unresolved} unresolved"), theme.bad));
    }
    let (text, style) = link_status(model, theme);
    parts.push(StatusPart::new(text, style));
    parts
}

/// Columns of the environment's badge.
fn environment_badge_width(environment: &str) -> u16 {
    if environment.is_empty() { 0 } else { paint::text_width(environment) + 2 }
}

/// The environment in words, from the same value that requests use.
fn environment_label(model: &Model) -> String {
    let environment = model.console.identity.environment;
    let fault = model.console.identity.fault.as_deref().map_or_else(String::new, |fault| format!(" fault:{fault}"));
    let role = model.console.identity.demo_role.as_deref().map_or_else(String::new, |role| format!(" {role}"));
    if model.console.identity.demo {
        return format!("DEMO{role}{fault} {}", environment.map_or("", Network::name)).trim_end().to_owned();
    }
    match environment {
        Some(Network::Mainnet) => "PRODUCTION mainnet".to_owned(),
        Some(Network::Testnet) => "testnet".to_owned(),
        None => "environment not set".to_owned(),
    }
}

/// From this wait on the header shows when it ends.
const LONG_WAIT: Duration = Duration::from_mins(1);

/// The state of the connection: glyph, word and age.
fn link_status(model: &Model, theme: &Theme) -> (String, Style) {
    let last = model.data.remotes.latest.last_success.or(model.data.cached_as_of);
    let age = last.map_or_else(String::new, |last| format!(" {}", duration::format_age(last.age(model.now))));
    match model.data.connection {
        ConnectionState::Connecting if last.is_some() => (format!("◌ connecting, data{age} old"), theme.warn),
        ConnectionState::Connecting => ("◌ connecting".into(), theme.warn),
        // While the connection is live, the header shows the bound on the age: the age itself would change with every tick. A
        // gap is shown instead: answers come in time, but figures are incomplete.
        ConnectionState::Live if let Some(gap) = model.gap_message() => (format!("◐ live, {gap}"), theme.warn),
        ConnectionState::Live => (format!("● live ≤{}", stale_limit_label(model)), theme.good),
        ConnectionState::Slow => (format!("◐ slow{age}"), theme.warn),
        ConnectionState::Busy => {
            // For a short wait the age of the data says enough.
            let until = connection::paused_until(model).filter(|until| model.now.age(*until) > LONG_WAIT);
            let until = until.map_or_else(String::new, |until| {
                format!(" until {}", model.console.zone.format_with_offset(until, "%H:%M"))
            });
            let text =
                if last.is_some() { format!("busy{until}, data{age} old") } else { format!("service busy{until}") };
            (format!("◌ {text}"), theme.warn)
        }
        ConnectionState::Offline { .. } => {
            let data = if last.is_some() { format!(", data{age} old") } else { String::new() };
            (format!("{}{data}", read_failure_label(model)), theme.bad)
        }
        ConnectionState::KeyRejected if is_history_read_forbidden(model) => ("✗ key not allowed".into(), theme.bad),
        ConnectionState::KeyRejected => ("✗ key rejected".into(), theme.bad),
    }
}

/// Why nothing can be read: a service that sends nonsense is not offline, and a full disk is not the service's fault.
fn read_failure_label(model: &Model) -> String {
    match model.data.remotes.latest.failure.as_ref().map(|(failure, _)| &failure.reason) {
        None | Some(FailureReason::Unreachable | FailureReason::TimedOut | FailureReason::ConnectionLost) => {
            "○ offline".into()
        }
        Some(FailureReason::Local) => "✗ store failed".into(),
        Some(reason) => format!("✗ {reason}"),
    }
}

fn is_history_read_forbidden(model: &Model) -> bool {
    model.data.remotes.latest.failure.as_ref().is_some_and(|(failure, _)| failure.reason == FailureReason::Forbidden)
}

/// The age at which figures are stale, rounded up to whole seconds.
fn stale_limit_label(model: &Model) -> String {
    let limit = connection::stale_after(model.console.preferences.poll_period);
    format!("{}s", limit.as_millis().div_ceil(1_000))
}
