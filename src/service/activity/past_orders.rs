//! Orders that a console of the business would have recorded by now, had it been there: payments of the history, and what
//! never became one.

use std::collections::HashMap;
use std::time::Duration;

use uuid::Uuid;

use super::sample_business::BusinessState;
use super::{scene_setup, seed_stream};
use crate::domain::draft::{Batch, Metadata, Recipient, Swap, Withdrawal};
use crate::domain::{
    AccountId, Amount, Draft, PastCourse, PastOrder, Sender, Text, Timestamp, TokenKey, UserId, WalletId,
};
use crate::service::ledger::{
    Ledger, Paging, RequestError, TransactionFilter, TransactionWithTimes, WorkspaceNumber, render,
};
use crate::service::rng::Rng;

/// From the draft of an order to its request.
const DRAFT_TO_REQUEST: Duration = Duration::from_secs(50);

/// What never became a payment: how long ago, recipient, token, amount, and what became of it.
const UNPAID_ORDERS: [(Duration, (&str, &str, &str), UnpaidOrderOutcome); 3] = [
    (Duration::from_hours(24 * 204 + 3), ("MRX", "USDT", "60000"), UnpaidOrderOutcome::Refused),
    (Duration::from_hours(24 * 88 + 7), ("SCS", "USDC", "3150"), UnpaidOrderOutcome::WrittenOff),
    (Duration::from_hours(24 * 11 + 2), ("BLA", "USDC", "8800"), UnpaidOrderOutcome::Abandoned),
];

#[derive(Debug, Clone, Copy)]
enum UnpaidOrderOutcome {
    Refused,
    WrittenOff,
    Abandoned,
}

/// Every so many orders are of a colleague.
const COLLEAGUE_STEP: usize = 3;

/// Orders of the past, the oldest first.
pub(super) fn past_orders(
    ledger: &Ledger,
    workspace_number: WorkspaceNumber,
    business: &BusinessState,
    present: Timestamp,
) -> Result<Vec<PastOrder>, RequestError> {
    let payments = ledger.payments_with_idempotency_key(workspace_number, present)?;
    let mut batches: Vec<Vec<&TransactionWithTimes>> = Vec::new();
    for payment in payments.iter().filter(|payment| is_of_treasury(payment, business)) {
        match batches.iter_mut().find(|rows| rows[0].row.idempotency_key == payment.row.idempotency_key) {
            Some(rows) => rows.push(payment),
            None => batches.push(vec![payment]),
        }
    }
    let script = business.scene_profile.script;
    let is_scripted =
        |rows: &[&TransactionWithTimes]| script.iter().any(|line| line.time(present) == rows[0].requested_at);
    let (scripted, others): (Vec<_>, Vec<_>) = batches.into_iter().partition(|rows| is_scripted(rows));
    let few = others.len().div_ceil(business.scene_profile.remembered_payments.max(1)).max(1);
    let remembered = others.into_iter().filter(|rows| rows[0].row.status == "success").step_by(few);
    let names = wallet_names(ledger, workspace_number)?;
    let swapped = bought_tokens_by_swap_group(ledger, workspace_number, present)?;
    let mut orders = Vec::new();
    for rows in scripted.iter().cloned().chain(remembered) {
        orders.push(order_of_payment(&rows, &names, &swapped)?);
    }
    let mut rng = Rng::new(business.seed, seed_stream::PAST_ORDERS);
    for (ago, payment, fate) in UNPAID_ORDERS {
        let (draft, sender) =
            scene_setup::treasury_payment_draft(ledger, workspace_number, business, payment, &mut rng)?;
        let drafted_at = present.minus(ago);
        let course = fate.to_past_course(drafted_at);
        orders.push(PastOrder { draft, sender, key: rng.uuid(), drafted_at, is_of_colleague: false, course });
    }
    orders.sort_by_key(|order| order.drafted_at);
    for order in orders.iter_mut().skip(1).step_by(COLLEAGUE_STEP) {
        order.is_of_colleague = true;
    }
    Ok(orders)
}

fn is_of_treasury(payment: &TransactionWithTimes, business: &BusinessState) -> bool {
    payment.row.ref_id.is_some()
        && business.treasury.iter().any(|wallet| Some(&wallet.address) == payment.row.from_address.as_ref())
}

fn wallet_names(
    ledger: &Ledger,
    workspace_number: WorkspaceNumber,
) -> Result<HashMap<String, Option<String>>, RequestError> {
    let mut names = HashMap::new();
    for page in 1.. {
        let wallets = ledger.wallets(workspace_number, Paging { page, limit: Paging::MOST })?.data;
        if wallets.is_empty() {
            break;
        }
        names.extend(wallets.into_iter().map(|wallet| (wallet.id, wallet.name)));
    }
    Ok(names)
}

/// What the swaps of the history bought, by their groups.
fn bought_tokens_by_swap_group(
    ledger: &Ledger,
    workspace_number: WorkspaceNumber,
    present: Timestamp,
) -> Result<HashMap<String, String>, RequestError> {
    let mut bought = HashMap::new();
    for page in 1.. {
        let paging = Paging { page, limit: Paging::MOST };
        let filter =
            TransactionFilter { direction: Some(crate::domain::Direction::Incoming), paging, ..Default::default() };
        let rows = ledger.transactions(workspace_number, &filter, present)?.data;
        if rows.is_empty() {
            break;
        }
        let swaps = rows.into_iter().filter(|row| row.tx_sub_type == "SWAP");
        bought.extend(swaps.filter_map(|row| Some((row.transaction_group_id?, row.token_symbol))));
    }
    Ok(bought)
}

