//! What an operator wants changed at the service, validated and not yet asked for.
//!
//! A draft says what the request will say, word for word: an amount is the text that stands in the request, not a
//! number that somebody would print again.

pub mod batch;
mod payment;
mod sandbox;
mod swap;

use super::{AccountId, Amount, Text, TokenKey, UserId, WalletId};

pub use batch::{Batch, BatchFile, Recipient};
pub use payment::{Payment, Tag};
pub use sandbox::{NewSandboxAddress, SimulatedDeposit};
pub use swap::{Exchange, InstantSwap, Swap};

/// An operation that changes state at the service.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Operation {
    /// A payment to one recipient.
    Withdraw,
    /// A new user.
    CreateUser,
    /// A new account.
    CreateAccount,
    /// A new wallet.
    CreateWallet,
    /// Changes of a wallet.
    UpdateWallet,
    /// Changes of a user.
    UpdateUser,
    /// A new sub-wallet: a user by version 1.
    CreateSubWallet,
    /// A deposit address by version 1, for one coin on one chain: a new one, or the one that there is.
    CreateAddress,
    /// A deposit that a test service is asked to pretend: no chain and no money is behind it.
    SimulateDeposit,
    /// A payment to several recipients.
    Batch,
    /// One coin of a wallet for another, by version 2.
    Swap,
    /// The same by version 1, within a sub-wallet.
    InstantSwap,
    /// A payment to one recipient by version 1, which carries a memo and no key.
    Payment,
    /// A deposit address of the Prime Wallet in the sandbox of version 1: a new one, or the one that there is.
    CreateSandboxAddress,
}

impl Operation {
    /// Every operation that this console can ask for.
    pub const ALL: [Self; 14] = [
        Self::Withdraw,
        Self::CreateUser,
        Self::CreateAccount,
        Self::CreateWallet,
        Self::UpdateWallet,
        Self::UpdateUser,
        Self::CreateSubWallet,
        Self::CreateAddress,
        Self::SimulateDeposit,
        Self::Batch,
        Self::Swap,
        Self::InstantSwap,
        Self::Payment,
        Self::CreateSandboxAddress,
    ];

    /// Its name, as the journal keeps it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Withdraw => "withdraw",
            Self::CreateUser => "create-user",
            Self::CreateAccount => "create-account",
            Self::CreateWallet => "create-wallet",
            Self::UpdateWallet => "update-wallet",
            Self::UpdateUser => "update-user",
            Self::CreateSubWallet => "create-sub-wallet",
            Self::CreateAddress => "create-address",
            Self::SimulateDeposit => "simulate-deposit",
            Self::Batch => "batch",
            Self::Swap => "swap",
            Self::InstantSwap => "instant-swap",
            Self::Payment => "payment",
            Self::CreateSandboxAddress => "create-sandbox-address",
        }
    }

    /// What people call it.
    pub fn title(self) -> &'static str {
        match self {
            Self::Withdraw => "Withdrawal",
            Self::CreateUser => "New user",
            Self::CreateAccount => "New account",
            Self::CreateWallet => "New wallet",
            Self::UpdateWallet => "Wallet update",
            Self::UpdateUser => "User update",
            Self::CreateSubWallet => "New sub-wallet",
            Self::CreateAddress => "Deposit address",
            Self::SimulateDeposit => "Simulated deposit",
            Self::Batch => "Batch",
            Self::Swap => "Swap",
            Self::InstantSwap => "Instant swap",
            Self::Payment => "Payment (v1)",
            Self::CreateSandboxAddress => "Sandbox address",
        }
    }

    /// Whether funds leave a wallet.
    pub fn moves_money(self) -> bool {
        matches!(self, Self::Withdraw | Self::Batch | Self::Swap | Self::InstantSwap | Self::Payment)
    }

    /// Whether one coin becomes another.
    pub fn is_swap(self) -> bool {
        matches!(self, Self::Swap | Self::InstantSwap)
    }

    /// Whether its request carries an idempotency key that the specification shows, so that sending the same bytes
    /// again cannot execute it twice.
    pub fn is_keyed(self) -> bool {
        matches!(self, Self::Withdraw | Self::CreateAccount | Self::CreateWallet | Self::Batch)
    }

    /// Whether its request carries an idempotency key at all. That a swap's is heeded is an assumption: it serves to find
    /// the swap again, and never to send it again.
    pub fn carries_key(self) -> bool {
        self.is_keyed() || self == Self::Swap
    }

    /// Whether it is asked of the sandbox, behind which there is neither a chain nor money.
    pub fn is_simulated(self) -> bool {
        matches!(self, Self::SimulateDeposit | Self::CreateSandboxAddress)
    }

    /// Whether it may be asked for at a service whose network is this one. What is simulated has no place where real
    /// money is, nor where nobody said that there is none.
    pub fn is_allowed_on(self, network: Option<&str>) -> bool {
        !self.is_simulated() || network == Some("testnet")
    }
}

