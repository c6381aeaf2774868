//! Deposits, withdrawals and transfers, as v1 shows them.

use rusqlite::types::ToSql;
use rusqlite::{Connection, Row, params_from_iter};
use uuid::Uuid;

use super::lookups;
use super::owners::WalletOwner;
use super::sub_wallets::resolve_coin_and_chain;
use crate::domain::{Address, Amount, Family, Timestamp};
use crate::service::chain;
use crate::service::ledger::commands::Paging;
use crate::service::ledger::projection::ReadContext;
use crate::service::ledger::render::{Page, iso_time, v1};
use crate::service::ledger::request_error::RequestError;
use crate::service::ledger::rows::{RowDirection, RowStatus, SubType};
use crate::service::ledger::tokens::{ChainToken, chain_number};
use crate::service::ledger::workspaces::{Workspace, WorkspaceNumber};
use crate::service::ledger::{Ledger, addresses, columns};

/// Absent fields do not filter.
#[derive(Debug, Clone, Default)]
pub struct DepositFilter {
    pub sub_wallet: Option<Uuid>,
    pub deposit: Option<Uuid>,
    pub hash: Option<String>,
    pub from_address: Option<String>,
    pub to_address: Option<String>,
    /// Slug, name or alias.
    pub chain: Option<String>,
    pub coin: Option<String>,
}

/// Absent fields do not filter.
#[derive(Debug, Clone, Default)]
pub struct TransferFilter {
    /// Sender or recipient.
    pub sub_wallet: Option<Uuid>,
    pub transfer: Option<Uuid>,
    /// The recipient: a sub-wallet or the Prime Wallet.
    pub to_wallet: Option<Uuid>,
    pub coin: Option<String>,
}

/// The other end of a row is joined by its address: it may be in the same workspace.
const JOINED_TABLES: &str =
    "FROM history h CROSS JOIN wallets w ON w.no = h.wallet CROSS JOIN accounts a ON a.no = w.account
    CROSS JOIN tokens k ON k.no = h.token LEFT JOIN parties p ON p.no = h.party LEFT JOIN users u ON u.no = w.user
    LEFT JOIN wallets ow ON ow.address = p.address AND ow.chain = w.chain AND ow.workspace = w.workspace
    LEFT JOIN accounts oa ON oa.no = ow.account LEFT JOIN users ou ON ou.no = ow.user";

const COLUMNS: &str = "h.id, h.lane, h.sub_type, h.status, h.amount, h.fee, h.at, h.due, h.hash_of, h.ref_id, h.tag,
    w.address, ifnull(u.id, a.id), p.address, ifnull(ou.id, oa.id)";

const COLUMN_COUNT: usize = 15;

/// Filter terms, with their values in the same order.
#[derive(Default)]
struct RowQuery {
    terms: Vec<String>,
    values: Vec<Box<dyn ToSql>>,
}

impl RowQuery {
    /// Rows of some kinds in one direction.
    fn rows_of_types(workspace: &Workspace, direction: RowDirection, sub_types: &[SubType]) -> Self {
        let mut query = Self::default();
        query.filter_by("h.lane = ?", workspace.direction_key(direction));
        let kinds: Vec<_> = sub_types.iter().map(|sub_type| (*sub_type as i64).to_string()).collect();
        query.terms.push(format!("h.sub_type IN ({})", kinds.join(", ")));
        query
    }

    fn filter_by(&mut self, term: &str, value: impl ToSql + 'static) {
        self.terms.push(term.to_owned());
        self.values.push(Box::new(value));
    }

    fn filter_by_owner(&mut self, wallet: &str, owner: WalletOwner) {
        let (column, no) = owner.wallets_column_and_number();
        self.filter_by(&format!("{wallet}.{column} = ?"), no);
    }

    /// Filters by row number.
    fn filter_by_row_numbers(&mut self, numbers: &[i64]) {
        let numbers: Vec<_> = numbers.iter().map(ToString::to_string).collect();
        self.terms.push(format!("h.no IN ({})", numbers.join(", ")));
    }

    /// Filters by coin and chain, as received.
    fn filter_by_coin_and_chain(&mut self, coin: Option<&str>, chain: Option<&str>) -> Result<(), RequestError> {
        let (symbol, chain) = resolve_coin_and_chain(coin, chain)?;
        if let Some(symbol) = symbol {
            self.filter_by("k.symbol = ?", symbol);
            self.terms.push("k.listed = 1".into());
        }
        if let Some(chain) = chain {
            self.filter_by("k.chain = ?", chain_number(chain));
        }
        Ok(())
    }

    fn where_sql(&self) -> String {
        self.terms.join(" AND ")
    }

