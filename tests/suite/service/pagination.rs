//! Pages follow each other without a gap, whatever is asked of them.

use serde_json::{Value, json};

use super::test_service::{TestService, text};

#[tokio::test]
async fn pages_follow_each_other_newest_first() {
    let house = TestService::open().await;
    let whole = house.all("/v2/transactions?txType=outgoing").await;
    let mut rows: Vec<Value> = Vec::new();
    for page in 1.. {
        let answer = house.get(&format!("/v2/transactions?txType=outgoing&pageNo={page}&pageLimit=7")).await;
        assert_eq!(answer.body["pageNo"], json!(page));
        assert_eq!(answer.body["pageLimit"], json!(7));
        assert_eq!(answer.body["totalPage"], json!(whole.len().div_ceil(7)));
        let data = answer.body["data"].as_array().unwrap();
        rows.extend(data.iter().cloned());
        if data.len() < 7 {
            break;
        }
    }
    assert_eq!(rows, whole);
    assert!(rows.iter().all(|row| row["txType"] == "outgoing"));
    let times: Vec<_> =
        rows.iter().filter(|row| row["confirmedAt"].is_string()).map(|row| text(&row["confirmedAt"])).collect();
    assert!(times.first() > times.last(), "newest first");
}

#[tokio::test]
async fn bounds_of_pages_are_kept() {
    let house = TestService::open().await;
    let usual = house.get("/v2/transactions?txType=incoming").await;
    assert_eq!((&usual.body["pageNo"], &usual.body["pageLimit"]), (&json!(1), &json!(20)));
    assert_eq!(usual.body["data"].as_array().unwrap().len(), 20);
    let most = house.get("/v2/transactions?txType=incoming&pageLimit=1000").await;
    assert_eq!(most.body["pageLimit"], json!(100));
    let empty = house.get("/v2/transactions?txType=&pageNo=&pageLimit=").await;
    assert_eq!((empty.status, &empty.body["pageLimit"]), (200, &json!(20)));
    for beyond in ["1000", "99999999999999999999"] {
        let answer = house.get(&format!("/v2/transactions?pageNo={beyond}")).await;
        assert_eq!((answer.status, &answer.body["data"]), (200, &json!([])), "{}", answer.text);
    }
    let nobody = house.get("/v2/transactions?userId=nobody").await;
    assert_eq!((&nobody.body["data"], &nobody.body["totalPage"]), (&json!([]), &json!(0)));
}

#[tokio::test]
async fn narrowing_keeps_to_what_was_named() {
    let house = TestService::open().await;
    let whole = house.all("/v2/transactions").await;
    for field in ["userId", "walletId", "accountId"] {
        let name = text(&whole[0][field]);
        let narrowed = house.all(&format!("/v2/transactions?{field}={name}")).await;
        let expected: Vec<_> = whole.iter().filter(|row| row[field] == name).cloned().collect();
        assert_eq!(narrowed, expected, "{field}");
    }
    let (incoming, outgoing) = (
        house.all("/v2/transactions?txType=incoming").await.len(),
        house.all("/v2/transactions?txType=outgoing").await.len(),
    );
    assert_eq!(incoming + outgoing, whole.len());
}

#[tokio::test]
async fn lists_that_the_specification_does_not_show_hold_everything_once() {
    let house = TestService::open().await;
    for (path, least) in [("/v2/accounts", 2), ("/v2/wallets", 10), ("/v2/users", 5)] {
        let rows = house.all(path).await;
        let mut ids: Vec<_> = rows.iter().map(|row| text(&row["id"])).collect();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), rows.len(), "{path}");
        assert!(rows.len() >= least, "{path} has {}", rows.len());
        house.get(&format!("{path}?pageNo=0")).await.expect_error(422, path);
    }
}
