//! The screen:
//!
//! ```text
//!  bursar  Harbour Trading  DEMO testnet              ● live ≤10s   2 pending   12:03Z   header
//!  1 Overview  2 Users  3 Transactions  4 Orders  5 Markets  6 Events  7 Book            pages
//! ┌ Accounts ──────────────────────────┐┌ Balances · Treasury ─────────────────────────┐
//! │▌Treasury     SETTLEMENT       LIVE ││ …                                            │  panes, laid out
//! ├ Wallets · Treasury ────────────────┤├ Transactions · Treasury, all wallets ────────┤  by layout.rs
//! └────────────────────────────────────┘└──────────────────────────────────────────────┘
//!  ? help  Tab pane  / filter  Enter open  Esc back  z zoom  r refresh  q quit           footer
//! ```

mod footer;
mod header;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::forms::{self, operation_menu};
use super::layout::body::body_area;
use super::layout::{ScreenLayout, plan_layout, sum_rows};
use super::model::{Mode, Model, Page};
use super::overlays::{chart, detail, export, help, import, line_prompt, menu, naming, palette, receive, reports};
use super::pages::overview::total;
use super::pages::registry::{page_logic, pane_logic};
use super::pages::{attention, book, orders};
use super::screen::{Area, Arrangement, Chrome, MIN_HEIGHT_WITH_HEADS, MIN_SCREEN_SIZE, PaneArea};
use super::session::{absence, lock, veil};
use super::viewport;
use crate::ui::chrome::{self, PaneTitle};
use crate::ui::{Theme, glyphs, paint, row, table};

const _: () = assert!(MIN_HEIGHT_WITH_HEADS == table::MIN_HEIGHT_WITH_HEADS, "layout and table agree");

/// Draws the model. Drawing changes no state.
pub fn view(model: &Model, area: Rect, buf: &mut Buffer) {
    view_in_theme(
        model,
        &Theme::from_name(model.console.appearance.theme, model.console.appearance.colours),
        area,
        buf,
    );
}

/// Draws the model in a theme, whichever the session has.
pub fn view_in_theme(model: &Model, theme: &Theme, area: Rect, buf: &mut Buffer) {
    paint::tint(buf, area, theme.ground);
    if model.session.veil.is_on() {
        let masked_model = veil::mask_model(model);
        draw_screen(&masked_model, theme, area, buf);
        veil::view::hide_figures(&masked_model, buf);
    } else {
        draw_screen(model, theme, area, buf);
    }
    glyphs::replace_glyphs(model.console.appearance.glyphs, buf);
}

fn draw_screen(model: &Model, theme: &Theme, area: Rect, buf: &mut Buffer) {
    model.start_frame();
    let ScreenLayout::Full { header, tabs, banner, absence_strip: strip, page, footer } = plan_layout(model) else {
        let message = format!("bursar needs {}×{} cells", MIN_SCREEN_SIZE.width, MIN_SCREEN_SIZE.height);
        paint::put_centered(buf, area, &message, theme.text);
        return;
    };
    header::draw(model, theme, to_rect(header), buf);
    draw_tabs(model, theme, to_rect(tabs), buf);
    if let (Some(area), Some(banner_text)) = (banner, model.banner()) {
        paint::tint(buf, to_rect(area), theme.banner);
        paint::put(buf, 1, area.y, area.width.saturating_sub(2), &banner_text, theme.banner);
    }
    let room = usize::from(area.width.saturating_sub(2));
    if let (Some(area), Some(summary)) = (strip, absence::summary_line(model, room)) {
        paint::tint(buf, to_rect(area), theme.header);
        paint::put(
            buf,
            1,
            area.y,
            area.width.saturating_sub(2),
            &summary,
            row::with_background_of(theme.header, theme.accent),
        );
    }
    if let Some(area) = page.pane_bar {
        draw_pane_bar(model, theme, area, buf);
    }
    let modes: Vec<&Mode> = model.open_modes().collect();
    let lowest_visible = modes.iter().position(|mode| !mode.shows_mode_below()).unwrap_or_default();
    for mode in modes.into_iter().take(lowest_visible + 1).rev() {
        draw_mode(model, theme, mode, &page, buf);
    }
    footer::draw(model, theme, to_rect(footer), buf);
}

