//! “Look up…”: one deposit, withdrawal or transfer of version 1, by its identifier or transaction hash.

mod run;

use crate::domain::v1::{Movement, Transfer};
use crate::domain::{Failure, Text, UserId};
pub(in crate::app) use run::{apply_result, open_prompt, prompt_lines, refusal, start_search};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MovementSearch {
    pub id_or_hash: Text,
    /// The user whose withdrawals are searched: version 1 lists them for one user only.
    pub user: Option<UserId>,
}

/// What each list answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MovementSearchResult {
    pub search: MovementSearch,
    pub deposit_by_id: Result<Option<Movement>, Failure>,
    pub deposit_by_hash: Result<Option<Movement>, Failure>,
    pub transfer_by_id: Result<Option<Transfer>, Failure>,
    /// `None` without a user.
    pub withdrawal: Option<Result<WithdrawalSearchResult, Failure>>,
}

/// How far a user's withdrawals were read, and the one that was searched for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WithdrawalSearchResult {
    pub rows_read: u64,
    pub has_more: bool,
    pub withdrawal: Option<Movement>,
}
