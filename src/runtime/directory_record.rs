//! Reads an account or a wallet in full from the store.

use crate::app::overlays::directory_record::{DirectoryRecord, RECENT_ROWS, Subject};
use crate::domain::Account;
use crate::domain::entry_source::Sourced;
use crate::domain::filter::Filter;
use crate::domain::history::{HistoryRow, Query, Scope, Window, WindowAnchor, WindowRequest};
use crate::domain::poison::PoisonFilter;
use crate::store::{Cancel, Store, StoreError};

/// `None` for an account or a wallet that is not known.
pub(super) fn read_directory_record(
    store: &Store,
    scope: Scope,
    poison_filter: PoisonFilter,
) -> Result<Option<DirectoryRecord>, StoreError> {
    let Some(subject) = read_account_or_wallet(store, &scope)? else { return Ok(None) };
    let holdings = store.holdings(&scope)?;
    let newest = read_newest_rows(store, Query { scope: scope.clone(), ..Query::default() })?;
    let folded = newest.iter().filter(|row| poison_filter.hides(row)).count();
    let recent = if folded == 0 {
        newest
    } else {
        read_newest_rows(
            store,
            Query {
                scope,
                filter: Filter { poison_filter: Some(poison_filter), ..Filter::default() },
                ..Query::default()
            },
        )?
    };
    Ok(Some(DirectoryRecord { subject, holdings, recent, folded }))
}

fn read_newest_rows(store: &Store, query: Query) -> Result<Vec<HistoryRow>, StoreError> {
    let span = WindowRequest { query, anchor: WindowAnchor::Rank(0), rows: RECENT_ROWS };
    let mut recent = Window::default();
    store.query_history(&span, &Cancel::new(), &mut |window| recent = window)?;
    Ok(recent.rows)
}

fn read_account_or_wallet(store: &Store, scope: &Scope) -> Result<Option<Subject>, StoreError> {
    let find_account = |account_scope: &Scope| -> Result<Option<Sourced<Account>>, StoreError> {
        let mut accounts = store.accounts()?.into_iter();
        Ok(accounts.find(|account| Scope::Account(account.entry.id.clone()) == *account_scope))
    };
    if let Scope::Account(_) = scope {
        let wallets = store.wallets(scope, "", 0, 1)?.count.number();
        return Ok(find_account(scope)?.map(|account| Subject::Account { account, wallets }));
    }
    let Some(wallet) = store.wallets(scope, "", 0, 1)?.rows.into_iter().next() else { return Ok(None) };
    let account = wallet.entry.account.clone().map(Scope::Account);
    let account_name = account.as_ref().map(find_account).transpose()?.flatten().and_then(|account| account.entry.name);
    let user = wallet.entry.user.clone().map(Scope::User);
    let user = user.map(|user| store.users(&user, "", 0, 1)).transpose()?;
    let user_name = user.and_then(|users| users.rows.into_iter().next()?.entry.display_name);
    Ok(Some(Subject::Wallet { wallet, account_name, user_name }))
}
