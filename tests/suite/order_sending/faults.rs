//! A service that goes wrong with a payment in every way it can: what the attempt is called is never better than what
//! happened, and the same bytes sent again never pay twice.

use std::net::TcpListener;
use std::time::Duration;

use bursar::service::{Fault, FaultBody, FaultRule, PaymentField};

use super::*;

const PATH: &str = "/v2/transactions";

/// What a fault leaves: the outcome, the status that was seen, and how often the ledger paid.
struct AfterFault(Outcome, Option<u16>, usize);

/// A client that does not wait long.
fn hasty_operator(office: &Office) -> Operator {
    let limits = Limits { connect: Duration::from_secs(1), request: Duration::from_secs(1), ..Limits::default() };
    Operator::new(Connection { limits, ..office.connection() }).unwrap()
}

#[tokio::test]
async fn each_fault_is_called_what_it_is_and_pays_once_at_most() {
    use Outcome::{Accepted, Declined, NotSent, Unknown};
    const MAYBE: Outcome = Outcome::ProbablyRefused { wait: None };
    let decoy = TcpListener::bind("127.0.0.1:0").unwrap();
    decoy.set_nonblocking(true).unwrap();
    let to = decoy.local_addr().unwrap();
    let status = |status, body, executed| Fault::Status { status, body, executed };
    let minute = Duration::from_mins(1);
    let mut cases = vec![
        (Fault::None, AfterFault(Accepted, Some(201), 1)),
        (Fault::Down, AfterFault(NotSent, None, 0)),
        (Fault::ConnectionCut, AfterFault(Unknown, None, 1)),
        (Fault::NoAnswer { executed: true }, AfterFault(Unknown, None, 1)),
        (Fault::NoAnswer { executed: false }, AfterFault(Unknown, None, 0)),
        (Fault::KeyRejected, AfterFault(MAYBE, Some(401), 0)),
        (Fault::Forbidden, AfterFault(MAYBE, Some(403), 0)),
        (Fault::Busy { retry_after: minute }, AfterFault(Unknown, Some(503), 0)),
        (
            Fault::RateLimited { retry_after: minute },
            AfterFault(Outcome::ProbablyRefused { wait: Some(minute) }, Some(429), 0),
        ),
        (
            Fault::RateLimited { retry_after: 60 * minute },
            AfterFault(Outcome::ProbablyRefused { wait: Some(5 * minute) }, Some(429), 0),
        ),
        (Fault::Truncated, AfterFault(Unknown, Some(201), 1)),
        (Fault::CutAt(0), AfterFault(Unknown, Some(201), 1)),
        (Fault::CutAt(1), AfterFault(Unknown, Some(201), 1)),
        (Fault::CutAt(100), AfterFault(Unknown, Some(201), 1)),
        (Fault::SlowBody(Duration::from_millis(20)), AfterFault(Unknown, Some(201), 1)),
        (Fault::Html, AfterFault(Unknown, Some(200), 0)),
        (Fault::HugeBody, AfterFault(Unknown, Some(200), 0)),
        (Fault::CompressionBomb, AfterFault(Unknown, Some(200), 0)),
        (Fault::DeepNesting, AfterFault(Unknown, Some(200), 0)),
        (status(200, FaultBody::SuccessFalse, true), AfterFault(Unknown, Some(200), 1)),
        (status(200, FaultBody::SuccessFalse, false), AfterFault(Unknown, Some(200), 0)),
        (status(200, FaultBody::Empty, true), AfterFault(Unknown, Some(200), 1)),
        (status(201, FaultBody::ForeignJson, true), AfterFault(Unknown, Some(201), 1)),
    ];
    for code in [301, 302, 303, 307, 308] {
        for executed in [true, false] {
            let redirect = Fault::Redirect { status: code, to, executed };
            cases.push((redirect, AfterFault(Unknown, Some(code), usize::from(executed))));
        }
    }
    for body in
        [FaultBody::ErrorBody, FaultBody::OtherStatus, FaultBody::Empty, FaultBody::HtmlPage, FaultBody::ForeignJson]
    {
        for code in [400, 404, 422] {
            let outcome = if body == FaultBody::ErrorBody { Declined } else { MAYBE };
            cases.push((status(code, body, false), AfterFault(outcome, Some(code), 0)));
        }
        cases.push((status(418, body, false), AfterFault(MAYBE, Some(418), 0)));
    }

    for (code, executed) in
        [(408, true), (409, true), (425, false), (500, true), (500, false), (502, true), (503, true)]
    {
        for body in [FaultBody::ErrorBody, FaultBody::HtmlPage] {
            cases.push((status(code, body, executed), AfterFault(Unknown, Some(code), usize::from(executed))));
        }
    }

    let office = Office::open().await;
    let (hasty, operator) = (hasty_operator(&office), office.operator());
    let draft = office.payment().await;
    for (fault, AfterFault(outcome, status_seen, executions)) in cases {
        let key = Uuid::new_v4();
        let intent = office.confirmed_order(draft.clone(), key);
        office.service.set_fault_on(PATH, fault).await;
        let endless = matches!(fault, Fault::NoAnswer { .. } | Fault::SlowBody(_));
        let first = if endless { &hasty } else { &operator };
        let result = office.send(first, &intent, SendReason::Confirmed).await;
        office.service.set_fault(Fault::None).await;
        assert_eq!((result.outcome, result.status), (outcome, status_seen), "{fault}: {result:?}");
        assert_eq!(office.executions(key), executions, "{fault}");
        if matches!(outcome, Accepted | Declined) {
            continue;
        }
        // Sent again by the operator's word, it is paid, and once.
        let retry = office.send(&operator, &intent, SendReason::Operator { warned: false }).await;
        assert_eq!(retry.outcome, Accepted, "{fault}: {retry:?}");
        assert!(retry.differences.is_empty(), "{fault}: {retry:?}");
        assert_eq!(office.executions(key), 1, "{fault}");
        let state = office.journal.order(intent.id).unwrap().state(noon());
        assert_eq!(state, bursar::domain::order::OrderState::Accepted, "{fault}");
    }
    assert_eq!(decoy.accept().unwrap_err().kind(), std::io::ErrorKind::WouldBlock, "a redirect was followed");
}

