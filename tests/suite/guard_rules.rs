//! Every rule of the guard on the real console: what it stops is not sent, whatever is typed; what it calls a danger is sent
//! with its words alone, and the record says that they were typed. Limits, address book and look-alikes stand beside
//! this, in `policy`; quotes in `swaps`; what is met by a rarer way in `rare`. That none is left out, `every` sees to.

mod coverage;
pub(super) mod rare_cases;
mod strong_warnings;
mod unresolved_orders;

use std::time::Duration;

use bursar::domain::policy::{Limit, OverLimit, Policy};
use bursar::domain::{Amount, Draft};
use bursar::guard::{Rule, Severity};
use bursar::service::Fault;
use bursar::service::ledger::{DepositToken, IdSource, NewDeposit, Paging};
use rstest::rstest;

use super::harness::{Session, Setup};
use super::policy::{findings, leaves, limit, limits, override_notes};

const SECOND: Duration = Duration::from_secs(1);
const MINUTE: Duration = Duration::from_mins(1);

/// A stranger's address.
const STRANGER: &str = "0x52908400098527886E0F7030069857D2E4169EE7";
/// Another one.
const OTHER: &str = "0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB";

fn session() -> Session {
    Session::with(Setup { size: (200, 60), ..Setup::default() })
}

/// Fails unless the review cannot be sent, whatever is typed, and says why.
#[track_caller]
fn is_stopped(session: &mut Session, rule: Rule, text: &str) {
    let findings = findings(session, rule);
    assert_eq!(findings.first().map(|finding| finding.severity), Some(Severity::Stop), "{findings:#?}");
    session.sees("STOP");
    session.sees(text);
    let tap = session.service().record_requests();
    let change_count = tap.changes().len();
    session.passes(2 * SECOND);
    for text in session.expected_entries() {
        session.types(&text);
        session.keys("Enter");
    }
    session.keys("Enter Enter");
    assert_eq!(tap.changes().len(), change_count, "it was sent");
    leaves(session);
}

/// Fails unless nothing leaves without the words of a danger, whatever else is typed; leaves the review.
#[track_caller]
fn wants(session: &mut Session, phrase: &str) {
    let tap = session.service().record_requests();
    let change_count = tap.changes().len();
    let entries = session.expected_entries();
    assert!(entries.iter().any(|entry| entry == phrase), "{entries:?} on\n{}", session.screen());
    // All but these words are typed: nothing leaves.
    session.passes(2 * SECOND);
    for entry in &entries {
        session.types(if entry == phrase { "yes" } else { entry });
        session.keys("Enter");
    }
    session.keys("Enter");
    assert_eq!(tap.changes().len(), change_count, "it was sent without its words");
    assert!(session.review().is_some(), "the review closed:\n{}", session.screen());
    leaves(session);
}

/// Confirms what is under review with all its words, and fails unless these are on record.
#[track_caller]
fn confirms_with(session: &mut Session, phrase: &str) {
    session.confirms();
    let notes = override_notes(session);
    assert!(notes.iter().any(|line| line.ends_with(&format!("[overridden: {phrase}]"))), "{notes:?}");
    assert_eq!(session.order().intent.attempts.len(), 1, "{}", session.order().status_text);
}

/// The wallet of this name, or of whoever has one on this chain besides the treasury: identifier and address.
pub(super) fn wallet(session: &Session, is_it: impl Fn(&str, &str) -> bool) -> (uuid::Uuid, String) {
    let ledger = session.service().ledger();
    let workspace_number = ledger.workspaces().unwrap()[0].number;
    let wallets = ledger.wallets(workspace_number, Paging { page: 1, limit: 100 }).unwrap().data;
    let wallet =
        wallets.into_iter().find(|wallet| is_it(wallet.name.as_deref().unwrap_or_default(), wallet.blockchain));
    let wallet = wallet.expect("no such wallet");
    (wallet.id.parse().unwrap(), wallet.address)
}

#[test]
fn what_nobody_can_spend_and_what_pays_oneself_is_stopped() {
    let mut session = session();
    let (_, own) = wallet(&session, |name, _| name == "base-ops");
    for (to, rule, text) in [
        ("0x000000000000000000000000000000000000dEaD", Rule::Unspendable, "nobody can spend what is sent there"),
        ("0x0000000000000000000000000000000000000000", Rule::Unspendable, "nobody can spend what is sent there"),
        ("0x0000000000000000000000000000000000000001", Rule::Unspendable, "nobody can spend what is sent there"),
        ("0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913", Rule::Unspendable, "This is the contract of USDC itself."),
        (own.as_str(), Rule::OwnWallet, "This is the address of the paying wallet itself."),
    ] {
        session.reviews("base-ops", "USDC", "25", to);
        is_stopped(&mut session, rule, text);
    }
    assert!(session.service().record_requests().changes().is_empty());
}

