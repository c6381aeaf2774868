//! The model that is drawn in place of the real one while the veil is on.
//!
//! It begins blank. What is put into it is made of stand-ins, or tells nothing of anybody: how the screen looks, how
//! the connection stands, what is public of tokens and their prices. Charts, codes to be scanned, raw texts, forms and
//! exports are not put into it.

use super::{UNSAID, Veil, has_twin};
use crate::app::lock::{LockSettings, Unlocking};
use crate::app::menu::{Kind, Menu};
use crate::app::model::{Balances, History, Identity, Mode, Model, Settings, TOLD_TO_READ};
use crate::app::palette::Palette;
use crate::app::panes::orders::prompt::{About, Prompt};
use crate::app::panes::users::record::Record;
use crate::domain::filter::Filter;
use crate::domain::history::{Progress, Query};
use crate::domain::{IntentId, Text};

/// The model of stand-ins.
pub(in crate::app) fn twin(model: &Model) -> Model {
    let veil = &model.veil;
    let mut twin = Model::new(settings(model), model.size, model.now);
    twin.lock = model.lock.clone();
    looks(model, &mut twin);
    freshness(model, &mut twin);

    twin.accounts = model.accounts.veiled(|account| veil.known(account, Veil::account), |id| veil.account_id(id));
    twin.wallets = model.wallets.veiled(|wallet| veil.known(wallet, Veil::wallet), |id| veil.wallet_id(id));
    twin.wallet_filter = Veil::filter(&model.wallet_filter);
    twin.wallets_shown = veil.scope(&model.wallets_shown);
    twin.balances = Balances {
        listing: model.balances.listing.veiled(Veil::holding, Clone::clone),
        all: model.balances.all.iter().map(Veil::holding).collect(),
        filter: Veil::filter(&model.balances.filter),
        shown: veil.scope(&model.balances.shown),
        users: model.balances.users.min(1),
        with_suspicious: model.balances.with_suspicious,
        ranking: model.balances.ranking,
        turn: model.balances.turn,
    };
    twin.users = model.users.veiled(veil);
    twin.book = model.book.veiled(veil);
    history(veil, &model.recent, &mut twin.recent);
    history(veil, &model.history, &mut twin.history);

    // Public: what the service lists, and what it would swap it for.
    twin.listed.clone_from(&model.listed);
    twin.tokens = model.tokens.clone();
    twin.token_filter = Veil::filter(&model.token_filter);
    twin.chains = model.chains.clone();
    twin.pairs = model.pairs.clone();
    twin.prices = model.prices.clone();
    // What stand-ins would be worth, and their shares, would be figures that mean nothing.
    twin.prices.settings.valuation = None;

    let id = |id: &IntentId| veil.intent_id(id);
    twin.orders = model.orders.iter().map(|order| veil.order(order)).collect();
    twin.order_list = model.order_list.veiled(id, id);
    twin.order_sort = model.order_sort;
    twin.with_given_up = model.with_given_up;
    twin.alarms_seen = model.alarms_seen.iter().map(|(of, seen)| (id(of), *seen)).collect();
    twin.events = model.events.veiled(Veil::filter(&model.events.filter), id);
    twin.watching = model.watching.clone();
    twin.pictures.look_alikes = model.pictures.look_alikes.veiled(|address| veil.address(address));
    twin.stats = model.stats.as_ref().map(Veil::stats);
    twin
}

fn settings(model: &Model) -> Settings {
    let veil = &model.veil;
    let Identity { name, profile, environment, demo, fault, base_url } = &model.identity;
    let told = |why: &Text| if why.as_str() == TOLD_TO_READ { why.clone() } else { Text::clean(UNSAID) };
    Settings {
        identity: Identity {
            name: veil.name("firm", name),
            profile: veil.name("profile", profile),
            environment: environment.clone(),
            demo: *demo,
            fault: fault.clone(),
            base_url: veil.name("service", base_url),
        },
        period: model.period,
        probe_lists: model.probe_lists,
        v1: model.v1,
        v2: model.v2,
        away_after: std::time::Duration::MAX,
        zone: model.zone.clone(),
        looks: model.looks,
        profiles: Vec::new(),
        read_only: model.read_only.as_ref().map(told),
        prices: model.prices.settings.clone(),
        veil: veil.clone(),
        lock: LockSettings::default(),
        seed: 0,
    }
}

/// What the operator did with the screen.
fn looks(model: &Model, twin: &mut Model) {
    twin.page = model.page;
    twin.visit = model.visit;
    twin.focused = model.focused;
    twin.zoomed = model.zoomed;
    twin.mode = mode(&model.veil, &model.mode);
    twin.notice.clone_from(&model.notice);
}

