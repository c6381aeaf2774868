//! Users, which were called sub-wallets in version 1.

use super::{Text, Timestamp, UserId};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct User {
    /// A sub-wallet kept its identifier when it became a user.
    pub id: UserId,
    /// Absent when only the identifier is known.
    pub display_name: Option<Text>,
    /// The business's own reference.
    pub ref_id: Option<Text>,
    pub email: Option<Text>,
    pub is_active: Option<bool>,
    pub created_at: Option<Timestamp>,
}

impl User {
    /// The name by which it is shown.
    pub fn shown_name(&self) -> Option<&Text> {
        self.display_name.as_ref().or(self.email.as_ref())
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct UserStats {
    pub deposits: Option<u64>,
    pub deposits_in_30_days: Option<u64>,
    /// Successful transactions ever.
    pub transactions: Option<u64>,
    /// Successful transactions of the last 30 days.
    pub transactions_in_30_days: Option<u64>,
    pub withdraws: Option<u64>,
    pub withdraws_in_30_days: Option<u64>,
}
