//! Pages of a user's version 1 lists that no poll reads: those after the first, and all of the withdrawals.

mod run;

use crate::app::request_id::RequestId;
use crate::app::session::veil::Veil;
use crate::domain::v1::{Movement, Transfer};
use crate::domain::{Failure, PagedList, UserId};
pub(in crate::app) use run::{apply_page, are_withdrawals_due, request_newest_withdrawals, request_next_page};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MovementList {
    Deposits,
    Withdrawals,
    Transfers,
}

impl MovementList {
    pub fn noun(self) -> &'static str {
        match self {
            Self::Deposits => "deposits",
            Self::Withdrawals => "withdrawals",
            Self::Transfers => "transfers",
        }
    }
}

/// A page of one of the lists.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MovementPage {
    Deposits(PagedList<Movement>),
    Withdrawals(PagedList<Movement>),
    Transfers(PagedList<Transfer>),
}

/// The request for a page of one of the lists; at most one is under way.
#[derive(Debug, Clone, Default)]
pub struct PageRequest {
    request_id: RequestId,
    /// The list of which a page is being read.
    reading: Option<(UserId, MovementList)>,
    /// Why the last page requested could not be read.
    failure: Option<(UserId, MovementList, Failure)>,
    /// Whether the withdrawals on screen are to be read again.
    is_refresh_requested: bool,
}

impl PageRequest {
    pub fn is_reading(&self, user: &UserId, list: MovementList) -> bool {
        self.reading.as_ref().is_some_and(|(owner, which)| owner == user && *which == list)
    }

    pub fn failure(&self, user: &UserId, list: MovementList) -> Option<&Failure> {
        let (_, _, failure) = self.failure.as_ref().filter(|(owner, which, _)| owner == user && *which == list)?;
        Some(failure)
    }

    pub(in crate::app) fn request_withdrawal_refresh(&mut self) {
        self.is_refresh_requested = true;
    }

    pub(super) fn to_masked(&self, veil: &Veil) -> Self {
        Self {
            reading: self.reading.as_ref().map(|(user, list)| (veil.mask_user_id(user), *list)),
            failure: self
                .failure
                .as_ref()
                .map(|(user, list, failure)| (veil.mask_user_id(user), *list, Veil::mask_failure(failure))),
            ..Self::default()
        }
    }

    /// Begins a request, whose id is returned.
    fn start(&mut self, user: UserId, list: MovementList) -> RequestId {
        self.reading = Some((user, list));
        self.failure = None;
        self.request_id.advance()
    }
}
