//! A history twice: as the service's ledger states it, and as `bursar export` writes it; field by field under the names of
//! the export.

use std::collections::{BTreeMap, BTreeSet};

use assert_cmd::Command;
use bursar::domain::{Direction, Timestamp};
use bursar::service::ledger::{Paging, TransactionFilter};
use serde_json::Value;

use crate::crashes::Business;

/// A transaction: the fields of the export, as text.
pub(super) type Row = BTreeMap<&'static str, Option<String>>;

/// Columns of the export, each with where the service states it.
const FIELDS: [(&str, &str); 34] = [
    ("id", "/id"),
    ("direction", "/txType"),
    ("type", "/txSubType"),
    ("status", "/status"),
    ("confirmed", "/confirmed"),
    ("confirmations", "/confirmation"),
    ("confirmed_at", "/confirmedAt"),
    ("blockchain", "/blockchain"),
    ("network", "/network"),
    ("environment", "/environment"),
    ("protocol", "/protocol"),
    ("token", "/tokenSymbol"),
    ("token_name", "/tokenName"),
    ("contract", "/tokenAddress"),
    ("standard", "/standard"),
    ("amount", "/amount/formatted"),
    ("amount_raw", "/amount/raw"),
    ("decimals", "/decimals"),
    ("total_amount", "/totalAmount/formatted"),
    ("fee", "/totalFee/formatted"),
    ("fee_token", "/feeToken"),
    ("fee_level", "/feeLevel"),
    ("from", "/fromAddress"),
    ("to", "/toAddress"),
    ("tx_hash", "/txHash"),
    ("is_batch", "/isBatch"),
    ("ref_id", "/refId"),
    ("idempotency_key", "/idempotencyKey"),
    ("note", "/note"),
    ("set_off_by", "/triggerOrigin"),
    ("group", "/transactionGroupId"),
    ("wallet", "/walletId"),
    ("account", "/accountId"),
    ("user", "/userId"),
];

/// What the service states and the console does not keep: the symbol under another name, two words on the token that its
/// contract and its own digits say better, and the one workspace that the key belongs to.
const NOT_KEPT: [&str; 4] = ["tokenTicker", "chainDecimals", "isNative", "workspaceId"];

/// Amounts, which are compared as numbers: the service states every digit of its token, the export none that is idle.
const AMOUNTS: [&str; 3] = ["amount", "total_amount", "fee"];

/// What the service states in a column, as the console would write it.
fn stated_value(name: &str, value: Option<&Value>) -> Option<String> {
    let text = text(value)?;
    Some(match text.split_once('.') {
        Some((whole, digits)) if AMOUNTS.contains(&name) => match digits.trim_end_matches('0') {
            "" => whole.to_owned(),
            digits => format!("{whole}.{digits}"),
        },
        // The same contract in two spellings is one token.
        _ if name == "contract" && text.starts_with("0x") => text.to_lowercase(),
        _ => text,
    })
}

fn text(value: Option<&Value>) -> Option<String> {
    match value {
        None | Some(Value::Null) => None,
        Some(Value::String(text)) => Some(text.clone()),
        Some(other) => Some(other.to_string()),
    }
}

fn in_order(mut rows: Vec<Row>) -> Vec<Row> {
    rows.sort_unstable_by(|one, other| one["id"].cmp(&other["id"]));
    rows
}

/// Every row that the service's ledger states at a time.
pub(super) fn service_rows(business: &Business, now: Timestamp) -> Vec<Row> {
    let ledger = business.service().ledger();
    let workspace_number = ledger.workspaces().unwrap()[0].number;
    let mut rows = Vec::new();
    for direction in [Direction::Incoming, Direction::Outgoing] {
        let mut listing = TransactionFilter { direction: Some(direction), ..TransactionFilter::default() };
        for page in 1.. {
            listing.paging = Paging { page, limit: Paging::MOST };
            let page = ledger.transactions(workspace_number, &listing, now).unwrap();
            if page.data.is_empty() {
                break;
            }
            rows.extend(page.data.iter().map(|row| {
                let row = serde_json::to_value(row).unwrap();
                let names: BTreeSet<&str> = row.as_object().unwrap().keys().map(String::as_str).collect();
                let stored_fields = FIELDS.iter().map(|(_, path)| path.split('/').nth(1).unwrap());
                assert_eq!(names, stored_fields.chain(NOT_KEPT).collect(), "the service states other fields");
                FIELDS.iter().map(|(name, path)| (*name, stated_value(name, row.pointer(path)))).collect()
            }));
        }
    }
    in_order(rows)
}

/// Every row that the program holds.
pub(super) fn exported_rows(business: &Business) -> Vec<Row> {
    let mut command = Command::cargo_bin("bursar").unwrap();
    command.env_clear().envs(business.variables());
    let output = command.args(["export", "transactions", "--offline", "--format", "json"]).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let rows: Vec<Value> = serde_json::from_slice(&output.stdout).unwrap();
    let row = |row: &Value| FIELDS.iter().map(|(name, _)| (*name, text(Some(&row[*name])))).collect();
    in_order(rows.iter().map(row).collect())
}

/// How many rows were on their way and are no longer.
pub(super) fn count_ended(before: &[Row], after: &[Row]) -> usize {
    let on_their_way = |rows: &[Row]| -> BTreeSet<String> {
        let pending = rows.iter().filter(|row| row["status"].as_deref() == Some("pending"));
        pending.filter_map(|row| row["id"].clone()).collect()
    };
    on_their_way(before).difference(&on_their_way(after)).count()
}

/// Fails unless both are the same, row by row, and says where they are not.
pub(super) fn are_the_same(cached: &[Row], service_rows: &[Row], trail: &str) {
    let ids = |rows: &[Row]| rows.iter().filter_map(|row| row["id"].clone()).collect::<Vec<_>>();
    let (cached_ids, stated_ids) = (ids(cached), ids(service_rows));
    let [own_ids, service_ids] = [&cached_ids, &stated_ids].map(|ids| ids.iter().collect::<BTreeSet<_>>());
    let missing_ids: Vec<_> = service_ids.difference(&own_ids).collect();
    let strange: Vec<_> = own_ids.difference(&service_ids).collect();
    assert!(missing_ids.is_empty() && strange.is_empty(), "missing {missing_ids:?}, strange {strange:?}\n{trail}");
    assert_eq!(cached_ids.len(), own_ids.len(), "a row is held twice\n{trail}");
    assert_eq!(cached.len(), service_rows.len(), "{trail}");
    for (cached, service_rows) in cached.iter().zip(service_rows) {
        assert_eq!(cached, service_rows, "{trail}");
    }
}
