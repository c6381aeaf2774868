//! The panes of the Users page: users, and what the selected one has and moved.

use super::exported_columns::{
    ADDRESS_COLUMNS, ASSET_COLUMNS, DEPOSIT_COLUMNS, RowOwner, TRANSFER_COLUMNS, address_cells, asset_cells,
    deposit_cells, transfer_cells,
};
use super::further_rows::{MovementList, request_next_page};
use super::keys::{move_selection, open_holding, open_record, open_user};
use super::select::after_selection_change;
use super::{CachedPart, CachedUserReport};
use crate::app::data::queries;
use crate::app::input::keymap::{Command, Context};
use crate::app::listing::PaneList;
use crate::app::model::{Mode, Model};
use crate::app::msg::Effect;
use crate::app::orders::user_name;
use crate::app::overlays::chart::{self, ChartKind};
use crate::app::overlays::copying::items::items_of_known_values;
use crate::app::overlays::export::list::{balance_table, filter_phrase, hidden_tokens_remark};
use crate::app::overlays::export::{ExportList, ExportRows};
use crate::app::overlays::menu::MenuItem;
use crate::app::overlays::record::AnyRecord;
use crate::app::pages::holdings;
use crate::app::pages::pane::{FilterText, OpenRow, PaneLogic, shows_list};
use crate::domain::export::cells::ExportTable;
use crate::domain::history::Scope;
use crate::domain::{PagedList, Timestamp};

pub struct UsersPane;
pub struct UserPane;
pub struct HoldingsPane;
pub struct AssetsPane;
pub struct AddressesPane;
pub struct DepositsPane;
pub struct WithdrawalsPane;
pub struct TransfersPane;

impl PaneLogic for UsersPane {
    shows_list!(model => model.pages.users.listing);

    fn query_rows(&self, model: &mut Model) -> Option<Effect> {
        Some(queries::query_users(model))
    }

    fn run_motion(&self, model: &mut Model, command: Command) -> Vec<Effect> {
        move_selection(model, command)
    }

    fn open_row(&self) -> Option<OpenRow> {
        Some(open_user)
    }

    fn leads_to_next_pane(&self) -> bool {
        true
    }

    fn after_deselection(&self, model: &mut Model) -> Vec<Effect> {
        after_selection_change(model)
    }

    fn filter(&self) -> Option<FilterText> {
        Some(|model| &mut model.pages.users.filter)
    }

    fn after_filter_change(&self, model: &mut Model) -> Vec<Effect> {
        model.pages.users.listing.reset_position();
        let mut effects = vec![queries::query_users(model)];
        effects.extend(after_selection_change(model));
        effects
    }

    fn copy_items(&self, model: &Model) -> Vec<MenuItem> {
        let Some(selected_user) = model.pages.users.selected() else { return Vec::new() };
        items_of_known_values([
            ("User id", Some(selected_user.entry.id.to_string())),
            ("Reference", selected_user.entry.ref_id.as_ref().map(ToString::to_string)),
        ])
    }

    fn exportable_list(&self, model: &Model) -> Option<ExportList> {
        Some(ExportList {
            nouns: ["user", "users"],
            qualifiers: filter_phrase(&model.pages.users.filter),
            rows: |model| Some(ExportRows::Users(model.pages.users.filter.clone())),
        })
    }
}

impl PaneLogic for UserPane {
    fn list<'a>(&self, _model: &'a Model) -> Option<&'a dyn PaneList> {
        None
    }

    fn list_mut<'a>(&self, _model: &'a mut Model) -> Option<&'a mut dyn PaneList> {
        None
    }
}

impl PaneLogic for HoldingsPane {
    shows_list!(model => model.pages.users.holdings);

    fn open_row(&self) -> Option<OpenRow> {
        Some(open_holding)
    }

    fn exportable_list(&self, model: &Model) -> Option<ExportList> {
        Some(ExportList {
            nouns: ["balance", "balances"],
            qualifiers: user_suffix(model) + &hidden_tokens_remark(model, &model.pages.users.all_holdings),
            rows: |model| {
                let users = &model.pages.users;
                Some(balance_table(model, &Scope::User(users.shown_user.clone()?), users.holdings.rows()))
            },
        })
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "the pane decides nothing about other commands")]
    fn availability(&self, model: &Model, mode: &Mode, command: Command) -> Option<Result<(), String>> {
        match command {
            Command::Sort => Some(Ok(())),
            Command::Chart => Some(chart::check_chartable(mode, model.pages.users.holdings.count())),
            _ => None,
        }
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "other commands mean here what they mean elsewhere")]
    fn run_command(&self, model: &mut Model, command: Command) -> Option<Vec<Effect>> {
        match command {
            Command::Sort => holdings::toggle_holding_order(model),
            Command::Chart => {
                let users = &model.pages.users;
                let (user, holding) = (users.shown_user.clone()?, users.holdings.selected()?.clone());
                chart::open_chart(model, ChartKind::Balance, Scope::User(user), holding.token, holding.symbol);
            }
            _ => return None,
        }
        Some(Vec::new())
    }

    fn help_contexts(&self) -> &'static [Context] {
        &[Context::Balances, Context::Charts]
    }
}

impl PaneLogic for AssetsPane {
    shows_list!(model => model.pages.users.assets);

    fn exportable_list(&self, model: &Model) -> Option<ExportList> {
        Some(ExportList {
            nouns: ["asset", "assets"],
            qualifiers: user_suffix(model),
            rows: |model| {
                let owner = row_owner(model, |report| report.assets.read_at());
                let rows = model.pages.users.assets.rows().iter().map(|row| asset_cells(&owner, row));
                Some(ExportTable::new("assets", ASSET_COLUMNS, rows).into())
            },
        })
    }
}

