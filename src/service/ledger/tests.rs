//! What the ledger promises, tried.

mod clock;
mod concurrency;
#[cfg(unix)]
mod damage;

mod laws;
mod operations;
mod paging;

use ruint::aliases::U256;
use serde_json::{Value, json};

use super::*;
use crate::domain::{Network, Timestamp};

/// Where time stands when a test begins.
const START: Timestamp = Timestamp::from_millis(1_764_000_000_000);

/// Long enough for everything to settle.
const LATER: Timestamp = Timestamp::from_millis(1_764_000_600_000);

/// A ledger with one workspace and one user, whose wallets are made as they are needed.
struct TestLedger {
    ledger: Ledger,
    workspace_number: WorkspaceNumber,
    account: Uuid,
    user: Uuid,
}

fn uuid(text: &str) -> Uuid {
    text.parse().unwrap()
}

impl TestLedger {
    fn new() -> Self {
        Self::at(&LedgerLocation::Temporary)
    }

    fn at(place: &LedgerLocation) -> Self {
        let ledger = Ledger::open(place, Pace::USUAL).unwrap();
        // A payment that its chain lets fail would make most tests others.
        ledger.set_failure_policy(FailurePolicy::Never);
        let workspace_number = ledger.create_workspace(NewWorkspace::with_random_id("Test", "testnet"), START).unwrap();
        let (account, user) = ledger
            .execute_in_workspace(workspace_number, START, IdSource::Random, |books| {
                let account = books.create_account("Main")?;
                let user = books.create_user(&NewUser { ref_id: Some("one".into()), ..NewUser::default() })?;
                Ok((account.id, user.id))
            })
            .unwrap();
        Self { ledger, workspace_number, account: uuid(&account), user: uuid(&user) }
    }

    fn execute<T: Send + 'static>(
        &self,
        op: impl FnOnce(&mut UnitOfWork<'_>) -> Result<T, RequestError> + Send + 'static,
    ) -> Result<T, RequestError> {
        self.ledger.execute_in_workspace(self.workspace_number, START, IdSource::Random, op)
    }

    fn new_wallet(&self, chain: &str, ref_id: &str) -> NewWallet {
        NewWallet {
            account: self.account,
            user: Some(self.user),
            blockchain: chain.into(),
            name: None,
            ref_id: Some(ref_id.into()),
            auto_sweep: false,
        }
    }

    fn wallet(&self, chain: &str, ref_id: &str) -> render::Wallet {
        let new = self.new_wallet(chain, ref_id);
        self.execute(move |books| books.create_wallet(&new)).unwrap()
    }

    /// Pays so many smallest units into a wallet, and lets them settle.
    fn fund(&self, wallet: &render::Wallet, token: &str, raw: u128) {
        self.deposit(wallet, token, U256::from(raw)).unwrap();
        self.ledger.advance(LATER).unwrap();
    }

    fn deposit(&self, wallet: &render::Wallet, token: &str, raw: U256) -> Result<render::Transaction, RequestError> {
        let from = address_from_seed(
            crate::service::chain::find_chain(wallet.blockchain).unwrap().family,
            Network::Testnet,
            b"somebody",
        );
        let new = NewDeposit { wallet: uuid(&wallet.id), token: DepositToken::Listed(token.into()), raw, from };
        self.execute(move |books| books.deposit(&new))
    }

    fn payment(wallet: &render::Wallet, token: &str, amount: &str, to: &str) -> NewWithdrawal {
        NewWithdrawal {
            wallet: uuid(&wallet.id),
            token: token.into(),
            blockchain: wallet.blockchain.into(),
            address: to.into(),
            amount: amount.into(),
            ref_id: None,
            note: None,
            key: None,
        }
    }

    fn withdraw(&self, new: &NewWithdrawal) -> Result<render::Transaction, RequestError> {
        let new = new.clone();
        self.execute(move |books| books.withdraw(&new))
    }

    fn balance(&self, token: &str, chain: &str) -> String {
        let balances = self.ledger.balances_of_user(self.workspace_number, self.user).unwrap();
        balances
            .into_iter()
            .find(|balance| balance.token.symbol == token && balance.token.blockchain == chain)
            .map_or_else(|| "never held".into(), |balance| balance.amount.formatted)
    }

    fn rows(&self, direction: Option<Direction>) -> Vec<render::Transaction> {
        let listing =
            TransactionFilter { direction, paging: Paging { page: 1, limit: 100 }, ..TransactionFilter::default() };
        self.ledger.transactions(self.workspace_number, &listing, LATER).unwrap().data
    }
}

use crate::domain::Direction;

/// An address outside.
const OUTSIDE_ADDRESS: &str = "0x52908400098527886E0F7030069857D2E4169EE7";

fn unprocessable_message(result: Result<render::Transaction, RequestError>) -> String {
    match result.unwrap_err() {
        RequestError::Unprocessable(problems) => problems.join("; "),
        other => panic!("{other:?}"),
    }
}

fn bad_request_message<T: std::fmt::Debug>(result: Result<T, RequestError>) -> String {
    match result.unwrap_err() {
        RequestError::BadRequest(reason) => reason,
        other => panic!("{other:?}"),
    }
}
