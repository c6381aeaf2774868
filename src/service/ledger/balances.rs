use rusqlite::params;
use uuid::Uuid;

use super::render::{self, iso_time};
use super::request_error::RequestError;
use super::tokens::ChainToken;
use super::workspaces::{self, WorkspaceNumber};
use super::{Ledger, columns, users};
use crate::domain::Amount;

impl Ledger {
    /// A user's spendable balances, one row per token and chain over all wallets of the user. Frozen funds are
    /// excluded; a token that was spent stays, with zero.
    pub fn balances_of_user(
        &self,
        workspace_number: WorkspaceNumber,
        user: Uuid,
    ) -> Result<Vec<render::UserTokenBalance>, RequestError> {
        self.read(|connection| {
            let workspace = workspaces::load_workspace(connection, workspace_number)?;
            let user = users::find_user_number(connection, workspace_number, user)?;
            let columns = ChainToken::COLUMNS;
            let mut statement = connection.prepare_cached(&format!(
                "SELECT {columns}, b.balance, b.created_at, b.updated_at
                 FROM wallets w CROSS JOIN books b ON b.wallet = w.no AND b.kind = 0 CROSS JOIN tokens k ON k.no = b.token
                 WHERE w.user = ?1 ORDER BY k.no"
            ))?;
            let mut rows = statement.query(params![user])?;
            let mut token_balances: Vec<SpendableTokenBalance> = Vec::new();
            while let Some(row) = rows.next()? {
                let next = SpendableTokenBalance {
                    token: ChainToken::from_row(row, 0)?,
                    raw: columns::read_amount(row, ChainToken::COLUMN_COUNT)?,
                    created: row.get(ChainToken::COLUMN_COUNT + 1)?,
                    updated: row.get(ChainToken::COLUMN_COUNT + 2)?,
                };
                match token_balances.last_mut().filter(|last| last.token.no == next.token.no) {
                    Some(last) => last.add_balance(&next)?,
                    None => token_balances.push(next),
                }
            }
            token_balances.into_iter().map(|token_balance| token_balance.render(&workspace.environment)).collect()
        })
    }
}

struct SpendableTokenBalance {
    token: ChainToken,
    raw: ruint::aliases::U256,
    created: i64,
    updated: i64,
}

impl SpendableTokenBalance {
    fn add_balance(&mut self, other: &Self) -> Result<(), RequestError> {
        let sum = self.raw.checked_add(other.raw);
        self.raw =
            sum.ok_or_else(|| RequestError::Internal("a user's balance is larger than any token can hold".into()))?;
        self.created = self.created.min(other.created);
        self.updated = self.updated.max(other.updated);
        Ok(())
    }

    fn render(self, environment: &str) -> Result<render::UserTokenBalance, RequestError> {
        let token = self.token;
        let amount = Amount::new(self.raw, token.decimals)
            .ok_or_else(|| RequestError::Internal("a token has more fraction digits than an amount can have".into()))?;
        Ok(render::UserTokenBalance {
            token: render::TokenOfBalance {
                is_native: token.contract.is_none(),
                name: token.name,
                symbol: token.symbol,
                blockchain: token.chain.slug,
                token_address: token.contract,
                standard: token.standard,
                decimals: token.decimals,
            },
            amount: amount.into(),
            environment: environment.to_owned(),
            created_at: iso_time(self.created),
            updated_at: iso_time(self.updated),
        })
    }
}