    /// Newest first.
    fn page<T>(
        mut self,
        connection: &Connection,
        paging: Paging,
        read: impl Fn(&Row<'_>) -> Result<T, RequestError>,
    ) -> Result<Page<T>, RequestError> {
        let terms = self.where_sql();
        let total = connection
            .prepare(&format!("SELECT count(*) {JOINED_TABLES} WHERE {terms}"))?
            .query_row(params_from_iter(&self.values), |row| columns::read_count(row, 0))?;
        let token_columns = ChainToken::COLUMNS;
        self.values.push(Box::new(columns::to_sql_integer(paging.rows_per_page())));
        self.values.push(Box::new(columns::to_sql_integer(paging.rows_before_page())));
        let mut statement = connection.prepare(&format!(
            "SELECT {COLUMNS}, {token_columns} {JOINED_TABLES} WHERE {terms} ORDER BY h.place DESC LIMIT ? OFFSET ?"
        ))?;
        let mut rows = statement.query(params_from_iter(&self.values))?;
        let mut page = Vec::new();
        while let Some(row) = rows.next()? {
            page.push(read(row)?);
        }
        Ok(Page::new(page, total, paging.page, paging.rows_per_page()))
    }
}

impl ReadContext<'_> {
    fn amount_as_number(token: &ChainToken, raw: ruint::aliases::U256) -> Result<v1::JsonNumber, RequestError> {
        let amount = Amount::new(raw, token.decimals);
        v1::JsonNumber::from_amount(
            amount.ok_or_else(|| RequestError::Internal("an amount has too many fraction digits".into()))?,
        )
    }

    fn read_movement_row(self, row: &Row<'_>) -> Result<v1::Movement, RequestError> {
        let token = ChainToken::from_row(row, COLUMN_COUNT)?;
        let id = columns::read_uuid(row, 0)?;
        let incoming = row.get::<_, i64>(1)? % 2 == 0;
        let sub_type = SubType::from_row(row, 2)?;
        let status = RowStatus::from_row(row, 3)?;
        let (at, due): (i64, i64) = (row.get(6)?, row.get(7)?);
        let on_chain = columns::read_optional_id(row, 8)?.and_then(|id| Uuid::try_parse(&id).ok()).unwrap_or(id);
        let (own, other): (String, Option<String>) = (row.get(11)?, row.get(13)?);
        let (owner, other_owner) = (columns::read_optional_id(row, 12)?, columns::read_optional_id(row, 14)?);
        let internal = sub_type == SubType::InternalTransfer;
        let hash = (!internal).then(|| addresses::transaction_hash(token.chain.family, on_chain));
        let explorer = chain::block_explorer(token.chain, self.workspace.is_testnet());
        let confirmation = self.confirmations(token.chain, status, Timestamp::from_millis(at));
        let ((from, from_owner), (to, to_owner)) = if incoming {
            ((other, other_owner), (Some(own), owner))
        } else {
            ((Some(own), owner), (other, other_owner))
        };
        Ok(v1::Movement {
            id: id.to_string(),
            destination: if internal { "internal_transfer" } else { "on_chain" },
            workspace_id: self.workspace.id.to_string(),
            from_wallet_id: from_owner,
            to_wallet_id: to_owner,
            amount: Self::amount_as_number(&token, columns::read_amount(row, 4)?)?,
            network_fee: Self::amount_as_number(&token, columns::read_amount(row, 5)?)?,
            coin: token.symbol,
            chain: token.chain.slug,
            network: self.workspace.environment.clone(),
            status: status.label(),
            confirmation: if internal { 0 } else { confirmation },
            created_at: iso_time(at),
            updated_at: iso_time(if status == RowStatus::Pending { at } else { due.max(at) }),
            client_tx_id: row.get(9)?,
            from_address: from,
            to_address: to,
            transaction_link: hash.as_ref().map(|hash| token.chain.transaction_link_at(explorer, hash)),
            hash,
            tag_memo: row.get(10)?,
        })
    }

    fn read_transfer_row(self, row: &Row<'_>) -> Result<v1::Transfer, RequestError> {
        let token = ChainToken::from_row(row, COLUMN_COUNT)?;
        let status = RowStatus::from_row(row, 3)?;
        let confirmed = status == RowStatus::Success;
        Ok(v1::Transfer {
            id: columns::read_id(row, 0)?,
            workspace_id: self.workspace.id.to_string(),
            client_tx_id: row.get(9)?,
            from_wallet_id: columns::read_id(row, 12)?,
            to_wallet_id: columns::read_optional_id(row, 14)?,
            amount: Self::amount_as_number(&token, columns::read_amount(row, 4)?)?,
            network_fee: Self::amount_as_number(&token, columns::read_amount(row, 5)?)?,
            coin: token.symbol,
            status: status.label(),
            tag_memo: row.get(10)?,
            confirmed,
            confirmed_at: if confirmed { Some(iso_time(row.get(7)?)) } else { None },
            created_at: iso_time(row.get(6)?),
        })
    }
}

