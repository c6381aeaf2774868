//! Where a message goes. Routing only: what each part does with it stands in the part.

mod answered;

use answered::answered;

use super::ask;
use super::away;
use super::book;
use super::events;
use super::exporting;
use super::filtering;
use super::fitting;
use super::forms;
use super::keys;
use super::link::{self, Link};
use super::lock;
use super::model::{Mode, Model, Page};
use super::msg::{Dataset, Effect, Msg, Snapshot, Turn};
use super::orders;
use super::panes::{self, detail};
use super::pictures;
use super::poll;
use super::prices;
use super::remote;
use super::sandbox;
use super::screen;
use super::users;
use super::veil;
use super::watching;
use crate::domain::history::{Count, Scope, Window};
use crate::domain::{Basis, Failure, Reason};

/// Takes in a message; says what is to be done. Pure: no handle that could cause anything.
pub fn update(model: &mut Model, msg: Msg) -> Vec<Effect> {
    let before = events::Before::of(model);
    let said = veil::Said::before(model, &msg);
    if matches!(msg, Msg::Key(_) | Msg::Paste(_)) {
        lock::touched(model);
    }
    let mut effects = match msg {
        // What nobody sees cannot be meant: on a screen that shows nothing, keys do nothing but end or stop the program.
        Msg::Key(key) if screen::is_too_small(model.size) => keys::unseen(model, key),
        Msg::Paste(_) if screen::is_too_small(model.size) => Vec::new(),
        Msg::Key(key) => {
            model.notice = None;
            model.forms.made = None;
            let mut effects = away::returned(model);
            effects.extend(keys::key(model, key));
            effects.extend(away::note(model));
            effects
        }
        Msg::Paste(text) if matches!(model.mode, Mode::Form(_)) => {
            model.notice = None;
            forms::paste(model, &text)
        }
        Msg::Paste(text) if matches!(model.mode, Mode::Unlock(_)) => {
            lock::paste(model, &text);
            Vec::new()
        }
        Msg::Paste(text) => filtering::paste(model, &text),
        Msg::PasteTooLong => {
            model.notice = Some("that was too much to paste; nothing was taken".into());
            Vec::new()
        }
        Msg::Resized(size) => {
            model.size = size;
            if screen::is_too_small(size) {
                forms::unseen(model);
            }
            Vec::new()
        }
        Msg::Tick(now) => {
            model.tell_time(now);
            let mut effects = away::tick(model);
            effects.extend(lock::tick(model));
            effects
        }
        // Looking again is a reason to read at once what is on screen.
        Msg::Focus(true) => {
            model.remotes.head.want_if_well();
            model.remotes.visible.want_if_well();
            model.remotes.user.want_if_well();
            let mut effects = away::returned(model);
            effects.extend(away::note(model));
            effects
        }
        Msg::Focus(false) => away::left(model),
        Msg::Clock(skew) => {
            model.skew = skew;
            Vec::new()
        }
        Msg::Hints(hints) => {
            events::heard(model, &hints);
            Vec::new()
        }
        Msg::Listening(result) => {
            events::listening(model, result);
            Vec::new()
        }
        Msg::Drawn => {
            forms::drawn(model);
            Vec::new()
        }
        Msg::Prepared { turn, result } => {
            if let Ok(prepared) = &result {
                events::key_used(model, &prepared.intent.drafted.destination.key_mark);
            }
            forms::prepared(model, turn, result)
        }
        Msg::Known { turn, intent, result } => {
            forms::known(model, turn, intent, result);
            Vec::new()
        }
        Msg::Pictured { turn, what, result } => {
            pictures::made(model, *what, turn, result.map(|made| *made));
            Vec::new()
        }
        Msg::Sent { intent, result } => {
            orders::sent(model, intent, &result);
            // A review that is open says so itself.
            if let Err(failure) = &result
                && model.review().is_none_or(|review| review.intent.id != intent)
            {
                model.notice = Some(format!("not sent: {failure}"));
            }
            forms::sent(model, intent, &result)
        }
        Msg::Imported(result) => panes::import::imported(model, result),
        Msg::Exported { turn, result } => exporting::told(model, turn, result),
        Msg::Raw { turn, result } => {
            detail::raw::told(model, turn, result);
            Vec::new()
        }
        Msg::Book(result) => {
            book::read(model, result);
            Vec::new()
        }
        Msg::ContactJudged { turn, result } => book::entry::judged(model, turn, result.map(|judged| *judged)),
        Msg::BookChanged { turn, result } => {
            book::entry::recorded(model, turn, result);
            Vec::new()
        }
        Msg::AddressSettled(result) => panes::receive::settled(model, result),
        Msg::Sandbox { turn, told } => {
            sandbox::told(model, turn, told);
            Vec::new()
        }
        Msg::BookImported(result) => {
            panes::import::book_imported(model, result);
            Vec::new()
        }
        Msg::BatchChecked { turn, result } => forms::batch::checked(model, turn, result.map(|checked| *checked)),
        Msg::Paths { turn, found } => {
            forms::batch::paths(model, turn, found);
            Vec::new()
        }
        Msg::Quoted { turn, result } => {
            forms::quoting::quoted(model, turn, result);
            Vec::new()
        }
        Msg::Requoted { intent, result } => forms::quoting::requoted(model, intent, result),
        Msg::Unlocked { turn, result } => {
            lock::looked_at(model, turn, result);
            Vec::new()
        }
        Msg::Addresses(addresses) => {
            panes::orders::service_address::read(model, addresses);
            Vec::new()
        }
        Msg::Orders(read) => {
            book::changed(model);
            model.events.journal_read |= read.is_ok();
            forms::changes(model, |model| orders::read(model, read));
            forms::overtaken(model)
        }
        Msg::Loaded { what, turn, result } => {
            // What was read could be kept, so that the store may answer again, too.
            let recovers = result.is_ok() && model.store_failure.is_some();
            let mut effects = loaded(model, &what, turn, result);
            if recovers {
                effects.extend(ask::page(model));
            }
            effects.extend(forms::loaded(model, &what));
            effects.extend(watching::look(model, &what));
            effects.extend(away::loaded(model, &what));
            effects
        }
        Msg::Answered { turn, answer: Ok(answer) } => {
            model.store_failure = None;
            let mut effects = answered(model, turn, answer);
            effects.extend(forms::select_made(model));
            effects
        }
        Msg::Answered { answer: Err(failure), .. } => {
            model.store_failure = Some(failure);
            model.wallets.give_up();
            model.users.listing.give_up();
            model.recent.listing.give_up();
            model.history.listing.give_up();
            forms::give_up(model);
            Vec::new()
        }
    };
    model.link = link::judge(model);
    panes::orders::arrange(model);
    panes::orders::prompt::hold(model);
    panes::orders::look(model);
    effects.extend(watching::judge(model));
    events::observe(model, &before);
    events::arrange(model);
    book::arrange(model);
    fitting::hold_text(model);
    effects.extend(fitting::fit(model));
    if model.connected {
        effects.extend(poll::start_due(model));
        effects.extend(pictures::start_due(model));
        effects.extend(forms::quoting::start_due(model));
        effects.extend(orders::start_due(model));
    }
    said.hold_back(model);
    lock::gate(model, veil::gate(model, effects))
}

