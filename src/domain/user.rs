//! Users, who in version 1 were called sub-wallets.

use super::{Text, Timestamp, UserId};

/// A user, as far as it is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct User {
    /// Its identifier; a sub-wallet kept its own when it became a user.
    pub id: UserId,
    /// The name that is shown; absent when only the identifier is known.
    pub display_name: Option<Text>,
    /// The business's own reference.
    pub ref_id: Option<Text>,
    /// The user's address for mail.
    pub email: Option<Text>,
    /// Whether the user may act.
    pub is_active: Option<bool>,
    /// When it was made.
    pub created_at: Option<Timestamp>,
}

/// Counts of what a user, or the whole workspace, has done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct UserStats {
    /// Deposits ever.
    pub deposits: Option<u64>,
    /// Deposits of the last 30 days.
    pub deposits_in_30_days: Option<u64>,
    /// Successful transactions ever.
    pub transactions: Option<u64>,
    /// Successful transactions of the last 30 days.
    pub transactions_in_30_days: Option<u64>,
    /// Withdrawals ever.
    pub withdraws: Option<u64>,
    /// Withdrawals of the last 30 days.
    pub withdraws_in_30_days: Option<u64>,
}
