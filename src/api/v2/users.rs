//! Users, their balances and their statistics.

use crate::api::Reader;
use crate::api::envelope::Answer;
use crate::api::fields::Fields;
use crate::domain::history::Page;
use crate::domain::{Balance, Failure, Reason, User, UserId, UserStats};

impl Reader {
    /// One user.
    pub async fn user(&self, id: &UserId) -> Result<User, Failure> {
        let body = self.get("/v2/users", &[("userId", id.as_str())]).await?;
        let found = Answer::open(&body)?.page_or_object(user)?.items;
        // Some may list all their users here, whatever is asked for.
        let other = || Failure::of_read(Reason::NotUnderstood, "the answer tells of another user");
        found.into_iter().find(|found| found.id == *id).ok_or_else(other)
    }

    /// A page of the optional list of users, counted from 1.
    pub async fn users(&self, page_no: u64, limit: u64) -> Result<Page<User>, Failure> {
        let body = self.get_page(&self.wire.list_users, &[], page_no, limit).await?;
        Answer::open(&body)?.page(user)
    }

    /// What a user holds, token by token. An entry without a readable amount is counted as unreadable: it must not
    /// vanish from a sum without a word.
    pub async fn user_balances(&self, id: &UserId) -> Result<Page<Balance>, Failure> {
        let body = self.get("/v2/users/balances", &[("userId", id.as_str())]).await?;
        balances(&body, id)
    }

    /// Counts of what a user has done; of what the whole workspace has done without one.
    pub async fn user_stats(&self, id: Option<&UserId>) -> Result<UserStats, Failure> {
        let query = id.map(|id| (self.wire.stats_user_id.as_str(), id.as_str()));
        let body = self.get("/v2/users/stats", query.as_slice()).await?;
        Ok(stats(&Answer::open(&body)?.object()?))
    }
}

/// Reads one; none without an identifier.
pub(in crate::api) fn user(fields: &Fields<'_>) -> Option<User> {
    Some(User {
        id: fields.id("id", UserId::read)?,
        display_name: fields.text("displayName"),
        ref_id: fields.text("refId"),
        email: fields.text("email"),
        is_active: fields.flag("isActive"),
        created_at: fields.time("createdAt"),
    })
}

/// Reads the answer to a question for balances, which may be a list or one object.
pub(in crate::api) fn balances(body: &str, user: &UserId) -> Result<Page<Balance>, Failure> {
    Answer::open(body)?.page_or_object(|fields| balance(fields, user))
}

fn balance(fields: &Fields<'_>, user: &UserId) -> Option<Balance> {
    let token = fields.object("token")?;
    let symbol = token.text("symbol").unwrap_or_default();
    Some(Balance {
        user: user.clone(),
        token: token.token_key(&symbol),
        name: token.text("name"),
        amount: fields.amount("amount", token.decimals("decimals"))?,
        environment: fields.text("environment"),
        updated_at: fields.time("updatedAt"),
        symbol,
    })
}

fn stats(fields: &Fields<'_>) -> UserStats {
    UserStats {
        deposits: fields.integer("depositsCount"),
        deposits_in_30_days: fields.integer("depositsCountIn30Days"),
        transactions: fields.integer("transactionVolumeCount"),
        transactions_in_30_days: fields.integer("transactionVolumeCountIn30Days"),
        withdraws: fields.integer("withdrawsCount"),
        withdraws_in_30_days: fields.integer("withdrawsCountIn30Days"),
    }
}
