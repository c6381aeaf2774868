//! Records of version 1, as far as they were told. What is absent was absent in the answer.

use super::chain::Chain;
use super::open_enum::open_enum;
use super::transaction::{Status, UnreadableField};
use super::{ReportedAmount, Text, Timestamp, TransactionId, User, UserId};

/// A sub-wallet: a user as version 1 tells of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SubWallet {
    /// The user whom it stands for, under the same identifier.
    pub user: User,
    /// Whether it may trade.
    pub can_trade: Option<bool>,
    /// Its locale, such as `en_US`.
    pub language: Option<Text>,
}

/// A deposit address of a sub-wallet or of the Prime Wallet, for one coin on one chain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WalletAddress {
    /// The coin.
    pub coin: Option<Text>,
    /// The chain, as the service spells it.
    pub chain: Option<Text>,
    /// `mainnet` or `testnet`.
    pub network: Option<Text>,
    /// The address.
    pub address: Text,
    /// The tag or memo that a deposit needs beside it.
    pub tag: Option<Text>,
    /// Whose it is: a sub-wallet's, or the Prime Wallet's.
    pub wallet: Option<UserId>,
    /// When it was made.
    pub created_at: Option<Timestamp>,
}

/// What is held of a coin, on all chains together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asset {
    /// The coin.
    pub coin: Text,
    /// What can be spent. `bridging` assumes that what is frozen stands beside it, not in it.
    pub balance: Option<ReportedAmount>,
    /// What is held back, as by a withdrawal on its way.
    pub frozen: Option<ReportedAmount>,
    /// When the service last changed it.
    pub updated_at: Option<Timestamp>,
}

impl From<&Transfer> for Deposit {
    /// A transfer, as the other lists tell of what moved.
    fn from(transfer: &Transfer) -> Self {
        Self {
            id: transfer.id.clone(),
            destination: Some(Destination::InternalTransfer),
            from_wallet: transfer.from_wallet.clone(),
            to_wallet: transfer.to_wallet.clone(),
            coin: transfer.coin.clone(),
            chain: None,
            network: None,
            amount: transfer.amount.clone(),
            status: transfer.status.clone(),
            network_fee: transfer.network_fee.clone(),
            confirmation: None,
            created_at: transfer.created_at,
            updated_at: transfer.confirmed_at,
            client_tx_id: transfer.client_tx_id.clone(),
            from_address: None,
            to_address: None,
            hash: None,
            link: None,
            tag_memo: transfer.tag_memo.clone(),
            unreadable: Vec::new(),
        }
    }
}

open_enum! {
    /// How funds came.
    Destination {
        /// On a chain.
        OnChain = "on_chain",
        /// From another wallet of the workspace, off the chain.
        InternalTransfer = "internal_transfer",
    }
}

/// A deposit, or a withdrawal, of which version 1 tells in the same shape.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Deposit {
    /// Its identifier.
    pub id: TransactionId,
    /// How it came.
    pub destination: Option<Destination>,
    /// The sub-wallet that paid, where it is one of the workspace.
    pub from_wallet: Option<UserId>,
    /// The sub-wallet that was paid.
    pub to_wallet: Option<UserId>,
    /// The coin.
    pub coin: Text,
    /// The chain, as the service spells it.
    pub chain: Option<Text>,
    /// `mainnet` or `testnet`.
    pub network: Option<Text>,
    /// How much.
    pub amount: Option<ReportedAmount>,
    /// How far it has come.
    pub status: Option<Status>,
    /// What the network took.
    pub network_fee: Option<ReportedAmount>,
    /// Blocks since, counting its own.
    pub confirmation: Option<u64>,
    /// When it was made.
    pub created_at: Option<Timestamp>,
    /// When the service last changed it.
    pub updated_at: Option<Timestamp>,
    /// The business's own reference.
    pub client_tx_id: Option<Text>,
    /// Where it came from.
    pub from_address: Option<Text>,
    /// Where it went.
    pub to_address: Option<Text>,
    /// The chain's name for it.
    pub hash: Option<Text>,
    /// Where it can be looked at.
    pub link: Option<Text>,
    /// Its tag or memo.
    pub tag_memo: Option<Text>,
    /// What stands in the answer and cannot be read.
    pub unreadable: Vec<UnreadableField>,
}

/// A movement between two wallets of the workspace, off the chain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Transfer {
    /// Its identifier.
    pub id: TransactionId,
    /// The business's own reference.
    pub client_tx_id: Option<Text>,
    /// Who paid.
    pub from_wallet: Option<UserId>,
    /// Who was paid.
    pub to_wallet: Option<UserId>,
    /// The coin.
    pub coin: Text,
    /// How much.
    pub amount: Option<ReportedAmount>,
    /// How far it has come.
    pub status: Option<Status>,
    /// What it cost.
    pub network_fee: Option<ReportedAmount>,
    /// Its tag or memo.
    pub tag_memo: Option<Text>,
    /// Whether the service calls it final.
    pub confirmed: Option<bool>,
    /// When it became final.
    pub confirmed_at: Option<Timestamp>,
    /// When it was made.
    pub created_at: Option<Timestamp>,
}