/// How the connection stands, and how old what was read is.
fn freshness(model: &Model, twin: &mut Model) {
    twin.link = model.link;
    twin.skew = model.skew;
    twin.remotes = model.remotes.clone();
    for remote in twin.remotes.all_mut() {
        remote.failure = remote.failure.as_ref().map(|(failure, count)| (Veil::failure(failure), *count));
    }
    let Progress { rows: _, expected, complete, again, unreadable, incomplete, retry_at, pending, partial } =
        &model.progress;
    twin.progress = Progress {
        rows: 0,
        expected: expected.map(|_| 0),
        complete: *complete,
        again: *again,
        unreadable: (*unreadable).min(1),
        incomplete: (*incomplete).min(1),
        retry_at: *retry_at,
        pending: (*pending).min(1),
        partial: partial.as_ref().map(|_| Text::clean(UNSAID)),
    };
    twin.first_read.paused = model.first_read.paused;
    twin.own_cache = model.own_cache;
    twin.is_deaf = model.is_deaf;
    twin.nobody_read = model.nobody_read;
    twin.read_before = model.read_before;
    twin.connected = model.connected;
    twin.store_failure = model.store_failure.as_ref().map(Veil::failure);
    twin.orders_failure = model.orders_failure.as_ref().map(Veil::failure);
    twin.strange_network.clone_from(&model.strange_network);
}

fn history(veil: &Veil, of: &History, twin: &mut History) {
    twin.listing = of.listing.veiled(|row| veil.row(row), |seq| *seq);
    twin.filter = Veil::filter(&of.filter);
    twin.sort = of.sort;
    twin.prices = of.prices.clone();
    let Query { scope, filter, sort, prices } = &of.shown;
    let filter = Filter { text: Veil::filter(&filter.text), ..Filter::default() };
    twin.shown = Query { scope: veil.scope(scope), filter, sort: *sort, prices: prices.clone() };
    twin.failure = of.failure.as_ref().map(Veil::failure);
    twin.marks.rows = of.marks.rows.iter().map(|row| veil.row(row)).collect();
    twin.marks.hidden.clone_from(&of.marks.hidden);
}

fn mode(veil: &Veil, of: &Mode) -> Mode {
    if !has_twin(of) {
        return Mode::Browse;
    }
    let over = |of: &Mode| Box::new(mode(veil, of));
    match of {
        // It is typed while the veil is on, by whoever can see it.
        Mode::Filter { pane, input, .. } => Mode::Filter { pane: *pane, input: input.clone(), tried: None },
        Mode::Help { top, over: below } => Mode::Help { top: *top, over: over(below) },
        Mode::Palette(Palette { input, at, over: below }) => {
            Mode::Palette(Palette { input: input.clone(), at: *at, over: over(below) })
        }
        Mode::Detail { row, top } => Mode::Detail { row: Box::new(veil.row(row)), top: *top },
        Mode::Record { record, top } => {
            let record = match record.as_ref() {
                Record::Deposit(deposit) => Record::Deposit(veil.deposit(deposit)),
                Record::Transfer(transfer) => Record::Transfer(veil.transfer(transfer)),
                Record::Address(address) => Record::Address(veil.known_address(address)),
                Record::Contact(line) => Record::Contact(veil.contact(line)),
                // It is put away before.
                Record::Sandbox(_) => return Mode::Browse,
            };
            Mode::Record { record: Box::new(record), top: *top }
        }
        Mode::Order { id, top } => Mode::Order { id: veil.intent_id(id), top: *top },
        Mode::Menu(menu) => match menu.kind {
            Kind::Filter(pane) => {
                let Menu { kind: _, says: _, items, at, over: below } = menu.as_ref();
                let (items, at) = (items.clone(), *at);
                Mode::Menu(Box::new(Menu { kind: Kind::Filter(pane), says: None, items, at, over: over(below) }))
            }
            Kind::Copy => Mode::Browse,
        },
        Mode::Prompt(prompt) => Mode::Prompt(Box::new(Prompt {
            about: About::Leave,
            address: None,
            lines: Vec::new(),
            at: 0,
            wrong: None,
            over: over(&prompt.over),
        })),
        Mode::Unlock(line) => {
            let Unlocking { typed, wrong, busy, over: below } = line.as_ref();
            let (typed, wrong, busy) = (typed.clone(), wrong.clone(), *busy);
            Mode::Unlock(Box::new(Unlocking { typed, wrong, busy, over: over(below) }))
        }
        _ => Mode::Browse,
    }
}
