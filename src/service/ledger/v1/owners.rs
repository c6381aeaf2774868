//! Resolves v1's wallet identifiers to the owner of wallets.

use ruint::aliases::U256;
use rusqlite::{Connection, OptionalExtension, params};
use uuid::Uuid;

use crate::domain::Chain;
use crate::service::chain;
use crate::service::ledger::commands::NewWallet;
use crate::service::ledger::request_error::RequestError;
use crate::service::ledger::tokens::{self, ChainToken, chain_number};
use crate::service::ledger::unit_of_work::UnitOfWork;
use crate::service::ledger::wallets::{self, LedgerWallet};
use crate::service::ledger::workspaces::WorkspaceNumber;

/// Owner of wallets in v1, by number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum WalletOwner {
    /// A user.
    SubWallet(i64),
    /// The settlement account.
    Prime(i64),
}

impl WalletOwner {
    /// The column of `wallets` for this owner, and its value.
    pub(super) fn wallets_column_and_number(self) -> (&'static str, i64) {
        match self {
            Self::SubWallet(no) => ("user", no),
            Self::Prime(no) => ("account", no),
        }
    }

    /// The sub-wallet or Prime Wallet with an identifier.
    pub(super) fn find(
        connection: &Connection,
        workspace_number: WorkspaceNumber,
        id: Uuid,
    ) -> Result<Self, RequestError> {
        let sub_wallet = Self::find_sub_wallet(connection, workspace_number, id)?;
        if let Some(owner) = sub_wallet {
            return Ok(owner);
        }
        let prime: Option<i64> = connection
            .prepare_cached("SELECT no FROM accounts WHERE workspace = ?1 AND id = ?2 AND kind = 0")?
            .query_row(params![workspace_number.to_i64(), id.into_bytes()], |row| row.get(0))
            .optional()?;
        prime.map(Self::Prime).ok_or(RequestError::NotFound("sub-wallet"))
    }

    /// The sub-wallet with an identifier.
    pub(super) fn find_sub_wallet(
        connection: &Connection,
        workspace_number: WorkspaceNumber,
        id: Uuid,
    ) -> Result<Option<Self>, RequestError> {
        let number: Option<i64> = connection
            .prepare_cached("SELECT no FROM users WHERE workspace = ?1 AND id = ?2")?
            .query_row(params![workspace_number.to_i64(), id.into_bytes()], |row| row.get(0))
            .optional()?;
        Ok(number.map(Self::SubWallet))
    }

    /// `None` if the workspace has no settlement account.
    pub(super) fn find_prime(
        connection: &Connection,
        workspace_number: WorkspaceNumber,
    ) -> Result<Option<Self>, RequestError> {
        Ok(find_account_of_kind(connection, workspace_number, 0)?.map(|(no, _)| Self::Prime(no)))
    }

    /// Active wallets on a chain, oldest first.
    pub(super) fn active_wallets(
        self,
        connection: &Connection,
        workspace_number: WorkspaceNumber,
        chain: &Chain,
    ) -> Result<Vec<LedgerWallet>, RequestError> {
        let (column, no) = self.wallets_column_and_number();
        let columns = LedgerWallet::COLUMNS;
        let mut statement = connection.prepare_cached(&format!(
            "SELECT {columns} FROM wallets WHERE workspace = ?1 AND {column} = ?2 AND chain = ?3 AND active = 1 ORDER BY no"
        ))?;
        let wallets =
            statement.query_map(params![workspace_number.to_i64(), no, chain_number(chain)], LedgerWallet::from_row)?;
        Ok(wallets.collect::<Result<_, _>>()?)
    }
}

/// Number and identifier of the first account of a kind.
fn find_account_of_kind(
    connection: &Connection,
    workspace_number: WorkspaceNumber,
    kind: i64,
) -> Result<Option<(i64, Uuid)>, RequestError> {
    let sql = "SELECT no, id FROM accounts WHERE workspace = ?1 AND kind = ?2 ORDER BY no LIMIT 1";
    Ok(connection
        .prepare_cached(sql)?
        .query_row(params![workspace_number.to_i64(), kind], |row| {
            Ok((row.get(0)?, crate::service::ledger::columns::read_uuid(row, 1)?))
        })
        .optional()?)
}

