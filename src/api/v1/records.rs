//! Deposits, withdrawals and transfers of sub-wallets.

use std::ops::RangeInclusive;

use serde_json::value::RawValue;

use crate::api::Reader;
use crate::api::fields::Fields;
use crate::api::paging::RowReader;
use crate::api::v2::transactions;
use crate::domain::v1::{Destination, Movement, MovementFilter, Transfer, TransferFilter};
use crate::domain::{Failure, ObservedTransaction, PagedList, Status, Text, Timestamp, TransactionId, UserId};

impl Reader {
    /// The deposits that match a filter, newest first, from these pages. Rows that the service should have filtered out
    /// are filtered here, and counted.
    pub async fn fetch_sub_wallet_deposits(
        &self,
        filter: &MovementFilter,
        pages: RangeInclusive<u64>,
    ) -> Result<PagedList<Movement>, Failure> {
        let wire = &self.wire_names;
        let parameters = [
            (&wire.filter_sub_wallet, filter.sub_wallet.as_ref().map(UserId::as_str)),
            (&wire.filter_deposit, filter.deposit.as_ref().map(TransactionId::as_str)),
            (&wire.filter_hash, filter.hash.as_deref()),
            (&wire.filter_from_address, filter.from_address.as_deref()),
            (&wire.filter_to_address, filter.to_address.as_deref()),
            (&wire.filter_chain, filter.chain.as_deref()),
            (&wire.filter_coin, filter.coin.as_deref()),
        ];
        self.read_list("/v1/sub-wallet/deposit/list", &present_params(&parameters), deposit_rows(pages), |row| {
            filter.matches(row)
        })
        .await
    }

    /// The transfers that match a filter, in the same way.
    pub async fn fetch_sub_wallet_transfers(
        &self,
        filter: &TransferFilter,
        pages: RangeInclusive<u64>,
    ) -> Result<PagedList<Transfer>, Failure> {
        let wire = &self.wire_names;
        let parameters = [
            (&wire.filter_sub_wallet, filter.sub_wallet.as_ref().map(UserId::as_str)),
            (&wire.filter_transfer, filter.transfer.as_ref().map(TransactionId::as_str)),
            (&wire.filter_to_wallet, filter.to_wallet.as_ref().map(UserId::as_str)),
            (&wire.filter_coin, filter.coin.as_deref()),
        ];
        let rows = RowReader {
            parse_row: |entry: &RawValue| parse_transfer(&Fields::from_raw(entry)?),
            row_key: |row: &Transfer| row.id.clone(),
            pages,
        };
        self.read_list("/v1/sub-wallet/transfer/list", &present_params(&parameters), rows, |row| filter.matches(row))
            .await
    }

    /// The deposits of one sub-wallet, by the operation that the migration table names.
    pub async fn fetch_sub_wallet_deposit_history(
        &self,
        id: &UserId,
        coin: Option<&Text>,
        pages: RangeInclusive<u64>,
    ) -> Result<PagedList<Movement>, Failure> {
        let filter = MovementFilter { sub_wallet: Some(id.clone()), coin: coin.cloned(), ..MovementFilter::default() };
        let path = "/v1/sub-wallet/deposit";
        self.read_list(path, &self.sub_wallet_query(id, coin), deposit_rows(pages), |row| filter.matches(row)).await
    }

    /// The withdrawals of one sub-wallet, from these pages, and not beyond rows created before `since` if the newest are
    /// listed first.
    pub async fn fetch_sub_wallet_withdrawal_history(
        &self,
        id: &UserId,
        coin: Option<&Text>,
        since: Option<Timestamp>,
        pages: RangeInclusive<u64>,
    ) -> Result<PagedList<Movement>, Failure> {
        let is_older = |row: &Movement| row.created_at.zip(since).is_some_and(|(at, since)| at < since);
        self.read_withdrawals(id, coin, pages, |rows| rows.last().is_some_and(is_older)).await
    }

    /// The withdrawals of one sub-wallet, up to the page with one of this identifier or transaction hash. The
    /// specification shows no filter of this list by either.
    pub async fn find_sub_wallet_withdrawal(
        &self,
        id: &UserId,
        id_or_hash: &Text,
        pages: RangeInclusive<u64>,
    ) -> Result<PagedList<Movement>, Failure> {
        self.read_withdrawals(id, None, pages, |rows| rows.iter().any(|row| row.has_id_or_hash(id_or_hash))).await
    }