/// One row, of either direction.
pub(super) fn load_movement(
    connection: &Connection,
    context: ReadContext<'_>,
    no: i64,
) -> Result<v1::Movement, RequestError> {
    let token_columns = ChainToken::COLUMNS;
    let mut statement =
        connection.prepare_cached(&format!("SELECT {COLUMNS}, {token_columns} {JOINED_TABLES} WHERE h.no = ?"))?;
    let mut rows = statement.query([no])?;
    rows.next()?.map_or(Err(RequestError::NotFound("deposit")), |row| context.read_movement_row(row))
}

impl Ledger {
    /// A page of the deposits of sub-wallets and the Prime Wallet, on chains and off them.
    pub fn deposits(
        &self,
        workspace_number: WorkspaceNumber,
        filter: &DepositFilter,
        now: Timestamp,
        paging: Paging,
    ) -> Result<Page<v1::Movement>, RequestError> {
        self.read_in_workspace(workspace_number, now, |connection, context| {
            let mut query = RowQuery::rows_of_types(
                context.workspace,
                RowDirection::In,
                &[SubType::Deposit, SubType::InternalTransfer],
            );
            if let Some(id) = filter.sub_wallet {
                let owner = WalletOwner::find_sub_wallet(connection, workspace_number, id)?
                    .ok_or(RequestError::NotFound("sub-wallet"))?;
                query.filter_by_owner("w", owner);
            }
            if let Some(id) = filter.deposit {
                query.filter_by_row_numbers(&lookups::find_row_numbers_by_id(connection, id)?);
            }
            if let Some(hash) = &filter.hash {
                query.filter_by_row_numbers(&lookups::find_row_numbers_by_hash(connection, hash)?);
            }
            if let Some(address) = &filter.from_address {
                query.filter_by("p.address = ?", canonical_address(address));
            }
            if let Some(address) = &filter.to_address {
                query.filter_by("w.address = ?", canonical_address(address));
            }
            query.filter_by_coin_and_chain(filter.coin.as_deref(), filter.chain.as_deref())?;
            query.page(connection, paging, |row| context.read_movement_row(row))
        })
    }

    /// A page of the withdrawals of a sub-wallet or the Prime Wallet.
    pub fn withdrawals(
        &self,
        workspace_number: WorkspaceNumber,
        (sub_wallet, coin): (Uuid, Option<&str>),
        now: Timestamp,
        paging: Paging,
    ) -> Result<Page<v1::Movement>, RequestError> {
        self.read_in_workspace(workspace_number, now, |connection, context| {
            let mut query = RowQuery::rows_of_types(
                context.workspace,
                RowDirection::Out,
                &[SubType::Withdraw, SubType::BatchWithdraw],
            );
            query.filter_by_owner("w", WalletOwner::find(connection, workspace_number, sub_wallet)?);
            query.filter_by_coin_and_chain(coin, None)?;
            query.page(connection, paging, |row| context.read_movement_row(row))
        })
    }

    pub fn transfers(
        &self,
        workspace_number: WorkspaceNumber,
        filter: &TransferFilter,
        now: Timestamp,
        paging: Paging,
    ) -> Result<Page<v1::Transfer>, RequestError> {
        self.read_in_workspace(workspace_number, now, |connection, context| {
            let mut query = RowQuery::rows_of_types(context.workspace, RowDirection::Out, &[SubType::InternalTransfer]);
            if let Some(id) = filter.sub_wallet {
                let (column, no) = WalletOwner::find(connection, workspace_number, id)?.wallets_column_and_number();
                query.filter_by(&format!("? IN (w.{column}, ow.{column})"), no);
            }
            if let Some(id) = filter.transfer {
                query.filter_by_row_numbers(&lookups::find_row_numbers_by_id(connection, id)?);
            }
            if let Some(id) = filter.to_wallet {
                query.filter_by_owner("ow", WalletOwner::find(connection, workspace_number, id)?);
            }
            query.filter_by_coin_and_chain(filter.coin.as_deref(), None)?;
            query.page(connection, paging, |row| context.read_transfer_row(row))
        })
    }
}

/// The canonical form of an EVM or Bitcoin address, which have several spellings; other text unchanged.
fn canonical_address(address: &str) -> String {
    let forms = [Family::Evm, Family::Bitcoin].map(|family| Address::parse(family, address).ok());
    forms.into_iter().flatten().next().map_or_else(|| address.to_owned(), |address| address.canonical())
}