impl UnitOfWork<'_> {
    /// The Prime Wallet. v1 assumes that it always exists, so a missing settlement account is created.
    pub(super) fn find_or_create_prime(&mut self) -> Result<(WalletOwner, Uuid), RequestError> {
        let workspace_number = self.workspace.number;
        if let Some((no, id)) = find_account_of_kind(self.connection, workspace_number, 0)? {
            return Ok((WalletOwner::Prime(no), id));
        }
        self.create_account("Prime Wallet")?;
        let account = find_account_of_kind(self.connection, workspace_number, 0)?;
        let (no, id) =
            account.ok_or_else(|| RequestError::Internal("the account that was made is not there".into()))?;
        Ok((WalletOwner::Prime(no), id))
    }

    /// The owner's wallet on a chain, created if missing.
    pub(super) fn find_or_create_wallet(
        &mut self,
        owner: WalletOwner,
        chain: &'static Chain,
    ) -> Result<LedgerWallet, RequestError> {
        let workspace_number = self.workspace.number;
        if let Some(wallet) = owner.active_wallets(self.connection, workspace_number, chain)?.into_iter().next() {
            return Ok(wallet);
        }
        let (_, prime) = self.find_or_create_prime()?;
        let (account, user) = match owner {
            WalletOwner::Prime(_) => (prime, None),
            WalletOwner::SubWallet(no) => {
                (self.find_or_create_users_account()?, Some(self.find_user_id_by_number(no)?))
            }
        };
        let wallet = self.create_wallet(&NewWallet {
            account,
            user,
            blockchain: chain.slug.into(),
            name: None,
            ref_id: None,
            auto_sweep: false,
        })?;
        let id = Uuid::try_parse(&wallet.id).map_err(|error| RequestError::Internal(error.to_string()))?;
        wallets::find_wallet(self.connection, workspace_number, id)
    }

    fn find_or_create_users_account(&mut self) -> Result<Uuid, RequestError> {
        let workspace_number = self.workspace.number;
        if let Some((_, id)) = find_account_of_kind(self.connection, workspace_number, 1)? {
            return Ok(id);
        }
        let account = self.create_account("Sub-wallets")?;
        Uuid::try_parse(&account.id).map_err(|error| RequestError::Internal(error.to_string()))
    }

    fn find_user_id_by_number(&self, no: i64) -> Result<Uuid, RequestError> {
        let sql = "SELECT id FROM users WHERE no = ?1";
        let mut statement = self.connection.prepare_cached(sql)?;
        Ok(statement.query_row([no], |row| crate::service::ledger::columns::read_uuid(row, 0))?)
    }

    /// The owner's oldest wallet that can pay an amount and its fee. A wallet spends only its own funds, so a payment
    /// cannot combine several.
    pub(super) fn find_paying_wallet(
        &mut self,
        owner: WalletOwner,
        token: &ChainToken,
        amount: U256,
    ) -> Result<LedgerWallet, RequestError> {
        let wallets = owner.active_wallets(self.connection, self.workspace.number, token.chain)?;
        let mut refused = RequestError::bad_request(format!("there is no working wallet on {}", token.chain.name));
        for wallet in wallets {
            match self.require_funds(&wallet, token, amount, wallet.withdrawal_fee(token)) {
                Ok(()) => return Ok(wallet),
                Err(refusal) => refused = refusal,
            }
        }
        Err(refused)
    }

    /// The token of a coin on a chain, both as received; problems of both are reported together.
    pub(super) fn find_token_of_coin(&self, coin: &str, chain: &str) -> Result<ChainToken, RequestError> {
        let listed_chain = chain::find_chain(chain);
        let Some(on) = listed_chain else {
            let mut problems = vec![unknown_chain_message(chain)];
            if tokens::find_listed_coin(coin).is_none() {
                problems.insert(0, format!("coin: {coin} is not listed"));
            }
            return Err(RequestError::Unprocessable(problems));
        };
        let token = tokens::find_listed_token_by_symbol(self.connection, on, coin)?;
        token.ok_or_else(|| RequestError::unprocessable(format!("coin: {coin} is not listed on {}", on.name)))
    }
}

/// The problem text for a chain that is not served, with v1's parameter name.
pub(super) fn unknown_chain_message(word: &str) -> String {
    tokens::unknown_chain_message(word).replacen("blockchain:", "chain:", 1)
}
