//! The actions that the palette lists, and what running one does.

use std::borrow::Cow;

use crossterm::event::{KeyCode, KeyEvent};
use tui_input::InputRequest;

use super::{CommandHome, MAX_SEARCH_CHARS, Palette, fuzzy, payments};
use crate::app::forms;
use crate::app::input::availability::{refusal, session_refusal};
use crate::app::input::keymap::{Binding, Command, KEY_BINDINGS};
use crate::app::input::keys::page_links;
use crate::app::input::{input_line, keys};
use crate::app::model::{Mode, Model};
use crate::app::msg::Effect;
use crate::app::overlays::record::sandbox;
use crate::app::overlays::{movement_search, reports, saved_views};
use crate::app::session::profile_switch::{self, OtherProfile};
use crate::app::session::{appearance, visit};
use crate::domain::book::Contact;
use crate::domain::report::ReportKind;
use crate::domain::text::is_forbidden_in_text;
use crate::domain::{FileFormat, Operation, OrderId, Text, ThemeName};

#[derive(Debug, Clone)]
pub struct PaletteEntry {
    pub name: &'static str,
    pub description: String,
    /// Further words that people look for it by, each as good as the name.
    pub search_words: Vec<Cow<'static, str>>,
    /// Empty for an action without a key.
    pub keys: &'static [KeyEvent],
    pub action: PaletteAction,
    /// Why it is unavailable now.
    pub refusal: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PaletteAction {
    Run(Command),
    /// Shows where the command is used.
    Show(Command, CommandHome),
    Theme(ThemeName),
    Profile(Text),
    Report(ReportKind),
    /// Looks up a movement of version 1.
    FindMovement,
    Sandbox,
    SandboxAddress,
    View(Text),
    SaveView,
    /// Opens a payment to an entry of the address book.
    Pay(Box<Contact>),
    /// Opens a payment to an address that the address book does not have.
    PayAddress(Text),
    /// Reviews a payment that is filled in from an order.
    PayAgain(OrderId),
    /// Opens an order.
    Order(OrderId),
    /// Shows the transactions that a text finds.
    Find(String),
}

pub(in crate::app) fn open_palette(model: &mut Model) {
    model.open_over(Mode::Palette(Palette::default()));
}

/// What is named by the typed text itself, an order or an address, then the actions that match the search, best match
/// first, then orders whose reference begins so. Without a search: all actions, in the order of the help, then those without a key.
pub fn matching_entries(model: &Model, palette: &Palette) -> Vec<PaletteEntry> {
    let mut scored_entries: Vec<_> = all_entries(model, palette)
        .filter_map(|choice| {
            Some((fuzzy::score(palette.input.value(), choice.name, &choice.search_words, &choice.description)?, choice))
        })
        .collect();
    scored_entries.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
    let typed = palette.input.value().trim();
    let [orders, similar_orders] = payments::order_entries(model, typed);
    orders
        .into_iter()
        .chain(payments::address_entry(model, typed))
        .chain(scored_entries.into_iter().map(|(_, choice)| choice))
        .chain(similar_orders)
        .chain(transaction_search_entry(model, typed))
        .collect()
}

fn all_entries(model: &Model, palette: &Palette) -> impl Iterator<Item = PaletteEntry> {
    let has_use = |binding: &&Binding| !binding.command.is_motion() && binding.command != Command::Palette;
    let keyed = KEY_BINDINGS.iter().filter(has_use).filter_map(|binding| {
        let command_description = visit::key_help_text(model, binding)?;
        let command = binding.command;
        let refusal = refusal(model, model.mode_below(), command);
        let may_be_shown = refusal.is_some() && session_refusal(model, command).is_none();
        let home = if may_be_shown { CommandHome::elsewhere(model, command) } else { None };
        let formats = if command == Command::Export { FileFormat::tables_and_books() } else { &[] };
        let format_names = formats.iter().map(|format| format.name());
        Some(PaletteEntry {
            name: &binding.short,
            description: match (command, home) {
                (Command::Page(_), _) => format!("show the {command_description} page"),
                (_, Some(home)) => format!("goes to {}: {command_description}", home.contents),
                (_, None) => command_description.to_owned(),
            },
            search_words: binding
                .search_words
                .iter()
                .map(String::as_str)
                .chain(format_names)
                .map(Cow::Borrowed)
                .collect(),
            keys: &binding.keys,
            action: home.map_or(PaletteAction::Run(command), |home| PaletteAction::Show(command, home)),
            refusal: refusal.filter(|_| home.is_none()),
        })
    });
    let themes = ThemeName::ALL.into_iter().map(|(word, theme)| PaletteEntry {
        name: "theme",
        description: format!("{word}: {}", theme.purpose()),
        search_words: Vec::new(),
        keys: &[],
        action: PaletteAction::Theme(theme),
        refusal: (theme == model.console.appearance.theme).then(|| format!("{word}: this theme is already in use")),
    });
    let why_not = profile_switch::refusal(model, model.mode_below());
    // Names and addresses of other profiles are veiled too.
    let neighbours: &[OtherProfile] = if model.session.veil.is_on() { &[] } else { &model.console.profiles };
    let profiles = neighbours.iter().map(move |neighbour| PaletteEntry {
        name: "profile",
        description: format!("{}: close this profile and open {}", neighbour.name, neighbour.destination),
        search_words: Vec::new(),
        keys: &[],
        action: PaletteAction::Profile(neighbour.name.clone()),
        refusal: why_not.as_ref().map(|reason| format!("{}: {reason}", neighbour.name)),
    });
    let no_sandbox = sandbox::refusal(model).map(str::to_owned);
    let no_change = no_sandbox.clone().or_else(|| forms::check_can_open(model).err());
    let of_sandbox = [
        ("show the version 1 sandbox: its assets and addresses", PaletteAction::Sandbox, no_sandbox),
        (
            "create a deposit address for the sandbox's Prime Wallet: a form, then a review",
            PaletteAction::SandboxAddress,
            no_change,
        ),
    ];
    let of_sandbox = of_sandbox.into_iter().map(|(description, action, refusal)| PaletteEntry {
        name: "sandbox",
        description: description.to_owned(),
        search_words: Vec::new(),
        keys: &[],
        action,
        refusal,
    });
    let lookup = PaletteEntry {
        name: "look up",
        description: "look up a deposit, withdrawal or transfer of version 1 by its identifier or hash".to_owned(),
        search_words: vec![Cow::Borrowed("find by id"), Cow::Borrowed("transaction hash")],
        keys: &[],
        action: PaletteAction::FindMovement,
        refusal: movement_search::refusal(model).map(str::to_owned),
    };
    let reports = reports::PALETTE_WORDS.into_iter().map(|(kind, name, description)| PaletteEntry {
        name,
        description: description.to_owned(),
        search_words: Vec::new(),
        keys: &[],
        action: PaletteAction::Report(kind),
        refusal: session_refusal(model, Command::Reports).map(str::to_owned),
    });
    let pays = payments::contact_entries(model, palette.input.value());
    keyed
        .chain(reports)
        .chain(view_entries(model))
        .chain(pays)
        .chain([lookup])
        .chain(themes)
        .chain(profiles)
        .chain(of_sandbox)
}

/// Each view of the transactions, and the saving of the one on screen.
fn view_entries(model: &Model) -> impl Iterator<Item = PaletteEntry> {
    let views = saved_views::listed_views(model).into_iter().map(|view| PaletteEntry {
        name: "view",
        description: format!("{}: {}", view.name, saved_views::describe(&view)),
        search_words: std::iter::once(view.name.clone())
            .chain(view.search_words.iter().map(|word| Cow::Borrowed(*word)))
            .collect(),
        keys: &[],
        action: PaletteAction::View(Text::clean(&view.name)),
        refusal: None,
    });
    let save = PaletteEntry {
        name: "save view",
        description: "save the filter and the order of the transactions under a name".to_owned(),
        search_words: vec![Cow::Borrowed("save this view as")],
        keys: &[],
        action: PaletteAction::SaveView,
        refusal: saved_views::save_refusal(model).map(str::to_owned),
    };
    views.chain([save])
}

/// What is typed as a filter of the transactions: offered last, for what no action is called.
fn transaction_search_entry(model: &Model, typed: &str) -> Option<PaletteEntry> {
    (!typed.is_empty() && !model.session.veil.is_on()).then(|| PaletteEntry {
        name: "find",
        description: format!("“{typed}” among the transactions: a reference, a note, a name, an address, a hash"),
        search_words: Vec::new(),
        keys: &[],
        action: PaletteAction::Find(typed.to_owned()),
        refusal: None,
    })
}

#[expect(clippy::wildcard_enum_match_arm, reason = "other keys edit the text")]
pub(in crate::app) fn handle_key(model: &mut Model, key: KeyEvent) -> Vec<Effect> {
    let Mode::Palette(palette) = &model.mode else { return Vec::new() };
    let last = matching_entries(model, palette).len().saturating_sub(1);
    let Mode::Palette(palette) = &mut model.mode else { return Vec::new() };
    match key.code {
        KeyCode::Esc => {
            model.close_mode();
        }
        KeyCode::Enter => return run_highlighted_action(model),
        KeyCode::Up | KeyCode::BackTab => palette.at = palette.at.saturating_sub(1),
        KeyCode::Down | KeyCode::Tab => palette.at = (palette.at + 1).min(last),
        KeyCode::PageUp => palette.at = palette.at.saturating_sub(10),
        KeyCode::PageDown => palette.at = (palette.at + 10).min(last),
        _ => {
            let room = palette.input.value().chars().count() < MAX_SEARCH_CHARS;
            let takes = |request: &InputRequest| !matches!(request, InputRequest::InsertChar(character) if !room || is_forbidden_in_text(*character));
            if let Some(request) = input_line::input_edit_of_key(key).filter(takes) {
                palette.input.handle(request);
                palette.at = 0;
            }
        }
    }
    Vec::new()
}

/// Runs the highlighted action as its key would where the palette was opened, or shows why it is unavailable.
fn run_highlighted_action(model: &mut Model) -> Vec<Effect> {
    let Mode::Palette(palette) = &model.mode else { return Vec::new() };
    let Some(choice) = matching_entries(model, palette).into_iter().nth(palette.at) else {
        model.notice = Some("no action has this name; ? lists them all".into());
        return Vec::new();
    };
    if let Some(reason) = choice.refusal {
        model.notice = Some(reason);
        return Vec::new();
    }
    model.close_mode();
    let command = match choice.action {
        PaletteAction::Run(command) => command,
        PaletteAction::Show(command, home) => return home.show(model, command),
        PaletteAction::Theme(theme) => {
            appearance::set_theme(model, theme);
            return Vec::new();
        }
        PaletteAction::Profile(name) => return profile_switch::open_profile(&name),
        PaletteAction::Report(kind) => return reports::open_reports(model, kind),
        PaletteAction::FindMovement => {
            movement_search::open_prompt(model);
            return Vec::new();
        }
        PaletteAction::Sandbox => return sandbox::open_sandbox(model),
        PaletteAction::Pay(contact) => {
            model.show_mode(Mode::Browse);
            return forms::open_payment_to(model, &contact);
        }
        PaletteAction::PayAddress(address) => {
            model.show_mode(Mode::Browse);
            return forms::open_payment_to_address(model, &address);
        }
        PaletteAction::PayAgain(id) => {
            model.show_mode(Mode::Browse);
            return forms::review_again(model, id);
        }
        PaletteAction::Order(id) => return page_links::open_order(model, id),
        PaletteAction::Find(typed) => {
            model.show_mode(Mode::Browse);
            return page_links::find_transactions(model, typed);
        }
        PaletteAction::View(name) => return saved_views::open_view_by_name(model, &name),
        PaletteAction::SaveView => {
            model.show_mode(Mode::Browse);
            saved_views::open_save_prompt(model);
            return Vec::new();
        }
        PaletteAction::SandboxAddress => return forms::open_form(model, Operation::CreateSandboxAddress),
    };
    // Commands for the panes close what lies over them: an action chosen by name is meant.
    let stays = match (&model.mode, command) {
        (_, Command::Help | Command::Back)
        | (Mode::Detail { .. }, Command::Copy | Command::Raw | Command::Export)
        | (Mode::Order { .. }, Command::Copy | Command::Export | Command::Order(_))
        | (Mode::Receive(_), Command::Copy | Command::Simulate)
        | (Mode::Chart(_), Command::Chart | Command::NextPane | Command::PreviousPane)
        | (Mode::Reports(_), Command::Reports | Command::NextPane | Command::PreviousPane | Command::Export) => true,
        (Mode::Help { .. } | Mode::Receive(_) | Mode::Chart(_) | Mode::Reports(_), _) => false,
        (mode, _) => !matches!(mode, Mode::Detail { .. } | Mode::Record { .. } | Mode::Order { .. }),
    };
    if !stays {
        model.show_mode(Mode::Browse);
    }
    keys::run_command(model, command)
}
