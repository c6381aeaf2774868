//! What the service's answer changes, once it is in the store.

use crate::app::ask;
use crate::app::away;
use crate::app::events;
use crate::app::link::Link;
use crate::app::model::{Model, Page};
use crate::app::msg::{Dataset, Effect, Snapshot, Turn};
use crate::app::orders;
use crate::app::panes;
use crate::app::poll;
use crate::app::prices;
use crate::app::remote;
use crate::app::users;
use crate::domain::history::Scope;
use crate::domain::{Basis, Failure, Reason};

/// The service answered, or did not.
pub(super) fn loaded(
    model: &mut Model,
    what: &Dataset,
    turn: Turn,
    mut result: Result<Snapshot, Failure>,
) -> Vec<Effect> {
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
                model.pictures.look_alikes.changed();
                if progress.complete && !model.progress.complete {
                    model.pictures.look_alikes.renew();
                }
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
            model.pictures.look_alikes.changed();
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