/// What a swap would give. It carries no identifier and no time until which it holds: every quote is indicative.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Quote {
    /// The coin that is sold.
    pub from_coin: Text,
    /// How much of it.
    pub from_amount: ReportedAmount,
    /// The coin that is bought.
    pub to_coin: Text,
    /// How much of it.
    pub to_amount: ReportedAmount,
    /// What the service takes; the specification does not say in which coin.
    pub fee: Option<ReportedAmount>,
    /// The price, as the service states it.
    pub swap_price: Option<ReportedAmount>,
}

/// Two coins of which the first can be swapped for the second.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct SwapPair {
    /// The coin that is sold.
    pub from: Text,
    /// The coin that is bought.
    pub to: Text,
}

/// Which deposits. What is absent narrows nothing.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct DepositFilter {
    /// Those of this sub-wallet.
    pub sub_wallet: Option<UserId>,
    /// The one of this identifier.
    pub deposit: Option<TransactionId>,
    /// Those with this transaction hash.
    pub hash: Option<Text>,
    /// Those from this address.
    pub from_address: Option<Text>,
    /// Those to this address.
    pub to_address: Option<Text>,
    /// Those on this chain.
    pub chain: Option<Text>,
    /// Those of this coin.
    pub coin: Option<Text>,
}

/// Which transfers. What is absent narrows nothing.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TransferFilter {
    /// Those out of or into this sub-wallet.
    pub sub_wallet: Option<UserId>,
    /// The one of this identifier.
    pub transfer: Option<TransactionId>,
    /// Those into this wallet.
    pub to_wallet: Option<UserId>,
    /// Those of this coin.
    pub coin: Option<Text>,
}

impl DepositFilter {
    /// Whether a row is one of those asked for. What the row does not tell does not speak against it.
    pub fn keeps(&self, row: &Deposit) -> bool {
        may_be_same_wallet(self.sub_wallet.as_ref(), row.to_wallet.as_ref())
            && self.deposit.as_ref().is_none_or(|id| *id == row.id)
            && same(self.hash.as_ref(), row.hash.as_ref())
            && same(self.from_address.as_ref(), row.from_address.as_ref())
            && same(self.to_address.as_ref(), row.to_address.as_ref())
            && same_chain(self.chain.as_ref(), row.chain.as_ref())
            && same(self.coin.as_ref(), Some(&row.coin))
    }
}

impl TransferFilter {
    /// Whether a row is one of those asked for. What the row does not tell does not speak against it.
    pub fn keeps(&self, row: &Transfer) -> bool {
        let whose = self.sub_wallet.as_ref();
        (may_be_same_wallet(whose, row.from_wallet.as_ref()) || may_be_same_wallet(whose, row.to_wallet.as_ref()))
            && self.transfer.as_ref().is_none_or(|id| *id == row.id)
            && may_be_same_wallet(self.to_wallet.as_ref(), row.to_wallet.as_ref())
            && same(self.coin.as_ref(), Some(&row.coin))
    }
}

/// Whether a wallet may be the one asked for.
fn may_be_same_wallet(asked: Option<&UserId>, told: Option<&UserId>) -> bool {
    asked.zip(told).is_none_or(|(asked, told)| asked == told)
}

/// Whether a text is the one asked for, as far as both are told; upper and lower case are one, as some services change
/// them.
pub fn same(asked: Option<&Text>, told: Option<&Text>) -> bool {
    asked.zip(told).is_none_or(|(asked, told)| asked.eq_ignore_ascii_case(told))
}

/// The same for a chain, which goes by several words.
pub fn same_chain(asked: Option<&Text>, told: Option<&Text>) -> bool {
    same(asked, told)
        || asked.zip(told).is_some_and(|(asked, told)| {
            Chain::find(asked).zip(Chain::find(told)).is_some_and(|(one, other)| one == other)
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn transfer(from: Option<&str>, to: Option<&str>) -> Transfer {
        Transfer {
            id: TransactionId::read("t-1"),
            client_tx_id: None,
            from_wallet: from.map(UserId::read),
            to_wallet: to.map(UserId::read),
            coin: "USDT".into(),
            amount: None,
            status: None,
            network_fee: None,
            tag_memo: None,
            confirmed: None,
            confirmed_at: None,
            created_at: None,
        }
    }

    #[test]
    fn a_transfer_is_one_of_either_end() {
        let of = |id: &str| TransferFilter { sub_wallet: Some(UserId::read(id)), ..TransferFilter::default() };
        let row = transfer(Some("a"), Some("b"));
        assert!(of("a").keeps(&row) && of("b").keeps(&row) && !of("c").keeps(&row));
        assert!(of("c").keeps(&transfer(None, Some("b"))), "who paid is not told");
        let into = TransferFilter { to_wallet: Some(UserId::read("a")), ..TransferFilter::default() };
        assert!(!into.keeps(&row) && into.keeps(&transfer(Some("b"), Some("a"))));
        let coin = TransferFilter { coin: Some("usdt".into()), ..TransferFilter::default() };
        assert!(coin.keeps(&row));
    }

    #[test]
    fn a_chain_is_the_same_under_each_of_its_words() {
        assert!(same_chain(Some(&"bsc".into()), Some(&"BNB Chain".into())));
        assert!(same_chain(Some(&"private net".into()), Some(&"PRIVATE NET".into())));
        assert!(!same_chain(Some(&"ethereum".into()), Some(&"base".into())));
        assert!(same_chain(Some(&"ethereum".into()), None), "what is not told does not speak against a row");
    }
}
