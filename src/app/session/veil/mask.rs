//! The model that is drawn in place of the real one while the veil is on.
//!
//! It starts blank and receives stand-ins and what identifies nothing: the look of the screen, the state of the
//! connection, public data of tokens and their prices. It receives no charts, QR codes, raw texts, forms or exports.

use super::withhold::can_be_masked;
use super::{Veil, WITHHELD_MESSAGE};
use crate::app::model::{Mode, Model, ProfileIdentity, Settings};
use crate::app::overlays::menu::{Menu, MenuItem, MenuKind};
use crate::app::overlays::palette::Palette;
use crate::app::pages::orders::prompt::{OrderPrompt, PromptSubject};
use crate::app::session::lock::{LockSettings, UnlockPrompt};
use crate::domain::history::SyncProgress;
use crate::domain::{OrderId, Policy, ReadOnlyReason, Text};

pub(in crate::app) fn mask_model(model: &Model) -> Model {
    let veil = &model.session.veil;
    let mut masked_model = Model::new(mask_settings(model), model.size, model.now);
    masked_model.session.lock = model.session.lock.clone();
    copy_screen_settings(model, &mut masked_model);
    copy_freshness(model, &mut masked_model);

    masked_model.pages = model.pages.to_masked(veil);
    masked_model.journal.policy = mask_policy(&model.journal.policy);

    // Public: listed tokens and their prices.
    masked_model.data.listed_tokens.clone_from(&model.data.listed_tokens);
    masked_model.data.prices = model.data.prices.clone();
    // Values and shares of stand-ins would be meaningless figures.
    masked_model.data.prices.settings.valuation = None;

    let id = |id: &OrderId| veil.mask_order_id(id);
    masked_model.journal.orders = model.journal.orders.iter().map(|order| veil.mask_order(order)).collect();
    masked_model.journal.alarms_seen = model.journal.alarms_seen.iter().map(|(of, count)| (id(of), *count)).collect();
    masked_model.session.watches = model.session.watches.clone();
    masked_model.data.analyses.look_alikes =
        model.data.analyses.look_alikes.to_masked(|address| veil.mask_address(address));
    masked_model.data.stats = model.data.stats.as_ref().map(Veil::mask_user_stats);
    masked_model
}

/// The policy without its limits and approval rules, which state amounts and name people.
fn mask_policy(policy: &Policy) -> Policy {
    let Policy { limits: _, allow_list_only, cooling, slippage, batch_recipients, approval: _, role } = policy;
    Policy {
        limits: Vec::new(),
        allow_list_only: *allow_list_only,
        cooling: *cooling,
        slippage: *slippage,
        batch_recipients: *batch_recipients,
        approval: Vec::new(),
        role: *role,
    }
}

/// The reason without the paths in it.
fn mask_read_only(reason: &ReadOnlyReason) -> ReadOnlyReason {
    let withheld = || Text::clean(WITHHELD_MESSAGE);
    match reason {
        ReadOnlyReason::ByOption | ReadOnlyReason::ByHost | ReadOnlyReason::ByCommand => reason.clone(),
        ReadOnlyReason::WritableConfiguration { remedy: _ } => {
            ReadOnlyReason::WritableConfiguration { remedy: withheld() }
        }
        ReadOnlyReason::NoJournal { cause: _ } => ReadOnlyReason::NoJournal { cause: withheld() },
    }
}

fn mask_settings(model: &Model) -> Settings {
    let veil = &model.session.veil;
    let ProfileIdentity { name, profile, environment, demo, fault, demo_role, base_url } = &model.console.identity;
    Settings {
        identity: ProfileIdentity {
            name: veil.mask_name("firm", name),
            profile: veil.mask_name("profile", profile),
            environment: *environment,
            demo: *demo,
            fault: fault.clone(),
            demo_role: demo_role.clone(),
            base_url: veil.mask_name("service", base_url),
        },
        preferences: model.console.preferences.to_masked(),
        zone: model.console.zone.clone(),
        appearance: model.console.appearance,
        profiles: Vec::new(),
        read_only: model.console.read_only.as_ref().map(mask_read_only),
        prices: model.data.prices.settings.clone(),
        veil: veil.clone(),
        lock: LockSettings::default(),
        seed: 0,
    }
}

