//! A recipient whose order is unresolved: whatever is tried meanwhile, he is paid once.

use super::*;

/// A session in which 61 USDC went off to a stranger: the service executed the order, hung up, and does not list it.
fn lose_answer() -> Session {
    let mut session = Session::with(Setup {
        size: (200, 60),
        poll_period: 20 * SECOND,
        change_time_out: 2 * SECOND,
        ..Setup::default()
    });
    session.reviews("base-ops", "USDC", "61", STRANGER);
    session.faults(vec![Fault::ConnectionCut.on_changes().lasting(3 * MINUTE), Fault::RowsHidden.on_reads()]);
    session.confirms();
    session.order().is("unknown", "no answer came");
    // The console sends the same request again by itself, while nobody answers, and then no more.
    session.passes(6 * MINUTE);
    session.order().is("unknown", "the history does not show it");
    session
}

#[test]
fn a_recipient_of_an_unresolved_order_is_paid_once_whatever_is_tried() {
    let mut session = lose_answer();
    let tap = session.service().record_requests();
    for amount in ["61", "61.000001", "59.78", "122"] {
        session.reviews("base-ops", "USDC", amount, STRANGER);
        session.sees("61 USDC, outcome unknown");
        is_stopped(&mut session, Rule::Duplicate, "Resolve that order first.");
    }
    session.reviews("base-ops", "USDC", "61.000001", &STRANGER.to_lowercase());
    is_stopped(&mut session, Rule::Duplicate, "Another payment to this recipient is unresolved and may have been made");
    // In parts, and beside others: no review of that is opened at all.
    session.keys("1 b 'base-ops' Enter 'USDC' Enter Enter Enter");
    session.pastes(&format!("address,amount\n{STRANGER},30\n{OTHER},1\n{STRANGER},31\n"));
    session.keys("Tab Enter");
    session.sees("Rows 1, 3: An equal payment is unresolved and may have been made.");
    assert!(session.review().is_none());
    session.keys("Esc Esc");
    // By the other version, and in another token on another chain.
    session.reviews_v1("base-ops", "USDC", "61.000001", STRANGER, "");
    is_stopped(&mut session, Rule::Duplicate, "Resolve that order first.");
    session.reviews("eth-main", "USDT", "61", STRANGER);
    wants(&mut session, "order is unresolved");
    // The history comes: there is one payment, and it settles the order.
    session.faults(Vec::new());
    session.passes(20 * MINUTE);
    let sent_orders: Vec<_> = session.orders().into_iter().filter(|order| !order.intent.attempts.is_empty()).collect();
    assert_eq!(
        (sent_orders.len(), sent_orders[0].executions, sent_orders[0].status),
        (1, 1, "settled"),
        "{}",
        sent_orders[0].status_text
    );
    assert!(tap.changes().is_empty(), "something else was sent");
    // Settled, it stops nothing any more.
    session.reviews("base-ops", "USDC", "61.000001", STRANGER);
    assert_eq!(findings(&session, Rule::Duplicate), []);
}

#[test]
fn a_part_is_paid_with_the_words_alone_and_the_rest_is_stopped() {
    let mut session = lose_answer();
    session.reviews("base-ops", "USDC", "30", STRANGER);
    session.sees("Another payment to this recipient is unresolved and may have been made.");
    wants(&mut session, "order is unresolved");
    session.reviews("base-ops", "USDC", "30", STRANGER);
    confirms_with(&mut session, "order is unresolved");
    session.passes(MINUTE);
    session.reviews("base-ops", "USDC", "31", STRANGER);
    session.sees("since then  30 USDC in 1 payment");
    is_stopped(&mut session, Rule::Duplicate, "what was paid there since reaches its amount together with this");
    session.reviews("base-ops", "USDC", "29", STRANGER);
    wants(&mut session, "order is unresolved");
}
