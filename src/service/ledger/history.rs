//! Pages of transaction history, newest first.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use rusqlite::{Connection, OptionalExtension, Row, ToSql, params};
use uuid::Uuid;

use super::commands::TransactionFilter;
use super::projection::ReadContext;
use super::render::{self, Page, iso_time};
use super::request_error::RequestError;
use super::rows::{RowDirection, RowStatus, SubType};
use super::tokens::{ChainToken, chain_protocol};
use super::unit_of_work::UnitOfWork;
use super::workspaces::Workspace;
use super::{Ledger, WorkspaceNumber, accounts, addresses, columns, users, wallets};
use crate::domain::{Amount, Direction, Timestamp};

/// `CROSS JOIN` fixes the order: first the rows of the page, then the details of each. Data shared by many rows is
/// cached in [`PageLookups`].
pub(super) const JOINED_TABLES: &str =
    "FROM history h CROSS JOIN wallets w ON w.no = h.wallet LEFT JOIN parties p ON p.no = h.party
    LEFT JOIN users u ON u.no = w.user";

pub(super) const COLUMNS: &str =
    "h.id, h.lane, h.sub_type, h.status, h.amount, h.fee, h.at, h.due, h.hash_of, h.ref_id, h.key,
    h.note, w.id, w.address, w.account, u.id, p.address, h.group_of, h.token";

impl Ledger {
    /// A page of transactions. Unfiltered or for one wallet, its cost does not grow with the page number; for a user or
    /// an account it grows with the rows skipped.
    pub fn transactions(
        &self,
        workspace_number: WorkspaceNumber,
        filter: &TransactionFilter,
        now: Timestamp,
    ) -> Result<Page<render::Transaction>, RequestError> {
        self.read_in_workspace(workspace_number, now, |connection, context| {
            if filter.wallet.is_none() && filter.user.is_none() && filter.account.is_none() {
                return context.unfiltered_page(connection, filter);
            }
            match RowFilter::resolve(connection, context.workspace, filter) {
                Ok(row_filter) => context.filtered_page(connection, filter, &row_filter),
                Err(RequestError::NotFound(_)) => {
                    Ok(Page::new(Vec::new(), 0, filter.paging.page, filter.paging.rows_per_page()))
                }
                Err(other) => Err(other),
            }
        })
    }
}

#[derive(Debug, Clone, Copy)]
pub(in crate::service) enum PaymentLookup<'a> {
    Key(Uuid),
    /// The business's own reference.
    Reference(&'a str),
}

impl Ledger {
    /// Outgoing transactions by key or reference, newest first. Scans the whole history: for tests.
    pub(in crate::service) fn find_outgoing_transactions(
        &self,
        workspace_number: WorkspaceNumber,
        sought: PaymentLookup<'_>,
        now: Timestamp,
    ) -> Result<Vec<render::Transaction>, RequestError> {
        self.read_in_workspace(workspace_number, now, |connection, context| {
            let (column, value): (_, Box<dyn ToSql>) = match sought {
                PaymentLookup::Key(key) => ("key", Box::new(key.into_bytes())),
                PaymentLookup::Reference(text) => ("ref_id", Box::new(text)),
            };
            let sql =
                format!("SELECT {COLUMNS} {JOINED_TABLES} WHERE h.lane = ?1 AND h.{column} = ?2 ORDER BY h.place DESC");
            let (mut statement, mut shared) = (connection.prepare(&sql)?, PageLookups::new(connection));
            let rows = statement
                .query_map(params![context.workspace.direction_key(RowDirection::Out), value], |row| {
                    context.read_transaction_row(row, &mut shared)
                })?;
            Ok(rows.collect::<Result<_, _>>()?)
        })
    }
}

/// One row, in the form in which the request that created it is answered.
pub(super) fn load_transaction(books: &UnitOfWork<'_>, no: i64) -> Result<render::Transaction, RequestError> {
    let context = ReadContext { workspace: &books.workspace, now: books.now, pace: books.simulation_settings.pace };
    let mut shared = PageLookups::new(books.connection);
    let transaction = books
        .connection
        .prepare_cached(&format!("SELECT {COLUMNS} {JOINED_TABLES} WHERE h.no = ?1"))?
        .query_row([no], |row| context.read_transaction_row(row, &mut shared))
        .optional()?;
    transaction.ok_or(RequestError::NotFound("transaction"))
}

fn row_directions(direction: Option<&Direction>) -> Result<Vec<RowDirection>, RequestError> {
    match direction {
        None => Ok(vec![RowDirection::In, RowDirection::Out]),
        Some(Direction::Incoming) => Ok(vec![RowDirection::In]),
        Some(Direction::Outgoing) => Ok(vec![RowDirection::Out]),
        Some(Direction::Other(word)) => {
            Err(RequestError::unprocessable(format!("txType: {word} is not one of incoming, outgoing")))
        }
    }
}

