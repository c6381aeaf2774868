//! The last row: the filter being typed, a notice, or the keys that work now.

use std::borrow::Cow;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::app::input::availability::{refusal, session_refusal};
use crate::app::input::keymap::{self, Binding, Command, Context, KEY_BINDINGS};
use crate::app::model::{Mode, Model, Page};
use crate::app::orders::{self, command_offers};
use crate::app::overlays::{menu, receive};
use crate::app::pages::registry::pane_logic;
use crate::app::screen::Pane;
use crate::app::{forms, list_filter};
use crate::domain::OrderId;
use crate::domain::text::wrap;
use crate::manual::Chapter;
use crate::ui::{Theme, paint};

#[expect(clippy::wildcard_enum_match_arm, reason = "the other modes show the keys of the table")]
pub(super) fn draw(model: &Model, theme: &Theme, area: Rect, buf: &mut Buffer) {
    let mut x = area.x + 1;
    if let Mode::Filter { input, pane, .. } = &model.mode {
        x += paint::put(buf, x, area.y, 8, "filter ", theme.key);
        let room = area.right().saturating_sub(x + 1);
        // The scroll is in columns, and a character may take two of them.
        let scroll = input.visual_scroll(usize::from(room.saturating_sub(1)));
        let mut passed = 0;
        let visible_input: String = input
            .value()
            .chars()
            .skip_while(|c| {
                let before = passed;
                passed += paint::text_width(c.encode_utf8(&mut [0; 4]));
                usize::from(before) < scroll
            })
            .collect();
        let scroll = usize::from(paint::text_width(input.value()).saturating_sub(paint::text_width(&visible_input)));
        paint::put(buf, x, area.y, room, &visible_input, theme.text);
        let at = u16::try_from(input.visual_cursor().saturating_sub(scroll)).unwrap_or(0);
        paint::tint(buf, Rect::new(x + at, area.y, 1, 1), theme.cursor);
        let end = x + paint::text_width(&visible_input) + 2;
        return list_filter::view::draw_filter_hint(
            model,
            theme,
            *pane,
            input.value(),
            Rect { x: end, width: area.right().saturating_sub(end), ..area },
            buf,
        );
    }
    if let Some(notice) = &model.notice {
        return draw_notice(theme, area, notice, buf);
    }
    match &model.mode {
        Mode::Form(form) => return forms::view::draw_footer_keys(theme, forms::view::footer_keys(form), area, buf),
        Mode::Palette(_) => {
            let keys = [("Up Down", "choose"), ("Enter", "run"), ("Esc", "back")];
            return forms::view::draw_footer_keys(theme, &keys, area, buf);
        }
        Mode::OperationMenu(_) => {
            let keys = [("j k", "move"), ("Enter", "open the form"), ("Esc", "back")];
            return forms::view::draw_footer_keys(theme, &keys, area, buf);
        }
        Mode::Entry(_) => {
            let keys = [("Tab", "next"), ("Shift+Tab", "back"), ("Enter", "go on"), ("Esc", "back")];
            return forms::view::draw_footer_keys(theme, &keys, area, buf);
        }
        Mode::Menu(menu) => return forms::view::draw_footer_keys(theme, menu::key_hints(menu), area, buf),
        Mode::Export(export_form) => {
            let verb = if export_form.folder.is_some() { "write" } else { "send" };
            let keys = [("Enter", verb), ("Tab", "format"), ("Esc", "back")];
            // Text that is too large for the clipboard cannot be sent.
            let first = usize::from(export_form.clipboard_text.as_ref().is_some_and(|clip| clip.text.is_none()));
            return forms::view::draw_footer_keys(theme, &keys[first..], area, buf);
        }
        _ => {}
    }
    let mut visible_input: Vec<&Binding> =
        KEY_BINDINGS.iter().filter(|binding| binding.footer && is_key_offered(model, binding)).collect();
    // The sort is stable: equal places keep the order of the table.
    visible_input.sort_by_key(|binding| key_rank(model, binding));
    for binding in visible_input {
        let Some(key) = binding.keys.first() else { continue };
        let name = keymap::key_name(*key);
        let short = key_label(model, binding);
        let needed = paint::text_width(&name) + 1 + paint::text_width(&short);
        if x + needed > area.right() {
            break;
        }
        // A key that only the read-only console refuses stays visible; pressing it shows why.
        let only_reads = model.console.read_only.is_some() && binding.command.begins_change();
        let style = if only_reads { theme.dim } else { theme.key };
        x += paint::put(buf, x, area.y, needed, &name, style) + 1;
        x += paint::put(buf, x, area.y, needed, &short, theme.dim) + 2;
    }
}

/// The rank of a key. Veil, lock and exports of other lists than transactions come last, since others are used more
/// often; but the key that lifts the veil or the lock comes first. Where transactions are looked through, most keys that
/// begin something new come after those of the list.
#[expect(clippy::wildcard_enum_match_arm, reason = "other commands rank alike")]
fn key_rank(model: &Model, binding: &Binding) -> u8 {
    match binding.command {
        Command::Veil if model.session.veil.is_on() => 0,
        Command::Lock if model.session.lock.locked_since().is_some() => 0,
        _ if binding.context == Context::Attention => 0,
        Command::Veil | Command::Lock => 2,
        Command::Export if model.focused_history().is_none() => 2,
        Command::Batch | Command::Swap | Command::New | Command::Back
            if model.page == Page::Transactions && matches!(model.mode, Mode::Browse) =>
        {
            2
        }
        _ => 1,
    }
}