fn draw_mode(model: &Model, theme: &Theme, mode: &Mode, page: &Arrangement, buf: &mut Buffer) {
    let area = to_rect(body_area(model));
    match mode {
        Mode::Help { chapter, top, .. } => {
            draw_text_title(model, theme, mode, &format!("Help · {}", chapter.title()), *top, area, buf);
            help::view::draw_chapter(model, theme, *chapter, *top, below_head(area), buf);
        }
        Mode::Detail { row, top } => {
            draw_text_title(model, theme, mode, "Transaction", *top, area, buf);
            detail::view::view(model, theme, row, *top, below_head(area), buf);
        }
        Mode::Record { record, top } => {
            draw_text_title(model, theme, mode, record.title(), *top, area, buf);
            let lines = detail::wrap_detail_lines(record.detail_lines(model), area.width);
            detail::view::draw_lines(theme, &lines, *top, below_head(area), buf);
        }
        Mode::Order { id, top } => {
            draw_text_title(model, theme, mode, "Order", *top, area, buf);
            orders::view::draw_order(model, theme, *id, *top, below_head(area), buf);
        }
        Mode::Chart(chart) => chart::view::view(model, theme, chart, area, buf),
        Mode::Reports(reports) => reports::view::view(model, theme, reports, area, buf),
        Mode::Receive(wallet) => {
            draw_text_title(model, theme, mode, "Receive", 0, area, buf);
            receive::view::view(model, theme, wallet, below_head(area), buf);
        }
        Mode::Prompt(prompt) => orders::prompt::view::view(model, theme, prompt, area, buf),
        Mode::Import(importing) => {
            draw_mode(model, theme, &Mode::Browse, page, buf);
            import::view::view(theme, importing, area, buf);
        }
        Mode::Naming(prompt) => naming::view::view(theme, prompt, area, buf),
        Mode::Line(prompt) => {
            draw_mode(model, theme, &Mode::Browse, page, buf);
            line_prompt::view::view(model, theme, prompt, area, buf);
        }
        Mode::Unlock(line) => lock::view::view(model, theme, line, area, buf),
        Mode::Menu(menu) => menu::view::view(theme, model.console.appearance.glyphs, menu, area, buf),
        Mode::Export(export_form) => export::view::view(theme, export_form, area, buf),
        Mode::Palette(palette) => palette::view::view(model, theme, palette, area, buf),
        Mode::OperationMenu(at) => {
            operation_menu::view::view(model, theme, *at, to_rect(body_area(model)), buf);
        }
        Mode::Form(form) => forms::view::view(model, theme, form, to_rect(body_area(model)), buf),
        Mode::Entry(entry) => book::entry::view::view(theme, entry, to_rect(body_area(model)), buf),
        Mode::Browse | Mode::Filter { .. } => {
            if let Some(area) = page.total {
                total::view::draw(model, theme, to_rect(area), buf);
            }
            if let Some(area) = page.attention {
                attention::view::draw_attention_strip(model, theme, to_rect(area), buf);
            }
            for place in &page.panes {
                draw_pane(model, theme, place, buf);
            }
            if let Some(area) = page.detail {
                draw_page_detail(model, theme, to_rect(area), buf);
            }
        }
    }
}

/// Draws the box of details beside or below the lists of the page.
fn draw_page_detail(model: &Model, theme: &Theme, area: Rect, buf: &mut Buffer) {
    let logic = page_logic(model.page);
    let title = PaneTitle { title: logic.detail_title(model), ..PaneTitle::default() };
    chrome::draw_box(buf, area, false, &title, theme);
    let inner = Rect::new(area.x + 1, area.y + 1, area.width.saturating_sub(2), area.height.saturating_sub(2));
    if !logic.draw_detail(model, theme, inner, buf) {
        paint::put_centered(buf, inner, "—", theme.dim);
    }
}

/// Draws the head of a text over the page: its title, and the range of visible lines if not all are.
fn draw_text_title(model: &Model, theme: &Theme, mode: &Mode, title: &str, top: u16, area: Rect, buf: &mut Buffer) {
    let (lines, visible) = (viewport::text_line_count(model, mode), area.height.saturating_sub(1));
    let mut notes = vec![("Esc closes".to_owned(), theme.dim)];
    if lines > visible {
        let last = top.saturating_add(visible).min(lines);
        notes.push((format!("lines {}–{last} of {lines}, j k scroll", top + 1), theme.dim));
    }
    let head = PaneTitle { title: title.to_owned(), notes, focused: true };
    chrome::draw_rule(buf, area, &head, theme);
}

fn below_head(area: Rect) -> Rect {
    Rect { y: area.y + 1, height: area.height.saturating_sub(1), ..area }
}

fn to_rect(area: Area) -> Rect {
    Rect::new(area.x, area.y, area.width, area.height)
}

fn draw_tabs(model: &Model, theme: &Theme, area: Rect, buf: &mut Buffer) {
    let mut x = area.x + 1;
    // What needs a person is counted in the header; its page is named while it is shown.
    for page in Page::ALL.into_iter().filter(|page| *page != Page::Attention || model.page == *page) {
        let style = if page == model.page { theme.tab } else { theme.dim };
        let room = |x| area.right().saturating_sub(x);
        // Where it does not fit, the title of the pane says as much.
        if page == Page::Attention && room(x) < 12 {
            break;
        }
        x += paint::put(buf, x, area.y, room(x), &format!("{} {}", page.shortcut(), page.name()), style);
        if page == Page::Events && model.pages.events.unread_count() > 0 {
            x += paint::put(buf, x, area.y, room(x), &format!(" +{}", model.pages.events.unread_count()), theme.warn);
        }
        x += 2;
    }
}

/// Names the panes, with a gap between them where there is room.
fn draw_pane_bar(model: &Model, theme: &Theme, area: Area, buf: &mut Buffer) {
    let panes = model.page.panes();
    let labels = panes.iter().map(|pane| paint::text_width(pane_logic(*pane).name()) + 2);
    let gap = u16::from(labels.map(|label| label + 1).sum::<u16>() <= area.width);
    let mut x = area.x + 1;
    for pane in panes {
        let focused = *pane == model.focus();
        let style = if focused { theme.title_focused } else { theme.dim };
        let name = pane_logic(*pane).name();
        let text = if focused { format!("[{name}]") } else { format!(" {name} ") };
        x += paint::put(buf, x, area.y, area.width.saturating_sub(x), &text, style) + gap;
    }
}

fn draw_pane(model: &Model, theme: &Theme, place: &PaneArea, buf: &mut Buffer) {
    let pane = pane_logic(place.pane);
    let head = pane.title(model, theme);
    match place.chrome {
        Chrome::Boxed { hangs } => chrome::draw_box(buf, to_rect(place.area), hangs, &head, theme),
        Chrome::Ruled => chrome::draw_rule(buf, to_rect(place.area), &head, theme),
    }
    let content = to_rect(place.content());
    let sum_rows = sum_rows(model, place);
    let area = Rect { height: content.height - sum_rows, ..content };
    if sum_rows > 0 {
        pane.sum_line(model).draw(theme, Rect { y: area.bottom(), height: sum_rows, ..content }, buf);
    }
    pane.draw(model, theme, area, buf);
}
