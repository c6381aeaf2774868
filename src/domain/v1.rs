//! Version 1 records, as far as they are reported. What is absent was absent in the response.

use super::chain::Chain;
use super::open_enum::open_enum;
use super::transaction::{Status, UnreadableField};
use super::{ReportedAmount, Text, Timestamp, TransactionId, User, UserId};

/// A sub-wallet: a user as version 1 reports it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SubWallet {
    /// The user that the sub-wallet represents, under the same identifier.
    pub user: User,
    pub can_trade: Option<bool>,
    /// Its locale, such as `en_US`.
    pub language: Option<Text>,
}

/// A deposit address of a sub-wallet or of the Prime Wallet, for one coin on one chain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WalletAddress {
    pub coin: Option<Text>,
    /// As the service spells it.
    pub chain: Option<Text>,
    /// `mainnet` or `testnet`.
    pub network: Option<Text>,
    pub address: Text,
    /// The tag or memo that a deposit needs beside the address.
    pub tag: Option<Text>,
    /// The sub-wallet or the Prime Wallet.
    pub wallet: Option<UserId>,
    pub created_at: Option<Timestamp>,
}

/// The balance of a coin, over all chains.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AssetBalance {
    pub coin: Text,
    /// The available balance. `bridging` assumes that it does not include the frozen one.
    pub balance: Option<ReportedAmount>,
    /// What is reserved, as by a pending withdrawal.
    pub frozen: Option<ReportedAmount>,
    /// When the service last changed it.
    pub updated_at: Option<Timestamp>,
}

impl From<&Transfer> for Movement {
    /// A transfer in the shape of the other lists of movements.
    fn from(transfer: &Transfer) -> Self {
        Self {
            id: transfer.id.clone(),
            workspace: transfer.workspace.clone(),
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
    Destination {
        OnChain = "on_chain",
        /// From another wallet of the workspace, off the chain.
        InternalTransfer = "internal_transfer",
    }
}

/// A deposit, or a withdrawal, which version 1 reports in the same shape.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Movement {
    pub id: TransactionId,
    pub workspace: Option<Text>,
    pub destination: Option<Destination>,
    /// The paying sub-wallet, where it is one of the workspace.
    pub from_wallet: Option<UserId>,
    pub to_wallet: Option<UserId>,
    pub coin: Text,
    /// As the service spells it.
    pub chain: Option<Text>,
    /// `mainnet` or `testnet`.
    pub network: Option<Text>,
    pub amount: Option<ReportedAmount>,
    pub status: Option<Status>,
    pub network_fee: Option<ReportedAmount>,
    /// Blocks since, counting its own.
    pub confirmation: Option<u64>,
    pub created_at: Option<Timestamp>,
    /// When the service last changed it.
    pub updated_at: Option<Timestamp>,
    /// The business's own reference.
    pub client_tx_id: Option<Text>,
    pub from_address: Option<Text>,
    pub to_address: Option<Text>,
    /// The transaction hash.
    pub hash: Option<Text>,
    /// Its page at a block explorer.
    pub link: Option<Text>,
    pub tag_memo: Option<Text>,
    /// Fields of the response that could not be read.
    pub unreadable: Vec<UnreadableField>,
}

/// A movement between two wallets of the workspace, off the chain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Transfer {
    pub id: TransactionId,
    pub workspace: Option<Text>,
    /// The business's own reference.
    pub client_tx_id: Option<Text>,
    /// The paying wallet.
    pub from_wallet: Option<UserId>,
    pub to_wallet: Option<UserId>,
    pub coin: Text,
    pub amount: Option<ReportedAmount>,
    pub status: Option<Status>,
    pub network_fee: Option<ReportedAmount>,
    pub tag_memo: Option<Text>,
    pub confirmed: Option<bool>,
    pub confirmed_at: Option<Timestamp>,
    pub created_at: Option<Timestamp>,
}

/// A swap quote. It carries no identifier and no expiry: every quote is indicative.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Quote {
    pub from_coin: Text,
    pub from_amount: ReportedAmount,
    pub to_coin: Text,
    pub to_amount: ReportedAmount,
    /// The service's fee; the specification does not state in which coin.
    pub fee: Option<ReportedAmount>,
    /// The price, as the service states it.
    pub swap_price: Option<ReportedAmount>,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct SwapPair {
    pub from: Text,
    pub to: Text,
}

/// An absent field does not restrict the result.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct MovementFilter {
    pub sub_wallet: Option<UserId>,
    pub deposit: Option<TransactionId>,
    pub hash: Option<Text>,
    pub from_address: Option<Text>,
    pub to_address: Option<Text>,
    pub chain: Option<Text>,
    pub coin: Option<Text>,
}

