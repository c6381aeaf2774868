//! Routing of messages to the parts of the console that handle them.

mod load_results;
mod store_results;

use load_results::apply_load_result;
use store_results::apply_store_result;

use super::data::analyses::AnalysisQuery;
use super::data::{analyses, connection, poll, queries};
use super::input::keys;
use super::input::paste::paste;
use super::layout;
use super::model::{Mode, Model};
use super::msg::{Effect, Msg};
use super::overlays::record::{policy, sandbox};
use super::overlays::{detail, export, import, movement_search, naming, receive, saved_views};
use super::pages::overview::balances;
use super::pages::registry::page_logic;
use super::pages::{book, users};
use super::screen::Pane;
use super::session::{absence, attention, events, lock, veil, watches};
use super::{approvals, forms, orders, pages, screen, viewport};

/// Takes in a message and returns the effects to run. Pure: it has no handle with which to cause anything itself.
pub fn update(model: &mut Model, msg: Msg) -> Vec<Effect> {
    model.frame_addresses.take();
    let before = events::PreviousState::capture(model);
    let notice_guard = veil::NoticeGuard::capture(model, &msg);
    if matches!(msg, Msg::Key(_) | Msg::Paste(_)) {
        lock::record_activity(model);
    }
    let may_change_items = attention::may_change_items(model, &msg);
    let mut effects = match msg {
        // On a screen that shows nothing, keys only quit or suspend: an unseen action cannot be meant.
        Msg::Key(key) if screen::is_too_small(model.size) => keys::handle_key_while_too_small(model, key),
        Msg::Paste(_) if screen::is_too_small(model.size) => Vec::new(),
        Msg::Key(key) => {
            model.notice = None;
            model.forms.created_scope = None;
            let mut effects = absence::end_absence(model);
            effects.extend(keys::handle_key(model, key));
            effects.extend(absence::request_baseline(model));
            effects
        }
        Msg::Paste(text) if matches!(model.mode, Mode::Form(_)) => {
            model.notice = None;
            forms::paste_into_form(model, &text)
        }
        Msg::Paste(text) if matches!(model.mode, Mode::Unlock(_)) => {
            lock::paste(model, &text);
            Vec::new()
        }
        Msg::Paste(text) => paste(model, &text),
        Msg::PasteTooLong => {
            model.notice = Some("the paste was too long; nothing was pasted".into());
            Vec::new()
        }
        Msg::Resized(size) => {
            model.size = size;
            if screen::is_too_small(size) {
                forms::mark_review_hidden(model);
            }
            Vec::new()
        }
        Msg::Tick(now) | Msg::InputTime(now) => {
            let is_new_day = model.console.zone.local_day(model.now) != model.console.zone.local_day(now);
            model.set_time(now);
            let mut effects = absence::begin_absence_if_idle(model);
            if is_new_day {
                effects.extend(queries::query_outdated_history(model));
            }
            effects.extend(lock::lock_if_idle(model));
            effects
        }
        // On return to the window, what is on screen is read at once.
        Msg::Focus(true) => {
            model.data.remotes.latest.request_unless_failing();
            model.data.remotes.scope_balances.request_unless_failing();
            model.data.remotes.user.request_unless_failing();
            let mut effects = absence::end_absence(model);
            effects.extend(absence::request_baseline(model));
            effects
        }
        Msg::Focus(false) => absence::leave_window(model),
        Msg::Clock(skew) => {
            model.data.skew = skew;
            Vec::new()
        }
        Msg::Hints(hints) => {
            events::apply_hints(model, &hints);
            Vec::new()
        }
        Msg::Listening(result) => {
            events::apply_listener_state(model, result);
            Vec::new()
        }
        Msg::FrameDrawn => {
            forms::mark_review_drawn(model);
            Vec::new()
        }
        Msg::Prepared { request_id, result } => {
            if let Ok(prepared) = &result {
                events::record_key_change(model, &prepared.order.drafted.destination.key_mark);
            }
            forms::apply_prepared(model, request_id, result)
        }
        Msg::FactsLoaded { request_id, order_id: reviewed_order_id, result } => {
            forms::apply_facts(model, request_id, reviewed_order_id, result);
            Vec::new()
        }
        Msg::Proposals(report) => {
            approvals::apply_proposals(model, report);
            Vec::new()
        }
        Msg::Proposed { order_id, result } => {
            approvals::apply_proposal_result(model, order_id, result);
            Vec::new()
        }
        Msg::ProposalSigned { order_id, kind, result } => {
            approvals::apply_signing_result(model, order_id, kind, result);
            Vec::new()
        }
        Msg::ProposalImported(result) => {
            approvals::apply_proposal_import(model, result);
            Vec::new()
        }
        Msg::AnalysisLoaded { request_id, query, result } => {
            // Rows of an address that was just found to resemble another leave the list, and come back when it no longer does.
            let may_change_hidden_rows = matches!(*query, AnalysisQuery::LookAlikes(_));
            analyses::apply_analysis_result(model, *query, request_id, result.map(|analysis| *analysis));
            balances::refresh_groups(model);
            may_change_hidden_rows.then(|| queries::query_outdated_history(model)).flatten().into_iter().collect()
        }
        Msg::Sent { order_id: sent_order_id, result } => {
            orders::track_send_result(model, sent_order_id, &result);
            // An open review shows the failure itself.
            if let Err(failure) = &result
                && model.review().is_none_or(|review| review.order.id != sent_order_id)
            {
                model.notice = Some(format!("not sent: {failure}"));
            }
            forms::apply_send_result(model, sent_order_id, &result)
        }
        Msg::Imported(result) => {
            if import::apply_import(model, result) {
                page_logic(model.page).query_rows(model)
            } else {
                Vec::new()
            }
        }
        Msg::ErrorsWritten(result) => {
            import::apply_errors_written(model, result);
            Vec::new()
        }
        Msg::ExportProgress { request_id, result } => export::run::apply_progress(model, request_id, result),
        Msg::RawLoaded { request_id, result } => {
            detail::raw::apply_raw_json(model, request_id, result);
            Vec::new()
        }
        Msg::Book(result) => {
            book::apply_book(model, result);
            forms::refresh_drafts_menu(model);
            Vec::new()
        }
        Msg::LimitsCounted { request_id, result } => {
            policy::apply_counts(model, request_id, result);
            Vec::new()
        }
        Msg::ContactJudged { request_id, result } => {
            book::entry::apply_judgement(model, request_id, result.map(|judged| *judged))
        }
        Msg::BookChanged { request_id, result } => {
            naming::apply_record_result(model, request_id, &result);
            forms::templates::apply_record_result(model, request_id, &result);
            book::entry::apply_record_result(model, request_id, result);
            Vec::new()
        }
        Msg::AddressResolved(result) => {
            if receive::apply_resolution(model, result) {
                let mut effects = page_logic(model.page).query_rows(model);
                effects.push(queries::query_wallet_address_conflicts(model));
                effects
            } else {
                Vec::new()
            }
        }
        Msg::Sandbox { request_id, data: sandbox_data } => {
            sandbox::apply_data(model, request_id, sandbox_data);
            Vec::new()
        }
        Msg::MovementsLoaded { request_id, page_no, result } => {
            users::further_rows::apply_page(model, request_id, page_no, result);
            Vec::new()
        }
        Msg::MovementSearched { request_id, result } => {
            movement_search::apply_result(model, request_id, *result);
            Vec::new()
        }
        Msg::BookImported(result) => {
            import::apply_book_import(model, result);
            Vec::new()
        }
        Msg::DraftRead(result) => forms::apply_draft_file(model, result.map(|file| *file)),
        Msg::BatchChecked { request_id, result } => {
            forms::batch::apply_check_result(model, request_id, result.map(|checked| *checked))
        }
        Msg::PathsFound { request_id, paths } => {
            import::apply_paths(model, request_id, &paths);
            export::run::apply_paths(model, request_id, &paths);
            forms::batch::apply_path_completions(model, request_id, paths);
            Vec::new()
        }
        Msg::Quoted { request_id, result } => {
            forms::live_quote::apply_quote(model, request_id, result);
            Vec::new()
        }
        Msg::Requoted { order_id: swap_order_id, result } => {
            forms::live_quote::apply_requote(model, swap_order_id, result)
        }
        Msg::ViewsChanged { change, result } => {
            saved_views::apply_result(model, &change, result);
            Vec::new()
        }
        Msg::Unlocked { request_id, result } => {
            lock::apply_unlock_result(model, request_id, result);
            Vec::new()
        }
        Msg::Acknowledgements(acknowledgements) => {
            attention::apply_acknowledgements(model, *acknowledgements);
            Vec::new()
        }
        Msg::Acknowledged(result) => {
            attention::apply_record_result(model, result);
            Vec::new()
        }
        Msg::WatchEdited { edit, result } => watches::apply_edit_result(model, &edit, result),
        Msg::Addresses(addresses) => {
            pages::orders::service_address::apply_address_relations(model, addresses);
            Vec::new()
        }
        Msg::Orders(orders) => {
            book::mark_list_outdated(model);
            model.pages.events.is_journal_read |= orders.is_ok();
            forms::change_and_clear_moved_highlight(model, |model| orders::apply_journal(model, orders));
            let mut effects = forms::close_resolved_review(model);
            effects.extend(policy::recount_shown_limits(model));
            effects.extend(queries::query_outdated_history(model));
            effects
        }
        Msg::Loaded { dataset, request_id, result } => {
            // A successful read was stored, so the store may be readable again.
            let recovers = result.is_ok() && model.data.store_failure.is_some();
            let mut effects = apply_load_result(model, &dataset, request_id, result);
            if recovers {
                effects.extend(page_logic(model.page).query_rows(model));
            }
            effects.extend(forms::requery_after_load(model, &dataset));
            effects.extend(forms::replay_after_pairs_load(model, &dataset));
            effects.extend(watches::query_if_affected(model, &dataset));
            effects.extend(absence::complete_summary_after_load(model, &dataset));
            effects
        }
        Msg::StoreAnswered { request_id, answer: Ok(answer) } => {
            model.data.store_failure = None;
            let mut effects = apply_store_result(model, request_id, answer);
            effects.extend(forms::select_created(model));
            effects
        }
        Msg::StoreAnswered { answer: Err(failure), .. } => {
            model.data.store_failure = Some(failure);
            model.pages.overview.wallets.cancel_request();
            model.pages.users.listing.cancel_request();
            model.pages.overview.recent.listing.cancel_request();
            model.pages.transactions.listing.cancel_request();
            forms::drop_queued_input(model);
            Vec::new()
        }
    };
    model.data.connection = connection::assess_connection(model);
    pages::orders::sort_orders(model);
    pages::orders::prompt::close_stale_prompt(model);
    forms::end_review_of_proposal(model);
    if model.review().is_none() {
        forms::mark_review_hidden(model);
    }
    pages::orders::acknowledge_alarms(model);
    effects.extend(watches::judge_watches(model));
    if may_change_items {
        effects.extend(attention::collect_items(model));
    }
    events::record_changes(model, &before);
    page_logic(model.page).rebuild_list(model);
    viewport::clamp_text_scroll(model);
    effects.extend(viewport::fit_lists(model));
    export::run::follow_list(model);
    if model.data.is_connected {
        effects.extend(poll::start_due(model));
        poll::recompute_after_first_round(model);
        effects.extend(analyses::start_due(model));
        if users::further_rows::are_withdrawals_due(model) && layout::shows_pane(model, Pane::Withdrawals) {
            effects.extend(users::further_rows::request_newest_withdrawals(model));
        }
        effects.extend(queries::query_total_samples(model));
        effects.extend(forms::live_quote::start_due_quote(model));
        effects.extend(orders::resend_due_orders(model));
    }
    notice_guard.withhold(model);
    debug_assert!(
        !matches!(model.mode, Mode::Browse) || model.modes_below.is_empty(),
        "the page is below all other modes"
    );
    lock::drop_payments_while_locked(model, veil::filter_effects(model, effects))
}

pub fn start(model: &mut Model) -> Vec<Effect> {
    lock::lock_at_start(model);
    // Accounts only: the selected one determines the other queries.
    let mut effects = vec![queries::query_accounts(model)];
    effects.extend(viewport::fit_lists(model));
    effects
}

/// Reads the journal and starts reading from the service; apart from [`start`], so as not to delay the first frame.
pub fn connect(model: &mut Model) -> Vec<Effect> {
    model.data.is_connected = true;
    let mut effects = vec![Effect::ReadJournal, queries::query_wallet_address_conflicts(model)];
    effects.extend(poll::start_due(model));
    effects
}