/// The operator's settings of the screen.
fn copy_screen_settings(model: &Model, masked_model: &mut Model) {
    let veil = &model.session.veil;
    masked_model.page = model.page;
    masked_model.console.is_visit = model.console.is_visit;
    if model.open_modes().all(|mode| can_be_masked(veil, mode)) {
        let mask = |mode| mask_mode(veil, mode);
        (masked_model.mode, masked_model.modes_below) =
            (mask(&model.mode), model.modes_below.iter().map(mask).collect());
    }
    masked_model.notice.clone_from(&model.notice);
}

/// The state of the connection, and the age of the data.
fn copy_freshness(model: &Model, masked_model: &mut Model) {
    masked_model.data.connection = model.data.connection;
    masked_model.data.skew = model.data.skew;
    masked_model.data.remotes = model.data.remotes.clone();
    for remote in masked_model.data.remotes.all_mut() {
        remote.failure = remote.failure.as_ref().map(|(failure, count)| (Veil::mask_failure(failure), *count));
    }
    let SyncProgress { rows: _, expected, complete, is_rescanning, unreadable, incomplete, retry_at, pending, partial } =
        &model.data.progress;
    masked_model.data.progress = SyncProgress {
        rows: 0,
        expected: expected.map(|_| 0),
        complete: *complete,
        is_rescanning: *is_rescanning,
        unreadable: (*unreadable).min(1),
        incomplete: (*incomplete).min(1),
        retry_at: *retry_at,
        pending: (*pending).min(1),
        partial: partial.as_ref().map(|_| Text::clean(WITHHELD_MESSAGE)),
    };
    masked_model.data.initial_sync.paused = model.data.initial_sync.paused;
    masked_model.console.has_own_cache = model.console.has_own_cache;
    masked_model.console.is_webhook_down = model.console.is_webhook_down;
    masked_model.data.has_no_balance_users = model.data.has_no_balance_users;
    masked_model.data.cached_as_of = model.data.cached_as_of;
    masked_model.data.is_connected = model.data.is_connected;
    masked_model.data.store_failure = model.data.store_failure.as_ref().map(Veil::mask_failure);
    masked_model.journal.orders_failure = model.journal.orders_failure.as_ref().map(Veil::mask_failure);
    masked_model.data.network_mismatch.clone_from(&model.data.network_mismatch);
}

#[expect(clippy::wildcard_enum_match_arm, reason = "closed by default: the other modes are not shown through the veil")]
fn mask_mode(veil: &Veil, of: &Mode) -> Mode {
    match of {
        // The filter is typed while the veil is on, so it hides nothing from the operator.
        Mode::Filter { pane, input, .. } => Mode::Filter { pane: *pane, input: input.clone(), completion: None },
        Mode::Help { chapter, top } => Mode::Help { chapter: *chapter, top: *top },
        Mode::Palette(Palette { input, at }) => Mode::Palette(Palette { input: input.clone(), at: *at }),
        Mode::Detail { row, top } => Mode::Detail { row: Box::new(veil.mask_row(row)), top: *top },
        // Those that are not shown are closed when the veil is put on.
        Mode::Record { record, top } => match record.to_masked(veil) {
            Some(record) => Mode::Record { record: Box::new(record), top: *top },
            None => Mode::Browse,
        },
        Mode::Order { id, top } => Mode::Order { id: veil.mask_order_id(id), top: *top },
        Mode::Menu(menu) => match menu.kind {
            MenuKind::Filter(_) | MenuKind::Views => {
                let Menu { kind, message: _, items, at, line: _, code: _ } = menu.as_ref();
                let (kind, at) = (*kind, *at);
                // A saved view, which is ticked, may name a customer.
                let is_shown = |item: &&MenuItem| kind != MenuKind::Views || !item.is_checked;
                let items = items.iter().filter(is_shown).cloned().collect();
                Mode::Menu(Box::new(Menu { kind, message: None, items, at, line: None, code: None }))
            }
            MenuKind::Copy | MenuKind::Rest(_) | MenuKind::Drafts | MenuKind::Approvals => Mode::Browse,
        },
        Mode::Prompt(_) => Mode::Prompt(Box::new(OrderPrompt {
            subject: PromptSubject::Quit,
            address: None,
            inputs: Vec::new(),
            focused_index: 0,
            error: None,
        })),
        Mode::Unlock(line) => {
            let UnlockPrompt { secret, error, busy } = line.as_ref();
            let (secret, error, busy) = (secret.clone(), error.clone(), *busy);
            Mode::Unlock(Box::new(UnlockPrompt { secret, error, busy }))
        }
        _ => Mode::Browse,
    }
}
