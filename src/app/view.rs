//! The screen:
//!
//! ```text
//!  bursar  Harbour Trading · DEMO testnet              ● live ≤1s   2 pending   12:03Z   header
//!  1 Overview  2 Users  3 Transactions  4 Orders  5 Markets  6 Events                    pages
//! ┌ Accounts ──────────────────────────┐┌ Balances · Treasury ─────────────────────────┐
//! │▌Treasury     SETTLEMENT       LIVE ││ …                                            │  panes, as screen.rs
//! ├ Wallets · Treasury ────────────────┤├ Transactions · Treasury, all wallets ────────┤  places them
//! └────────────────────────────────────┘└──────────────────────────────────────────────┘
//!  ? help  Tab pane  / filter  Enter open  Esc back  z zoom  r refresh  q quit           footer
//! ```

mod beside;
mod header;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::away;
use super::exporting;
use super::filtering;
use super::fitting;
use super::forms::{self, choose};
use super::keymap::{self, Binding, Command, Context, KEYS};
use super::lock;
use super::menu;
use super::model::{Mode, Model, Page};
use super::orders::offers;
use super::palette;
use super::panes::{
    accounts, balances, chart, detail, events, help, import, markets, orders, receive, transactions, users, wallets,
};
use super::refusal::{barred, refusal};
use super::screen::{self, Area, Chrome, Pane, Place, Plan, SMALLEST};
use super::veil;
use crate::domain::IntentId;
use crate::domain::text::wrap;
use crate::ui::chrome::{self, Head};
use crate::ui::{Theme, glyphs, paint, row};

/// Paints the model. Drawing never changes behaviour.
pub fn view(model: &Model, area: Rect, buf: &mut Buffer) {
    let theme = Theme::of(model.looks.theme, model.looks.colours);
    paint::tint(buf, area, theme.ground);
    if model.veil.is_on() {
        let twin = veil::twin(model);
        draw(&twin, &theme, area, buf);
        veil::view::hide_figures(&twin, buf);
    } else {
        draw(model, &theme, area, buf);
    }
    glyphs::render(model.looks.glyphs, buf);
}

fn draw(model: &Model, theme: &Theme, area: Rect, buf: &mut Buffer) {
    let Plan::Full { header, tabs, banner, strip, places, pane_bar, detail, footer } = screen::plan(model) else {
        let words = format!("bursar needs {}×{} cells", SMALLEST.width, SMALLEST.height);
        paint::say(buf, area, &words, theme.text);
        return;
    };
    header::draw(model, theme, rect(header), buf);
    draw_tabs(model, theme, rect(tabs), buf);
    if let (Some(area), Some(words)) = (banner, model.banner()) {
        paint::tint(buf, rect(area), theme.banner);
        paint::put(buf, 1, area.y, area.width.saturating_sub(2), &words, theme.banner);
    }
    let room = usize::from(area.width.saturating_sub(2));
    if let (Some(area), Some(words)) = (strip, away::words(model, room)) {
        paint::tint(buf, rect(area), theme.header);
        paint::put(buf, 1, area.y, area.width.saturating_sub(2), &words, row::over(theme.header, theme.accent));
    }
    if let Some(area) = pane_bar {
        draw_pane_bar(model, theme, area, buf);
    }
    draw_mode(model, theme, &model.mode, &places, detail, buf);
    draw_footer(model, theme, rect(footer), buf);
}

