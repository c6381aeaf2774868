//! A pane of transactions: the newest ones on the Overview, and the page of all.

use crate::app::data::queries;
use crate::app::input::keymap::{Command, Context};
use crate::app::list_filter::examples::history_examples;
use crate::app::listing::PaneList;
use crate::app::marked_rows;
use crate::app::model::{History, Mode, Model};
use crate::app::msg::Effect;
use crate::app::overlays::chart::{self, ChartKind};
use crate::app::overlays::copying::items::items_of_transaction;
use crate::app::overlays::directory_record::scope::scope_of_transaction;
use crate::app::overlays::export::list::{filter_phrase, scope_phrase};
use crate::app::overlays::export::{ExportList, ExportRows};
use crate::app::overlays::menu::MenuItem;
use crate::app::pages::group_thousands;
use crate::app::pages::pane::{FilterText, OpenRow, PaneLogic};
use crate::app::screen::{HistoryList, Pane};
use crate::domain::history::{Scope, Sort};

pub struct HistoryPane(pub HistoryList);

impl HistoryPane {
    pub(super) fn to_pane(&self) -> Pane {
        match self.0 {
            HistoryList::Recent => Pane::Recent,
            HistoryList::Page => Pane::History,
        }
    }
}

impl PaneLogic for HistoryPane {
    fn list<'a>(&self, model: &'a Model) -> Option<&'a dyn PaneList> {
        Some(&model.history_of(self.0).listing)
    }

    fn list_mut<'a>(&self, model: &'a mut Model) -> Option<&'a mut dyn PaneList> {
        Some(&mut model.history_mut(self.0).listing)
    }

    fn query_rows(&self, model: &mut Model) -> Option<Effect> {
        Some(queries::query_history_rows(model, self.0))
    }

    fn follows_newest(&self) -> bool {
        true
    }

    fn open_row(&self) -> Option<OpenRow> {
        Some(|model| {
            if let Some(row) = model.focused_history().and_then(|history| history.listing.selected()).cloned() {
                model.show_mode(Mode::Detail { row: Box::new(row), top: 0 });
            }
            Vec::new()
        })
    }

    fn after_deselection(&self, model: &mut Model) -> Vec<Effect> {
        vec![queries::query_history_rows(model, self.0)]
    }

    fn filter(&self) -> Option<FilterText> {
        Some(match self.0 {
            HistoryList::Recent => |model| &mut model.history_mut(HistoryList::Recent).filter,
            HistoryList::Page => |model| &mut model.history_mut(HistoryList::Page).filter,
        })
    }

    fn after_filter_change(&self, model: &mut Model) -> Vec<Effect> {
        let history = model.history_mut(self.0);
        if history.filter.is_empty() {
            history.restore_sort_before_view();
        }
        history.listing.reset_position();
        vec![queries::query_history_rows(model, self.0)]
    }

    fn filter_examples(&self, model: &Model) -> Vec<String> {
        history_examples(model, model.history_of(self.0))
    }

    fn has_sum(&self, model: &Model) -> bool {
        model.history_of(self.0).needs_sum()
    }

    fn copy_items(&self, model: &Model) -> Vec<MenuItem> {
        let row = model.history_of(self.0).listing.selected();
        row.map_or_else(Vec::new, |row| items_of_transaction(model, row))
    }

    fn exportable_list(&self, model: &Model) -> Option<ExportList> {
        let history = model.history_of(self.0);
        Some(ExportList {
            nouns: ["transaction", "transactions"],
            qualifiers: scope_phrase(model, &history.query.scope)
                + &filter_phrase(&history.query.filter.text)
                + &hidden_rows_remark(model, history),
            rows: |model| {
                let history = model.focused_history()?;
                Some(match history.marks.rows.as_slice() {
                    [] => ExportRows::Matching(history.query.clone()),
                    marked => ExportRows::Marked(marked.iter().map(|row| row.seq).collect()),
                })
            },
        })
    }

    fn scope_of_selected_row(&self, model: &Model) -> Option<Scope> {
        let listing = &model.history_of(self.0).listing;
        let row = listing.selected().or_else(|| listing.visible_rows().next().map(|(row, _)| row))?;
        scope_of_transaction(&row.transaction)
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "the pane decides nothing about other commands")]
    fn availability(&self, model: &Model, mode: &Mode, command: Command) -> Option<Result<(), String>> {
        let history = model.history_of(self.0);
        let rows = history.listing.count();
        match command {
            Command::Mark if rows.number() == 0 => Some(Err("no transactions are shown here".into())),
            Command::Sort | Command::Mark => Some(Ok(())),
            Command::Hidden => {
                let hides_nothing =
                    !history.shows_poison && model.data.analyses.folded_row_count(&history.query) == Some(0);
                Some(if hides_nothing { Err("nothing is hidden here".into()) } else { Ok(()) })
            }
            Command::Chart => Some(chart::check_chartable(mode, rows)),
            _ => None,
        }
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "other commands mean here what they mean elsewhere")]
    fn run_command(&self, model: &mut Model, command: Command) -> Option<Vec<Effect>> {
        match command {
            Command::Sort => cycle_sort(model, self.0),
            Command::Mark => return Some(marked_rows::toggle_mark(model, self.0)),
            Command::Hidden => {
                let history = model.history_mut(self.0);
                history.shows_poison = !history.shows_poison;
            }
            Command::Chart => {
                let history = model.history_of(self.0);
                let (scope, token) = (history.query.scope.clone(), &history.listing.selected()?.transaction);
                let (token, symbol) = (token.token.clone(), token.symbol.clone());
                chart::open_chart(model, ChartKind::Flow, scope, token, symbol);
                return Some(Vec::new());
            }
            _ => return None,
        }
        Some(vec![queries::query_history_rows(model, self.0)])
    }

    fn help_contexts(&self) -> &'static [Context] {
        &[Context::Transactions, Context::Charts]
    }
}

fn cycle_sort(model: &mut Model, list: HistoryList) {
    let prices = model.data.prices.price_list();
    let history = model.history_mut(list);
    // Largest and Smallest rank by the same prices.
    if history.sort == Sort::Oldest {
        history.prices = prices;
    }
    history.set_sort(match history.sort {
        Sort::Newest => Sort::Oldest,
        Sort::Oldest => Sort::Largest,
        Sort::Largest => Sort::Smallest,
        Sort::Smallest => Sort::Listed,
        Sort::Listed => Sort::Newest,
    });
}

/// The remark on transactions that deceive, which are hidden on screen and left out of the export too.
fn hidden_rows_remark(model: &Model, history: &History) -> String {
    match model.data.analyses.folded_row_count(&history.query) {
        None | Some(0) => String::new(),
        Some(1) => "; 1 that deceives is hidden (h) and left out".into(),
        Some(hidden) => format!("; {} that deceive are hidden (h) and left out", group_thousands(hidden)),
    }
}