/// The lane of a direction, or the base of the workspace's row numbers, and the number of rows.
pub(super) fn page_base_and_row_count(workspace: &Workspace, direction: Option<&Direction>) -> (i64, u64) {
    match direction {
        Some(Direction::Incoming) => (workspace.direction_key(RowDirection::In), workspace.incoming),
        Some(Direction::Outgoing) => (workspace.direction_key(RowDirection::Out), workspace.outgoing),
        _ => (workspace.row_number(0), workspace.rows),
    }
}

/// The rows of a page: `?1` from [`page_base_and_row_count`], `?2` the position before the oldest row, `?3` that of the
/// newest.
pub(super) fn page_sql(direction: Option<&Direction>) -> String {
    let range = match direction {
        None => "h.no > ?1 + ?2 AND h.no <= ?1 + ?3 ORDER BY h.no DESC",
        Some(_) => "h.lane = ?1 AND h.place > ?2 AND h.place <= ?3 ORDER BY h.place DESC",
    };
    format!("SELECT {COLUMNS} {JOINED_TABLES} WHERE {range}")
}

impl ReadContext<'_> {
    /// Positions are dense, so a page is a range of positions.
    fn unfiltered_page(
        &self,
        connection: &Connection,
        filter: &TransactionFilter,
    ) -> Result<Page<render::Transaction>, RequestError> {
        let paging = filter.paging;
        let direction = filter.direction.as_ref();
        row_directions(direction)?;
        let (base, total) = page_base_and_row_count(self.workspace, direction);
        let newest = total.saturating_sub(paging.rows_before_page());
        let oldest = newest.saturating_sub(paging.rows_per_page());
        let mut statement = connection.prepare_cached(&page_sql(direction))?;
        let mut shared = PageLookups::new(connection);
        let rows = statement
            .query_map(params![base, columns::to_sql_integer(oldest), columns::to_sql_integer(newest)], |row| {
                self.read_transaction_row(row, &mut shared)
            })?
            .collect::<Result<_, _>>()?;
        Ok(Page::new(rows, total, paging.page, paging.rows_per_page()))
    }

    fn filtered_page(
        &self,
        connection: &Connection,
        filter: &TransactionFilter,
        row_filter: &RowFilter,
    ) -> Result<Page<render::Transaction>, RequestError> {
        let paging = filter.paging;
        let directions = row_directions(filter.direction.as_ref())?;
        let lane = |direction: Option<&RowDirection>| {
            direction.map_or(-1, |direction| self.workspace.direction_key(*direction))
        };
        let (one, other) = (lane(directions.first()), lane(directions.last()));
        let wallets = row_filter.wallets_sql();
        let values: [&dyn ToSql; 2] = [&one, &other];
        let mut bound: Vec<&dyn ToSql> = values.to_vec();
        bound.extend(row_filter.sql_values());
        let total = connection
            .prepare_cached(&format!("SELECT count(*) FROM history WHERE lane IN (?1, ?2) AND wallet IN ({wallets})"))?
            .query_row(bound.as_slice(), |row| columns::read_count(row, 0))?;
        let (limit, offset) =
            (columns::to_sql_integer(paging.rows_per_page()), columns::to_sql_integer(paging.rows_before_page()));
        bound.extend([&limit as &dyn ToSql, &offset]);
        let n = bound.len();
        let mut statement = connection.prepare_cached(&format!(
            "SELECT {COLUMNS} {JOINED_TABLES} WHERE h.no IN (
                 SELECT no FROM history WHERE lane IN (?1, ?2) AND wallet IN ({wallets})
                 ORDER BY no DESC LIMIT ?{} OFFSET ?{n}) ORDER BY h.no DESC",
            n - 1
        ))?;
        let mut shared = PageLookups::new(connection);
        let rows = statement.query_map(bound.as_slice(), |row| self.read_transaction_row(row, &mut shared))?;
        let rows = rows.collect::<Result<_, _>>()?;
        Ok(Page::new(rows, total, paging.page, paging.rows_per_page()))
    }

    pub(super) fn read_transaction_row(
        &self,
        row: &Row<'_>,
        shared: &mut PageLookups<'_>,
    ) -> rusqlite::Result<render::Transaction> {
        let account_id = shared.account(row.get(14)?)?;
        let token = shared.token(row.get(18)?)?;
        let id = columns::read_uuid(row, 0)?;
        let lane: i64 = row.get(1)?;
        let incoming = lane % 2 == 0;
        let sub_type = SubType::from_row(row, 2)?;
        let status = RowStatus::from_row(row, 3)?;
        let (amount, fee) = (columns::read_amount(row, 4)?, columns::read_amount(row, 5)?);
        let too_large = || rusqlite::Error::IntegralValueOutOfRange(4, i64::MAX);
        let to_amount = |raw| Amount::new(raw, token.decimals).map(render::Amount::from).ok_or_else(too_large);
        let (at, due) = (Timestamp::from_millis(row.get(6)?), row.get::<_, i64>(7)?);
        let on_chain = if row.get_ref(8)?.as_blob_or_null()?.is_some() { columns::read_uuid(row, 8)? } else { id };
        let (own, other): (String, Option<String>) = (row.get(13)?, row.get(16)?);
        let (from, to) = if incoming { (other, Some(own)) } else { (Some(own), other) };
        let succeeded = status == RowStatus::Success;
        let environment = &self.workspace.environment;
        Ok(render::Transaction {
            id: id.to_string(),
            ref_id: row.get(9)?,
            idempotency_key: columns::read_optional_id(row, 10)?,
            token_ticker: token.symbol.clone(),
            fee_token: token.symbol.clone(),
            decimals: token.decimals,
            chain_decimals: token.chain.coin.2,
            is_native: token.contract.is_none(),
            total_amount: to_amount(amount.checked_add(fee).ok_or_else(too_large)?)?,
            amount: to_amount(amount)?,
            total_fee: to_amount(fee)?,
            token_name: token.name.clone(),
            token_symbol: token.symbol.clone(),
            token_address: token.contract.clone(),
            blockchain: token.chain.slug,
            protocol: chain_protocol(token.chain),
            environment: environment.clone(),
            network: environment.clone(),
            standard: token.standard,
            tx_type: if incoming { "incoming" } else { "outgoing" },
            tx_sub_type: sub_type.label(),
            status: status.label(),
            from_address: from,
            to_address: to,
            // Transfers off the chain have no hash.
            tx_hash: (sub_type != SubType::InternalTransfer)
                .then(|| addresses::transaction_hash(token.chain.family, on_chain)),
            fee_level: "normal",
            is_batch: sub_type == SubType::BatchWithdraw,
            note: row.get(11)?,
            trigger_origin: match sub_type {
                SubType::Deposit => "CHAIN",
                SubType::Sweep => "AUTO_SWEEP",
                _ => "API",
            },
            transaction_group_id: columns::read_optional_id(row, 17)?,
            confirmation: self.confirmations(token.chain, status, at),
            confirmed: succeeded,
            confirmed_at: succeeded.then(|| iso_time(due)),
            user_id: columns::read_optional_id(row, 15)?,
            wallet_id: columns::read_id(row, 12)?,
            account_id,
            workspace_id: self.workspace.id.to_string(),
        })
    }
}

