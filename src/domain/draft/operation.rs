//! The operations of the service that change something, each with all that is fixed about it.

use crate::domain::Network;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Operation {
    Withdraw,
    CreateUser,
    CreateAccount,
    CreateWallet,
    UpdateWallet,
    UpdateUser,
    /// A new sub-wallet, which is a user in version 2.
    CreateSubWallet,
    /// A version 1 deposit address for one coin on one chain: a new one, or the existing one.
    CreateAddress,
    /// A simulated deposit at a test service, without a chain or money behind it.
    SimulateDeposit,
    Batch,
    /// One coin of a wallet for another, by version 2.
    Swap,
    /// One coin of a sub-wallet for another, by version 1.
    InstantSwap,
    /// A payment to one recipient by version 1, which carries a memo and no idempotency key.
    Payment,
    /// A deposit address of the Prime Wallet in the version 1 sandbox: a new one, or the existing one.
    CreateSandboxAddress,
}

/// An operation's row in the table.
struct OperationEntry {
    /// Its name in the journal.
    journal_name: &'static str,
    /// At the head of a form.
    title: &'static str,
    /// In a column.
    label: &'static str,
    /// In a sentence.
    phrase: &'static str,
    /// Beside its subject, in a review.
    subject_label: &'static str,
    /// Its key in the menu of what can be created, and what that is; `None` where it is opened from elsewhere.
    menu: Option<(char, &'static str)>,
    method: &'static str,
    /// As the specification spells it; its beginning names the version of the service.
    path: &'static str,
    key: KeyUse,
    effect: OperationEffect,
    answer: AnswerObject,
    /// The oldest journal format with this operation: versions that read only older formats do not know it.
    journal_format: i64,
}

/// What the answer to an operation shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AnswerObject {
    Transaction,
    /// As version 1 writes it.
    V1Transaction,
    Swap,
    User,
    SubWallet,
    Account,
    Wallet,
    Address,
    SimulatedDeposit,
}

/// Whether a request carries an idempotency key.
#[derive(Clone, Copy, PartialEq, Eq)]
enum KeyUse {
    Unsupported,
    /// That the service honours the key is an assumption.
    Assumed,
    /// As documented in the specification.
    Documented,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum OperationEffect {
    MovesMoney,
    /// It creates or changes an object of the service.
    ChangesObject,
    /// It concerns the sandbox, which has neither a chain nor money behind it.
    Simulates,
}

impl Operation {
    /// What can be created stands in the order of its menu.
    pub const ALL: [Self; 14] = [
        Self::Withdraw,
        Self::Batch,
        Self::Payment,
        Self::Swap,
        Self::InstantSwap,
        Self::CreateAccount,
        Self::CreateWallet,
        Self::CreateUser,
        Self::CreateSubWallet,
        Self::CreateAddress,
        Self::CreateSandboxAddress,
        Self::UpdateWallet,
        Self::UpdateUser,
        Self::SimulateDeposit,
    ];

