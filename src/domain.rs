//! What things are: amounts, addresses, accounts, transactions, failures.
//!
//! Nothing here does anything: no file, no clock, no network, no screen. A value that came from outside passes
//! through [`Text`] on its way in, so that whoever shows, logs or copies it need not think of control characters again.

pub mod account;
pub mod address;
pub mod amount;
pub mod balance;
pub mod book;
pub mod chain;
pub mod comparison;
pub mod directory;
pub mod draft;
pub mod explorer;
pub mod export;
pub mod failure;
pub mod filter;
pub mod hint;
pub mod history;
pub mod ids;
pub mod imitation;
pub mod intent;
pub mod lines;
pub mod listed;
pub mod movement;
pub mod outcome;
pub mod past;
pub mod period;
pub mod policy;
pub mod price;
pub mod since;
pub mod statement;
pub mod text;
pub mod time;
pub mod token;
pub mod transaction;
pub mod user;
pub mod v1;
pub mod wallet;
pub mod watch;
mod word;

pub use account::{Account, AccountType};
pub use address::{Address, AddressError, Family, Sureness, shorten};
pub use amount::{Amount, AmountError, Stated};
pub use balance::{Balance, Basis, Holding};
pub use book::Book;
pub use chain::{Chain, MemoRule};
pub use directory::{Entry, Import};
pub use draft::{Draft, Operation, Sender, Withdrawal};
pub use export::Format;
pub use failure::{Failure, MayHaveHappened, Reason};
pub use hint::{Hints, Unheard};
pub use ids::{AccountId, TransactionId, UserId, WalletId, WorkspaceId};
pub use intent::{Intent, IntentId};
pub use listed::Listed;
pub use movement::Movement;
pub use outcome::{Answered, FinalWords, Made, Outcome, Seen, Verdict};
pub use past::{Day, Flow, Past, Sample, TokenPast};
pub use period::Period;
pub use policy::Policy;
pub use price::{Drift, Rate, Share, Worth};
pub use text::Text;
pub use time::Timestamp;
pub use token::{Blockchain, Token, TokenKey};
pub use transaction::{Direction, Status, SubType, Transaction};
pub use user::{User, UserStats};
pub use wallet::{State, Wallet};