fn key_label(model: &Model, binding: &'static Binding) -> Cow<'static, str> {
    if matches!(model.mode, Mode::Help { .. }) && binding.command == Command::NextPane {
        return "next chapter".into();
    }
    if matches!(model.mode, Mode::Help { .. }) && binding.command == Command::Open {
        return format!("chapter {}", model.help_chapter().title()).into();
    }
    if matches!(model.mode, Mode::Reports(_)) && binding.command == Command::NextPane {
        return "report".into();
    }
    if binding.command == Command::Veil && model.session.veil.is_on() {
        return "lift the veil".into();
    }
    if binding.command == Command::Lock && model.session.lock.locked_since().is_some() {
        "unlock".into()
    } else {
        binding.short.as_str().into()
    }
}

/// Draws a notice. A long one covers rows above the footer until the next key.
fn draw_notice(theme: &Theme, area: Rect, notice: &str, buf: &mut Buffer) {
    let room = area.width.saturating_sub(2);
    if paint::text_width(notice) <= room {
        paint::put(buf, area.x + 1, area.y, room, notice, theme.warn);
        return;
    }
    let lines = wrap(notice, room);
    let above = u16::try_from(lines.len().saturating_sub(1)).unwrap_or(0).min(area.y);
    for (y, line) in (area.y - above..=area.y).zip(lines) {
        paint::put(buf, area.x, y, area.width, &" ".repeat(usize::from(area.width)), theme.text);
        paint::put(buf, area.x + 1, y, room, &line, theme.warn);
    }
}

/// Whether the footer offers a key in the present mode.
#[expect(clippy::wildcard_enum_match_arm, reason = "the other modes show their own keys")]
fn is_key_offered(model: &Model, binding: &Binding) -> bool {
    let leaves =
        matches!(binding.command, Command::Help | Command::Palette | Command::Back | Command::Refresh | Command::Quit);
    match &model.mode {
        Mode::Order { .. } | Mode::Detail { .. } if matches!(binding.command, Command::PayAgain | Command::Export) => {
            return refusal(model, &model.mode, binding.command).is_none();
        }
        Mode::Order { id, .. } => return leaves || is_order_action_offered(model, Some(*id), binding.command),
        Mode::Detail { .. } => {
            return leaves || matches!(binding.command, Command::Copy | Command::Raw | Command::Name);
        }
        Mode::Receive(_) if binding.context == Context::Receive => return receive::can_simulate_deposit(model),
        Mode::Receive(_) => return leaves || binding.command == Command::Copy,
        Mode::Help { chapter: Chapter::Keys, .. } if binding.command == Command::Open => return true,
        Mode::Help { .. } => return leaves || binding.command == Command::NextPane,
        Mode::Record { .. } => return leaves,
        Mode::Chart(_) => return leaves || binding.command == Command::Chart,
        Mode::Reports(_) => {
            return leaves
                || matches!(binding.command, Command::NextPane | Command::Open | Command::Copy | Command::Export);
        }
        Mode::Browse | Mode::Filter { .. } => {}
        _ => return false,
    }
    if binding.command == Command::Views {
        return model.page == Page::Transactions;
    }
    if binding.command == Command::PayAgain {
        return model.page == Page::Orders && refusal(model, &model.mode, binding.command).is_none();
    }
    // These keys work on what is open in full; in lists there is no room to name them.
    if matches!(binding.command, Command::Copy | Command::Raw) {
        return false;
    }
    // Keys that the veil or the lock refuses are not offered; a read-only console shows what others may do.
    if session_refusal(model, binding.command).is_some()
        || (binding.command == Command::Lock && model.console.read_only.is_some())
    {
        return false;
    }
    let refused = || refusal(model, &model.mode, binding.command).is_some();
    let goes_nowhere = matches!(
        binding.command,
        Command::NextPane | Command::Zoom | Command::Filter | Command::Open | Command::Export | Command::Hidden
    ) && refused();
    let is_of_pane = || pane_logic(model.focus()).help_contexts().contains(&binding.context);
    match binding.context {
        Context::Everywhere | Context::Lists => !goes_nowhere,
        Context::Transactions | Context::Charts | Context::Balances => is_of_pane(),
        Context::Receive => false,
        Context::Book | Context::Attention => is_of_pane() && !refused(),
        Context::Overview => model.page == Page::Overview && model.focus() == Pane::Wallets,
        Context::Orders => {
            model.page == Page::Orders
                && is_order_action_offered(model, model.pages.orders.listing.selected_key().copied(), binding.command)
        }
    }
}

/// Whether an action on an order is possible now.
fn is_order_action_offered(model: &Model, order: Option<OrderId>, command: Command) -> bool {
    let Command::Order(command) = command else { return false };
    let order = order.and_then(|id| orders::find_order(model, id));
    order.is_some_and(|order| {
        command_offers(model, order).iter().any(|offer| offer.command == command && offer.refusal.is_none())
    })
}
