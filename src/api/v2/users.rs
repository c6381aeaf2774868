//! Users, their balances and their statistics.

use serde_json::value::RawValue;

use crate::api::Reader;
use crate::api::envelope::Payload;
use crate::api::fields::Fields;
use crate::api::paging::RowReader;
use crate::domain::history::Page;
use crate::domain::{Failure, FailureReason, PagedList, ReportedBalance, User, UserId, UserStats};

/// A list of a user's balances with more pages than this is an error.
pub(in crate::api) const MAX_BALANCE_PAGES: u64 = 50;

impl Reader {
    pub async fn fetch_user(&self, id: &UserId) -> Result<User, Failure> {
        let body = self.get("/v2/users", &[("userId", id.as_str())]).await?;
        let users = Payload::parse(&body)?.page_or_object(parse_user)?.items;
        // Some services may list all their users here, whatever the query.
        let other = || Failure::from_read(FailureReason::NotUnderstood, "the answer is about another user");
        users.into_iter().find(|user| user.id == *id).ok_or_else(other)
    }

    /// A page of the optional list of users, counted from 1.
    pub async fn fetch_users(&self, page_no: u64, limit: u64) -> Result<Page<User>, Failure> {
        let body = self.get_page(&self.wire_names.list_users, &[], page_no, limit).await?;
        Payload::parse(&body)?.page(parse_user)
    }

    /// A user's balances by token, from all pages. An entry without a readable amount is counted as unreadable: it must
    /// not vanish from a sum silently.
    ///
    /// # Errors
    /// Also where the service reports more entries than it sends: a list that lacks tokens would pass for the whole.
    pub async fn fetch_user_balances(&self, id: &UserId) -> Result<PagedList<ReportedBalance>, Failure> {
        let read = |entry: &RawValue| parse_balance(&Fields::from_raw(entry)?, id);
        let key = |balance: &ReportedBalance| (balance.token.clone(), balance.environment.clone());
        let rows = RowReader { parse_row: read, row_key: key, pages: 1..=MAX_BALANCE_PAGES };
        let balances = self.read_unpaged_list("/v2/users/balances", &[("userId", id.as_str())], rows).await?;
        match balances.incompleteness_reason() {
            None => Ok(balances),
            Some(reason) => {
                let message = format!("the balances of user {id} are incomplete: {reason}");
                Err(Failure::from_read(FailureReason::NotUnderstood, &message))
            }
        }
    }

    /// Counts of a user's activity; of the whole workspace's without an `id`.
    pub async fn fetch_user_stats(&self, id: Option<&UserId>) -> Result<UserStats, Failure> {
        let query = id.map(|id| (self.wire_names.stats_user_id.as_str(), id.as_str()));
        let body = self.get("/v2/users/stats", query.as_slice()).await?;
        Ok(parse_stats(&Payload::parse(&body)?.object()?))
    }
}

/// `None` without an identifier.
pub(in crate::api) fn parse_user(fields: &Fields<'_>) -> Option<User> {
    Some(User {
        id: fields.id("id", UserId::from_text)?,
        display_name: fields.text("displayName"),
        ref_id: fields.text("refId"),
        email: fields.text("email"),
        is_active: fields.flag("isActive"),
        created_at: fields.time("createdAt"),
    })
}

/// `None` without a readable amount.
pub(in crate::api) fn parse_balance(fields: &Fields<'_>, user: &UserId) -> Option<ReportedBalance> {
    let token = fields.object("token")?;
    let symbol = token.text("symbol").unwrap_or_default();
    Some(ReportedBalance {
        user: user.clone(),
        token: token.token_key(&symbol),
        name: token.text("name"),
        amount: fields.amount("amount", token.decimals("decimals"))?,
        environment: fields.text("environment"),
        updated_at: fields.time("updatedAt"),
        symbol,
    })
}

fn parse_stats(fields: &Fields<'_>) -> UserStats {
    UserStats {
        deposits: fields.integer("depositsCount"),
        deposits_in_30_days: fields.integer("depositsCountIn30Days"),
        transactions: fields.integer("transactionVolumeCount"),
        transactions_in_30_days: fields.integer("transactionVolumeCountIn30Days"),
        withdraws: fields.integer("withdrawsCount"),
        withdraws_in_30_days: fields.integer("withdrawsCountIn30Days"),
    }
}