/// What is wanted, field by field as the request says it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Draft {
    /// A payment to one recipient.
    Withdraw(Withdrawal),
    /// A new user.
    CreateUser(NewUser),
    /// A new account.
    CreateAccount(NewAccount),
    /// A new wallet.
    CreateWallet(NewWallet),
    /// Changes of a wallet.
    UpdateWallet(WalletChange),
    /// Changes of a user.
    UpdateUser(UserChange),
    /// A new sub-wallet.
    CreateSubWallet(NewSubWallet),
    /// A deposit address.
    CreateAddress(NewAddress),
    /// A deposit that a test service is asked to pretend.
    SimulateDeposit(SimulatedDeposit),
    /// A payment to several recipients.
    Batch(Batch),
    /// One coin of a wallet for another.
    Swap(Swap),
    /// The same by version 1.
    InstantSwap(InstantSwap),
    /// A payment to one recipient by version 1.
    Payment(Payment),
    /// A deposit address of the Prime Wallet in the sandbox of version 1.
    CreateSandboxAddress(NewSandboxAddress),
}

impl Draft {
    /// Which operation asks for it.
    pub fn operation(&self) -> Operation {
        match self {
            Self::Withdraw(_) => Operation::Withdraw,
            Self::CreateUser(_) => Operation::CreateUser,
            Self::CreateAccount(_) => Operation::CreateAccount,
            Self::CreateWallet(_) => Operation::CreateWallet,
            Self::UpdateWallet(_) => Operation::UpdateWallet,
            Self::UpdateUser(_) => Operation::UpdateUser,
            Self::CreateSubWallet(_) => Operation::CreateSubWallet,
            Self::CreateAddress(_) => Operation::CreateAddress,
            Self::SimulateDeposit(_) => Operation::SimulateDeposit,
            Self::Batch(_) => Operation::Batch,
            Self::Swap(_) => Operation::Swap,
            Self::InstantSwap(_) => Operation::InstantSwap,
            Self::Payment(_) => Operation::Payment,
            Self::CreateSandboxAddress(_) => Operation::CreateSandboxAddress,
        }
    }

    /// What its request says of it: a batch keeps more beside it, such as labels.
    #[must_use]
    pub fn as_requested(&self) -> Self {
        if let Self::Batch(batch) = self { Self::Batch(batch.as_requested()) } else { self.clone() }
    }

    /// How much leaves by it in all, as its words say, with so many fraction digits; `None` where they cannot be read so,
    /// and for what moves no money.
    pub fn total_amount(&self, decimals: u8) -> Option<Amount> {
        if let Self::Batch(batch) = self {
            return batch.total(decimals);
        }
        let amount = self.single_payment().map(|paid| &paid.amount).or_else(|| Some(self.exchange()?.amount))?;
        Amount::parse(amount, decimals).ok()
    }

    /// The chain on which money moves, in the word that the service uses. A swap by version 1 names none: it is that of the
    /// token that is sold.
    pub fn chain<'a>(&'a self, sender: Option<&'a Sender>) -> Option<&'a Text> {
        match self {
            Self::Batch(Batch { blockchain, .. }) | Self::Swap(Swap { blockchain, .. }) => Some(blockchain),
            Self::InstantSwap(_) => sender.map(|sender| &sender.token.blockchain),
            _ => self.single_payment().map(|paid| &paid.blockchain),
        }
    }

    /// The reference by which people know what moves money.
    pub fn reference(&self) -> Option<&Text> {
        match self {
            Self::Batch(Batch { ref_id, .. }) => ref_id.as_ref(),
            _ => self.single_payment().map_or_else(|| self.exchange()?.reference, |paid| paid.ref_id.as_ref()),
        }
    }

    /// The note that goes with a payment.
    pub fn note(&self) -> Option<&Text> {
        match self {
            Self::Batch(Batch { note, .. }) => note.as_ref(),
            _ => self.single_payment()?.note.as_ref(),
        }
    }

