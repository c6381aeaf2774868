//! Transactions: the two lists that together are the history.

use std::sync::Arc;

use sha2::{Digest as _, Sha256};

use crate::api::envelope::Payload;
use crate::api::fields::Fields;
use crate::api::{Reader, WireNames};
use crate::domain::history::Page;
use crate::domain::{
    AccountId, Chain, Direction, Failure, ObservedTransaction, Status, SubType, Transaction, TransactionId, UserId,
    WalletId,
};

impl Reader {
    /// A page of the deposits or of the withdrawals, counted from 1. The service may return another number of rows than
    /// `limit`.
    pub async fn fetch_transactions(
        &self,
        direction: &Direction,
        page_no: u64,
        limit: u64,
    ) -> Result<Page<Transaction>, Failure> {
        self.fetch_transactions_unparsed(direction, page_no, limit).await?.parse()
    }

    /// The same page unparsed, so that it can be parsed while the next one is fetched.
    pub async fn fetch_transactions_unparsed(
        &self,
        direction: &Direction,
        page_no: u64,
        limit: u64,
    ) -> Result<UnparsedPage, Failure> {
        let body = self.get_page("/v2/transactions", &[("txType", direction.word())], page_no, limit).await?;
        Ok(UnparsedPage { body, direction: direction.clone(), wire: Arc::clone(&self.wire_names) })
    }
}

#[derive(Debug)]
pub struct UnparsedPage {
    body: String,
    direction: Direction,
    wire: Arc<WireNames>,
}

impl UnparsedPage {
    /// Identifies the page's bytes, to compare it with other pages.
    pub fn digest(&self) -> [u8; 32] {
        Sha256::digest(&self.body).into()
    }

    /// Parses the page, which takes as much processor time as fetching it takes on the network.
    pub fn parse(&self) -> Result<Page<Transaction>, Failure> {
        parse_page(&self.body, &self.direction, &self.wire)
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageSearch {
    /// The entry, as the service wrote it.
    pub raw: Option<String>,
    /// The most entries of a page, where it was reported.
    pub page_limit: Option<u64>,
    pub entries: usize,
}

impl Reader {
    /// Searches a page of a list for a transaction, and returns its text as the service wrote it.
    pub async fn find_raw_transaction(
        &self,
        direction: &Direction,
        id: &TransactionId,
        page_no: u64,
        limit: u64,
    ) -> Result<PageSearch, Failure> {
        let body = self.get_page("/v2/transactions", &[("txType", direction.word())], page_no, limit).await?;
        let answer = Payload::parse(&body)?;
        let list = answer.list()?;
        let page_limit = answer.page(|_| Some(()))?.page_limit;
        let is_it = |fields: Fields<'_>| fields.id("id", TransactionId::from_text).as_ref() == Some(id);
        let entry = list.iter().find(|raw| Fields::from_raw(raw).is_some_and(is_it));
        Ok(PageSearch { raw: entry.map(|raw| raw.get().to_owned()), page_limit, entries: list.len() })
    }
}

/// Parses a page. A row without a direction has that of the list.
pub(in crate::api) fn parse_page(
    body: &str,
    direction: &Direction,
    wire: &WireNames,
) -> Result<Page<Transaction>, Failure> {
    Payload::parse(body)?.page(|fields| parse_transaction(fields, direction, wire))
}

/// Parses the transaction in the answer to a payment, of which any part may be absent.
pub(in crate::api) fn parse_observed_transaction(fields: &Fields<'_>) -> ObservedTransaction {
    ObservedTransaction {
        transaction: fields.id("id", TransactionId::from_text),
        status: fields.open_enum("status", Status::from_word),
        confirmed: fields.flag("confirmed"),
        confirmed_at: fields.time("confirmedAt"),
        confirmation: fields.integer("confirmation"),
        tx_hash: fields.text("txHash"),
        swap: None,
    }
}

fn parse_transaction(fields: &Fields<'_>, direction: &Direction, wire: &WireNames) -> Option<Transaction> {
    let symbol = fields.text("tokenSymbol").or_else(|| fields.text("tokenTicker")).unwrap_or_default();
    let decimals = fields.decimals("decimals");
    let token = fields.token_key(&symbol);
    let fee_token = fields.text("feeToken");
    let fee_decimals = match &fee_token {
        Some(fee) if !fee.eq_ignore_ascii_case(&symbol) => {
            // The fee is in another token, whose digits are known only if it is the chain's own coin.
            let is_coin = Chain::find(&token.blockchain).is_some_and(|chain| chain.coin.0.eq_ignore_ascii_case(fee));
            fields.decimals("chainDecimals").filter(|_| is_coin)
        }
        _ => decimals,
    };
    Some(Transaction {
        id: fields.id("id", TransactionId::from_text)?,
        direction: fields.open_enum("txType", Direction::from_word).unwrap_or_else(|| direction.clone()),
        sub_type: fields.open_enum("txSubType", SubType::from_word),
        status: fields.open_enum("status", Status::from_word),
        token,
        symbol,
        token_name: fields.text("tokenName"),
        standard: fields.text("standard"),
        amount: fields.amount("amount", decimals),
        total_amount: fields.amount("totalAmount", decimals),
        total_fee: fields.amount("totalFee", fee_decimals),
        fee_token,
        fee_level: fields.text("feeLevel"),
        protocol: fields.text("protocol"),
        environment: fields.text("environment"),
        network: fields.text("network"),
        from_address: fields.text("fromAddress"),
        to_address: fields.text("toAddress"),
        tx_hash: fields.text("txHash"),
        confirmation: fields.integer("confirmation"),
        confirmed: fields.flag("confirmed"),
        confirmed_at: fields.time("confirmedAt"),
        created_at: fields.time(&wire.created_at),
        is_batch: fields.flag("isBatch"),
        ref_id: fields.text("refId"),
        // An unreadable key is not an absent one: the row belongs to another order, or to none.
        idempotency_key: fields.text_or_raw("idempotencyKey"),
        note: fields.text("note"),
        trigger_origin: fields.text("triggerOrigin"),
        group: fields.text("transactionGroupId"),
        user: fields.id("userId", UserId::from_text),
        wallet: fields.id("walletId", WalletId::from_text),
        account: fields.id("accountId", AccountId::from_text),
        unreadable: fields.unreadable_fields(
            &["blockchain", "toAddress", "refId", "note", "userId", "walletId", "accountId", "txType"],
            &[("amount", decimals), ("totalAmount", decimals), ("totalFee", fee_decimals)],
        ),
    })
}