    async fn read_withdrawals(
        &self,
        id: &UserId,
        coin: Option<&Text>,
        pages: RangeInclusive<u64>,
        is_enough: impl Fn(&[Movement]) -> bool,
    ) -> Result<PagedList<Movement>, Failure> {
        let filter = MovementFilter { coin: coin.cloned(), ..MovementFilter::default() };
        let keeps = |row: &Movement| filter.matches(row) && row.from_wallet.as_ref().is_none_or(|from| from == id);
        let path = "/v1/sub-wallet/withdraw";
        self.read_list_until(path, &self.sub_wallet_query(id, coin), deposit_rows(pages), keeps, is_enough).await
    }

    fn sub_wallet_query<'a>(&'a self, id: &'a UserId, coin: Option<&'a Text>) -> Vec<(&'a str, &'a str)> {
        present_params(&[
            (&self.wire_names.filter_sub_wallet, Some(id.as_str())),
            (&self.wire_names.filter_coin, coin.map(Text::as_str)),
        ])
    }
}

pub(super) fn present_params<'a>(parameters: &[(&'a String, Option<&'a str>)]) -> Vec<(&'a str, &'a str)> {
    parameters.iter().filter_map(|(name, value)| value.map(|value| (name.as_str(), value))).collect()
}

fn deposit_rows(pages: RangeInclusive<u64>) -> RowReader<Movement, TransactionId> {
    RowReader { parse_row: |entry| parse_deposit(&Fields::from_raw(entry)?), row_key: |row| row.id.clone(), pages }
}

/// `None` without an identifier.
pub(in crate::api) fn parse_deposit(fields: &Fields<'_>) -> Option<Movement> {
    Some(Movement {
        id: fields.id("id", TransactionId::from_text)?,
        workspace: fields.text("workspaceId"),
        destination: fields.open_enum("destination", Destination::from_word),
        from_wallet: fields.id("fromWalletId", UserId::from_text),
        to_wallet: fields.id("toWalletId", UserId::from_text),
        coin: fields.text("coin").unwrap_or_default(),
        chain: fields.text("chain"),
        network: fields.text("network"),
        amount: fields.amount("amount", None),
        status: fields.open_enum("status", Status::from_word),
        network_fee: fields.amount("networkFee", None),
        confirmation: fields.integer("confirmation"),
        created_at: fields.time("createdAt"),
        updated_at: fields.time("updatedAt"),
        client_tx_id: fields.text("clientTxId"),
        from_address: fields.text("fromAddress"),
        to_address: fields.text("toAddress"),
        hash: fields.text("hash"),
        link: fields.text("transactionLink"),
        tag_memo: fields.text("tagMemo"),
        unreadable: fields.unreadable_fields(
            &["coin", "chain", "clientTxId", "toAddress", "tagMemo"],
            &[("amount", None), ("networkFee", None)],
        ),
    })
}

/// Parses the transaction in the answer to a payment. The specification does not show this answer: it is parsed as a
/// record of version 1, and under the names of version 2 as well.
pub(in crate::api) fn parse_observed_transaction(fields: &Fields<'_>) -> ObservedTransaction {
    let transaction = transactions::parse_observed_transaction(fields);
    ObservedTransaction { tx_hash: fields.text("hash").or(transaction.tx_hash), ..transaction }
}

fn parse_transfer(fields: &Fields<'_>) -> Option<Transfer> {
    Some(Transfer {
        id: fields.id("id", TransactionId::from_text)?,
        workspace: fields.text("workspaceId"),
        client_tx_id: fields.text("clientTxId"),
        from_wallet: fields.id("fromWalletId", UserId::from_text),
        to_wallet: fields.id("toWalletId", UserId::from_text),
        coin: fields.text("coin").unwrap_or_default(),
        amount: fields.amount("amount", None),
        status: fields.open_enum("status", Status::from_word),
        network_fee: fields.amount("networkFee", None),
        tag_memo: fields.text("tagMemo"),
        confirmed: fields.flag("confirmed"),
        confirmed_at: fields.time("confirmedAt"),
        created_at: fields.time("createdAt"),
    })
}
