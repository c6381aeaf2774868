//! The facts that the guard judges a payment by.

use super::finding::truncate_word;
use crate::domain::address::is_same_address;
use crate::domain::draft::RequestedSwap;
use crate::domain::order::OrderId;
use crate::domain::{
    Account, AddressBook, Amount, BalanceBasis, Blockchain, Family, Network, Policy, ReceivedQuote, Sender, Skew, Text,
    Timestamp, TokenKey, TransactionId, UserId, Wallet, WalletId, Withdrawal, chain,
};

/// A payment under judgement, with the facts around it.
#[derive(Debug, Clone, Copy)]
pub struct GuardedPayment<'a> {
    /// Decoded from the order's request bytes.
    pub request: &'a Withdrawal,
    pub sender: &'a Sender,
    pub facts: &'a GuardFacts,
    /// By this machine's clock; the rules go by the earlier of this clock and the service's.
    pub now: Timestamp,
}

impl GuardedPayment<'_> {
    /// The notation of addresses on the payment's chain; `None` where neither the catalogue nor the service's list of
    /// chains states it.
    pub(super) fn family(&self) -> Option<Family> {
        let protocol = self.facts.chain.as_ref().and_then(|chain| chain.protocol.as_deref());
        chain::address_family_of(&self.request.blockchain, protocol)
    }

    /// Whether an outflow was of the payment's token: by its symbol, else by its contract. `None` where neither is
    /// clear: it has no symbol, or one such as `USDC.ETH` for `USDC`.
    pub(super) fn is_of_token(&self, spent: &Outflow) -> Option<bool> {
        if spent.symbol.trim().eq_ignore_ascii_case(self.request.token.trim()) {
            return Some(true);
        }
        let is_here = chain::is_same_chain(&spent.blockchain, &self.request.blockchain);
        match (&spent.token.contract, &self.sender.token.contract) {
            (Some(that), Some(this)) if is_here => return Some(is_same_address(that, this)),
            // The chain's own coin under another name, or a token whose contract was not reported.
            (None, None) if is_here => return None,
            _ => {}
        }
        let head = |symbol: &str| symbol.trim().split(|c: char| !c.is_alphanumeric()).next().map(str::to_lowercase);
        let that = head(&spent.symbol).filter(|head| !head.is_empty());
        if that.is_none() || that == head(&self.request.token) { None } else { Some(false) }
    }

    pub(super) fn chain_name(&self) -> String {
        truncate_word(chain::chain_display_name(&self.request.blockchain))
    }
}