/// Data shared by rows of a page: few tokens and fewer accounts, each looked up once.
pub(super) struct PageLookups<'a> {
    connection: &'a Connection,
    tokens: HashMap<i64, ChainToken>,
    accounts: HashMap<i64, String>,
}

impl<'a> PageLookups<'a> {
    pub(super) fn new(connection: &'a Connection) -> Self {
        Self { connection, tokens: HashMap::new(), accounts: HashMap::new() }
    }

    fn token(&mut self, no: i64) -> rusqlite::Result<&ChainToken> {
        match self.tokens.entry(no) {
            Entry::Occupied(entry) => Ok(entry.into_mut()),
            Entry::Vacant(place) => Ok(place.insert(ChainToken::load_by_number(self.connection, no)?)),
        }
    }

    fn account(&mut self, no: i64) -> rusqlite::Result<String> {
        if let Some(id) = self.accounts.get(&no) {
            return Ok(id.clone());
        }
        let mut statement = self.connection.prepare_cached("SELECT id FROM accounts WHERE no = ?1")?;
        let id = statement.query_row([no], |row| columns::read_id(row, 0))?;
        self.accounts.insert(no, id.clone());
        Ok(id)
    }
}

/// Numbers of the wallet, user and account to filter by.
struct RowFilter {
    wallet: Option<i64>,
    user: Option<i64>,
    account: Option<i64>,
}

impl RowFilter {
    fn resolve(
        connection: &Connection,
        workspace: &Workspace,
        filter: &TransactionFilter,
    ) -> Result<Self, RequestError> {
        let workspace_number = workspace.number;
        let wallet = |id: Uuid| wallets::find_wallet(connection, workspace_number, id).map(|wallet| wallet.no);
        Ok(Self {
            wallet: filter.wallet.map(wallet).transpose()?,
            user: filter.user.map(|id| users::find_user_number(connection, workspace_number, id)).transpose()?,
            account: filter
                .account
                .map(|id| accounts::find_account_number(connection, workspace_number, id))
                .transpose()?,
        })
    }

    /// A query for the matching wallets, with parameters from `?3` on.
    fn wallets_sql(&self) -> String {
        let columns = [(self.wallet, "no"), (self.user, "user"), (self.account, "account")];
        let filters = columns.iter().filter(|(value, _)| value.is_some());
        let terms: Vec<_> = filters.zip(3..).map(|((_, column), n)| format!("{column} = ?{n}")).collect();
        format!("SELECT no FROM wallets WHERE {}", terms.join(" AND "))
    }

    fn sql_values(&self) -> Vec<&dyn ToSql> {
        [&self.wallet, &self.user, &self.account]
            .into_iter()
            .filter_map(|value| value.as_ref().map(|value| value as &dyn ToSql))
            .collect()
    }
}
