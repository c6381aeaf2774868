//! Queries that sum over many rows or days, and their results.

use std::sync::Arc;

use crate::app::data::look_alikes::AddressComparison;
use crate::app::pages::overview::balances::grouping::{BalanceGrouping, ScopeHoldings};
use crate::domain::address_names::AddressNames;
use crate::domain::filter::Filter;
use crate::domain::history::Scope;
use crate::domain::{
    AccountId, AddressBook, BalanceHistory, ConfirmationThresholds, Day, Holding, RowSum, Text, TokenKey,
};
use crate::guard::LookAlikeMatch;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ChartQuery {
    AccountHoldings(Vec<AccountId>),
    /// Which addresses of rows resemble known ones.
    LookAlikes(Box<AddressComparison>),
    /// The names of this address book and of the directory.
    Names(Box<AddressBook>),
    /// How many confirmations settle a transaction.
    Confirmations,
    /// The holdings of each account or wallet of a scope.
    HoldingsByPart {
        scope: Scope,
        grouping: BalanceGrouping,
    },
    /// The sums of the rows that match a filter.
    RowSums {
        scope: Scope,
        filter: Filter,
    },
    Week {
        scope: Scope,
        since: Day,
    },
    Token {
        scope: Scope,
        token: TokenKey,
        since: Day,
    },
}

impl ChartQuery {
    /// Whether both sum the rows of the same words, which mean other rows as the time moves on.
    pub(super) fn has_same_filter_text(&self, other: &Self) -> bool {
        matches!((self, other), (Self::RowSums { scope, filter }, Self::RowSums { scope: other_scope, filter: other_filter })
            if scope == other_scope && filter.text == other_filter.text)
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ChartResult {
    AccountHoldings(Vec<(AccountId, Vec<Holding>)>),
    LookAlikes(Vec<(Text, Option<LookAlikeMatch>)>),
    Names(Arc<AddressNames>),
    Confirmations(ConfirmationThresholds),
    HoldingsByPart(Vec<ScopeHoldings>),
    RowSums(Vec<RowSum>),
    Week(BalanceHistory),
    /// The balance history of one token, and the present holding.
    Token(BalanceHistory, Option<Holding>),
}