    /// The table of operations.
    const fn entry(self) -> OperationEntry {
        use KeyUse::{Assumed, Documented, Unsupported};
        use OperationEffect::{ChangesObject, MovesMoney, Simulates};
        match self {
            Self::Withdraw => OperationEntry {
                journal_name: "withdraw",
                title: "Withdrawal",
                label: "withdrawal",
                phrase: "this payment",
                subject_label: "Pay",
                menu: None,
                method: "POST",
                path: "/v2/transactions/withdraw",
                key: Documented,
                effect: MovesMoney,
                answer: AnswerObject::Transaction,
                journal_format: 1,
            },
            Self::CreateUser => OperationEntry {
                journal_name: "create-user",
                title: "New user",
                label: "new user",
                phrase: "this user",
                subject_label: "New user",
                menu: Some(('u', "somebody who can own wallets")),
                method: "POST",
                path: "/v2/users",
                key: Unsupported,
                effect: ChangesObject,
                answer: AnswerObject::User,
                journal_format: 1,
            },
            Self::CreateAccount => OperationEntry {
                journal_name: "create-account",
                title: "New account",
                label: "new account",
                phrase: "this account",
                subject_label: "New account",
                menu: Some(('a', "a container that keeps wallets and their funds apart")),
                method: "POST",
                path: "/v2/accounts",
                key: Documented,
                effect: ChangesObject,
                answer: AnswerObject::Account,
                journal_format: 1,
            },
            Self::CreateWallet => OperationEntry {
                journal_name: "create-wallet",
                title: "New wallet",
                label: "new wallet",
                phrase: "this wallet",
                subject_label: "New wallet",
                menu: Some(('w', "one address on one blockchain, in an account")),
                method: "POST",
                path: "/v2/wallets",
                key: Documented,
                effect: ChangesObject,
                answer: AnswerObject::Wallet,
                journal_format: 1,
            },
            Self::UpdateWallet => OperationEntry {
                journal_name: "update-wallet",
                title: "Wallet update",
                label: "wallet edit",
                phrase: "this change of a wallet",
                subject_label: "Change",
                menu: None,
                method: "PATCH",
                path: "/v2/wallets",
                key: Unsupported,
                effect: ChangesObject,
                answer: AnswerObject::Wallet,
                journal_format: 3,
            },
            Self::UpdateUser => OperationEntry {
                journal_name: "update-user",
                title: "User update",
                label: "user change",
                phrase: "this change of a user",
                subject_label: "Change",
                menu: None,
                method: "PATCH",
                path: "/v2/users",
                key: Unsupported,
                effect: ChangesObject,
                answer: AnswerObject::User,
                journal_format: 3,
            },
            Self::CreateSubWallet => OperationEntry {
                journal_name: "create-sub-wallet",
                title: "New sub-wallet",
                label: "sub-wallet",
                phrase: "this sub-wallet",
                subject_label: "Sub-wallet",
                menu: Some(('s', "a version 1 user, who may be allowed to trade")),
                method: "POST",
                path: "/v1/sub-wallet/create",
                key: Unsupported,
                effect: ChangesObject,
                answer: AnswerObject::SubWallet,
                journal_format: 3,
            },
            Self::CreateAddress => OperationEntry {
                journal_name: "create-address",
                title: "Deposit address",
                label: "new address",
                phrase: "this deposit address",
                subject_label: "Address",
                menu: Some(('d', "a version 1 address for a user: one coin on one chain")),
                method: "POST",
                path: "/v1/sub-wallet/address",
                key: Unsupported,
                effect: ChangesObject,
                answer: AnswerObject::Address,
                journal_format: 3,
            },
            Self::SimulateDeposit => OperationEntry {
                journal_name: "simulate-deposit",
                title: "Simulated deposit",
                label: "simulation",
                phrase: "this simulated deposit",
                subject_label: "Simulate",
                menu: None,
                method: "POST",
                path: "/v1/sandbox/sub-wallet/deposit",
                key: Unsupported,
                effect: Simulates,
                answer: AnswerObject::SimulatedDeposit,
                journal_format: 2,
            },
            Self::Batch => OperationEntry {
                journal_name: "batch",
                title: "Batch",
                label: "batch",
                phrase: "this batch",
                subject_label: "Pay",
                menu: None,
                method: "POST",
                path: "/v2/transactions/withdraw/batch",
                key: Documented,
                effect: MovesMoney,
                answer: AnswerObject::Transaction,
                journal_format: 4,
            },
            Self::Swap => OperationEntry {
                journal_name: "swap",
                title: "Swap",
                label: "swap",
                phrase: "this swap",
                subject_label: "Swap",
                menu: None,
                method: "POST",
                path: "/v2/swap",
                key: Assumed,
                effect: MovesMoney,
                answer: AnswerObject::Swap,
                journal_format: 4,
            },
            Self::InstantSwap => OperationEntry {
                journal_name: "instant-swap",
                title: "Instant swap",
                label: "instant swap",
                phrase: "this swap",
                subject_label: "Swap",
                menu: None,
                method: "POST",
                path: "/v1/instant-swap",
                key: Unsupported,
                effect: MovesMoney,
                answer: AnswerObject::Swap,
                journal_format: 4,
            },
            Self::Payment => OperationEntry {
                journal_name: "payment",
                title: "Payment (v1)",
                label: "payment v1",
                phrase: "this payment",
                subject_label: "Pay",
                menu: None,
                method: "POST",
                path: "/v1/withdraw/create",
                key: Unsupported,
                effect: MovesMoney,
                answer: AnswerObject::V1Transaction,
                journal_format: 4,
            },
            Self::CreateSandboxAddress => OperationEntry {
                journal_name: "create-sandbox-address",
                title: "Sandbox address",
                label: "sandbox",
                phrase: "this deposit address",
                subject_label: "Address",
                menu: Some(('x', "a sandbox Prime Wallet deposit address; test networks only")),
                method: "POST",
                path: "/v1/sandbox/wallet/address",
                key: Unsupported,
                effect: Simulates,
                answer: AnswerObject::Address,
                journal_format: 4,
            },
        }
    }

    /// Its name in the journal.
    pub fn journal_name(self) -> &'static str {
        self.entry().journal_name
    }

    /// Its name at the head of a form.
    pub fn title(self) -> &'static str {
        self.entry().title
    }

    /// Its name in a column.
    pub fn label(self) -> &'static str {
        self.entry().label
    }

    /// What is requested, in a sentence: `this payment`.
    pub fn phrase(self) -> &'static str {
        self.entry().phrase
    }

    /// The label of its subject in a review.
    pub fn subject_label(self) -> &'static str {
        self.entry().subject_label
    }

    /// Its key in the menu of what can be created, and what that is.
    pub fn menu_entry(self) -> Option<(char, &'static str)> {
        self.entry().menu
    }

    /// The method and the path of its request, as the specification spells them.
    pub fn route(self) -> (&'static str, &'static str) {
        let OperationEntry { method, path, .. } = self.entry();
        (method, path)
    }

    pub fn is_by_v1(self) -> bool {
        self.entry().path.starts_with("/v1/")
    }

    pub fn moves_money(self) -> bool {
        self.entry().effect == OperationEffect::MovesMoney
    }

    pub fn is_swap(self) -> bool {
        matches!(self, Self::Swap | Self::InstantSwap)
    }

    /// Whether the request carries an idempotency key as documented in the specification, so that resending the same
    /// bytes cannot execute it twice.
    pub fn has_documented_key(self) -> bool {
        self.entry().key == KeyUse::Documented
    }

    /// Whether the request carries an idempotency key at all. That the service honours a swap's key is an assumption:
    /// the key serves to find the swap in the history, and never to resend it.
    pub fn has_key(self) -> bool {
        self.entry().key != KeyUse::Unsupported
    }

    /// Whether it is for the sandbox, which has neither a chain nor money behind it.
    pub fn is_sandbox_only(self) -> bool {
        self.entry().effect == OperationEffect::Simulates
    }

    /// Whether it may be requested at a service on this network. Simulated operations are refused on a network with
    /// real money, and on a network that is not named.
    pub fn is_allowed_on(self, network: Option<Network>) -> bool {
        !self.is_sandbox_only() || network == Some(Network::Testnet)
    }

    pub fn answer_object(self) -> AnswerObject {
        self.entry().answer
    }

    /// The oldest journal format with this operation.
    pub fn journal_format(self) -> i64 {
        self.entry().journal_format
    }
}