/// A swap under judgement, with the facts around it.
#[derive(Debug, Clone, Copy)]
pub struct GuardedSwap<'a> {
    /// The sale, as a payment without a recipient.
    pub sale: GuardedPayment<'a>,
    /// Decoded from the order's request bytes.
    pub exchange: RequestedSwap<'a>,
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct GuardFacts {
    /// The network that the profile expects, `mainnet` or `testnet`; absent where the profile names none.
    pub expected_network: Option<Network>,
    /// Every word for a network or environment in the data of this wallet, account and token, with its source, such as
    /// (`wallet eth-main`, `mainnet`).
    pub network_claims: Vec<(String, Text)>,
    /// As the directory has it.
    pub wallet: Option<Wallet>,
    pub account: Option<Account>,
    /// The token's chain, as the service lists it.
    pub chain: Option<Blockchain>,
    /// For a new address-book entry: the chains that the service serves, those of its listed tokens and of the wallets.
    pub served_chains: Vec<Text>,
    /// The addresses of all known wallets of the business.
    pub own_addresses: Vec<OwnAddress>,
    /// Known tokens with a contract: symbol and token. Only those whose contract is the recipient are needed.
    pub contracts: Vec<(Text, TokenKey)>,
    /// Tokens with the payment's symbol that the wallet holds on the payment's chain.
    pub same_symbol: Vec<TokenKey>,
    /// Whether the token imitates a listed one, or hides characters.
    pub is_imitation: bool,
    pub funds: Option<Funds>,
    /// The estimated fee.
    pub fee: Option<ExpectedFee>,
    /// Another token in which past payments of this token took their fee.
    pub fee_elsewhere: Option<Text>,
    /// Recipients of this console's own accepted payments: trusted.
    pub payees: Vec<Payee>,
    /// Recipients of settled payments in the service's history, whoever initiated them, without dust and imitation
    /// tokens. Less trusted than `payees`, but an address that resembles one of them may still be forged.
    pub paid_by_history: Vec<Text>,
    /// Outgoing rows of the service's history that pay the recipient and were not made by this console.
    pub other_payments: OtherPayments,
    /// Payments of the last 24 hours, in this console's journal and in the service's history; unresolved orders of this
    /// journal, however old, with every payment to a recipient of this payment since such an order to it; and every
    /// payment with this payment's reference or note.
    pub recent_payments: Vec<RecentPayment>,
    /// Why the service's history may be incomplete, if so.
    pub history_gap: Option<Text>,
    pub policy: Policy,
    pub book: AddressBook,
    /// This machine's clock against the service's.
    pub skew: Skew,
    /// What left, or may have left, within the last 24 hours, or within the cooling-off period if that is longer; and
    /// unresolved orders of this journal, however old. Sweeps by the service are no payments.
    pub outflows: Vec<Outflow>,
    /// Why `outflows` may be incomplete, if so.
    pub outflow_gap: Option<Text>,
    /// The service's history was read completely for outflows from this time on; `None` where that is not known.
    pub outflows_known_from: Option<Timestamp>,
    /// The quote of a swap; an error states why there is none. `None` where no quote was requested.
    pub quote: Option<Result<ReceivedQuote, Text>>,
    /// Swaps of the last 24 hours, in this console's journal and in the service's history; and unresolved swap orders
    /// of this journal, however old, with all swaps since.
    pub recent_swaps: Vec<RecentSwap>,
    /// How much of the payment's token the recipient received on its chain in each earlier payment, whoever made it.
    pub earlier_amounts: Vec<Amount>,
    /// The usual amount of one payment in the payment's token, over all recipients and payers.
    pub usual_amount: Option<UsualAmount>,
    /// Of a batch: `other_payments` and `before` of each recipient, in request order; both are empty at the top level
    /// then.
    pub per_recipient: Vec<RecipientFacts>,
    /// Of a batch from a file: orders that paid the same file, or may have, however long ago, newest first.
    pub same_file_orders: Vec<SameFileOrder>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UsualAmount {
    /// The median over the known payments.
    pub median: Amount,
    /// How many payments the median is taken over.
    pub payments: usize,
}

impl UsualAmount {
    /// Fewer payments may have been tests, which are small on purpose.
    pub const MIN_PAYMENTS: usize = 3;

    /// The median of these amounts; `None` where there are too few of them.
    pub fn from_amounts(mut amounts: Vec<Amount>) -> Option<Self> {
        amounts.sort_by(|one, other| one.cmp_value(*other));
        let median = *amounts.get(amounts.len() / 2)?;
        let payments = amounts.len();
        (payments >= Self::MIN_PAYMENTS && !median.is_zero()).then_some(Self { median, payments })
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RecipientFacts {
    pub other_payments: OtherPayments,
    pub earlier_amounts: Vec<Amount>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SameFileOrder {
    pub order: OrderId,
    pub at: Timestamp,
    /// The sum over all recipients.
    pub total: Amount,
    /// The order's state, in a word.
    pub state: Text,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnAddress {
    pub address: Text,
    pub blockchain: Text,
    pub wallet: WalletId,
    pub name: Option<Text>,
    pub user: Option<UserId>,
    /// Whether the service reported the address; one known from an import alone is not trusted.
    pub is_reported: bool,
}

/// The wallet's balance of the token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Funds {
    /// `None` where it is not known, or where the reported figures contradict each other.
    pub amount: Option<Amount>,
    pub basis: BalanceBasis,
    pub as_of: Option<Timestamp>,
    /// Whether the balance is older than a payment may be based on.
    pub is_stale: bool,
    /// Whether the wallet's own rows, read recently and to the end, add up to exactly this balance. Two independent
    /// sources then agree that what the user holds is in this wallet.
    pub matches_history: bool,
}

/// An estimate of the fee, from past payments of the same token on the same chain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExpectedFee {
    /// The highest fee, which the balance must cover.
    pub highest: Amount,
    pub median: Amount,
    /// The number of payments that the estimate is based on.
    pub payments: u32,
}

/// A recipient that this console paid before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Payee {
    pub address: Text,
    pub blockchain: Text,
    pub payments: u32,
    pub first: Timestamp,
    pub last: Timestamp,
    /// The sum per symbol, where it is exact.
    pub totals: Vec<(Text, Amount)>,
    /// The distinct memos or tags of the payments; `None` among them for a payment without one.
    pub memos: Vec<Option<Text>>,
}

impl Payee {
    /// A payee of which only the address matters, for comparing another address with it.
    pub fn at(address: Text) -> Self {
        let (blockchain, time) = (Text::default(), Timestamp::from_millis(0));
        Self { address, blockchain, payments: 1, first: time, last: time, totals: Vec::new(), memos: Vec::new() }
    }
}

/// Payments to a recipient that this console did not make, as far as the history was read. They earn no trust: whoever
/// made them may have been deceived.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct OtherPayments {
    pub payments: u32,
    pub last: Option<Timestamp>,
}

/// A payment that left a wallet of the business, or may have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outflow {
    /// `None` where no time is reported.
    pub at: Option<Timestamp>,
    /// The recipient, where there is exactly one.
    pub to: Option<Text>,
    /// Empty where it is not reported, as for a swap by version 1, whose chain the service chooses.
    pub blockchain: Text,
    pub token: TokenKey,
    /// Empty where it is not reported.
    pub symbol: Text,
    /// Without the fee.
    pub amount: Amount,
    /// Whether the outcome is unknown.
    pub is_unresolved: bool,
}

/// A payment that was made, or may have been.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecentPayment {
    /// The order in this journal.
    pub order: Option<OrderId>,
    /// The transaction in the service's history.
    pub transaction: Option<TransactionId>,
    pub at: Option<Timestamp>,
    pub to: Text,
    pub blockchain: Text,
    pub token: TokenKey,
    pub symbol: Text,
    /// What the recipient received.
    pub amount: Amount,
    pub ref_id: Option<Text>,
    /// The own reference of a batch's recipient.
    pub recipient_reference: Option<Text>,
    pub note: Option<Text>,
    /// The payment's state, in a word.
    pub state: Text,
    /// Whether the outcome is unknown.
    pub is_unresolved: bool,
}

/// A swap that was made, or may have been.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecentSwap {
    /// The order in this journal.
    pub order: Option<OrderId>,
    pub at: Option<Timestamp>,
    /// Empty where it is not reported, as for a swap by version 1, whose chain the service chooses.
    pub blockchain: Text,
    /// The token sold.
    pub token: TokenKey,
    /// The symbol of the token sold.
    pub from: Text,
    /// The amount sold: a history may state it both with the fee and without.
    pub amounts: Vec<Amount>,
    /// The symbol of the token bought; a history row for the outgoing leg does not state it.
    pub to: Option<Text>,
    /// The swap's state, in a word.
    pub state: Text,
    /// Whether the outcome is unknown.
    pub is_unresolved: bool,
}