/// The first questions of a console that just started.
pub fn start(model: &mut Model) -> Vec<Effect> {
    lock::begin(model);
    // The accounts alone: which of them is selected decides on everything else.
    let mut effects = vec![ask::accounts(model)];
    effects.extend(fitting::fit(model));
    effects
}

/// The journal's orders, and the first reads from the service; apart from [`start`], so that nothing of it competes with what
/// the first picture waits for.
pub fn connect(model: &mut Model) -> Vec<Effect> {
    model.connected = true;
    let mut effects = vec![Effect::Orders, ask::contradicted(model)];
    effects.extend(poll::start_due(model));
    effects
}

fn loaded(model: &mut Model, what: &Dataset, turn: Turn, mut result: Result<Snapshot, Failure>) -> Vec<Effect> {
    let (now, period) = (model.now, model.period);
    let orders_pause = orders::pause(model);
    let elsewhere = match what {
        Dataset::Balances(scope) => *scope != Scope::All && *scope != model.watched(),
        Dataset::User { user, .. } => users::watched(model) != Some(user),
        _ => false,
    };
    if model.remotes.of(what).turn != turn {
        return Vec::new();
    }
    if let Ok(Snapshot::User(told)) = &result
        && let Some(failure) = users::told(model, told)
    {
        result = Err(failure);
    }
    let remote = model.remotes.of_mut(what);
    // The scope may have changed while its balances were on their way: they are in the store, and the next ones are due.
    if elsewhere {
        remote.pass_over(now, result.as_ref().err().cloned(), period);
        model.remotes.heed(what);
        if !matches!(&result, Err(Failure { reason: Reason::KeyRejected, .. })) {
            return Vec::new();
        }
    }
    match result {
        Ok(snapshot) => {
            let pause = match &snapshot {
                Snapshot::Orders => orders_pause,
                // The first read of the lists goes on until there is no more of them.
                Snapshot::Lists { more: true, .. } => period,
                // What nobody serves now may be served some day, and was perhaps only refused for once.
                Snapshot::Lists { served: false, .. } => remote::LONGEST_PAUSE,
                _ => poll::pause(what, period),
            };
            let remote = model.remotes.of_mut(what);
            match snapshot.unreadable() {
                0 => remote.succeed(now, pause),
                unreadable => remote.succeed_in_part(now, pause, unreadable, period),
            }
            if *what == Dataset::Head {
                model.remotes.recover();
                model.first_read.goes_on(now, &snapshot);
            } else if *what == Dataset::Back {
                model.first_read.goes_on(now, &snapshot);
                model.first_read.asked_again = false;
            }
            taken(model, what, snapshot)
        }
        Err(failure) => {
            // Without the history there is nothing to watch; any other data set that the key may not read is done without.
            let rejected = match failure.reason {
                Reason::KeyRejected => true,
                Reason::Forbidden => matches!(what, Dataset::Head | Dataset::Back),
                _ => false,
            };
            if failure.reason == Reason::Forbidden && !rejected {
                events::forbidden(model, what);
            }
            model.remotes.of_mut(what).fail(now, failure.clone(), period);
            model.remotes.heed(what);
            if rejected {
                if *what != Dataset::Head {
                    // What is under way for it was asked before, and says nothing of the key as it is now.
                    let _dropped = model.remotes.head.turn.advance();
                    model.remotes.head.fail(now, failure, period);
                }
                model.link = Link::KeyRejected;
            }
            // Of several users some may have been read.
            if matches!(what, Dataset::Balances(_)) && !rejected {
                model.pictures.changed();
                ask::balances(model)
            } else {
                Vec::new()
            }
        }
    }
}

