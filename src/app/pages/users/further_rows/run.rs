//! A page is requested where a list ends; the newest withdrawals once their pane is on screen.

use super::{MovementList, MovementPage, PageRequest};
use crate::app::listing::{Keyed, Listing};
use crate::app::model::{Model, Page};
use crate::app::msg::Effect;
use crate::app::pages::users::{CachedPart, CachedUserReport, is_selection_moving};
use crate::app::request_id::RequestId;
use crate::domain::{Failure, PagedList, UserId};

fn start_page_request(request: &mut PageRequest, user: UserId, list: MovementList, page_no: u64) -> Effect {
    let request_id = request.start(user.clone(), list);
    Effect::LoadMovements { list, user, page_no, request_id }
}

/// After a motion in a list: requests the page after those read, if the end of the list is in view and the service has
/// more.
pub(in crate::app) fn request_next_page(model: &mut Model, list: MovementList) -> Option<Effect> {
    let users = &mut model.pages.users;
    let user = users.shown_user.clone()?;
    let report = users.cached_report()?;
    let next =
        |extent_read: Option<(bool, usize)>| extent_read.filter(|(has_more, _)| *has_more).map(|(_, pages)| pages + 1);
    let (next, at_end) = match list {
        MovementList::Deposits => (next(has_more_and_page_count(&report.deposits)), shows_end(&users.deposits)),
        MovementList::Withdrawals => {
            (next(has_more_and_page_count(&report.withdrawals)), shows_end(&users.withdrawals))
        }
        MovementList::Transfers => (next(has_more_and_page_count(&report.transfers)), shows_end(&users.transfers)),
    };
    let page_no = u64::try_from(next?).ok()?;
    (at_end && users.page_request.reading.is_none())
        .then(|| start_page_request(&mut users.page_request, user, list, page_no))
}

/// Whether the service has more rows, and how many pages were read.
fn has_more_and_page_count<T>(part: &CachedPart<PagedList<T>>) -> Option<(bool, usize)> {
    part.value.as_ref().map(|(list, _)| (list.has_more, list.pages.len()))
}

fn shows_end<T: Keyed>(listing: &Listing<T>) -> bool {
    listing.visible_rows().last().map(|(row, _)| row.key()) == listing.rows().last().map(Keyed::key)
}

/// Whether the selected user's newest withdrawals were not read yet, or are to be read again.
pub(in crate::app) fn are_withdrawals_due(model: &Model) -> bool {
    let users = &model.pages.users;
    if model.page != Page::Users || !model.console.preferences.v1 || users.page_request.reading.is_some() {
        return false;
    }
    let Some(CachedUserReport { deposits, withdrawals: part, .. }) = users.cached_report() else { return false };
    let is_read = part.value.is_some() || part.failure.is_some();
    // A service that lists no deposits for this user is not asked for withdrawals either.
    deposits.value.is_some() && (!is_read || users.page_request.is_refresh_requested) && !is_selection_moving(model)
}

/// Requests the selected user's newest withdrawals.
pub(in crate::app) fn request_newest_withdrawals(model: &mut Model) -> Option<Effect> {
    let users = &mut model.pages.users;
    users.page_request.is_refresh_requested = false;
    Some(start_page_request(&mut users.page_request, users.shown_user.clone()?, MovementList::Withdrawals, 1))
}

pub(in crate::app) fn apply_page(
    model: &mut Model,
    request_id: RequestId,
    page_no: u64,
    result: Result<MovementPage, Failure>,
) {
    let (now, users) = (model.now, &mut model.pages.users);
    if users.page_request.request_id != request_id {
        return;
    }
    let Some((user, list)) = users.page_request.reading.take() else { return };
    if let Err(failure) = &result {
        users.page_request.failure = Some((user.clone(), list, failure.clone()));
        if page_no > 1 && users.shown_user.as_ref() == Some(&user) {
            model.notice = Some(format!("further {} not read: {failure}; ↓ asks again", list.noun()));
        }
    }
    let Some((_, report)) = users.cached_reports.iter_mut().find(|(cached_user, _)| *cached_user == user) else {
        return;
    };
    match result {
        Ok(MovementPage::Withdrawals(newest)) if page_no == 1 => {
            report.withdrawals.merge_newest_rows(Ok(newest), now);
        }
        Ok(page) => append_page(report, page),
        Err(failure) if page_no == 1 => report.withdrawals.merge_newest_rows(Err(failure), now),
        Err(_) => {}
    }
    users.show_cached_report(&model.data.listed_tokens);
    model.data.analyses.look_alikes.note_new_rows();
}

fn append_page(report: &mut CachedUserReport, page: MovementPage) {
    fn append<T: Keyed<Key: PartialEq>>(part: &mut CachedPart<PagedList<T>>, next: PagedList<T>) {
        if let Some((list, _)) = &mut part.value {
            list.append_page(next, Keyed::key);
        }
    }
    match page {
        MovementPage::Deposits(next) => append(&mut report.deposits, next),
        MovementPage::Withdrawals(next) => append(&mut report.withdrawals, next),
        MovementPage::Transfers(next) => append(&mut report.transfers, next),
    }
}
