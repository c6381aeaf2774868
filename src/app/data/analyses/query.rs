//! Queries that sum over many rows or days, and their results.

use std::sync::Arc;

use crate::app::data::look_alikes::LookAlikeQuery;
use crate::app::overlays::reports::ReportQuery;
use crate::app::pages::overview::balances::grouping::{BalanceGrouping, ScopeHoldings};
use crate::domain::address_names::AddressNames;
use crate::domain::attention::HistoryFindings;
use crate::domain::filter::Filter;
use crate::domain::history::{PriceList, Scope};
use crate::domain::report::ReportTable;
use crate::domain::watch::WatchTrialRequest;
use crate::domain::watch::trial::TrialResult;
use crate::domain::{
    AccountId, AddressBook, BalanceHistory, ConfirmationThresholds, Day, Holding, PriceHistory, RowSum, Text, TokenKey,
};
use crate::guard::LookAlikeMatch;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AnalysisQuery {
    AccountHoldings(Vec<AccountId>),
    /// Which addresses of rows resemble known ones.
    LookAlikes(Box<LookAlikeQuery>),
    /// The names of this address book and of the directory.
    Names(Box<AddressBook>),
    /// What the newest rows show that may need a person.
    Findings(Box<LookAlikeQuery>),
    /// How often a watch would have been raised.
    WatchTrial(Box<WatchTrialRequest>),
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
    Report(ReportQuery),
    /// How many rows that match the words of a filter it leaves out.
    FoldedRows {
        scope: Scope,
        filter: Filter,
    },
    Week {
        scope: Scope,
        since: Day,
    },
    Token(TokenQuery),
    /// The prices of the days before this one, in a valuation.
    Prices {
        valuation: Text,
        today: Day,
    },
}

impl AnalysisQuery {
    /// Whether both differ only in what moves with the time: the rows that the words of a filter mean, or the latest
    /// prices.
    pub(super) fn is_repeat_of(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::RowSums { scope, filter }, Self::RowSums { scope: other_scope, filter: other_filter }) => {
                scope == other_scope && filter.text == other_filter.text
            }
            (Self::Report(one), Self::Report(other)) => one.equals_except_prices(other),
            (Self::Token(one), Self::Token(other)) => one.is_same_token(other),
            _ => false,
        }
    }
}

/// A token whose days are charted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TokenQuery {
    pub scope: Scope,
    pub token: TokenKey,
    pub since: Day,
    /// The symbol of the token in which it is valued; empty for no values.
    pub valuation: Text,
    /// The latest prices.
    pub prices: PriceList,
}

impl TokenQuery {
    /// Whether it is of the same days of the same token, at whatever latest prices.
    pub fn is_same_token(&self, other: &Self) -> bool {
        let Self { scope, token, since, valuation, prices: _ } = self;
        (scope, token, since, valuation) == (&other.scope, &other.token, &other.since, &other.valuation)
    }
}

/// The days of one token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TokenHistory {
    pub history: BalanceHistory,
    /// What is held now.
    pub holding: Option<Holding>,
    /// The prices by which its days are valued; none for a token that imitates another, or is held nowhere.
    pub prices: PriceHistory,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AnalysisResult {
    AccountHoldings(Vec<(AccountId, Vec<Holding>)>),
    LookAlikes(Vec<(Text, Option<LookAlikeMatch>)>),
    Names(Arc<AddressNames>),
    Findings(Box<HistoryFindings>),
    WatchTrial(Result<TrialResult, String>),
    Confirmations(ConfirmationThresholds),
    HoldingsByPart(Vec<ScopeHoldings>),
    RowSums(Vec<RowSum>),
    Report(Box<ReportTable>),
    FoldedRows(u64),
    Week(BalanceHistory),
    Token(Box<TokenHistory>),
    Prices(Box<PriceHistory>),
}