/// The service's answer is in the store: ask again for what is on screen and may have changed.
fn taken(model: &mut Model, what: &Dataset, snapshot: Snapshot) -> Vec<Effect> {
    match snapshot {
        Snapshot::History { added, changed, progress } => {
            let moved = added > 0 || changed > 0 || progress.complete != model.progress.complete;
            if moved {
                model.pictures.changed();
                away::moved(model);
            }
            model.progress = *progress;
            // What moved the history moved balances too; and users that were not known before have some to be read.
            if moved && (*what == Dataset::Head || model.nobody_read) {
                model.remotes.visible.want_if_well();
            }
            if moved || !model.recent.listing.is_loaded() {
                let mut effects = ask::page(model);
                effects.extend(ask::chosen_rows(model));
                return effects;
            }
            let mut effects: Vec<Effect> = ask::overtaken(model).into_iter().collect();
            // A look at the head that found nothing new makes sums of the history as fresh as itself.
            let derived = model.balances.all.iter().any(|holding| holding.basis == Basis::Derived);
            if derived && model.page == Page::Overview {
                effects.push(ask::holdings(model));
            }
            effects
        }
        Snapshot::Lists { served, .. } => {
            model.remotes.visible.want_if_well();
            model.remotes.everybody.want_if_well();
            if !served {
                return Vec::new();
            }
            let mut effects = ask::page(model);
            effects.push(ask::contradicted(model));
            effects
        }
        Snapshot::Balances { users: 0 } => {
            model.nobody_read |= *what != Dataset::Balances(Scope::All);
            Vec::new()
        }
        Snapshot::Balances { .. } => {
            model.pictures.changed();
            model.nobody_read &= *what == Dataset::Balances(Scope::All);
            let mut effects = ask::balances(model);
            // Whoever is read among everybody may have got a name.
            if *what == Dataset::Balances(Scope::All) && model.page == Page::Users {
                effects.push(ask::users(model));
            }
            effects
        }
        Snapshot::Stats(stats) => {
            model.stats = Some(stats);
            Vec::new()
        }
        Snapshot::User(_) => vec![ask::users(model)],
        Snapshot::Orders | Snapshot::Watched => Vec::new(),
        Snapshot::Pairs { pairs, .. } => {
            model.prices.pairs = pairs;
            panes::markets::show_chains(model);
            Vec::new()
        }
        Snapshot::Quotes(told) => {
            prices::told(model, told);
            panes::balances::order::arrange(model);
            Vec::new()
        }
        Snapshot::Markets { .. } => {
            let mut effects = vec![ask::markets(model)];
            // Which tokens imitate others follows from what is listed, wherever they stand.
            if model.page != Page::Markets {
                effects.extend(ask::page(model));
            }
            effects
        }
    }
}

/// A list that is held whole.
pub(super) fn whole<T>(rows: Vec<T>) -> Window<T> {
    let count = Count::Exact(u64::try_from(rows.len()).unwrap_or(u64::MAX));
    Window { first: 0, rows, count }
}