    /// The chain, token and reference of a payment; `None` for what pays nobody.
    pub fn payment_details(&self) -> Option<PaymentDetails<'_>> {
        if let Self::Batch(Batch { wallet, blockchain, token, ref_id, to, .. }) = self {
            let to = to.iter().map(|to| (&to.address, &to.amount)).collect();
            return Some(PaymentDetails { wallet, blockchain, token, ref_id: ref_id.as_ref(), to });
        }
        let Withdrawal { wallet, blockchain, token, ref_id, amount, to, .. } = self.single_payment()?;
        Some(PaymentDetails { wallet, blockchain, token, ref_id: ref_id.as_ref(), to: vec![(to, amount)] })
    }
}

/// A payment to one recipient or to several.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PaymentDetails<'a> {
    /// The wallet that pays.
    pub wallet: &'a WalletId,
    /// The chain, in the word that the service uses.
    pub blockchain: &'a Text,
    /// The token's symbol.
    pub token: &'a Text,
    /// The reference for people.
    pub ref_id: Option<&'a Text>,
    /// Each recipient's address, and how much it gets.
    pub to: Vec<(&'a Text, &'a Text)>,
}

/// A payment to one recipient.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Withdrawal {
    /// The wallet that pays.
    pub wallet: WalletId,
    /// The chain, in the word that the service uses.
    pub blockchain: Text,
    /// The token's symbol.
    pub token: Text,
    /// How much the recipient gets: a decimal in the operator's grammar (digits, at most one point).
    pub amount: Text,
    /// The recipient, as the request spells it.
    pub to: Text,
    /// A reference for people; minted when the request is frozen, if the operator gives none.
    pub ref_id: Option<Text>,
    /// A note.
    pub note: Option<Text>,
}

/// What is known of the paying side of a payment beyond the words of its request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sender {
    /// The wallet's name.
    pub name: Option<Text>,
    /// The wallet's own address.
    pub address: Option<Text>,
    /// The account that it stands in.
    pub account: Option<AccountId>,
    /// Who owns it.
    pub user: Option<UserId>,
    /// The token that the symbol means here.
    pub token: TokenKey,
    /// The amount, exact, with the token's own fraction digits; of a batch the total.
    pub amount: Amount,
}

/// A new user. A service may refuse one of whom it is told too little.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct NewUser {
    /// The address for mail.
    pub email: Option<Text>,
    /// The name that is shown.
    pub display_name: Option<Text>,
    /// The business's own reference.
    pub ref_id: Option<Text>,
}

/// A new account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewAccount {
    /// Its name.
    pub name: Text,
}

/// A new wallet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewWallet {
    /// The account that it will stand in.
    pub account: AccountId,
    /// The chain, in the word that the service uses.
    pub blockchain: Text,
    /// Its name.
    pub name: Option<Text>,
    /// The business's own reference: the same one gives the same address on every EVM chain.
    pub ref_id: Option<Text>,
    /// Who will own it.
    pub user: Option<UserId>,
    /// Whether native tokens are swept to the settlement account.
    pub auto_sweep: bool,
}

/// What is to become of a wallet; what is absent stays as it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WalletChange {
    /// The wallet.
    pub wallet: WalletId,
    /// Who will own it.
    pub user: Option<UserId>,
    /// What it will be called.
    pub name: Option<Text>,
    /// Whether it will be in use.
    pub is_active: Option<bool>,
    /// Whether native tokens will be swept to the settlement account.
    pub auto_sweep: Option<bool>,
}

/// What is to become of a user; what is absent stays as it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UserChange {
    /// The user.
    pub user: UserId,
    /// What it will be.
    pub to: NewUser,
}

/// A new sub-wallet, which is what version 1 calls a user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewSubWallet {
    /// Whose.
    pub user: NewUser,
    /// Whether it may trade.
    pub can_trade: bool,
}

/// A deposit address by version 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewAddress {
    /// The sub-wallet that is deposited to.
    pub sub_wallet: UserId,
    /// The coin.
    pub coin: Text,
    /// The chain, in the word that the service uses.
    pub chain: Text,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_simulated_is_asked_for_on_a_test_network_alone() {
        for network in [None, Some("mainnet"), Some("Testnet"), Some("")] {
            assert!(!Operation::SimulateDeposit.is_allowed_on(network), "{network:?}");
            assert!(!Operation::CreateSandboxAddress.is_allowed_on(network), "{network:?}");
        }
        assert!(Operation::SimulateDeposit.is_allowed_on(Some("testnet")));
        assert!(Operation::CreateSandboxAddress.is_allowed_on(Some("testnet")));
        for operation in Operation::ALL.into_iter().filter(|operation| !operation.is_simulated()) {
            assert!(operation.is_allowed_on(None) && operation.is_allowed_on(Some("mainnet")), "{operation:?}");
        }
    }
}
