//! The guard over what is really read from a service: the sample business pays whom it always pays.

use std::collections::BTreeMap;
use std::time::Duration;

use bursar::domain::address::is_same_address;
use bursar::domain::draft::Operation;
use bursar::domain::history::Scope;
use bursar::domain::order::{
    Confirmation, ConsoleIdentity, DraftedOrder, EventStamp, OrderEvent, OrderId, RequestBytes, SendReason,
    ServiceDestination,
};
use bursar::domain::{
    AddressBook, Amount, AttemptResult, Draft, FinalStatuses, Holding, Metadata, Network, Order, Outcome, Policy,
    ReportedAmount, Sender, Skew, Text, Timestamp, Transaction, Wallet, Withdrawal,
};
use bursar::guard::{self, Finding, GuardFacts, GuardedPayment, Rule, Severity};
use bursar::runtime::guard_facts::{FactSources, gather_facts_for_payment};
use bursar::store::Store;

use super::harness::{BEGINNING, Session, Setup};

fn now() -> Timestamp {
    Timestamp::parse_iso(BEGINNING).unwrap()
}

/// A payment of one smallest unit of a holding.
fn payment(wallet: &Wallet, holding: &Holding, to: &Text) -> (Withdrawal, Sender) {
    let decimals = holding.amount.as_ref().map_or(6, |amount| amount.even_if_disputed().decimals());
    let smallest = Amount::parse_raw("1", decimals).unwrap();
    let withdrawal = Withdrawal {
        wallet: wallet.id.clone(),
        blockchain: wallet.blockchain.clone(),
        token: holding.symbol.clone(),
        amount: smallest.to_string().as_str().into(),
        to: to.clone(),
        ref_id: Some("try-1".into()),
        note: None,
        metadata: Metadata::default(),
    };
    let sender = Sender {
        name: wallet.name.clone(),
        address: wallet.address.clone(),
        account: wallet.account.clone(),
        user: wallet.user.clone(),
        token: holding.token.clone(),
        amount: smallest,
    };
    (withdrawal, sender)
}

fn guard_facts(store: &Store, intents: &[Order], (withdrawal, sender): &(Withdrawal, Sender)) -> GuardFacts {
    let final_words = FinalStatuses::default();
    let period = Duration::from_secs(1);
    let (policy, book) = (Policy::default(), AddressBook::default());
    let sources = FactSources {
        store,
        orders: intents,
        final_statuses: &final_words,
        expected_network: Some(Network::Testnet),
        policy: &policy,
        book: &book,
        period,
        skew: Skew::default(),
    };
    gather_facts_for_payment(&sources, withdrawal, sender, now()).unwrap()
}

fn findings_for(store: &Store, intents: &[Order], payment: &(Withdrawal, Sender)) -> Vec<Finding> {
    let facts = guard_facts(store, intents, payment);
    guard::judge(&GuardedPayment { request: &payment.0, sender: &payment.1, facts: &facts, now: now() })
}

/// An order of this console that the service took a week ago.
fn accepted_order((withdrawal, sender): &(Withdrawal, Sender)) -> Order {
    let at = Timestamp::from_millis(now().millis() - 7 * 86_400_000);
    let stamp = || EventStamp {
        at,
        by: ConsoleIdentity { user: "ada".into(), host: "quay".into(), run: uuid::Uuid::from_u128(1) },
    };
    let drafted = DraftedOrder {
        draft: Draft::Withdraw(withdrawal.clone()),
        sender: Some(sender.clone()),
        request: RequestBytes {
            operation: Operation::Withdraw,
            method: "POST".into(),
            path: "/v2/transactions/withdraw".into(),
            body: "{}".into(),
            key: Some(uuid::Uuid::from_u128(2)),
        },
        destination: ServiceDestination {
            profile: "demo".into(),
            environment: None,
            base_url: "http://127.0.0.1".into(),
            key_mark: "k".into(),
        },
        newest: Vec::new(),
        anchors: Vec::new(),
        template: None,
    };
    let mut intent = Order::new(OrderId(uuid::Uuid::from_u128(3)), stamp(), drafted);
    intent
        .apply(stamp(), OrderEvent::Confirmed(Confirmation { typed: Vec::new(), findings: Vec::new(), agreed: None }));
    intent.apply(stamp(), OrderEvent::Sending { attempt: 1, reason: SendReason::Confirmed, gives_up_at: at });
    let outcome = Outcome::Accepted;
    let answer = AttemptResult {
        outcome,
        status: None,
        message: "".into(),
        raw: None,
        created: None,
        differences: Vec::new(),
        cost_alarms: Vec::new(),
    };
    intent.apply(stamp(), OrderEvent::Answered { attempt: 1, answer: Box::new(answer) });
    intent
}

fn wallets(store: &Store) -> Vec<Wallet> {
    store.wallets(&Scope::All, "", 0, 1_000).unwrap().rows.into_iter().map(|sourced| sourced.entry).collect()
}

