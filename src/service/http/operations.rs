//! The operations of the service, the permission that each needs, and which of them move money.

use axum::http::Method;

use super::operation::{Operation, PaymentFields};
use crate::service::keys::Permission;

const fn read_operation(path: &'static str) -> Operation {
    Operation { method: "GET", path, permission: Permission::Read, needs_wallet_secret: false, payment: None }
}

/// A change in v1, or of a user: without the wallet secret.
const fn change_operation(method: &'static str, path: &'static str, permission: Permission) -> Operation {
    Operation { method, path, permission, needs_wallet_secret: false, payment: None }
}

/// A change in v2 that needs the wallet secret.
const fn change_with_wallet_secret(method: &'static str, path: &'static str, permission: Permission) -> Operation {
    Operation { needs_wallet_secret: true, ..change_operation(method, path, permission) }
}

/// A change by which money leaves a wallet.
const fn moving_money(operation: Operation, payment: PaymentFields) -> Operation {
    Operation { payment: Some(payment), ..operation }
}

/// In the order of the specification's tables. Lists outside the specification are served only if enabled.
pub(super) const ALL: &[Operation] = &[
    change_operation("POST", "/v2/users", Permission::Wallet),
    read_operation("/v2/users"),
    change_operation("PATCH", "/v2/users", Permission::Wallet),
    change_with_wallet_secret("POST", "/v2/accounts", Permission::Wallet),
    read_operation("/v2/accounts"),
    change_with_wallet_secret("POST", "/v2/wallets", Permission::Wallet),
    change_with_wallet_secret("PATCH", "/v2/wallets", Permission::Wallet),
    read_operation("/v2/wallets"),
    read_operation("/v2/users/stats"),
    read_operation("/v2/users/balances"),
    moving_money(
        change_with_wallet_secret("POST", "/v2/transactions/withdraw", Permission::Withdrawal),
        PaymentFields::WITHDRAWAL,
    ),
    moving_money(
        change_with_wallet_secret("POST", "/v2/transactions/withdraw/batch", Permission::Withdrawal),
        PaymentFields::BATCH,
    ),
    read_operation("/v2/transactions"),
    moving_money(change_with_wallet_secret("POST", "/v2/swap", Permission::Trading), PaymentFields::SWAP),
    change_operation("POST", "/v1/sub-wallet/create", Permission::Wallet),
    read_operation("/v1/sub-wallet"),
    read_operation("/v1/sub-wallet/list"),
    change_operation("POST", "/v1/sub-wallet/address", Permission::Wallet),
    read_operation("/v1/sub-wallet/assets"),
    read_operation("/v1/sub-wallet/deposit/list"),
    read_operation("/v1/sub-wallet/transfer/list"),
    read_operation("/v1/sub-wallet/deposit"),
    read_operation("/v1/sub-wallet/withdraw"),
    moving_money(change_operation("POST", "/v1/withdraw/create", Permission::Withdrawal), PaymentFields::V1_WITHDRAWAL),
    change_operation("POST", "/v1/sandbox/sub-wallet/deposit", Permission::Wallet),
    change_operation("POST", "/v1/sandbox/wallet/address", Permission::Wallet),
    read_operation("/v1/sandbox/sub-wallet/assets"),
    read_operation("/v1/sandbox/wallet/assets"),
    read_operation("/v1/sandbox/wallet/address/list"),
    read_operation("/v1/instant-swap/quote"),
    moving_money(change_operation("POST", "/v1/instant-swap", Permission::Trading), PaymentFields::INSTANT_SWAP),
    read_operation("/v1/swap/pairs"),
    read_operation("/v1/blockchains/tokens-with-blockchains"),
];

/// Control requests.
pub(super) const CONTROL: &[Operation] = &[
    change_operation("POST", "/control/deposits", Permission::Wallet),
    change_operation("POST", "/control/clock", Permission::Wallet),
    change_operation("POST", "/control/payments/fail", Permission::Wallet),
    change_operation("POST", "/control/webhooks/replay", Permission::Wallet),
    change_operation("POST", "/control/reset", Permission::Wallet),
];

/// The operation of a route. `HEAD` needs the permission of `GET`.
pub(super) fn find_operation(method: &Method, path: &str) -> Option<&'static Operation> {
    let method = if method == Method::HEAD { "GET" } else { method.as_str() };
    ALL.iter().chain(CONTROL).find(|operation| operation.method == method && operation.path == path)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whoever adds a change that spends gives it one of these permissions, and then has to say what leaves.
    #[test]
    fn each_change_that_may_spend_states_what_leaves_and_no_other_does() {
        for operation in ALL.iter().chain(CONTROL) {
            let may_spend = matches!(operation.permission, Permission::Withdrawal | Permission::Trading);
            assert_eq!(operation.payment.is_some(), may_spend && operation.method != "GET", "{operation:?}");
        }
    }
}
