//! An operation of the service: the permission that it needs, and what leaves by it.

use axum::routing::MethodRouter;

use crate::service::keys::Permission;

#[derive(Debug, Clone, Copy)]
pub(super) struct Operation {
    pub(super) method: &'static str,
    pub(super) path: &'static str,
    pub(super) permission: Permission,
    /// Whether `x-wallet-secret` is required.
    pub(super) needs_wallet_secret: bool,
    /// The handler of its route; `None` where lists outside the specification are to be enabled first.
    pub(super) route: Option<fn() -> MethodRouter>,
    /// Its handler where these lists are enabled.
    pub(super) route_with_lists: fn() -> MethodRouter,
    /// For an operation by which money leaves a wallet: what rules of approval look at.
    pub(super) payment: Option<PaymentFieldNames>,
}

/// The names of a request's fields that say what leaves.
#[derive(Debug, Clone, Copy)]
pub(super) struct PaymentFieldNames {
    pub(super) token: &'static str,
    pub(super) chain: Option<&'static str>,
    pub(super) amount: &'static str,
    /// The list whose entries have the amounts; the request itself has one where absent.
    pub(super) recipients: Option<&'static str>,
}

impl PaymentFieldNames {
    pub(super) const WITHDRAWAL: Self =
        Self { token: "token", chain: Some("blockchain"), amount: "amount", recipients: None };
    pub(super) const BATCH: Self = Self { recipients: Some("to"), ..Self::WITHDRAWAL };
    pub(super) const V1_WITHDRAWAL: Self =
        Self { token: "coin", chain: Some("chain"), amount: "amount", recipients: None };
    pub(super) const SWAP: Self = Self { chain: Some("blockchain"), ..Self::INSTANT_SWAP };
    pub(super) const INSTANT_SWAP: Self =
        Self { token: "fromCoin", chain: None, amount: "fromAmount", recipients: None };
}
