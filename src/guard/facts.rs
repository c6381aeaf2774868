//! What the guard is told.

use crate::domain::intent::OrderId;
use crate::domain::{
    Account, Amount, Basis, Blockchain, Book, Policy, ReceivedQuote, Sender, Skew, Text, Timestamp, TokenKey,
    TransactionId, UserId, Wallet, WalletId, Withdrawal,
};

/// A payment, and what is known around it.
#[derive(Debug, Clone, Copy)]
pub struct GuardedPayment<'a> {
    /// What its frozen bytes say.
    pub request: &'a Withdrawal,
    /// The paying side.
    pub sender: &'a Sender,
    /// What is known.
    pub facts: &'a GuardFacts,
    /// The time by this machine's clock; the rules go by the earlier of this and the service's.
    pub now: Timestamp,
}

/// What is known around a payment when it is reviewed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct GuardFacts {
    /// The network that the profile expects, `mainnet` or `testnet`; absent where it does not say.
    pub expected_network: Option<Text>,
    /// Every word for a network or environment that the data of this wallet, account and token uses, with where it
    /// stands, such as (`wallet eth-main`, `mainnet`).
    pub network_claims: Vec<(String, Text)>,
    /// The wallet, as the directory knows it.
    pub wallet: Option<Wallet>,
    /// The account that the wallet stands in, as the directory knows it.
    pub account: Option<Account>,
    /// The token's chain, as the service lists it.
    pub chain: Option<Blockchain>,
    /// Before somebody is entered into the address book: the chains that the service is known to serve, those of the tokens
    /// that it lists and those of the wallets.
    pub served_chains: Vec<Text>,
    /// One's own addresses: of all known wallets.
    pub own_addresses: Vec<OwnAddress>,
    /// Tokens that are known by their contracts: symbol and token. Those whose contract is the recipient suffice.
    pub contracts: Vec<(Text, TokenKey)>,
    /// Tokens under the payment's symbol that the wallet holds on its chain.
    pub same_symbol: Vec<TokenKey>,
    /// Whether the token takes the look of a listed one, or hides characters.
    pub is_imitation: bool,
    /// What the wallet holds of the token.
    pub funds: Option<Funds>,
    /// What a fee may come to.
    pub fee: Option<ExpectedFee>,
    /// Another token in which past payments of this one took their fee.
    pub fee_elsewhere: Option<Text>,
    /// Recipients of this console's own accepted payments: the trusted ones.
    pub payees: Vec<Payee>,
    /// Whom settled payments of the service's history paid, whoever made them, dust and imitations aside: less trusted than
    /// those before, and what resembles one of them may be forged all the same.
    pub paid_by_history: Vec<Text>,
    /// Outgoing rows of the service's history that pay the recipient and are not this console's: somebody else's.
    pub other_payments: OtherPayments,
    /// Payments of the last 24 hours, in this console's journal and in the service's history; orders of this journal
    /// that are not resolved, however old, with all that went to a recipient of this payment since such an order to it
    /// left; and whatever carries this payment's reference or note.
    pub recent_payments: Vec<RecentPayment>,
    /// Why the service's history cannot be trusted to be whole, if so.
    pub history_gap: Option<Text>,
    /// What the profile allows.
    pub policy: Policy,
    /// The address book.
    pub book: Book,
    /// How this machine's clock stands against the service's.
    pub skew: Skew,
    /// What left, or may have left, within the last 24 hours, or for as long as an entry of the book cools if that is
    /// longer; orders of this journal that are not resolved, however old. Sweeps of the service are no payments.
    pub outflows: Vec<Outflow>,
    /// Why not all of it may be known, if so.
    pub outflow_gap: Option<Text>,
    /// Since when all that the service's history tells was looked through for it; `None` where that is not known.
    pub outflows_known_from: Option<Timestamp>,
    /// What a swap would give; an error says why that is not known. `None` where nobody asked.
    pub quote: Option<Result<ReceivedQuote, Text>>,
    /// Swaps of the last 24 hours, in this console's journal and in the service's history, and orders of this journal for
    /// swaps that are not resolved, however old, with all swaps since.
    pub recent_swaps: Vec<RecentSwap>,
    /// How much of the payment's token the recipient got on its chain by each earlier payment, whoever made it.
    pub before: Vec<Amount>,
    /// What is usually paid of the payment's token at once, whomever it goes to and whoever pays it.
    pub usual_amount: Option<UsualAmount>,
    /// Of a batch: the same two of each of its recipients, in their order; `others` and `before` are empty then.
    pub per_recipient: Vec<RecipientFacts>,
    /// Of a batch from a file: orders that paid the very same file, or may have, however long ago, the youngest first.
    pub same_file_orders: Vec<SameFileOrder>,
}

/// What is usually paid at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UsualAmount {
    /// The middle one of the payments that are known.
    pub median: Amount,
    /// How many those are.
    pub payments: usize,
}

impl UsualAmount {
    /// From so many payments on they say what is usual. Fewer may have been tests, which are small on purpose.
    pub const MIN_PAYMENTS: usize = 3;

