//! The help: every key, grouped by where it works, from the one table of keys, with the groups of the current pane
//! first; and the meaning of the marks on screen.

pub mod view;

use crate::app::input::keymap::{self, Binding, Command, Context, KEY_BINDINGS};
use crate::app::model::{Mode, Model};
use crate::app::pages::registry::pane_logic;
use crate::app::session::visit;
use crate::domain::filter::FIELD_NAMES;
use crate::domain::text::wrap;
use crate::manual::layout::{Line, lay_out};
use crate::manual::{Chapter, markdown};

pub const KEY_WIDTH: u16 = 19;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HelpLine {
    Title(&'static str),
    Pair(String, String),
    /// A line of another chapter.
    Prose(Line),
    Blank,
}

const FILTER_EXAMPLES: &[(&str, &str)] = &[
    ("usdc base", "rows that contain both words, in any field; names match from the beginning of a word"),
    ("token:usdt", "rows of that token; imitation tokens are left out (to find them, type the symbol alone)"),
];

const MARK_MEANINGS: &[(&str, &str)] = &[
    ("—", "not known; never the same as zero"),
    ("stale 42s", "the figure should have been refreshed by now; it is dimmed, as is whatever may have changed since"),
    ("oldest 42s", "a sum over many users, who are read in turn: the oldest part was read that long ago"),
    ("assumed", "reported for the wallet's user, who has one known wallet on that chain"),
    ("derived", "calculated from the history, which was read to its end"),
    ("≈1.90M+", "the value at the latest prices; + where a part is unpriced or not known"),
    ("≈1.90M…", "the value so far, while prices are still being read"),
    ("disputed, !", "the service's two forms of an amount disagree; the integer is shown"),
    ("?USDT", "an imitation token: it looks like another token; hidden among balances"),
    ("pending 3✓", "pending, with 3 confirmations"),
    ("pending 3/12", "pending, with 3 of 12 confirmations; 12 settle on that chain"),
    ("rejected?", "an order that seems to be rejected; only a read of the history confirms it"),
    ("accepted !", "the service's answer differs from the request; Enter shows how"),
    ("seen 12:03", "when this console first saw the row; the service has not reported a time (yet)"),
    ("≈12:03", "the time of its neighbours in the service's list; the service reports none, as for what failed"),
    ("⚑ 2", "2 things need somebody; ! shows which, since when and what to do"),
    ("⚑?1", "1 watch cannot be evaluated: its figure is unknown or stale"),
    ("▲ 3 new", "3 rows arrived above the selected one; g goes there"),
];

/// The keys of forms and reviews; they are not in the table, since characters are typed there.
const FORM_KEYS: &[(&str, &str)] = &[
    ("Tab  Enter", "go to the next field; the field you leave is checked; a payment's empty reference is passed by"),
    ("Shift+Tab  Up", "go back to the previous field; always possible"),
    ("Down  Up", "choose from the list below a field; Enter selects; without a list, go to the next or previous field"),
    ("Ctrl+r", "check every field of a form and show the review, from any field"),
    ("F1", "what the focused field takes; also ? where no text is typed"),
    ("Ctrl+u  Ctrl+w", "clear the field; delete the word before the cursor"),
    ("PgDn  PgUp", "scroll a review"),
    ("Esc", "close a form and keep it as a draft; in a review, go back to the form without sending"),
];

const PROPOSALS: &str = "Proposals, under &";

/// The keys of the list of proposals, which is a menu.
const PROPOSAL_KEYS: &[(&str, &str)] = &[
    ("Enter", "review the proposal: approve it, or send what enough people approved"),
    ("x", "refuse it, with a reason: that ends it"),
    ("y", "copy it as a text, with every signature, to be pasted at another desk"),
    ("Q", "show that text as a QR code"),
    ("paste", "take in a proposal, or signatures, from another desk"),
    ("?", "what approvals are, and how they are set up"),
];

/// The groups of the pane where the help was opened, nearest first.
#[expect(clippy::wildcard_enum_match_arm, reason = "the other modes are over a pane")]
fn contexts_here(model: &Model) -> &'static [Context] {
    match model.mode_below_help() {
        Mode::Receive(_) => &[Context::Receive],
        Mode::Chart(_) => &[Context::Charts],
        Mode::Order { .. } => &[Context::Orders],
        Mode::Detail { .. } => &[Context::Transactions, Context::Charts],
        _ => pane_logic(model.focus()).help_contexts(),
    }
}

