//! A business's own payment policy: limits of payments, and who may be paid at all.

use std::fmt;
use std::time::Duration;

use super::approval::{ApprovalRule, DeskRole};
use super::{Amount, SlippageTolerance, Text, chain};

/// The policy of a profile. An absent setting forbids nothing.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Policy {
    /// In the order of the configuration.
    pub limits: Vec<Limit>,
    /// Whether only entries of the address book may be paid.
    pub allow_list_only: bool,
    /// The cooling-off period of a new address-book entry.
    pub cooling: Option<Duration>,
    /// How much less than reviewed a swap may give, in hundredths of a percent.
    pub slippage: Option<u16>,
    /// The most recipients of a batch; [`Batch::DEFAULT_MAX_RECIPIENTS`](super::Batch::DEFAULT_MAX_RECIPIENTS) where
    /// absent.
    pub batch_recipients: Option<u16>,
    /// Which payments other people must approve.
    pub approval: Vec<ApprovalRule>,
    /// What this console may do with such payments.
    pub role: DeskRole,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limit {
    /// The symbol; `*` for every token without a limit of its own.
    pub token: Text,
    /// All chains together where absent.
    pub chain: Option<Text>,
    pub per_payment: Option<Amount>,
    /// The most that may be paid within 24 hours.
    pub per_day: Option<Amount>,
    /// The most that one payment may be, in percent of the wallet's balance.
    pub percent_of_balance: Option<u8>,
    /// The most that an entry of the address book may receive in all during its cooling-off period.
    pub while_cooling: Option<Amount>,
    pub over_limit: OverLimit,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum OverLimit {
    #[default]
    Stop,
    /// The payment is sent only after the operator typed the override phrase.
    Danger,
}

impl OverLimit {
    pub const ALL: [(&'static str, Self); 2] = [("stop", Self::Stop), ("danger", Self::Danger)];

    pub fn config_name(self) -> &'static str {
        match self {
            Self::Stop => "stop",
            Self::Danger => "danger",
        }
    }
}

impl Limit {
    pub const ANY_TOKEN: &str = "*";

    /// Whether the limit is for every token without a limit of its own.
    pub fn is_for_any_token(&self) -> bool {
        *self.token == *Self::ANY_TOKEN
    }

    /// Whether the limit counts payments of a token on a chain.
    pub fn applies_to(&self, symbol: &str, blockchain: &str) -> bool {
        let of_token = self.is_for_any_token() || self.token.eq_ignore_ascii_case(symbol);
        of_token && self.chain.as_ref().is_none_or(|chain| chain::is_same_chain(chain, blockchain))
    }

    pub fn title(&self) -> String {
        let token = if self.is_for_any_token() { "every other token" } else { self.token.as_str() };
        match &self.chain {
            Some(chain) => format!("{token} on {}", chain::chain_display_name(chain)),
            None => token.to_owned(),
        }
    }
}

impl fmt::Display for Limit {
    /// For people: `USDC on Base: 10,000 per payment, 50,000 in 24 hours; beyond: stop`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bounds = [
            self.per_payment.map(|most| format!("{} per payment", most.format_grouped())),
            self.per_day.map(|most| format!("{} in 24 hours", most.format_grouped())),
            self.percent_of_balance.map(|percent| format!("{percent}% of the balance")),
            self.while_cooling.map(|most| format!("{} to an entry in its cooling-off period", most.format_grouped())),
        ];
        let bounds: Vec<String> = bounds.into_iter().flatten().collect();
        write!(f, "{}: {}; beyond: {}", self.title(), bounds.join(", "), self.over_limit.config_name())
    }
}

impl Policy {
    pub fn slippage_tolerance(&self) -> SlippageTolerance {
        self.slippage.map_or(SlippageTolerance::DEFAULT, SlippageTolerance::new)
    }

    /// The limits of a payment: those of its token, else those of every token.
    pub fn limits_for(&self, symbol: &str, blockchain: &str) -> Vec<&Limit> {
        let holding = || self.limits.iter().filter(|limit| limit.applies_to(symbol, blockchain));
        let own: Vec<&Limit> = holding().filter(|limit| !limit.is_for_any_token()).collect();
        if own.is_empty() { holding().collect() } else { own }
    }

    /// The limits that may apply to a payment whose chain is not known.
    pub fn limits_for_unknown_chain(&self, symbol: &str) -> Vec<&Limit> {
        let is_own = |limit: &&Limit| !limit.is_for_any_token() && limit.token.eq_ignore_ascii_case(symbol);
        // A token's limit on one chain leaves the limits of every token in force on its other chains.
        let has_own = self.limits.iter().filter(is_own).any(|limit| limit.chain.is_none());
        self.limits.iter().filter(|limit| is_own(limit) || (limit.is_for_any_token() && !has_own)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limit(token: &str, chain: Option<&str>) -> Limit {
        Limit {
            token: token.into(),
            chain: chain.map(Into::into),
            per_payment: Amount::parse("10000", 0).ok(),
            per_day: None,
            percent_of_balance: Some(50),
            while_cooling: None,
            over_limit: OverLimit::Stop,
        }
    }

    #[test]
    fn a_token_s_own_limits_come_before_those_of_every_token() {
        let limits = vec![limit("USDC", None), limit("usdc", Some("ethereum-mainnet")), limit("*", None)];
        let policy = Policy { limits, ..Policy::default() };
        let titles = |symbol: &str, chain: &str| -> Vec<String> {
            policy.limits_for(symbol, chain).into_iter().map(Limit::title).collect()
        };
        assert_eq!(titles("usdc", "Ethereum"), ["USDC", "usdc on Ethereum"]);
        assert_eq!(titles("USDC", "base"), ["USDC"]);
        assert_eq!(titles("ETH", "base"), ["every other token"]);
        let anywhere = |policy: &Policy, symbol: &str| -> Vec<String> {
            policy.limits_for_unknown_chain(symbol).into_iter().map(Limit::title).collect()
        };
        assert_eq!(anywhere(&policy, "usdc"), ["USDC", "usdc on Ethereum"]);
        let limits = vec![limit("USDC", Some("base")), limit("*", Some("ethereum")), limit("ETH", None)];
        let policy = Policy { limits, ..Policy::default() };
        assert_eq!(anywhere(&policy, "USDC"), ["USDC on Base", "every other token on Ethereum"]);
        assert_eq!(
            limit("USDC", Some("base")).to_string(),
            "USDC on Base: 10,000 per payment, 50% of the balance; beyond: stop"
        );
    }
}
