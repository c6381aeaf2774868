//! The operations of the service and the permission that each needs.

use axum::http::Method;

use crate::service::keys::Permission;

#[derive(Debug, Clone, Copy)]
pub(super) struct Operation {
    pub(super) method: &'static str,
    pub(super) path: &'static str,
    pub(super) permission: Permission,
    /// Whether `x-wallet-secret` is required.
    pub(super) secret: bool,
}

const fn read(path: &'static str) -> Operation {
    Operation { method: "GET", path, permission: Permission::Read, secret: false }
}

/// A change in v1, or of a user: without the wallet secret.
const fn change(method: &'static str, path: &'static str, permission: Permission) -> Operation {
    Operation { method, path, permission, secret: false }
}

/// A change in v2 that needs the wallet secret.
const fn guarded(method: &'static str, path: &'static str, permission: Permission) -> Operation {
    Operation { secret: true, ..change(method, path, permission) }
}

/// In the order of the specification's tables. Lists outside the specification are served only if enabled.
pub(super) const ALL: &[Operation] = &[
    change("POST", "/v2/users", Permission::Wallet),
    read("/v2/users"),
    change("PATCH", "/v2/users", Permission::Wallet),
    guarded("POST", "/v2/accounts", Permission::Wallet),
    read("/v2/accounts"),
    guarded("POST", "/v2/wallets", Permission::Wallet),
    guarded("PATCH", "/v2/wallets", Permission::Wallet),
    read("/v2/wallets"),
    read("/v2/users/stats"),
    read("/v2/users/balances"),
    guarded("POST", "/v2/transactions/withdraw", Permission::Withdrawal),
    guarded("POST", "/v2/transactions/withdraw/batch", Permission::Withdrawal),
    read("/v2/transactions"),
    guarded("POST", "/v2/swap", Permission::Trading),
    change("POST", "/v1/sub-wallet/create", Permission::Wallet),
    read("/v1/sub-wallet"),
    read("/v1/sub-wallet/list"),
    change("POST", "/v1/sub-wallet/address", Permission::Wallet),
    read("/v1/sub-wallet/assets"),
    read("/v1/sub-wallet/deposit/list"),
    read("/v1/sub-wallet/transfer/list"),
    read("/v1/sub-wallet/deposit"),
    read("/v1/sub-wallet/withdraw"),
    change("POST", "/v1/withdraw/create", Permission::Withdrawal),
    change("POST", "/v1/sandbox/sub-wallet/deposit", Permission::Wallet),
    change("POST", "/v1/sandbox/wallet/address", Permission::Wallet),
    read("/v1/sandbox/sub-wallet/assets"),
    read("/v1/sandbox/wallet/assets"),
    read("/v1/sandbox/wallet/address/list"),
    read("/v1/instant-swap/quote"),
    change("POST", "/v1/instant-swap", Permission::Trading),
    read("/v1/swap/pairs"),
    read("/v1/blockchains/tokens-with-blockchains"),
];

/// The operation of a route. `HEAD` needs the permission of `GET`.
pub(super) fn find(method: &Method, path: &str) -> Option<&'static Operation> {
    let method = if method == Method::HEAD { "GET" } else { method.as_str() };
    ALL.iter().find(|operation| operation.method == method && operation.path == path)
}