/// What stands between the pages and the footer.
fn draw_mode(model: &Model, theme: &Theme, mode: &Mode, places: &[Place], detail: Option<Area>, buf: &mut Buffer) {
    let area = rect(screen::reading(model));
    match mode {
        Mode::Help { top, .. } => {
            draw_reading(model, theme, mode, "Help", *top, area, buf);
            help::view::view(model, theme, *top, below_head(area), buf);
        }
        Mode::Detail { row, top } => {
            draw_reading(model, theme, mode, "Transaction", *top, area, buf);
            detail::view::view(model, theme, row, *top, below_head(area), buf);
        }
        Mode::Record { record, top } => {
            draw_reading(model, theme, mode, record.title(), *top, area, buf);
            let lines = detail::broken(record.facts(model), area.width);
            detail::view::lines(theme, &lines, *top, below_head(area), buf);
        }
        Mode::Order { id, top } => {
            draw_reading(model, theme, mode, "Order", *top, area, buf);
            orders::view::whole(model, theme, *id, *top, below_head(area), buf);
        }
        Mode::Chart(chart) => chart::view::view(model, theme, chart, area, buf),
        Mode::Receive(wallet) => {
            draw_reading(model, theme, mode, "Receive", 0, area, buf);
            receive::view::view(model, theme, wallet, below_head(area), buf);
        }
        Mode::Prompt(prompt) => {
            draw_mode(model, theme, &prompt.over, places, detail, buf);
            orders::prompt::view::view(model, theme, prompt, area, buf);
        }
        Mode::Import(importing) => {
            draw_mode(model, theme, &Mode::Browse, places, detail, buf);
            import::view::view(theme, importing, area, buf);
        }
        Mode::Unlock(line) => {
            draw_mode(model, theme, &line.over, places, detail, buf);
            lock::view::view(model, theme, line, area, buf);
        }
        Mode::Menu(menu) => {
            draw_mode(model, theme, &menu.over, places, detail, buf);
            menu::view::view(theme, menu, area, buf);
        }
        Mode::Export(sheet) => {
            draw_mode(model, theme, &sheet.over, places, detail, buf);
            exporting::view::view(theme, sheet, area, buf);
        }
        Mode::Palette(palette) => palette::view::view(model, theme, palette, area, buf),
        Mode::Choose(at) => choose::view::view(model, theme, *at, rect(screen::reading(model)), buf),
        Mode::Form(form) => forms::view::view(model, theme, form, rect(screen::reading(model)), buf),
        Mode::Browse | Mode::Filter { .. } => {
            for place in places {
                draw_place(model, theme, place, buf);
            }
            if let Some(area) = detail {
                match model.page {
                    Page::Orders => beside::order(model, theme, area, buf),
                    Page::Events => events::view::beside(model, theme, rect(area), buf),
                    _ => beside::transaction(model, theme, area, buf),
                }
            }
        }
    }
}

/// The head of a text that takes the page: its title, and which of its lines are visible when not all are.
fn draw_reading(model: &Model, theme: &Theme, mode: &Mode, title: &str, top: u16, area: Rect, buf: &mut Buffer) {
    let (lines, visible) = (fitting::lines_to_read(model, mode), area.height.saturating_sub(1));
    let mut notes = vec![("Esc closes".to_owned(), theme.dim)];
    if lines > visible {
        let last = top.saturating_add(visible).min(lines);
        notes.push((format!("lines {}–{last} of {lines}, j k scroll", top + 1), theme.dim));
    }
    let head = Head { title: title.to_owned(), notes, focused: true };
    chrome::ruled(buf, area, &head, theme);
}

fn below_head(area: Rect) -> Rect {
    Rect { y: area.y + 1, height: area.height.saturating_sub(1), ..area }
}

fn rect(area: Area) -> Rect {
    Rect::new(area.x, area.y, area.width, area.height)
}

fn draw_tabs(model: &Model, theme: &Theme, area: Rect, buf: &mut Buffer) {
    let mut x = area.x + 1;
    for (page, digit) in Page::ALL.into_iter().zip('1'..) {
        let style = if page == model.page { theme.tab } else { theme.dim };
        let room = |x| area.right().saturating_sub(x);
        x += paint::put(buf, x, area.y, room(x), &format!("{digit} {}", page.name()), style);
        if page == Page::Events && model.events.unread() > 0 {
            x += paint::put(buf, x, area.y, room(x), &format!(" +{}", model.events.unread()), theme.warn);
        }
        x += 2;
    }
}

