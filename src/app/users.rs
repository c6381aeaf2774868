//! Users: which are listed.

use super::listing::Listing;
use super::msg::Turn;
use crate::domain::User;
use crate::domain::history::Known;

/// The Users page.
#[derive(Debug, Clone, Default)]
pub struct Users {
    /// Users that are known, by name.
    pub listing: Listing<Known<User>>,
    /// The filter on them, as typed.
    pub filter: String,
    /// The turn of the newest question.
    pub turn: Turn,
}