/// The order of a payment: a batch has several rows.
fn order_of_payment(
    rows: &[&TransactionWithTimes],
    names: &HashMap<String, Option<String>>,
    swapped: &HashMap<String, String>,
) -> Result<PastOrder, RequestError> {
    let broken = |part: &str| RequestError::Internal(format!("a payment of the sample business has no {part}"));
    let first = rows.first().ok_or_else(|| broken("row"))?;
    let row = &first.row;
    let text = |text: &Option<String>| text.as_deref().map(Text::clean);
    let (wallet, blockchain) = (WalletId::from_text(&row.wallet_id), Text::clean(row.blockchain));
    let (ref_id, note) = (text(&row.ref_id), text(&row.note));
    let symbol = Text::clean(&row.token_symbol);
    let recipient = |row: &render::Transaction| text(&row.to_address).ok_or_else(|| broken("recipient"));
    let raw = |amount: &render::Amount| Amount::parse_raw(&amount.raw, row.decimals).ok_or_else(|| broken("amount"));
    let typed = |amount: &render::Amount| Text::clean(&trim_trailing_zeros(&amount.formatted));
    let (draft, sold) = match row.tx_sub_type {
        "SWAP" => {
            let to = row.transaction_group_id.as_ref().and_then(|group| swapped.get(group));
            let to = Text::clean(to.ok_or_else(|| broken("proceeds"))?);
            let amount = typed(&row.total_amount);
            (Draft::Swap(Swap { wallet, blockchain, from: symbol, amount, to, ref_id, note }), raw(&row.total_amount)?)
        }
        "BATCH_WITHDRAW" => {
            let mut to = Vec::new();
            let mut sum = Amount::zero(row.decimals);
            for TransactionWithTimes { row, .. } in rows {
                sum = sum.checked_add(raw(&row.amount)?).ok_or_else(|| broken("sum"))?;
                to.push(Recipient {
                    address: recipient(row)?,
                    amount: typed(&row.amount),
                    label: None,
                    reference: None,
                    line: None,
                });
            }
            (
                Draft::Batch(Batch {
                    wallet,
                    blockchain,
                    token: symbol,
                    to,
                    ref_id,
                    note,
                    file: None,
                    metadata: Metadata::default(),
                    queue: None,
                }),
                sum,
            )
        }
        _ => {
            let (to, amount) = (recipient(row)?, typed(&row.amount));
            let withdrawal = Withdrawal {
                wallet,
                blockchain,
                token: symbol,
                amount,
                to,
                ref_id,
                note,
                metadata: Metadata::default(),
            };
            (Draft::Withdraw(withdrawal), raw(&row.amount)?)
        }
    };
    let sender = Sender {
        name: names.get(&row.wallet_id).and_then(|name| name.as_deref().map(Text::clean)),
        address: text(&row.from_address),
        account: Some(AccountId::from_text(&row.account_id)),
        user: row.user_id.as_deref().map(UserId::from_text),
        token: TokenKey::new(row.blockchain, row.token_address.as_deref()),
        amount: sold,
    };
    let key = row.idempotency_key.as_deref().and_then(|key| Uuid::try_parse(key).ok()).ok_or_else(|| broken("key"))?;
    let drafted_at = first.requested_at.minus(DRAFT_TO_REQUEST);
    let is_pending = rows.iter().any(|payment| payment.row.status == "pending");
    let ended_at = rows.iter().map(|payment| payment.settled_at).max().filter(|_| !is_pending);
    let course = PastCourse::Answered { status: 201, body: answer_to_payment(rows)?, ended_at };
    Ok(PastOrder { draft, sender, key, drafted_at, is_of_colleague: false, course })
}

/// The answer to the request of a payment, when it was accepted. Of a batch that is listed in several rows it names no
/// single one.
fn answer_to_payment(rows: &[&TransactionWithTimes]) -> Result<String, RequestError> {
    let bytes = if let [payment] = rows {
        render::bytes_in_envelope(&render::Transaction {
            status: "pending",
            confirmation: 0,
            confirmed: false,
            confirmed_at: None,
            ..payment.row.clone()
        })
    } else {
        let key = rows.first().and_then(|payment| payment.row.idempotency_key.clone());
        render::bytes_in_envelope(&serde_json::json!({ "idempotencyKey": key, "isBatch": true, "status": "pending" }))
    }?;
    String::from_utf8(bytes).map_err(|error| RequestError::Internal(error.to_string()))
}

/// An amount as an operator types it: without zeros at its end.
fn trim_trailing_zeros(formatted: &str) -> String {
    if formatted.contains('.') {
        formatted.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        formatted.to_owned()
    }
}

impl UnpaidOrderOutcome {
    fn to_past_course(self, drafted_at: Timestamp) -> PastCourse {
        match self {
            Self::Abandoned => PastCourse::Abandoned(Text::clean("paid with another invoice")),
            Self::WrittenOff => PastCourse::WrittenOff(Text::clean("paid by bank transfer instead")),
            Self::Refused => {
                let body = serde_json::json!({
                    "statusCode": 400,
                    "path": "/v2/transactions/withdraw",
                    "timestamp": drafted_at.plus(DRAFT_TO_REQUEST).to_string(),
                    "message": "insufficient balance",
                });
                PastCourse::Answered { status: 400, body: body.to_string(), ended_at: None }
            }
        }
    }
}