fn draw_pane_bar(model: &Model, theme: &Theme, area: Area, buf: &mut Buffer) {
    let mut x = area.x + 1;
    for pane in screen::panes(model.page) {
        let focused = *pane == model.focus();
        let style = if focused { theme.title_focused } else { theme.dim };
        let name = match pane {
            Pane::Accounts => "Accounts",
            Pane::Wallets => "Wallets",
            Pane::Balances | Pane::Held => "Balances",
            Pane::Users => "Users",
            Pane::User => "User",
            Pane::Assets => "Assets",
            Pane::Addresses => "Addresses",
            Pane::Deposits => "Deposits",
            Pane::Transfers => "Transfers",
            Pane::Recent | Pane::History => "Transactions",
            Pane::Orders => "Orders",
            Pane::Tokens => "Tokens",
            Pane::Chains => "Blockchains",
            Pane::Events => "Events",
            Pane::Pairs => "Pairs",
        };
        let text = if focused { format!("[{name}]") } else { format!(" {name} ") };
        x += paint::put(buf, x, area.y, area.width.saturating_sub(x), &text, style) + 1;
    }
}

fn draw_place(model: &Model, theme: &Theme, place: &Place, buf: &mut Buffer) {
    let head = match place.pane {
        Pane::Accounts => accounts::view::head(model, theme),
        Pane::Wallets => wallets::view::head(model, theme),
        Pane::Balances => balances::view::head(model, theme),
        Pane::Recent => transactions::view::head(model, theme, &model.recent, Pane::Recent),
        Pane::History => transactions::view::head(model, theme, &model.history, Pane::History),
        Pane::Orders => orders::view::head(model, theme),
        Pane::Tokens => markets::view::tokens_head(model, theme),
        Pane::Chains => markets::view::chains_head(model, theme),
        Pane::Events => events::view::head(model, theme),
        Pane::Pairs => markets::view::pairs_head(model, theme),
        pane => users::view::head(model, theme, pane),
    };
    match place.chrome {
        Chrome::Boxed { hangs } => chrome::boxed(buf, rect(place.area), hangs, &head, theme),
        Chrome::Ruled => chrome::ruled(buf, rect(place.area), &head, theme),
    }
    let area = rect(place.content());
    match place.pane {
        Pane::Accounts => accounts::view::view(model, theme, area, buf),
        Pane::Wallets => wallets::view::view(model, theme, area, buf),
        Pane::Balances => balances::view::view(model, theme, area, buf),
        Pane::Recent => transactions::view::view(model, theme, &model.recent, Pane::Recent, area, buf),
        Pane::History => transactions::view::view(model, theme, &model.history, Pane::History, area, buf),
        Pane::Orders => orders::view::view(model, theme, area, buf),
        Pane::Tokens => markets::view::tokens(model, theme, area, buf),
        Pane::Chains => markets::view::chains(model, theme, area, buf),
        Pane::Events => events::view::view(model, theme, area, buf),
        Pane::Pairs => markets::view::pairs(model, theme, area, buf),
        pane => users::view::view(model, theme, pane, area, buf),
    }
}