#[test]
fn an_own_wallet_of_another_chain_is_paid_with_the_words_alone() {
    let mut session = session();
    let (_, on_bsc) = wallet(&session, |name, chain| name.starts_with("cust-") && chain == "bsc");
    session.reviews("base-ops", "USDC", "25", &on_bsc);
    session.sees("On Base none of your wallets is known at this address");
    wants(&mut session, "other chain");
    session.reviews("base-ops", "USDC", "25", &on_bsc);
    confirms_with(&mut session, "other chain");
}

/// Anybody can give a token any symbol and send some of it.
#[test]
fn two_tokens_of_one_symbol_are_stopped_and_what_imitates_one_is_not_offered() {
    let mut session = session();
    let (ops, _) = wallet(&session, |name, _| name == "base-ops");
    let ledger = session.service().ledger();
    let workspace_number = ledger.workspaces().unwrap()[0].number;
    let forged_deposit = |symbol: &str| NewDeposit {
        wallet: ops,
        token: DepositToken::Unlisted {
            contract: if symbol == "USDC" { OTHER.into() } else { STRANGER.into() },
            symbol: symbol.into(),
            name: "USD Coin".into(),
            decimals: 6,
        },
        raw: ruint::aliases::U256::from(5_000_000),
        from: STRANGER.into(),
    };
    for new in [forged_deposit("USDC"), forged_deposit("USD\u{421}")] {
        ledger
            .execute_in_workspace(workspace_number, session.now(), IdSource::Random, move |books| books.deposit(&new))
            .unwrap();
    }
    session.passes(2 * MINUTE);
    session.keys("1 w 'base-ops' Enter 'USD\u{421}' Enter");
    session.sees("this wallet holds no token with this symbol");
    session.keys("C-u 'USDC' Enter");
    session.sees("two tokens have this symbol here; choose one by its contract with Down and Enter");
    session.keys(&format!("Down Enter '{STRANGER}' Enter '25' Enter Enter Enter"));
    session.sees("Review");
    session.sees("0x833589fcd6edb6e08f4c7c32d4f71b54bda02913");
    session.sees(&OTHER.to_lowercase());
    is_stopped(&mut session, Rule::Token, "The wallet holds 2 tokens called USDC on Base.");
}

/// The address of an exchange is that of all its customers.
#[test]
fn a_payment_without_the_tag_of_its_chain_is_sent_with_the_words_alone() {
    const EXCHANGE: &str = "rPEPPER7kfTD9w2To4CQk6UCfuHM9c6GDY";
    let mut session = session();
    session.reviews("xrp-main", "XRP", "25", EXCHANGE);
    session.sees("Deposits on XRP Ledger commonly need a memo or tag, and this payment cannot carry one.");
    wants(&mut session, "no tag needed");
    session.reviews("xrp-main", "XRP", "25", EXCHANGE);
    confirms_with(&mut session, "no tag needed");
    session.passes(MINUTE);
    session.order().is("settled", "it was somebody's own account");
    session.reviews_v1("xrp-main", "XRP", "26", EXCHANGE, "");
    session.sees("commonly need a memo or tag, and this payment carries none");
    confirms_with(&mut session, "no tag needed");
}

