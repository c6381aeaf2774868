//! Every operation of the service: what it needs of its caller.

use axum::http::Method;

use crate::service::keys::Permission;

/// An operation, as the specification's tables name it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Operation {
    pub(super) method: &'static str,
    pub(super) path: &'static str,
    /// What the key must be allowed to do.
    pub(super) permission: Permission,
    /// Whether the wallet secret must come along.
    pub(super) secret: bool,
    /// Whether the specification has it; those it has not are served on demand only.
    pub(super) documented: bool,
    /// What it does, in a few words.
    pub(super) summary: &'static str,
}

const fn read(path: &'static str, summary: &'static str) -> Operation {
    Operation { method: "GET", path, permission: Permission::Read, secret: false, documented: true, summary }
}

const fn list(path: &'static str, summary: &'static str) -> Operation {
    Operation { documented: false, ..read(path, summary) }
}

/// A change of v1, or of a user: without the wallet secret.
const fn change(method: &'static str, path: &'static str, permission: Permission, summary: &'static str) -> Operation {
    Operation { method, path, permission, secret: false, documented: true, summary }
}

/// A change of v2 that needs the wallet secret.
const fn guarded(method: &'static str, path: &'static str, permission: Permission, summary: &'static str) -> Operation {
    Operation { secret: true, ..change(method, path, permission, summary) }
}

/// Every operation, in the order of the specification's tables.
pub(super) const ALL: &[Operation] = &[
    change("POST", "/v2/users", Permission::Wallet, "Make a user"),
    read("/v2/users", "Retrieve a user"),
    change("PATCH", "/v2/users", Permission::Wallet, "Update a user"),
    guarded("POST", "/v2/accounts", Permission::Wallet, "Make an account"),
    list("/v2/accounts", "List accounts"),
    guarded("POST", "/v2/wallets", Permission::Wallet, "Make a wallet"),
    guarded("PATCH", "/v2/wallets", Permission::Wallet, "Update a wallet"),
    list("/v2/wallets", "List wallets"),
    read("/v2/users/stats", "Count transactions of a user or of the workspace"),
    read("/v2/users/balances", "Balances of a user"),
    guarded("POST", "/v2/transactions/withdraw", Permission::Withdrawal, "Withdraw to one recipient"),
    guarded("POST", "/v2/transactions/withdraw/batch", Permission::Withdrawal, "Withdraw to several recipients"),
    read("/v2/transactions", "List transactions"),
    guarded("POST", "/v2/swap", Permission::Trading, "Swap one token of a wallet for another"),
    change("POST", "/v1/sub-wallet/create", Permission::Wallet, "Make a sub-wallet"),
    read("/v1/sub-wallet", "Retrieve a sub-wallet"),
    list("/v1/sub-wallet/list", "List sub-wallets"),
    change("POST", "/v1/sub-wallet/address", Permission::Wallet, "Deposit address of a sub-wallet"),
    read("/v1/sub-wallet/assets", "Assets of a sub-wallet"),
    read("/v1/sub-wallet/deposit/list", "List deposits"),
    read("/v1/sub-wallet/transfer/list", "List internal transfers"),
    read("/v1/sub-wallet/deposit", "Deposits of a sub-wallet"),
    read("/v1/sub-wallet/withdraw", "Withdrawals of a sub-wallet"),
    change("POST", "/v1/withdraw/create", Permission::Withdrawal, "Withdraw from a sub-wallet"),
    change("POST", "/v1/sandbox/sub-wallet/deposit", Permission::Wallet, "Simulate a deposit"),
    change("POST", "/v1/sandbox/wallet/address", Permission::Wallet, "Deposit address of the Prime Wallet"),
    read("/v1/sandbox/sub-wallet/assets", "Assets of sub-wallets"),
    read("/v1/sandbox/wallet/assets", "Assets of the Prime Wallet"),
    read("/v1/sandbox/wallet/address/list", "List addresses of the Prime Wallet"),
    read("/v1/instant-swap/quote", "Quote a swap"),
    change("POST", "/v1/instant-swap", Permission::Trading, "Execute a swap"),
    read("/v1/swap/pairs", "Pairs that can be swapped"),
    read("/v1/blockchains/tokens-with-blockchains", "List tokens with their chains"),
];

/// The operation of a route, if it is one. Whoever may read a resource may ask for its header alone.
pub(super) fn find(method: &Method, path: &str) -> Option<&'static Operation> {
    let method = if method == Method::HEAD { "GET" } else { method.as_str() };
    ALL.iter().find(|operation| operation.method == method && operation.path == path)
}
