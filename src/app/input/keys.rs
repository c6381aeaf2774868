//! What a key does in each mode.

pub(in crate::app) mod choice;
pub(in crate::app) mod motion;
pub(in crate::app) mod page_links;
pub(in crate::app) mod show_page;

use super::availability::{refusal, session_refusal};
use super::keymap::{self, Command};
use crate::app::data::connection::ConnectionState;
use crate::app::data::initial_sync;
use crate::app::layout::body::body_area;
use crate::app::list_filter::{completions, filter_line};
use crate::app::model::{Mode, Model};
use crate::app::msg::Effect;
use crate::app::overlays::copying::copy;
use crate::app::overlays::record::policy;
use crate::app::overlays::reports::{self, ReportCommandResult};
use crate::app::overlays::{
    chart, detail, directory_record, export, import, line_prompt, menu, naming, palette, receive, saved_views,
};
use crate::app::pages::orders::prompt;
use crate::app::pages::registry::{page_logic, pane_logic};
use crate::app::pages::{book, users};
use crate::app::session::{absence, appearance, lock, veil};
use crate::app::{approvals, forms, orders, pages};
use crate::domain::draft::Operation;
use crate::manual::Chapter;

use choice::{go_back_one_level, open_selected_row, switch_help_chapter};
use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use motion::{move_in_focused_list, scroll_text};
use page_links::show_transactions;
use show_page::show_page;

pub(in crate::app) fn handle_key_while_too_small(model: &mut Model, key: KeyEvent) -> Vec<Effect> {
    match (key.code, key.modifiers) {
        (KeyCode::Char('c'), KeyModifiers::CONTROL) => prompt::request_quit(model),
        (KeyCode::Char('z'), KeyModifiers::CONTROL) => vec![Effect::Suspend],
        (KeyCode::Char('q'), _) if matches!(model.mode, Mode::Browse) => prompt::request_quit(model),
        _ => Vec::new(),
    }
}

/// A key with Alt, which no binding uses: a terminal sends the same bytes for Escape followed by a key. Where keys are
/// commands it counts as both. In an input line, a form or a review it is ignored: an Enter that came with an Escape
/// must not confirm, and an edit must not close anything.
fn handle_alt_as_escape(model: &mut Model, key: KeyEvent) -> Vec<Effect> {
    let are_commands = matches!(
        model.mode,
        Mode::Browse
            | Mode::Help { .. }
            | Mode::Detail { .. }
            | Mode::Record { .. }
            | Mode::Order { .. }
            | Mode::Receive(_)
            | Mode::Chart(_)
            | Mode::Reports(_)
    );
    if !are_commands || !matches!(key.code, KeyCode::Char(_)) {
        return Vec::new();
    }
    let mut effects = self::handle_key(model, KeyCode::Esc.into());
    effects.extend(self::handle_key(model, KeyEvent { modifiers: key.modifiers - KeyModifiers::ALT, ..key }));
    effects
}

pub(in crate::app) fn handle_key(model: &mut Model, key: KeyEvent) -> Vec<Effect> {
    if key.modifiers.contains(KeyModifiers::ALT) {
        return handle_alt_as_escape(model, key);
    }
    // Ctrl-C and Ctrl-Z mean the same in every mode, also where other keys are text.
    if let Some(command @ (Command::Quit | Command::Suspend)) = keymap::command_of_key(key)
        && key.modifiers == KeyModifiers::CONTROL
    {
        return run_command(model, command);
    }
    match model.mode {
        Mode::Filter { .. } => filter_line::handle_filter_key(model, key),
        Mode::Form(_) if key == keymap::ctrl('s') => forms::templates::open_from_form(model),
        Mode::Form(_) => forms::handle_key(model, key),
        Mode::OperationMenu(_) => forms::operation_menu::handle_key(model, key),
        Mode::Prompt(_) => prompt::handle_key(model, key),
        Mode::Import(_) => import::handle_key(model, key),
        Mode::Naming(_) => naming::handle_key(model, key),
        Mode::Line(_) => line_prompt::handle_key(model, key),
        Mode::Entry(_) => book::entry::handle_key(model, key),
        Mode::Menu(_) => menu::choose::handle_key(model, key),
        Mode::Export(_) => export::run::handle_key(model, key),
        Mode::Unlock(_) => lock::handle_key(model, key),
        Mode::Palette(_) => palette::handle_key(model, key),
        Mode::Receive(_) if receive::is_answer_key(model, key) => receive::edit_answer(model, key),
        Mode::Browse
        | Mode::Help { .. }
        | Mode::Detail { .. }
        | Mode::Record { .. }
        | Mode::Order { .. }
        | Mode::Chart(_)
        | Mode::Reports(_)
        | Mode::Receive(_) => keymap::command_of_key(key).map_or_else(Vec::new, |command| run_command(model, command)),
    }
}

