//! The operations of the service, the permission that each needs, and which of them move money.

use axum::Router;
use axum::http::Method;
use axum::routing::{MethodRouter, get, patch, post};

use super::operation::{Operation, PaymentFieldNames};
use super::v1::{sandbox, sub_wallets, swaps as swaps_v1, withdrawals};
use super::{accounts, control, swaps, tokens, transactions, users, wallets};
use crate::service::keys::Permission;

type MethodRouterFn = fn() -> MethodRouter;

const fn new_operation(
    method: &'static str,
    path: &'static str,
    permission: Permission,
    route: MethodRouterFn,
) -> Operation {
    Operation {
        method,
        path,
        permission,
        needs_wallet_secret: false,
        route: Some(route),
        route_with_lists: route,
        payment: None,
    }
}

const fn read_operation(path: &'static str, route: MethodRouterFn) -> Operation {
    new_operation("GET", path, Permission::Read, route)
}

/// A list outside the specification, served only if enabled.
const fn optional_list_operation(path: &'static str, route: MethodRouterFn) -> Operation {
    Operation { route: None, ..read_operation(path, route) }
}

/// A change in v1, or of a user: without the wallet secret.
const fn change_operation(path: &'static str, permission: Permission, route: MethodRouterFn) -> Operation {
    new_operation("POST", path, permission, route)
}

/// A change in v2 that needs the wallet secret.
const fn change_with_wallet_secret(path: &'static str, permission: Permission, route: MethodRouterFn) -> Operation {
    Operation { needs_wallet_secret: true, ..change_operation(path, permission, route) }
}

/// A change of what exists.
const fn with_patch_method(operation: Operation) -> Operation {
    Operation { method: "PATCH", ..operation }
}

/// A change by which money leaves a wallet.
const fn with_payment_fields(operation: Operation, payment: PaymentFieldNames) -> Operation {
    Operation { payment: Some(payment), ..operation }
}

/// In the order of the specification's tables, but for the read of users: `Allow` names methods in this order.
pub(super) const ALL: &[Operation] = &[
    Operation {
        route_with_lists: || get(users::get_one_or_list),
        ..read_operation("/v2/users", || get(users::get_one))
    },
    change_operation("/v2/users", Permission::Wallet, || post(users::create)),
    with_patch_method(change_operation("/v2/users", Permission::Wallet, || patch(users::change))),
    change_with_wallet_secret("/v2/accounts", Permission::Wallet, || post(accounts::create)),
    optional_list_operation("/v2/accounts", || get(accounts::list)),
    change_with_wallet_secret("/v2/wallets", Permission::Wallet, || post(wallets::create)),
    with_patch_method(change_with_wallet_secret("/v2/wallets", Permission::Wallet, || patch(wallets::change))),
    optional_list_operation("/v2/wallets", || get(wallets::list)),
    read_operation("/v2/users/stats", || get(users::stats)),
    read_operation("/v2/users/balances", || get(users::balances)),
    with_payment_fields(
        change_with_wallet_secret("/v2/transactions/withdraw", Permission::Withdrawal, || post(transactions::withdraw)),
        PaymentFieldNames::WITHDRAWAL,
    ),
    with_payment_fields(
        change_with_wallet_secret("/v2/transactions/withdraw/batch", Permission::Withdrawal, || {
            post(transactions::withdraw_batch)
        }),
        PaymentFieldNames::BATCH,
    ),
    read_operation("/v2/transactions", || get(transactions::list)),
    with_payment_fields(
        change_with_wallet_secret("/v2/swap", Permission::Trading, || post(swaps::create)),
        PaymentFieldNames::SWAP,
    ),
    change_operation("/v1/sub-wallet/create", Permission::Wallet, || post(sub_wallets::create)),
    read_operation("/v1/sub-wallet", || get(sub_wallets::get_one)),
    optional_list_operation("/v1/sub-wallet/list", || get(sub_wallets::list)),
    change_operation("/v1/sub-wallet/address", Permission::Wallet, || post(sub_wallets::create_address)),
    read_operation("/v1/sub-wallet/assets", || get(sub_wallets::assets)),
    read_operation("/v1/sub-wallet/deposit/list", || get(sub_wallets::list_deposits)),
    read_operation("/v1/sub-wallet/transfer/list", || get(sub_wallets::list_transfers)),
    read_operation("/v1/sub-wallet/deposit", || get(sub_wallets::list_deposits_of_sub_wallet)),
    read_operation("/v1/sub-wallet/withdraw", || get(sub_wallets::list_withdrawals_of_sub_wallet)),
    with_payment_fields(
        change_operation("/v1/withdraw/create", Permission::Withdrawal, || post(withdrawals::create)),
        PaymentFieldNames::V1_WITHDRAWAL,
    ),
    change_operation("/v1/sandbox/sub-wallet/deposit", Permission::Wallet, || post(sandbox::deposit)),
    change_operation("/v1/sandbox/wallet/address", Permission::Wallet, || post(sandbox::create_prime_address)),
    read_operation("/v1/sandbox/sub-wallet/assets", || get(sandbox::sub_wallet_assets)),
    read_operation("/v1/sandbox/wallet/assets", || get(sandbox::wallet_assets)),
    read_operation("/v1/sandbox/wallet/address/list", || get(sandbox::list_prime_addresses)),
    read_operation("/v1/instant-swap/quote", || get(swaps_v1::quote)),
    with_payment_fields(
        change_operation("/v1/instant-swap", Permission::Trading, || post(swaps_v1::execute)),
        PaymentFieldNames::INSTANT_SWAP,
    ),
    read_operation("/v1/swap/pairs", || get(swaps_v1::list_swap_pairs)),
    read_operation("/v1/blockchains/tokens-with-blockchains", || get(tokens::list)),
];

/// Control requests.
pub(super) const CONTROL: &[Operation] = &[
    change_operation("/control/deposits", Permission::Wallet, || post(control::inject_deposit)),
    change_operation("/control/clock", Permission::Wallet, || post(control::advance_clock)),
    change_operation("/control/payments/fail", Permission::Wallet, || post(control::fail_payments)),
    change_operation("/control/webhooks/replay", Permission::Wallet, || post(control::replay_webhooks)),
    change_operation("/control/reset", Permission::Wallet, || post(control::reset)),
];

/// The routes of operations, without authentication.
pub(super) fn routes(operations: &[Operation], with_lists: bool) -> Router {
    operations.iter().fold(Router::new(), |router, operation| {
        let route = if with_lists { Some(operation.route_with_lists) } else { operation.route };
        match route {
            Some(route) => router.route(operation.path, route()),
            None => router,
        }
    })
}

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
