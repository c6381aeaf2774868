//! Strong cases, which weak words would let pass: much of a balance to a stranger, and a customer's money to anybody else.

use super::*;

#[test]
fn half_of_a_balance_goes_to_a_stranger_with_the_words_alone() {
    let mut session = session();
    session.reviews("base-ops", "USDC", "max", STRANGER);
    session.sees("% of the balance goes to a recipient that this console has never paid.");
    wants(&mut session, "half the balance");
    // In parts of one batch, too.
    session.reviews_batch("base-ops", "USDC", &[(STRANGER, "200000"), (OTHER, "200000")]);
    session.sees("% of the balance goes to recipients that this console has never paid.");
    wants(&mut session, "half the balance");
    session.reviews("base-ops", "USDC", "max", STRANGER);
    confirms_with(&mut session, "half the balance");
}

#[test]
fn ten_times_what_is_usual_to_a_stranger_is_paid_with_the_words_alone() {
    let mut session = session();
    session.reviews("base-ops", "USDC", "25", STRANGER);
    assert_eq!(findings(&session, Rule::Outlier), []);
    leaves(&mut session);
    session.reviews("base-ops", "USDC", "300000", STRANGER);
    session.sees(" times as much USDC as is usually paid at once, and this console has never paid this recipient.");
    wants(&mut session, "unusual amount");
    session.reviews("base-ops", "USDC", "300000", STRANGER);
    confirms_with(&mut session, "unusual amount");
}

#[test]
fn a_customers_wallet_pays_somebody_else_with_the_words_alone() {
    let mut session = session();
    let is_theirs = |name: &str, chain: &str| name.starts_with("cust-") && chain == "bsc";
    let name = std::cell::RefCell::new(String::new());
    let (customer_wallet, _) = wallet(&session, |wallet_name, chain| {
        let is_it = is_theirs(wallet_name, chain);
        if is_it {
            wallet_name.clone_into(&mut name.borrow_mut());
        }
        is_it
    });
    let name = name.into_inner();
    rare_cases::gives(
        &session,
        customer_wallet,
        DepositToken::Listed("USDT".into()),
        15_000_000_000_000_000_000,
        STRANGER,
    );
    session.passes(2 * MINUTE);
    let reviews = |session: &mut Session| {
        session.keys("1 w");
        session.sees("From wallet");
        session.types(&name);
        session.keys(&format!("Enter 'USDT' Enter '{OTHER}' Enter '2' Enter Enter Enter"));
        session.sees("Review");
    };
    reviews(&mut session);
    session
        .sees("This pays with a customer's money: the wallet belongs to account “Customers”, which is of type USERS");
    wants(&mut session, "customer money");
    session.keys("1 w");
    session.sees("draft restored");
    session.keys("Enter Enter Enter Enter Enter Enter");
    session.sees("Review");
    confirms_with(&mut session, "customer money");
}

/// One that an order was confirmed with is kept as rule and words: another sentence for it does not void the order.
#[test]
fn a_danger_that_was_overridden_is_on_record_with_its_rule() {
    let mut session = session();
    session.reviews("base-ops", "USDC", "max", STRANGER);
    session.confirms();
    let notes = override_notes(&session);
    let is_it =
        |line: &String| line.starts_with("DANGER (outlier): ") && line.ends_with("[overridden: half the balance]");
    assert!(notes.iter().any(is_it), "{notes:?}");
}