/// The filter that is typed, or a notice, or the keys that work here.
fn draw_footer(model: &Model, theme: &Theme, area: Rect, buf: &mut Buffer) {
    let mut x = area.x + 1;
    if let Mode::Filter { input, pane, .. } = &model.mode {
        x += paint::put(buf, x, area.y, 8, "filter ", theme.key);
        let room = area.right().saturating_sub(x + 1);
        // The scroll is counted in columns, and a character may take two of them.
        let scroll = input.visual_scroll(usize::from(room.saturating_sub(1)));
        let mut passed = 0;
        let shown: String = input
            .value()
            .chars()
            .skip_while(|c| {
                let before = passed;
                passed += paint::width(c.encode_utf8(&mut [0; 4]));
                usize::from(before) < scroll
            })
            .collect();
        let scroll = usize::from(paint::width(input.value()).saturating_sub(paint::width(&shown)));
        paint::put(buf, x, area.y, room, &shown, theme.text);
        let at = u16::try_from(input.visual_cursor().saturating_sub(scroll)).unwrap_or(0);
        paint::tint(buf, Rect::new(x + at, area.y, 1, 1), theme.cursor);
        let end = x + paint::width(&shown) + 2;
        return filtering::view::hint(
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
        Mode::Form(form) => return forms::view::legend(theme, forms::view::keys(form), area, buf),
        Mode::Palette(_) => {
            let keys = [("Up Down", "choose"), ("Enter", "do it"), ("Esc", "back")];
            return forms::view::legend(theme, &keys, area, buf);
        }
        Mode::Choose(_) => {
            let keys = [("j k", "move"), ("Enter", "open the form"), ("Esc", "back")];
            return forms::view::legend(theme, &keys, area, buf);
        }
        Mode::Menu(menu) => return forms::view::legend(theme, menu::keys(menu.kind), area, buf),
        Mode::Export(_) => {
            let keys = [("Enter", "write"), ("Tab", "csv or json"), ("Esc", "back")];
            return forms::view::legend(theme, &keys, area, buf);
        }
        _ => {}
    }
    for binding in KEYS.iter().filter(|binding| binding.footer && works(model, binding)) {
        let Some(key) = binding.keys.first() else { continue };
        let name = keymap::name(*key);
        let needed = paint::width(&name) + 1 + paint::width(binding.short);
        if x + needed > area.right() {
            break;
        }
        // What only reading, the veil or the lock keeps from working stays to be seen; its key says why.
        let only_reads = model.read_only.is_some() && binding.command.begins_change();
        let barred = only_reads || barred(model, binding.command).is_some();
        let style = if barred { theme.dim } else { theme.key };
        x += paint::put(buf, x, area.y, needed, &name, style) + 1;
        x += paint::put(buf, x, area.y, needed, binding.short, theme.dim) + 2;
    }
}

/// A notice; what does not go into the last row stands above it, over what is there, until the next key.
fn draw_notice(theme: &Theme, area: Rect, notice: &str, buf: &mut Buffer) {
    let room = area.width.saturating_sub(2);
    if paint::width(notice) <= room {
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

/// Whether a key works with what has the keys now.
fn works(model: &Model, binding: &Binding) -> bool {
    let leaves =
        matches!(binding.command, Command::Help | Command::Palette | Command::Back | Command::Refresh | Command::Quit);
    match &model.mode {
        Mode::Order { id, .. } => return leaves || is_offered(model, Some(*id), binding.command),
        Mode::Detail { .. } => return leaves || matches!(binding.command, Command::Copy | Command::Raw),
        Mode::Receive(_) if binding.context == Context::Receive => return receive::may_simulate(model),
        Mode::Receive(_) => return leaves || binding.command == Command::Copy,
        Mode::Help { .. } | Mode::Record { .. } => return leaves,
        Mode::Chart(_) => return leaves || binding.command == Command::Chart,
        // They say themselves which keys they take.
        Mode::Prompt(_)
        | Mode::Import(_)
        | Mode::Choose(_)
        | Mode::Palette(_)
        | Mode::Form(_)
        | Mode::Menu(_)
        | Mode::Unlock(_)
        | Mode::Export(_) => {
            return false;
        }
        Mode::Browse | Mode::Filter { .. } => {}
    }
    // They work on what is open as a whole; in lists there is no room to name them.
    if matches!(binding.command, Command::Copy | Command::Raw) {
        return false;
    }
    let goes_nowhere = matches!(binding.command, Command::NextPane | Command::Zoom | Command::Filter | Command::Open)
        && refusal(model, &model.mode, binding.command).is_some();
    match binding.context {
        Context::Everywhere | Context::Lists => !goes_nowhere,
        Context::Transactions => matches!(model.focus(), Pane::Recent | Pane::History),
        Context::Charts => {
            matches!(model.focus(), Pane::Balances | Pane::Held | Pane::Recent | Pane::History)
        }
        Context::Balances => matches!(model.focus(), Pane::Balances | Pane::Held),
        Context::Receive => false,
        Context::Overview => model.page == Page::Overview && model.focus() == Pane::Wallets,
        Context::Orders => {
            model.page == Page::Orders && is_offered(model, model.order_list.selected_key().copied(), binding.command)
        }
    }
}

/// Whether something can be done about an order at this moment.
fn is_offered(model: &Model, order: Option<IntentId>, command: Command) -> bool {
    let Command::Order(action) = command else { return false };
    let order = order.and_then(|id| orders::find(model, id));
    order
        .is_some_and(|order| offers(model, order).iter().any(|offer| offer.action == action && offer.refused.is_none()))
}