fn rows(store: &Store, filter: &str) -> Vec<Transaction> {
    use bursar::domain::history::{Query, Sort, WindowAnchor, WindowRequest};
    let query = Query { scope: Scope::All, filter: filter.into(), sort: Sort::Newest, ..Query::default() };
    let mut rows_found = Vec::new();
    let span = WindowRequest { query, anchor: WindowAnchor::Rank(0), rows: 2_000 };
    store.query_history(&span, &bursar::store::Cancel::new(), &mut |window| rows_found = window.rows).unwrap();
    rows_found.into_iter().map(|row| row.transaction).collect()
}

#[test]
fn the_sample_business_can_pay_whom_it_always_pays() {
    let session = Session::open();
    let store = session.store();
    let mut recipients: BTreeMap<Text, Text> = BTreeMap::new();
    for row in rows(store, "dir:outgoing") {
        // Sweeps and payments between own wallets go elsewhere.
        let own = wallets(store).iter().any(|wallet| wallet.address.as_ref() == row.to_address.as_ref());
        if let (Some(to), false) = (row.to_address, own) {
            recipients.entry(row.token.blockchain).or_insert(to);
        }
    }
    assert!(recipients.len() >= 4, "{recipients:?}");
    let (mut judged_payments, mut overrides) = (0, BTreeMap::<&str, u32>::new());
    for wallet in wallets(store) {
        let Some(to) = recipients.get(&wallet.blockchain) else { continue };
        let holdings = store.holdings(&Scope::Wallet(wallet.id.clone())).unwrap();
        let has_balance = |holding: &&Holding| {
            holding.amount.as_ref().and_then(ReportedAmount::exact).is_some_and(|balance| !balance.is_zero())
        };
        for holding in holdings.iter().filter(|holding| !holding.suspicious).filter(has_balance) {
            let findings = findings_for(store, &[], &payment(&wallet, holding, to));
            judged_payments += 1;
            for finding in &findings {
                *overrides.entry(finding.override_phrase.unwrap_or("")).or_default() += 1;
                // A wallet that was nearly emptied cannot bear the fee; nothing else is against it.
                let is_excused = finding.rule == Rule::Balance;
                assert!(finding.severity < Severity::Stop || is_excused, "{finding:#?}");
                if finding.severity == Severity::Danger {
                    // A customer's money goes to nobody else without a word.
                    let is_theirs = wallet.name.as_deref().is_some_and(|name| name.starts_with("cust-"));
                    assert!(is_excused || is_theirs && finding.rule == Rule::Customer, "{finding:#?}");
                }
            }
            assert!(findings.iter().any(|finding| finding.rule == Rule::FirstPayment));
        }
    }
    assert!(judged_payments > 20, "{judged_payments}: {overrides:?}");
}

#[test]
fn whoever_fishes_for_a_slip_in_the_sample_history_is_found() {
    let session = Session::open();
    let store = session.store();
    let everybody = rows(store, "dir:outgoing");
    let mut count = 0;
    for bait in rows(store, "dir:incoming") {
        let Some(from) = &bait.from_address else { continue };
        // The first four digits and the last four are those of somebody who is paid.
        let ends = |address: &str| Some((address.get(2..6)?.to_lowercase(), address.get(38..)?.to_lowercase()));
        let is_copied = |to: &Text| to.starts_with("0x") && !is_same_address(to, from) && ends(to) == ends(from);
        let Some(row) = everybody.iter().find(|row| row.to_address.as_ref().is_some_and(is_copied)) else { continue };
        let wallet = wallets(store).into_iter().find(|wallet| Some(&wallet.id) == row.wallet.as_ref()).unwrap();
        let holding = Holding {
            token: row.token.clone(),
            symbol: row.symbol.clone(),
            name: None,
            amount: row.amount.clone(),
            basis: bursar::domain::BalanceBasis::Derived,
            as_of: None,
            suspicious: false,
        };
        let genuine = row.to_address.clone().unwrap();
        let order = accepted_order(&payment(&wallet, &holding, &genuine));
        let warned = |to: &Text| {
            let findings = findings_for(store, std::slice::from_ref(&order), &payment(&wallet, &holding, to));
            let alike = findings.into_iter().find(|finding| finding.rule == Rule::LookAlike);
            alike.map(|finding| (finding.severity, finding.lines.len()))
        };
        assert_eq!(warned(from), Some((Severity::Danger, 3)));
        assert_eq!(warned(&genuine), None);
        count += 1;
    }
    assert!(count >= 2, "the sample has {count}");
}

/// Whoever is asked whether to leave does not read the review below.
#[test]
fn a_review_that_a_question_covered_takes_keys_only_after_it_stood_there_again() {
    let mut session = Session::with(Setup::default());
    session.reviews("base-ops", "USDC", "25", super::approvals::STRANGER);
    session.passes(Duration::from_millis(1_100));
    let entries = session.expected_entries();
    assert_eq!(entries.len(), 2);
    session.keys("C-c");
    session.passes(Duration::from_secs(2));
    assert!(session.review().is_none(), "{}", session.screen());
    session.keys("Esc");
    session.sees("Read it; keys work in a second");
    for text in entries {
        session.types(&text);
        session.keys("Enter");
    }
    assert!(session.order().intent.attempts.is_empty());
    session.confirms();
    session.settle();
    session.order().is("accepted", "it stood there for a second");
}
