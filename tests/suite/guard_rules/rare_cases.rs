//! What of the guard is met by a rarer way: on a chain that the sample business has no wallet on, under a word for a
//! network that nobody knows, with a list of tokens that comes late, by several recipients.

use bursar::domain::Amount;
use bursar::domain::policy::{Limit, OverLimit};
use bursar::guard::{Rule, Severity};
use bursar::service::Fault;
use bursar::service::ledger::{DepositToken, IdSource, NewDeposit, NewWallet};

use super::super::batches;
use super::super::harness::{Session, Setup};
use super::super::policy::{findings, leaves, limit, limits};
use super::{MINUTE, OTHER, SECOND, STRANGER, confirms_with, is_stopped, wallet, wants};

/// Somebody gives a wallet of the business a token.
pub(in super::super) fn gives(session: &Session, wallet: uuid::Uuid, token: DepositToken, raw: u64, from: &str) {
    let ledger = session.service().ledger();
    let workspace_number = ledger.workspaces().unwrap()[0].number;
    let new = NewDeposit { wallet, token, raw: ruint::aliases::U256::from(raw), from: from.into() };
    ledger
        .execute_in_workspace(workspace_number, session.now(), IdSource::Random, move |books| books.deposit(&new))
        .unwrap();
}

/// A console of the sample business, which has opened a wallet on TON and got 500 of its coins.
fn on_ton(setup: Setup, fault: Fault) -> Session {
    let mut session = Session::unsettled(Setup { size: (200, 60), ..setup });
    let ledger = session.service().ledger();
    let workspace_number = ledger.workspaces().unwrap()[0].number;
    let page = bursar::service::ledger::Paging { page: 1, limit: 100 };
    let wallets = ledger.wallets(workspace_number, page).unwrap().data;
    let neighbour = wallets.into_iter().find(|wallet| wallet.name.as_deref() == Some("base-ops")).unwrap();
    let new = NewWallet {
        account: neighbour.account_id.parse().unwrap(),
        user: neighbour.user_id.map(|user| user.parse().unwrap()),
        blockchain: "ton".into(),
        name: Some("ton-main".into()),
        ref_id: Some("ton-main".into()),
        auto_sweep: false,
    };
    ledger
        .execute_in_workspace(workspace_number, session.now(), IdSource::Random, move |books| books.create_wallet(&new))
        .unwrap();
    let (own_wallet, _) = wallet(&session, |name, _| name == "ton-main");
    let from = "0:83dfd552e63729b472fcbcc8c45ebcc6691702558b68ec7527e1ba403a0f31a8";
    gives(&session, own_wallet, DepositToken::Listed("TON".into()), 500_000_000_000, from);
    session.fault(fault);
    session.connect();
    session.passes(MINUTE / 2);
    session
}

#[test]
fn an_address_among_the_validators_of_ton_is_paid_with_the_words_alone() {
    // The test giver of TON's documents.
    const GIVER: &str = "-1:fcb91a3a3816d0f7b8c2c76108b8a9bc5a6b7a55bd79f8ab101c52db29232260";
    let mut session = on_ton(Setup::default(), Fault::None);
    session.reviews("ton-main", "TON", "25", GIVER);
    session.sees("This address is in the workchain of TON's validators");
    wants(&mut session, "validators workchain");
    session.reviews("ton-main", "TON", "25", GIVER);
    confirms_with(&mut session, "validators workchain");
    session.passes(MINUTE);
    let order = session.order();
    order.is("settled", "it was meant so");
    assert!(order.executions == 1 && order.intent.differences().is_empty(), "{}", order.status_text);
}

/// Where the service calls its network by a word of its own and the profile says nothing, real money may be meant.
#[test]
fn an_address_for_tests_is_paid_with_the_words_alone_where_the_network_is_not_known() {
    const FOR_TESTS: &str = "kQDKbjIcfM6ezt8KjKJJLshZJJSqX7XOA4ff-W72r5gqPgpP";
    let mut session = on_ton(Setup { network: None, ..Setup::default() }, Fault::UnknownNetwork);
    session.reviews("ton-main", "TON", "25", FOR_TESTS);
    session.sees("This address is for a test network only, and it is not known which network the payment goes out on.");
    wants(&mut session, "test address");
    session.reviews("ton-main", "TON", "25", FOR_TESTS);
    confirms_with(&mut session, "test address");
    session.passes(MINUTE);
    session.order().is("settled", "it was a test network after all");
    assert_eq!(session.order().executions, 1);
    // Nothing is said where the network is known, and is one for tests.
    let mut session = on_ton(Setup::default(), Fault::None);
    session.reviews("ton-main", "TON", "25", FOR_TESTS);
    assert_eq!(findings(&session, Rule::Address), []);
}

#[test]
fn data_that_speak_of_two_networks_are_not_paid_by() {
    let mut session =
        Session::with(Setup { size: (200, 60), network: None, poll_period: 10 * SECOND, ..Setup::default() });
    session.reviews("base-ops", "USDC", "25", STRANGER);
    assert_eq!(findings(&session, Rule::Environment)[0].severity, Severity::Note);
    session.sees("The profile does not name a network. The data names testnet.");
    leaves(&mut session);
    // What is read from now on says another one.
    session.fault_on("/v2/", Fault::UnknownNetwork);
    session.passes(3 * MINUTE);
    session.reviews("base-ops", "USDC", "25", STRANGER);
    is_stopped(&mut session, Rule::Environment, "The data names two networks");
}