#[test]
fn the_memo_says_whose_money_it_is_as_much_as_the_address_does() {
    const EXCHANGE: &str = "rPEPPER7kfTD9w2To4CQk6UCfuHM9c6GDY";
    let mut session = session();
    // What no destination tag can be goes no further than its field.
    session.keys("1 m");
    session.sees("Clear form");
    session.keys("BackTab BackTab Tab Tab C-u 'xrp-main' Enter 'XRP' Enter");
    session.keys(&format!("'{EXCHANGE}' Enter 'customer-12' Enter"));
    session.sees("a destination tag is a whole number from 0 to 4294967295");
    session.keys("C-u '104735891' Enter '25' Enter Enter Enter");
    session.sees("Review · Withdraw · version 1");
    session.sees("The memo decides whose money it is as much as the address does");
    let (draft, bytes) = session.reviewed_payment().unwrap();
    let Draft::Payment(payment) = &draft else { panic!("{draft:?}") };
    assert_eq!(payment.memo.as_deref(), Some("104735891"));
    assert!(String::from_utf8_lossy(&bytes).contains(r#""memo":"104735891""#));
    session.confirms();
    session.passes(MINUTE);
    let first = session.order();
    first.is("settled", "by the history");
    assert!(first.executions == 1 && first.intent.differences().is_empty(), "{}", first.status_text);
    // Known with its memo, it is asked for no more.
    session.reviews_v1("xrp-main", "XRP", "26", EXCHANGE, "104735891");
    assert_eq!(session.expected_entries(), ["26"]);
    leaves(&mut session);
    // Another memo at a known address is another recipient, and so is none at all.
    session.reviews_v1("xrp-main", "XRP", "26", EXCHANGE, "104735892");
    session.sees("but never with this memo or tag");
    assert_eq!(session.expected_entries().len(), 3, "{:?}", session.expected_entries());
    assert_eq!(session.expected_entries().last().map(String::as_str), Some("104735892"), "the memo is typed");
    session.confirms();
    session.passes(MINUTE);
    session.order().is("settled", "the middle of the address was typed");
    session.reviews("xrp-main", "XRP", "27", EXCHANGE);
    session.sees("but always with a memo or tag");
    leaves(&mut session);
    // What the address book says of the tag stands over what is typed.
    books(&session, EXCHANGE, "104735891");
    session.reviews("xrp-main", "XRP", "27", EXCHANGE);
    is_stopped(&mut session, Rule::Memo, "this payment cannot carry one");
    session.reviews_v1("xrp-main", "XRP", "27", EXCHANGE, "");
    is_stopped(&mut session, Rule::Memo, "this payment carries none. Enter the tag as the memo.");
    session.reviews_v1("xrp-main", "XRP", "27", EXCHANGE, "7");
    session.sees("Your address book has another tag for this recipient.");
    confirms_with(&mut session, "other tag");
    session.reviews_v1("xrp-main", "XRP", "28", EXCHANGE, "104735891");
    session.sees("The memo is the tag in your address book.");
}

/// Another console enters somebody with a tag.
fn books(session: &Session, address: &str, tag: &str) {
    use bursar::domain::book::{BookChange, Contact};
    use bursar::journal::RecordedBookChanges;
    let other = session.till().opens();
    let contact = Contact {
        name: "Exchange".into(),
        address: address.into(),
        blockchain: "xrp".into(),
        tag: Some(tag.into()),
        note: None,
    };
    let book = RecordedBookChanges::replay_book(&other.journal.book_changes(&other.destination).unwrap());
    let change = vec![BookChange::Entered(contact)];
    other.journal.change_book(&other.destination, &book, change, Vec::new(), session.now()).unwrap();
}

/// What such an address carries would be lost, or leads to another network.
#[test]
fn an_address_that_carries_a_tag_and_one_of_another_network_are_stopped() {
    let mut session = session();
    for (to, text) in [
        ("TVd2rqMkYL2AyS97NdELcpeiprNBjwVUDvp3vhpXbNhLwJi", "address with a tag inside"),
        ("XV5sbjUmgPpvXv4ixFWZ5ptAYZ6PD2gYsjNFQLKYW33DzBm", "This address belongs to the main network of XRP Ledger"),
    ] {
        session.reviews("xrp-main", "XRP", "25", to);
        is_stopped(&mut session, Rule::Address, text);
    }
}

#[test]
fn a_payment_that_the_balance_does_not_bear_with_its_fee_is_stopped() {
    let mut session = session();
    session.reviews("eth-main", "USDT", "max", STRANGER);
    let most = session.recorded_orders()[0].drafted.sender.as_ref().unwrap().amount;
    let more = most.checked_add(Amount::parse("0.000001", 6).unwrap()).unwrap();
    leaves(&mut session);
    session.reviews("eth-main", "USDT", &more.to_string(), STRANGER);
    session.sees("fee      up to");
    is_stopped(&mut session, Rule::Balance, "The wallet does not hold enough USDT for this payment and its fee.");
}

/// Balances that were never told are summed up from the history, and then the service's word is wanting.
#[test]
fn a_balance_that_was_never_told_is_relied_on_with_the_words_alone() {
    let mut session = Session::unsettled(Setup { size: (200, 60), ..Setup::default() });
    session.fault_on("/v2/users/balances", Fault::with_status(500));
    session.connect();
    session.passes(10 * SECOND);
    session.reviews("base-ops", "USDC", "25", STRANGER);
    session.sees("it was calculated here, not reported by the service");
    wants(&mut session, "balance derived");
    session.reviews("base-ops", "USDC", "99999999", STRANGER);
    session.sees("As far as is known, the wallet does not hold enough USDC");
    wants(&mut session, "balance too low");
    session.reviews("base-ops", "USDC", "25", STRANGER);
    confirms_with(&mut session, "balance derived");
}

/// Which read fails, and what is then asked for.
#[rstest]
#[case("/v2/users/balances", "balance old")]
#[case("/v2/transactions", "balance assumed")]
fn a_balance_that_grew_old_or_cannot_be_borne_out_is_relied_on_with_the_words_alone(
    #[case] reads: &'static str,
    #[case] phrase: &str,
) {
    let mut session = session();
    session.faults(vec![Fault::with_status(500).on_paths(reads).only_reads()]);
    session.passes(2 * MINUTE);
    session.reviews("base-ops", "USDC", "25", STRANGER);
    wants(&mut session, phrase);
    session.reviews("base-ops", "USDC", "25", STRANGER);
    confirms_with(&mut session, phrase);
}

#[test]
fn the_same_payment_again_and_that_of_a_colleague_are_made_with_the_words_alone() {
    let mut session = session();
    session.reviews("base-ops", "USDC", "25", STRANGER);
    session.confirms();
    session.passes(MINUTE);
    session.order().is("settled", "the first time");
    session.reviews("base-ops", "USDC", "25", STRANGER);
    wants(&mut session, "pay again");
    session.reviews("base-ops", "USDC", "25", STRANGER);
    confirms_with(&mut session, "pay again");
    session.passes(MINUTE);
    assert_eq!(session.orders().iter().map(|order| order.executions).sum::<usize>(), 2);
    // A colleague pays somebody by other means while the same is reviewed here, and another amount under its reference.
    for (amount, phrase) in [("30", "pay again"), ("31", "same reference")] {
        session.reviews("base-ops", "USDC", "30", OTHER);
        let (_, bytes) = session.reviewed_payment().unwrap();
        let mut request: serde_json::Value = serde_json::from_slice(&bytes).unwrap();
        request["idempotencyKey"] = uuid::Uuid::new_v4().to_string().into();
        request["amount"] = amount.into();
        if phrase == "pay again" {
            request["refId"] = "colleague-1".into();
        } else {
            request["withdrawalAddress"] = STRANGER.into();
        }
        session.posts("/v2/transactions/withdraw", &request);
        session.passes(3 * SECOND);
        let entries = session.expected_entries();
        assert!(entries.iter().any(|entry| entry == phrase), "{entries:?} on\n{}", session.screen());
        confirms_with(&mut session, phrase);
        session.passes(MINUTE);
    }
}

/// Where not all of a day is known its limit may be passed by what nobody sees.
#[test]
fn a_day_of_which_not_all_was_read_is_paid_in_with_the_words_alone() {
    let of_day = Limit { per_day: Some(Amount::parse("1000000", 6).unwrap()), ..limit(OverLimit::Stop) };
    let mut session = session();
    session.allows(limits(of_day));
    session.faults(vec![Fault::with_status(500).on_paths("/v2/transactions").only_reads()]);
    session.passes(2 * MINUTE);
    session.reviews("base-ops", "USDC", "25", STRANGER);
    session.sees("The daily limit may be exceeded");
    wants(&mut session, "limit not certain");
    session.reviews("base-ops", "USDC", "25", STRANGER);
    confirms_with(&mut session, "limit not certain");
}

/// What somebody got who was entered just now is limited, and so must be known.
#[test]
fn an_entry_that_cools_is_paid_with_the_words_alone_where_not_all_that_it_got_is_known() {
    let cooling = Limit { while_cooling: Some(Amount::parse("100", 6).unwrap()), ..limit(OverLimit::Stop) };
    let mut session = session();
    session.allows(Policy { allow_list_only: true, cooling: Some(Duration::from_hours(48)), ..limits(cooling) });
    super::policy::enters(&session, "Norrland", STRANGER, 1);
    session.faults(vec![Fault::with_status(500).on_paths("/v2/transactions").only_reads()]);
    session.passes(2 * MINUTE);
    session.reviews("base-ops", "USDC", "25", STRANGER);
    wants(&mut session, "entry limit not certain");
    session.reviews("base-ops", "USDC", "25", STRANGER);
    confirms_with(&mut session, "entry limit not certain");
}

/// The pair of the loss of December 2025, in one file.
#[test]
fn recipients_of_one_batch_that_look_alike_are_paid_with_the_words_alone() {
    let pair = ["0xbaf4b1aF7E3B560d937DA0458514552B6495F8b5", "0xBaFF2F13638C04B10F8119760B2D2aE86b08f8b5"];
    let mut session = session();
    let rows = pair.map(|address| (address, "1"));
    session.reviews_batch("base-ops", "USDC", &rows);
    wants(&mut session, "looks like another");
    session.reviews_batch("base-ops", "USDC", &rows);
    confirms_with(&mut session, "looks like another");
}