pub(in crate::app) fn run_command(model: &mut Model, command: Command) -> Vec<Effect> {
    if let Some(refusal_reason) = session_refusal(model, command) {
        model.notice = Some(refusal_reason.into());
        return Vec::new();
    }
    #[expect(clippy::wildcard_enum_match_arm, reason = "the other commands depend on the mode")]
    match command {
        Command::Veil => {
            veil::toggle_veil(model);
            return Vec::new();
        }
        Command::Lock => return lock::lock_or_open_prompt(model),
        Command::Quit => return prompt::request_quit(model),
        Command::Suspend => return vec![Effect::Suspend],
        Command::Theme => {
            appearance::set_theme(model, model.console.appearance.theme.next());
            return Vec::new();
        }
        Command::Refresh => return refresh_all(model),
        Command::Palette => {
            palette::open_palette(model);
            return Vec::new();
        }
        Command::Pause => {
            initial_sync::toggle_pause(model);
            return Vec::new();
        }
        _ => {}
    }
    // One line of the old page stays visible, so that the reader keeps their bearings.
    let page = body_area(model).height.saturating_sub(2).max(1);
    if let Some(top) = model.mode.scroll_top()
        && scroll_text(top, page, command)
    {
        return Vec::new();
    }
    if chart::handle_command(model, command) {
        return Vec::new();
    }
    match reports::handle_command(model, command) {
        Some(ReportCommandResult::Done(effects)) => return effects,
        Some(ReportCommandResult::OpenRows(filter)) => return show_transactions(model, filter),
        None => {}
    }
    if switch_help_chapter(model, command) {
        return Vec::new();
    }
    match &model.mode {
        // The help covers the open mode, which returns when the help closes.
        Mode::Help { .. } => {
            model.close_mode();
            leave_text_for_page(model, command)
        }
        Mode::Browse
        | Mode::Detail { .. }
        | Mode::Record { .. }
        | Mode::Order { .. }
        | Mode::Receive(_)
        | Mode::Chart(_)
        | Mode::Reports(_)
            if command == Command::Help =>
        {
            model.open_over(Mode::Help { chapter: Chapter::Keys, top: 0 });
            Vec::new()
        }
        Mode::Detail { .. } | Mode::Record { .. } | Mode::Order { .. } | Mode::Receive(_)
            if command == Command::Copy =>
        {
            copy::open_copy_menu(model)
        }
        Mode::Detail { .. } | Mode::Order { .. } | Mode::Receive(_) if command == Command::Name => {
            match refusal(model, &model.mode, command) {
                None => return naming::open(model),
                refusal_reason => model.notice = refusal_reason,
            }
            Vec::new()
        }
        Mode::Detail { .. } if command == Command::Raw => detail::raw::toggle_raw_json(model),
        Mode::Detail { .. } | Mode::Record { .. } | Mode::Order { .. } | Mode::Receive(_)
            if command == Command::Details =>
        {
            model.notice = refusal(model, &model.mode, command);
            directory_record::facts::open_record(model)
        }
        Mode::Detail { .. } | Mode::Order { .. } if command == Command::PayAgain => forms::open_pay_again(model),
        Mode::Detail { .. } | Mode::Order { .. } if command == Command::SaveTemplate => {
            forms::templates::open_from_selection(model)
        }
        Mode::Order { .. } if let Command::Order(order_command) = command => {
            pages::orders::run_order_command(model, order_command)
        }
        Mode::Receive(_) if command == Command::Simulate => receive::open_simulated_deposit(model),
        Mode::Detail { .. }
        | Mode::Record { .. }
        | Mode::Order { .. }
        | Mode::Receive(_)
        | Mode::Chart(_)
        | Mode::Reports(_) => {
            if matches!(command, Command::Back | Command::Open) {
                model.show_mode(Mode::Browse);
            }
            if command == Command::Export {
                match export::focused_list::export_refusal(model, &model.mode) {
                    None => return export::run::open_form_or_stop(model),
                    refusal_reason => model.notice = refusal_reason,
                }
            }
            leave_text_for_page(model, command)
        }
        Mode::Browse
        | Mode::Filter { .. }
        | Mode::Palette(_)
        | Mode::OperationMenu(_)
        | Mode::Form(_)
        | Mode::Prompt(_)
        | Mode::Import(_)
        | Mode::Naming(_)
        | Mode::Line(_)
        | Mode::Menu(_)
        | Mode::Entry(_)
        | Mode::Export(_)
        | Mode::Unlock(_) => run_in_browse_mode(model, command),
    }
}

