//! The connection is cut at any byte of a payment's request and of its answer: nothing that was not executed is called
//! paid, nothing that was is called failed, and the same bytes sent again pay once.

use super::proxy::{Cut, Proxy};
use super::*;

/// Bytes from one cut to the next. The campaign sets `BURSAR_EVERY_BYTE`.
const STEP: usize = 29;

#[tokio::test]
async fn a_connection_cut_at_any_byte_leaves_what_nobody_knows() {
    let step = if std::env::var_os("BURSAR_EVERY_BYTE").is_some() { 1 } else { STEP };
    let mut office = Office::open().await;
    let proxy = Proxy::before(office.service.base_url()).await;
    let draft = office.payment().await;
    office.base_url = proxy.base_url.clone();
    // Each is sent over a connection of its own.
    let send = async |key: Uuid| {
        office.send(&office.operator(), &office.confirmed_order(draft.clone(), key), SendReason::Confirmed).await
    };
    let whole = Uuid::new_v4();
    assert_eq!((send(whole).await.outcome, office.executions(whole), proxy.cut_count()), (Outcome::Accepted, 1, 0));
    let (request, answer) = proxy.bytes_passed();
    assert!(request > 500 && answer > 1_000, "{request} and {answer} bytes");

    let mut cuts = 0;
    for at in (1..request).step_by(step).chain([request - 1]) {
        let key = Uuid::new_v4();
        proxy.cuts(Cut::Request(at));
        let result = send(key).await;
        cuts += 1;
        assert_eq!((result.outcome, office.executions(key)), (Outcome::Unknown, 0), "byte {at} of the request");
        proxy.cuts(Cut::Nowhere);
        assert_eq!(
            (send(key).await.outcome, office.executions(key)),
            (Outcome::Accepted, 1),
            "sent again after byte {at}"
        );
    }
    for at in (1..answer).step_by(step).chain([answer - 1]) {
        let key = Uuid::new_v4();
        proxy.cuts(Cut::Answer(at));
        let result = send(key).await;
        cuts += 1;
        assert_eq!((result.outcome, office.executions(key)), (Outcome::Unknown, 1), "byte {at} of the answer");
        proxy.cuts(Cut::Nowhere);
        assert_eq!(
            (send(key).await.outcome, office.executions(key)),
            (Outcome::Accepted, 1),
            "sent again after byte {at}"
        );
    }
    assert_eq!(proxy.cut_count(), cuts);
}