    /// What is usual by payments of these amounts; `None` where they are too few to say.
    pub fn from_amounts(mut amounts: Vec<Amount>) -> Option<Self> {
        amounts.sort_by(|one, other| one.cmp_value(*other));
        let median = *amounts.get(amounts.len() / 2)?;
        let payments = amounts.len();
        (payments >= Self::MIN_PAYMENTS && !median.is_zero()).then_some(Self { median, payments })
    }
}

/// What is known of one recipient of a batch.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RecipientFacts {
    /// As [`GuardFacts::other_payments`].
    pub other_payments: OtherPayments,
    /// As [`GuardFacts::before`].
    pub before: Vec<Amount>,
}

/// An order that paid the same file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SameFileOrder {
    /// Which.
    pub intent: OrderId,
    /// When it was sent.
    pub at: Timestamp,
    /// How much it paid in all.
    pub total: Amount,
    /// How it stands, in a word.
    pub state: Text,
}

/// One's own wallet's address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnAddress {
    /// The address.
    pub address: Text,
    /// Its chain.
    pub blockchain: Text,
    /// The wallet.
    pub wallet: WalletId,
    /// Its name.
    pub name: Option<Text>,
    /// Whose it is.
    pub user: Option<UserId>,
    /// Whether the service told the address; one that stands by an import alone is not trusted.
    pub is_reported: bool,
}

/// What the wallet holds of the token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Funds {
    /// How much; `None` where it is not known, or where what was stated contradicts itself.
    pub amount: Option<Amount>,
    /// How surely that is known.
    pub basis: Basis,
    /// When it was read.
    pub as_of: Option<Timestamp>,
    /// Whether it is older than a figure may be that arms a payment.
    pub is_stale: bool,
    /// Whether the wallet's own rows, read to the end and lately, add up to exactly this. Then two sources agree that
    /// do not know of each other: what the user holds lies in this wallet.
    pub matches_history: bool,
}

/// An estimate of the fee, from past payments of the same token on the same chain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExpectedFee {
    /// The highest of them, which is what the balance must bear.
    pub highest: Amount,
    /// The middle one.
    pub median: Amount,
    /// From how many payments.
    pub payments: u32,
}

/// A recipient that this console paid before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Payee {
    /// Its address.
    pub address: Text,
    /// The chain.
    pub blockchain: Text,
    /// How often it was paid.
    pub payments: u32,
    /// First.
    pub first: Timestamp,
    /// And last.
    pub last: Timestamp,
    /// How much in all, by symbol, where it can be summed exactly.
    pub totals: Vec<(Text, Amount)>,
    /// With which memos or tags it was paid, each once; `None` among them where it was paid without.
    pub memos: Vec<Option<Text>>,
}

impl Payee {
    /// One of whom nothing but the address counts, as where another is compared with it.
    pub fn at(address: Text) -> Self {
        let (blockchain, time) = (Text::default(), Timestamp::from_millis(0));
        Self { address, blockchain, payments: 1, first: time, last: time, totals: Vec::new(), memos: Vec::new() }
    }
}

/// What others than this console paid to a recipient, as far as the history was looked through. It earns no trust:
/// whoever made them may have been deceived.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct OtherPayments {
    /// How many.
    pub payments: u32,
    /// The last one.
    pub last: Option<Timestamp>,
}

/// Something that left a wallet of the business, or may have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outflow {
    /// When; `None` where nobody told.
    pub at: Option<Timestamp>,
    /// To whom, where there is one recipient.
    pub to: Option<Text>,
    /// On which chain; empty where nobody told, as of a swap by version 1, whose chain the service chooses.
    pub blockchain: Text,
    /// Of which token.
    pub token: TokenKey,
    /// Under which symbol; empty where nobody told.
    pub symbol: Text,
    /// How much, its fee aside.
    pub amount: Amount,
    /// Whether nobody knows what became of it.
    pub is_unresolved: bool,
}

/// A payment that was made, or may have been.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecentPayment {
    /// Its order in this journal.
    pub intent: Option<OrderId>,
    /// Its transaction in the service's history.
    pub transaction: Option<TransactionId>,
    /// When.
    pub at: Option<Timestamp>,
    /// To whom.
    pub to: Text,
    /// On which chain.
    pub blockchain: Text,
    /// Of which token.
    pub token: TokenKey,
    /// Under which symbol.
    pub symbol: Text,
    /// How much the recipient got.
    pub amount: Amount,
    /// Its reference.
    pub ref_id: Option<Text>,
    /// Its note.
    pub note: Option<Text>,
    /// How it stands, in a word.
    pub state: Text,
    /// Whether nobody knows what became of it.
    pub is_unresolved: bool,
}

/// A swap that was made, or may have been.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecentSwap {
    /// Its order in this journal.
    pub intent: Option<OrderId>,
    /// When.
    pub at: Option<Timestamp>,
    /// On which chain; empty where nobody told, as of a swap by version 1, whose chain the service chooses.
    pub blockchain: Text,
    /// Which token was sold.
    pub token: TokenKey,
    /// Under which symbol.
    pub from: Text,
    /// How much of it: a history tells it with its fee and without.
    pub amounts: Vec<Amount>,
    /// The symbol of what was bought; the side of a swap that leaves does not tell it.
    pub to: Option<Text>,
    /// How it stands, in a word.
    pub state: Text,
    /// Whether nobody knows what became of it.
    pub is_unresolved: bool,
}
