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
    /// A page of the deposits or of the withdrawals, counted from 1. How many come back is the service's decision.
    pub async fn fetch_transactions(
        &self,
        direction: &Direction,
        page_no: u64,
        limit: u64,
    ) -> Result<Page<Transaction>, Failure> {
        self.fetch_transactions_unparsed(direction, page_no, limit).await?.read()
    }

    /// The same page as its bytes came, to be read elsewhere while the next one comes.
    pub async fn fetch_transactions_unparsed(
        &self,
        direction: &Direction,
        page_no: u64,
        limit: u64,
    ) -> Result<UnparsedPage, Failure> {
        let body = self.get_page("/v2/transactions", &[("txType", direction.word())], page_no, limit).await?;
        Ok(UnparsedPage { body, direction: direction.clone(), wire: Arc::clone(&self.wire) })
    }
}

/// A page of a list of transactions as its bytes came.
#[derive(Debug)]
pub struct UnparsedPage {
    body: String,
    direction: Direction,
    wire: Arc<WireNames>,
}

impl UnparsedPage {
    /// What tells it from every page that came with other bytes.
    pub fn digest(&self) -> [u8; 32] {
        Sha256::digest(&self.body).into()
    }

    /// Reads it, which takes a processor as long as fetching it takes the network.
    pub fn read(&self) -> Result<Page<Transaction>, Failure> {
        parse_page(&self.body, &self.direction, &self.wire)
    }
}

/// A page of a list of transactions, searched for one entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageSearch {
    /// The entry, as the service wrote it.
    pub found: Option<String>,
    /// How many entries a page holds at most, where that was told.
    pub page_limit: Option<u64>,
    /// How many entries the page had.
    pub entries: usize,
}

impl Reader {
    /// Looks for a transaction in a page of a list, and gives its text as the service wrote it.
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
        let is_it = |fields: Fields<'_>| fields.id("id", TransactionId::read).as_ref() == Some(id);
        let found = list.iter().find(|raw| Fields::from_raw(raw).is_some_and(is_it));
        Ok(PageSearch { found: found.map(|raw| raw.get().to_owned()), page_limit, entries: list.len() })
    }
}

/// Reads a page. A row that does not say its direction has that of the list.
pub(in crate::api) fn parse_page(
    body: &str,
    direction: &Direction,
    wire: &WireNames,
) -> Result<Page<Transaction>, Failure> {
    Payload::parse(body)?.page(|fields| transaction(fields, direction, wire))
}

/// Reads what the answer to a payment tells of its transaction, of which any part may be absent.
pub(in crate::api) fn parse_seen(fields: &Fields<'_>) -> ObservedTransaction {
    ObservedTransaction {
        transaction: fields.id("id", TransactionId::read),
        status: fields.open_enum("status", Status::read),
        confirmed: fields.flag("confirmed"),
        confirmed_at: fields.time("confirmedAt"),
        confirmation: fields.integer("confirmation"),
        tx_hash: fields.text("txHash"),
        swap: None,
    }
}

fn transaction(fields: &Fields<'_>, direction: &Direction, wire: &WireNames) -> Option<Transaction> {
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
        id: fields.id("id", TransactionId::read)?,
        direction: fields.open_enum("txType", Direction::read).unwrap_or_else(|| direction.clone()),
        sub_type: fields.open_enum("txSubType", SubType::read),
        status: fields.open_enum("status", Status::read),
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
        // A key that cannot be read is no key that was left out: the row is another order's, or nobody's.
        idempotency_key: fields.text_or_raw("idempotencyKey"),
        note: fields.text("note"),
        trigger_origin: fields.text("triggerOrigin"),
        group: fields.text("transactionGroupId"),
        user: fields.id("userId", UserId::read),
        wallet: fields.id("walletId", WalletId::read),
        account: fields.id("accountId", AccountId::read),
        unreadable: fields.unreadable_fields(
            &["blockchain", "toAddress", "refId", "note", "userId", "walletId", "accountId", "txType"],
            &[("amount", decimals), ("totalAmount", decimals), ("totalFee", fee_decimals)],
        ),
    })
}
