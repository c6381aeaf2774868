use super::*;
use crate::domain::{Amount, FinalStatuses, PriceHistory, ReportedAmount, Status, TokenKey, Transaction};

const HOSTILE: &str = "<script>alert(\"1\")</script> & 'Zebra'";

fn receipt() -> Receipt {
    let at = Timestamp::parse_iso("2026-11-02T12:03:20Z").unwrap();
    let amount = Amount::parse("12345678901234567.000000000000000001", 18).ok().map(ReportedAmount::Exact);
    let transaction = Transaction {
        direction: Direction::Outgoing,
        status: Some(Status::Success),
        symbol: "USDC".into(),
        token: TokenKey::new("bsc", Some("0x8ac7")),
        amount: amount.clone(),
        total_amount: amount,
        to_address: Some("0x52908400098527886E0F7030069857D2E4169EE7".into()),
        tx_hash: Some(format!("0x{}", "ab".repeat(32)).as_str().into()),
        note: Some(HOSTILE.into()),
        confirmed_at: Some(at),
        ..Transaction::minimal("bsc")
    };
    let row = HistoryRow {
        seq: 1,
        seen_at: at,
        time: at,
        transaction,
        wallet_name: None,
        suspicious: false,
        internal: false,
    };
    let facts = ReceiptFacts {
        business: &"Harbour <Trading>".into(),
        order: None,
        rows: &[&row],
        recipient: None,
        names: &AddressNames::default(),
        listed_tokens: &[],
        prices: &PriceHistory::default(),
        statuses: &FinalStatuses::default(),
        now: at,
    };
    facts.receipt().unwrap()
}

fn written(format: ReceiptFormat) -> String {
    let mut out = Vec::new();
    write_receipt(&receipt(), format, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

#[test]
fn a_receipt_is_text() {
    insta::assert_snapshot!(written(ReceiptFormat::Text));
}

#[test]
fn a_receipt_is_an_object_of_exact_texts() {
    let object: serde_json::Value = serde_json::from_str(&written(ReceiptFormat::Json)).unwrap();
    assert_eq!(object["amount"], "12345678901234567.000000000000000001 USDC");
    assert_eq!((&object["status"], &object["note"]), (&"settled".into(), &HOSTILE.into()));
    let names: Vec<&'static str> =
        receipt().sections.iter().flat_map(|section| &section.fields).map(|field| field.name).collect();
    let unlike: std::collections::HashSet<_> = names.iter().collect();
    assert_eq!(unlike.len(), names.len(), "no field hides another one: {names:?}");
}

#[test]
fn a_page_runs_nothing_and_fetches_nothing() {
    let page = written(ReceiptFormat::Html);
    insta::assert_snapshot!(page);
    let lower = page.to_lowercase();
    for word in ["<script", "onload", "src=", "href=", "@import", "url("] {
        assert!(!lower.contains(word), "{word} in\n{page}");
    }
    assert!(page.contains("&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; &#39;Zebra&#39;"), "{page}");
    assert!(page.contains("12345678901234567.000000000000000001 USDC"), "{page}");
}