/// Every key and every mark, for the manual: the sections of the help at a terminal of one's own.
pub fn key_reference() -> Vec<(&'static str, Vec<(String, String)>)> {
    let keys = Context::SECTIONS.into_iter().map(|(title, context)| {
        let bindings = KEY_BINDINGS.iter().filter(move |binding| binding.context == context);
        (title, bindings.map(|binding| (key_names(binding), binding_description(binding, &binding.long))).collect())
    });
    let others = [
        (PROPOSALS, to_pairs(PROPOSAL_KEYS)),
        ("Forms and reviews", to_pairs(FORM_KEYS)),
        ("Filter", filter_word_pairs()),
        ("Marks", to_pairs(MARK_MEANINGS)),
    ];
    keys.chain(others).collect()
}

fn to_pairs(rows: &[(&str, &str)]) -> Vec<(String, String)> {
    rows.iter().map(|(name, description)| ((*name).to_owned(), (*description).to_owned())).collect()
}

/// Filters and what they find, the last one with the name of every field.
fn filter_word_pairs() -> Vec<(String, String)> {
    let names: Vec<&str> = FIELD_NAMES.iter().map(|(name, _)| *name).collect();
    let fields = ("status:pending".to_owned(), format!("one field only: {}", names.join(", ")));
    to_pairs(FILTER_EXAMPLES).into_iter().chain([fields]).collect()
}

fn key_names(binding: &Binding) -> String {
    let names: Vec<String> = binding.keys.iter().map(|key| keymap::key_name(*key)).collect();
    names.join("  ")
}

fn binding_description(binding: &Binding, description: &str) -> String {
    if matches!(binding.command, Command::Page(_)) { format!("page {description}") } else { description.to_owned() }
}

/// A chapter, wrapped to `columns`.
pub fn chapter_lines(model: &Model, chapter: Chapter, columns: u16) -> Vec<HelpLine> {
    if chapter == Chapter::Keys {
        return help_lines(model, columns);
    }
    let blocks = markdown::parse(chapter.text());
    lay_out(&blocks, columns.saturating_sub(2)).into_iter().map(HelpLine::Prose).collect()
}

/// The help, wrapped to `columns`. A read-only console states that beside the keys that it refuses.
pub fn help_lines(model: &Model, columns: u16) -> Vec<HelpLine> {
    let only_reads = model.console.read_only.is_some();
    let room = columns.saturating_sub(KEY_WIDTH + 1).max(8);
    let mut lines = Vec::new();
    let mut section = |title: &'static str, pairs: Vec<(String, String)>| {
        if !lines.is_empty() {
            lines.push(HelpLine::Blank);
        }
        lines.push(HelpLine::Title(title));
        for (mut name, description) in pairs {
            for part in wrap(&description, room) {
                lines.push(HelpLine::Pair(std::mem::take(&mut name), part));
            }
        }
    };
    let contexts = contexts_here(model);
    let mut sections = Context::SECTIONS;
    // A stable sort: first the groups of `contexts` in their order, then the rest as listed above.
    sections.sort_by_key(|(_, context)| contexts.iter().position(|near| near == context).unwrap_or(contexts.len()));
    for (title, context) in sections {
        let pairs = KEY_BINDINGS.iter().filter(|binding| binding.context == context).filter_map(|binding| {
            let mut description = binding_description(binding, visit::key_help_text(model, binding)?);
            if binding.command.begins_change() && only_reads {
                description.push_str(" (not here: this console is read-only)");
            }
            Some((key_names(binding), description))
        });
        section(title, pairs.collect());
    }
    section(PROPOSALS, to_pairs(PROPOSAL_KEYS));
    section("Forms and reviews", to_pairs(FORM_KEYS));
    section("Filter", filter_word_pairs());
    let mut marks = to_pairs(MARK_MEANINGS);
    // Watches are set in a profile; a visitor has none.
    marks.retain(|(mark, _)| !(model.console.is_visit && mark.starts_with('⚑')));
    section("Marks", marks);
    lines
}