/// Before the service's list of tokens is there, nothing can be known to imitate what stands in it.
#[test]
fn a_token_that_turns_out_to_imitate_another_is_paid_with_the_words_alone() {
    const FORGED: &str = "COINX";
    let mut session = Session::unsettled(Setup { size: (200, 60), poll_period: 10 * SECOND, ..Setup::default() });
    let (ops, _) = wallet(&session, |name, _| name == "base-ops");
    let token =
        DepositToken::Unlisted { contract: OTHER.into(), symbol: FORGED.into(), name: "USD Coin".into(), decimals: 6 };
    gives(&session, ops, token, 5_000_000, STRANGER);
    session.fault_on("/v1/blockchains", Fault::with_status(500));
    session.connect();
    session.passes(MINUTE);
    session.keys(&format!("1 w 'base-ops' Enter '{FORGED}' Enter '{STRANGER}' Enter '2' Enter Enter"));
    // It comes while the form is filled in.
    session.fault(Fault::None);
    session.passes(10 * MINUTE);
    session.sees("not the one that the service lists under such a name");
    session.keys("Enter");
    session.sees("Review");
    session.sees("It is an imitation token, made to be taken for it.");
    wants(&mut session, "not the listed token");
    // The draft that was kept has the token all the same.
    session.keys("1 w");
    session.sees("draft restored");
    session.keys("Enter Enter Enter Enter Enter Enter");
    session.sees("Review");
    confirms_with(&mut session, "not the listed token");
    session.order().is("rejected", "the service pays out what it lists alone");
}

#[test]
fn a_balance_that_contradicts_itself_is_relied_on_with_the_words_alone() {
    let mut session = Session::unsettled(Setup { size: (200, 60), ..Setup::default() });
    session.fault_on("/v2/users/balances", Fault::AmountFormsDiffer);
    session.connect();
    session.passes(10 * SECOND);
    session.reviews("base-ops", "USDC", "25", STRANGER);
    session.sees("How much USDC the wallet holds is not known");
    wants(&mut session, "balance not known");
    session.reviews("base-ops", "USDC", "99999999", STRANGER);
    confirms_with(&mut session, "balance not known");
    session.order().is("rejected", "the service knows that there is less");
}

#[test]
fn a_balance_summed_up_here_that_is_too_low_is_relied_on_with_the_words_alone() {
    let mut session = Session::unsettled(Setup { size: (200, 60), ..Setup::default() });
    session.fault_on("/v2/users/balances", Fault::with_status(500));
    session.connect();
    session.passes(10 * SECOND);
    session.reviews("base-ops", "USDC", "99999999", STRANGER);
    confirms_with(&mut session, "balance too low");
    session.order().is("rejected", "there is less, indeed");
}

/// Which limit is passed by 25, and what is then asked for.
#[rstest::rstest]
#[case(Limit { per_day: Amount::parse("24.999999", 6).ok(), ..limit(OverLimit::Danger) }, "over the daily limit")]
#[case(Limit { percent_of_balance: Some(1), ..limit(OverLimit::Danger) }, "over the share")]
fn a_limit_that_warns_is_passed_with_the_words_alone(#[case] limit: Limit, #[case] phrase: &str) {
    let mut session = super::session();
    let amount = if limit.percent_of_balance.is_some() { "max" } else { "25" };
    session.allows(limits(limit));
    session.reviews("base-ops", "USDC", amount, STRANGER);
    assert_eq!(findings(&session, Rule::Limits)[0].severity, Severity::Danger);
    wants(&mut session, phrase);
    session.reviews("base-ops", "USDC", amount, STRANGER);
    confirms_with(&mut session, phrase);
}

#[test]
fn one_who_stands_twice_in_a_batch_is_paid_twice_with_the_words_alone() {
    let mut session = super::session();
    // Written otherwise it is the same.
    let rows = [(STRANGER, "1"), (OTHER, "3"), (&*STRANGER.to_lowercase(), "2")];
    session.reviews_batch("base-ops", "USDC", &rows);
    session.sees("pay the same recipient, different amounts: the recipient would be paid 2 times.");
    wants(&mut session, "same recipient twice");
    session.reviews_batch("base-ops", "USDC", &rows);
    confirms_with(&mut session, "same recipient twice");
}

/// What a service takes for a batch is nowhere said.
#[test]
fn a_batch_whose_fee_may_be_more_than_is_left_is_paid_with_the_words_alone() {
    let mut session = super::session();
    session.reviews("eth-main", "USDT", "max", STRANGER);
    let most = session.recorded_orders()[0].drafted.sender.as_ref().unwrap().amount;
    leaves(&mut session);
    let rest = most.checked_sub(Amount::parse("3", 6).unwrap()).unwrap().to_string();
    let rows = [(STRANGER, rest.as_str()), (OTHER, "1"), ("0xde709f2102306220921060314715629080e2fb77", "2")];
    session.reviews_batch("eth-main", "USDT", &rows);
    session.sees("The balance covers the amounts, but perhaps not the fee");
    wants(&mut session, "fee not certain");
    session.reviews_batch("eth-main", "USDT", &rows);
    confirms_with(&mut session, "fee not certain");
}

#[test]
fn the_same_file_is_paid_again_with_the_words_alone() {
    let (_folder, path) = batches::file_of(3, "1");
    let mut session = super::session();
    for is_second in [false, true] {
        batches::fills_in(&mut session, &path);
        session.keys("Tab Enter");
        session.sees("Review · Batch");
        if is_second {
            session.sees("The same file (pay.csv) was paid once before (settled)");
            confirms_with(&mut session, "same file again");
        } else {
            session.confirms();
        }
        session.passes(2 * MINUTE);
        session.order().is("settled", "it was meant so");
    }
}