/// An absent field does not restrict the result.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TransferFilter {
    /// Transfers out of or into this sub-wallet.
    pub sub_wallet: Option<UserId>,
    pub transfer: Option<TransactionId>,
    pub to_wallet: Option<UserId>,
    pub coin: Option<Text>,
}

impl Movement {
    /// Whether this is its identifier or its transaction hash; the case of a hash is ignored.
    pub fn has_id_or_hash(&self, id_or_hash: &Text) -> bool {
        self.id.as_str() == id_or_hash.as_str()
            || self.hash.as_ref().is_some_and(|hash| hash.eq_ignore_ascii_case(id_or_hash))
    }
}

impl MovementFilter {
    /// Whether a row matches. A field that the row does not report matches.
    pub fn matches(&self, row: &Movement) -> bool {
        may_be_same_wallet(self.sub_wallet.as_ref(), row.to_wallet.as_ref())
            && self.deposit.as_ref().is_none_or(|id| *id == row.id)
            && may_be_same_text(self.hash.as_ref(), row.hash.as_ref())
            && may_be_same_text(self.from_address.as_ref(), row.from_address.as_ref())
            && may_be_same_text(self.to_address.as_ref(), row.to_address.as_ref())
            && may_be_same_chain(self.chain.as_ref(), row.chain.as_ref())
            && may_be_same_text(self.coin.as_ref(), Some(&row.coin))
    }
}

impl TransferFilter {
    /// Whether a row matches. A field that the row does not report matches.
    pub fn matches(&self, row: &Transfer) -> bool {
        let sub_wallet = self.sub_wallet.as_ref();
        (may_be_same_wallet(sub_wallet, row.from_wallet.as_ref())
            || may_be_same_wallet(sub_wallet, row.to_wallet.as_ref()))
            && self.transfer.as_ref().is_none_or(|id| *id == row.id)
            && may_be_same_wallet(self.to_wallet.as_ref(), row.to_wallet.as_ref())
            && may_be_same_text(self.coin.as_ref(), Some(&row.coin))
    }
}

fn may_be_same_wallet(requested: Option<&UserId>, reported_wallet: Option<&UserId>) -> bool {
    requested.zip(reported_wallet).is_none_or(|(requested, reported_wallet)| requested == reported_wallet)
}

/// Whether a text is the requested one; an absent text matches, and case is ignored, as some services change it.
pub fn may_be_same_text(requested: Option<&Text>, reported_text: Option<&Text>) -> bool {
    requested.zip(reported_text).is_none_or(|(requested, reported_text)| requested.eq_ignore_ascii_case(reported_text))
}

/// Like [`may_be_same_text`], for a chain, which may go by several words.
pub fn may_be_same_chain(requested: Option<&Text>, reported_chain: Option<&Text>) -> bool {
    may_be_same_text(requested, reported_chain)
        || requested.zip(reported_chain).is_some_and(|(requested, reported_chain)| {
            Chain::find(requested).zip(Chain::find(reported_chain)).is_some_and(|(one, other)| one == other)
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn transfer(from: Option<&str>, to: Option<&str>) -> Transfer {
        Transfer {
            id: TransactionId::from_text("t-1"),
            workspace: None,
            client_tx_id: None,
            from_wallet: from.map(UserId::from_text),
            to_wallet: to.map(UserId::from_text),
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
        let of = |id: &str| TransferFilter { sub_wallet: Some(UserId::from_text(id)), ..TransferFilter::default() };
        let row = transfer(Some("a"), Some("b"));
        assert!(of("a").matches(&row) && of("b").matches(&row) && !of("c").matches(&row));
        assert!(of("c").matches(&transfer(None, Some("b"))), "who paid is not told");
        let into = TransferFilter { to_wallet: Some(UserId::from_text("a")), ..TransferFilter::default() };
        assert!(!into.matches(&row) && into.matches(&transfer(Some("b"), Some("a"))));
        let coin = TransferFilter { coin: Some("usdt".into()), ..TransferFilter::default() };
        assert!(coin.matches(&row));
    }

    #[test]
    fn a_chain_is_the_same_under_each_of_its_words() {
        assert!(may_be_same_chain(Some(&"bsc".into()), Some(&"BNB Chain".into())));
        assert!(may_be_same_chain(Some(&"private net".into()), Some(&"PRIVATE NET".into())));
        assert!(!may_be_same_chain(Some(&"ethereum".into()), Some(&"base".into())));
        assert!(may_be_same_chain(Some(&"ethereum".into()), None), "what is not told does not speak against a row");
    }
}