#[tokio::test]
async fn an_answer_cut_at_every_byte_of_its_body_leaves_it_unknown() {
    let office = Office::open().await;
    let operator = office.operator();
    let key = Uuid::new_v4();
    let draft = office.payment().await;
    let intent = office.confirmed_order(draft.clone(), key);
    let whole = office.send(&operator, &intent, SendReason::Confirmed).await;
    let length = whole.raw.unwrap().len();
    assert!(length > 500);
    // Each is the same payment under the same key, which an order of its own could not be.
    for at in (0..length).step_by(37).chain([length - 1]) {
        office.service.set_fault_on(PATH, Fault::CutAt(at)).await;
        let intent = office.confirmed_order(draft.clone(), key);
        let result = office.send(&operator, &intent, SendReason::Confirmed).await;
        assert_eq!(result.outcome, Outcome::Unknown, "cut at byte {at}: {result:?}");
    }
    assert_eq!(office.executions(key), 1);
}

#[tokio::test]
async fn a_refusal_after_an_executed_attempt_clears_nothing() {
    let office = Office::open().await;
    let operator = office.operator();
    let key = Uuid::new_v4();
    let intent = office.confirmed_order(office.payment().await, key);
    let refusal = Fault::Status { status: 422, body: FaultBody::ErrorBody, executed: false };
    let rules: Vec<FaultRule> =
        [Fault::ConnectionCut, refusal].map(|fault| fault.on_paths(PATH).only_changes().times(1)).into();
    office.service.set_faults(rules).await;
    let first = office.send(&operator, &intent, SendReason::Confirmed).await;
    let second = office.send(&operator, &intent, SendReason::Operator { warned: false }).await;
    assert_eq!((first.outcome, second.outcome), (Outcome::Unknown, Outcome::Declined));
    assert_eq!(office.journal.order(intent.id).unwrap().outcome(), Some(Outcome::Unknown));
    let third = office.send(&operator, &intent, SendReason::Operator { warned: false }).await;
    assert_eq!((third.outcome, office.executions(key)), (Outcome::Accepted, 1));
}

#[tokio::test]
async fn an_answer_that_says_another_thing_was_done_is_an_alarm() {
    let office = Office::open().await;
    let operator = office.operator();
    let draft = office.payment().await;
    for (part, beginning) in [
        (PaymentField::Amount, "amount: the request says 25, "),
        (PaymentField::Address, "recipient's address: the request says 0x5290"),
        (PaymentField::Token, "token: the request says USDC, "),
        (PaymentField::Blockchain, "chain: the request says base, "),
        (PaymentField::Wallet, "wallet: the request says "),
        (PaymentField::Key, "idempotency key: the request says "),
        (PaymentField::Reference, "reference: the request says invoice-9001, "),
    ] {
        let key = Uuid::new_v4();
        let intent = office.confirmed_order(draft.clone(), key);
        office.service.set_fault_on(PATH, Fault::WrongEcho(part)).await;
        let result = office.send(&operator, &intent, SendReason::Confirmed).await;
        // Under another key it is an answer to another request, which says nothing of this one.
        let outcome = if part == PaymentField::Key { Outcome::Unknown } else { Outcome::Accepted };
        assert_eq!((result.outcome, office.executions(key)), (outcome, 1), "{result:?}");
        assert!(result.differences.len() == 1 && result.differences[0].starts_with(beginning), "{result:?}");
    }
    // An answer to another request differs in its key at least.
    let old = Fault::StaleAnswer { executed: true }.on_paths(PATH).only_changes();
    office.service.set_faults(vec![old]).await;
    let [first, second] = [Uuid::new_v4(), Uuid::new_v4()].map(|key| office.confirmed_order(draft.clone(), key));
    assert!(office.send(&operator, &first, SendReason::Confirmed).await.differences.is_empty());
    let result = office.send(&operator, &second, SendReason::Confirmed).await;
    assert_eq!((result.outcome, result.created), (Outcome::Unknown, None));
    assert!(result.differences[0].starts_with("idempotency key: "), "{:?}", result.differences);
}

#[tokio::test]
async fn an_answer_that_is_odd_in_one_place_is_never_taken_for_a_refusal() {
    let office = Office::open().await;
    let operator = office.operator();
    let draft = office.payment().await;
    let mut accepted_count = 0;
    for seed in 0..60 {
        let key = Uuid::new_v4();
        let intent = office.confirmed_order(draft.clone(), key);
        office.service.set_fault_on(PATH, Fault::Mutated(seed)).await;
        let result = office.send(&operator, &intent, SendReason::Confirmed).await;
        assert!(matches!(result.outcome, Outcome::Accepted | Outcome::Unknown), "{seed}: {result:?}");
        assert_eq!(office.executions(key), 1, "{seed}");
        accepted_count += u32::from(result.outcome == Outcome::Accepted);
    }
    assert!(accepted_count > 30, "{accepted_count} of 60");
}