/// A text over the panes uses only the page commands: it closes, and the page is shown.
fn leave_text_for_page(model: &mut Model, command: Command) -> Vec<Effect> {
    let Command::Page(page) = command else { return Vec::new() };
    model.show_mode(Mode::Browse);
    show_page(model, page)
}

fn run_in_browse_mode(model: &mut Model, command: Command) -> Vec<Effect> {
    if matches!(
        command,
        Command::Open
            | Command::Details
            | Command::Mark
            | Command::Chart
            | Command::Copy
            | Command::PayAgain
            | Command::SaveTemplate
    ) {
        choice::select_first_visible_row(model);
    }
    if let Some(reason) = refusal(model, &model.mode, command) {
        // On a page with one pane these keys are pressed by habit, so no refusal is shown.
        if !matches!(command, Command::NextPane | Command::PreviousPane) {
            model.notice = Some(reason);
        }
        return Vec::new();
    }
    let (pane, page) = (pane_logic(model.focus()), page_logic(model.page));
    if let Some(effects) = pane.run_command(model, command).or_else(|| page.run_command(model, command)) {
        return effects;
    }
    #[expect(clippy::wildcard_enum_match_arm, reason = "the others ran above: in a pane, in a page, or in every mode")]
    match command {
        Command::Withdraw => forms::open_payment(model),
        Command::Batch => forms::open_form(model, Operation::Batch),
        Command::Swap => forms::open_swap(model),
        Command::WithdrawV1 => forms::open_form(model, Operation::Payment),
        Command::PayAgain => forms::open_pay_again(model),
        Command::SaveTemplate => forms::templates::open_from_selection(model),
        Command::Drafts => {
            forms::open_drafts_menu(model);
            Vec::new()
        }
        Command::Approvals => approvals::open_menu(model),
        Command::New => {
            model.show_mode(Mode::OperationMenu(0));
            Vec::new()
        }
        Command::Page(page) => show_page(model, page),
        Command::Import => import::open_import(model),
        Command::Name => naming::open(model),
        Command::NextPane => move_pane_focus(model, 1),
        Command::PreviousPane => move_pane_focus(model, -1),
        Command::Zoom => {
            model.pages.is_zoomed = !model.pages.is_zoomed;
            Vec::new()
        }
        Command::NextChange => absence::step_through_changes(model, true),
        Command::PreviousChange => absence::step_through_changes(model, false),
        Command::ListChanges => absence::list_changes(model),
        Command::Filter => filter_line::open_filter_input(model),
        Command::FilterMenu => completions::open_filter_menu(model),
        Command::Views => {
            saved_views::open_views_menu(model);
            Vec::new()
        }
        Command::Copy => copy::open_copy_menu(model),
        Command::Export => export::run::open_form_or_stop(model),
        Command::Raw => detail::raw::toggle_raw_json(model),
        Command::Open => open_selected_row(model),
        Command::Details => directory_record::facts::open_record(model),
        Command::Reports => reports::reopen_reports(model),
        Command::Policy => policy::open_policy(model),
        Command::Order(order_command) => pages::orders::run_order_command(model, order_command),
        Command::Back => go_back_one_level(model),
        Command::Up
        | Command::Down
        | Command::HalfUp
        | Command::HalfDown
        | Command::PageUp
        | Command::PageDown
        | Command::First
        | Command::Last => move_in_focused_list(model, command),
        _ => Vec::new(),
    }
}

fn refresh_all(model: &mut Model) -> Vec<Effect> {
    if model.data.connection == ConnectionState::KeyRejected {
        model.data.connection = ConnectionState::Connecting;
    }
    model.data.initial_sync.retry_requested = model.lacks_history();
    model.data.prices.retry_refused();
    model.data.remotes.request_all();
    model.pages.users.page_request.request_withdrawal_refresh();
    orders::resume_sending(model);
    model.notice = Some("refreshing everything".into());
    Vec::new()
}

fn move_pane_focus(model: &mut Model, step: i8) -> Vec<Effect> {
    let panes = model.page.panes();
    let at = panes.iter().position(|pane| *pane == model.focus()).unwrap_or(0);
    let next = if step > 0 { (at + 1) % panes.len() } else { (at + panes.len() - 1) % panes.len() };
    if let Some(pane) = panes.get(next) {
        model.set_focus(*pane);
        users::remember_detail_pane(model, *pane);
    }
    Vec::new()
}