impl PaneLogic for AddressesPane {
    shows_list!(model => model.pages.users.addresses);

    fn open_row(&self) -> Option<OpenRow> {
        Some(|model| open_record(model, |users| &mut users.addresses, AnyRecord::Address))
    }

    fn exportable_list(&self, model: &Model) -> Option<ExportList> {
        Some(ExportList {
            nouns: ["address", "addresses"],
            qualifiers: user_suffix(model),
            rows: |model| {
                let owner = row_owner(model, |_| None);
                let rows = model.pages.users.addresses.rows().iter().map(|row| address_cells(&owner, row));
                Some(ExportTable::new("addresses", ADDRESS_COLUMNS, rows).into())
            },
        })
    }

    fn scope_of_selected_row(&self, model: &Model) -> Option<Scope> {
        model.pages.users.addresses.selected()?.wallet_id.clone().map(Scope::Wallet)
    }
}

impl PaneLogic for DepositsPane {
    shows_list!(model => model.pages.users.deposits);

    fn run_motion(&self, model: &mut Model, command: Command) -> Vec<Effect> {
        model.pages.users.deposits.run_motion(command, false);
        request_next_page(model, MovementList::Deposits).into_iter().collect()
    }

    fn open_row(&self) -> Option<OpenRow> {
        Some(|model| open_record(model, |users| &mut users.deposits, AnyRecord::Deposit))
    }

    fn exportable_list(&self, model: &Model) -> Option<ExportList> {
        let report = model.pages.users.cached_report();
        Some(ExportList {
            nouns: ["deposit", "deposits"],
            qualifiers: user_suffix(model) + newest_page_remark(report.map(|report| &report.deposits)),
            rows: |model| {
                let owner = row_owner(model, |report| report.deposits.read_at());
                let rows = model
                    .pages
                    .users
                    .deposits
                    .rows()
                    .iter()
                    .map(|row| deposit_cells(&owner, row, &model.data.analyses.names.names));
                Some(ExportTable::new("deposits", DEPOSIT_COLUMNS, rows).into())
            },
        })
    }
}

impl PaneLogic for WithdrawalsPane {
    shows_list!(model => model.pages.users.withdrawals);

    fn run_motion(&self, model: &mut Model, command: Command) -> Vec<Effect> {
        model.pages.users.withdrawals.run_motion(command, false);
        request_next_page(model, MovementList::Withdrawals).into_iter().collect()
    }

    fn open_row(&self) -> Option<OpenRow> {
        Some(|model| open_record(model, |users| &mut users.withdrawals, AnyRecord::Withdrawal))
    }

    fn exportable_list(&self, model: &Model) -> Option<ExportList> {
        let report = model.pages.users.cached_report();
        Some(ExportList {
            nouns: ["withdrawal", "withdrawals"],
            qualifiers: user_suffix(model) + newest_page_remark(report.map(|report| &report.withdrawals)),
            rows: |model| {
                let owner = row_owner(model, |report| report.withdrawals.read_at());
                let rows = model
                    .pages
                    .users
                    .withdrawals
                    .rows()
                    .iter()
                    .map(|row| deposit_cells(&owner, row, &model.data.analyses.names.names));
                Some(ExportTable::new("withdrawals", DEPOSIT_COLUMNS, rows).into())
            },
        })
    }
}

impl PaneLogic for TransfersPane {
    shows_list!(model => model.pages.users.transfers);

    fn run_motion(&self, model: &mut Model, command: Command) -> Vec<Effect> {
        model.pages.users.transfers.run_motion(command, false);
        request_next_page(model, MovementList::Transfers).into_iter().collect()
    }

    fn open_row(&self) -> Option<OpenRow> {
        Some(|model| open_record(model, |users| &mut users.transfers, AnyRecord::Transfer))
    }

    fn exportable_list(&self, model: &Model) -> Option<ExportList> {
        let report = model.pages.users.cached_report();
        Some(ExportList {
            nouns: ["transfer", "transfers"],
            qualifiers: user_suffix(model) + newest_page_remark(report.map(|report| &report.transfers)),
            rows: |model| {
                let owner = row_owner(model, |report| report.transfers.read_at());
                let rows = model.pages.users.transfers.rows().iter().map(|row| transfer_cells(&owner, row));
                Some(ExportTable::new("transfers", TRANSFER_COLUMNS, rows).into())
            },
        })
    }
}

fn user_suffix(model: &Model) -> String {
    let user_on_screen = model.pages.users.shown_user.as_ref();
    user_on_screen.map_or_else(String::new, |user| format!(" of {}", user_name(model, user)))
}

/// The remark on a list that was not read to its end.
fn newest_page_remark<T>(part: Option<&CachedPart<PagedList<T>>>) -> &'static str {
    let has_more = part.and_then(|part| part.value.as_ref()).is_some_and(|(list, _)| list.has_more);
    if has_more { ", the newest; the service has more" } else { "" }
}

/// The selected user, with when the service reported a part of its data.
fn row_owner(model: &Model, read_at: fn(&CachedUserReport) -> Option<Timestamp>) -> RowOwner {
    let users = &model.pages.users;
    let name = users.shown_user.as_ref().and_then(|user| model.scope_label(&Scope::User(user.clone())));
    RowOwner {
        user: users.shown_user.clone(),
        name: name.cloned(),
        as_of: users.cached_report().and_then(read_at),
        imitations: users.imitations.clone(),
    }
}
