//! Where a message goes. Routing only: what each part does with it stands in the part.

mod answered;
mod loaded;

use answered::answered;
use loaded::loaded;

use super::ask;
use super::away;
use super::book;
use super::events;
use super::exporting;
use super::filtering;
use super::fitting;
use super::forms;
use super::keys;
use super::link;
use super::lock;
use super::model::{Mode, Model};
use super::msg::{Effect, Msg};
use super::orders;
use super::panes::{self, detail};
use super::pictures;
use super::poll;
use super::sandbox;
use super::screen;
use super::veil;
use super::watching;
use crate::domain::history::{Count, Window};

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

/// A list that is held whole.
pub(super) fn whole<T>(rows: Vec<T>) -> Window<T> {
    let count = Count::Exact(u64::try_from(rows.len()).unwrap_or(u64::MAX));
    Window { first: 0, rows, count }
}
