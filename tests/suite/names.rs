//! Names instead of addresses: own wallets, contacts, and what the operator named.

use bursar::domain::book::{BookChange, LabelSubject};
use bursar::domain::draft::NewWallet;
use bursar::domain::order::{DraftedOrder, RequestBytes};
use bursar::domain::{AccountId, AddressBook, Draft, Operation, Timestamp};
use serde_json::Value;

use super::harness::Session;
use super::reports::{Desk, good};
use super::status::journal;

#[test]
fn movements_between_own_wallets_have_their_own_sign_and_both_names() {
    let mut session = Session::open();
    session.keys("3 / 'wallet:eth-main' Blank 'token:usdc' Enter");
    session.sees("⇄");
    session.sees("eth-main");
    session.sees("cust-");
    session.keys("Esc / 'cust-10006' Enter");
    session.sees("⇄ in");
}

#[test]
fn a_stranger_is_named_with_one_key_and_is_called_so_from_then_on() {
    let mut session = Session::open();
    session.keys("3 / 'dir:out' Blank 'token:dai' Enter j N");
    session.sees("Name this address");
    session.keys("'Coldstore' Enter");
    session.sees("address named Coldstore");
    session.sees("Coldstore");
    session.keys("Enter");
    session.sees("Coldstore · 0x");
    session.keys("Esc Esc / 'coldst' Enter");
    session.sees("Coldstore");
    session.restarts();
    session.connect();
    session.keys("3 / 'coldst' Enter");
    session.sees("Coldstore");
    // The name is given again, and taken back.
    session.keys("j N");
    session.sees("> Coldstore");
    session.keys("C-u Enter");
    session.sees("this address has no name of yours any more");
}

#[test]
fn nobody_is_named_like_somebody_else() {
    let mut session = Session::open();
    session.keys("3 / 'dir:out' Blank 'token:dai' Enter j N 'eth-main' Enter");
    session.sees("would be taken for eth-main");
    session.keys("Esc");
    session.sees_no("Name this address");
}

#[test]
fn a_wallet_and_an_account_are_named() {
    let mut session = Session::open();
    session.keys("1 j N");
    session.sees("Name this account");
    session.keys("'Vault' Enter");
    session.sees("Wallets · Vault");
}

#[test]
fn statement_balances_and_orders_are_written_with_the_names_of_the_screen() {
    let desk = Desk::serving(true);
    let rows = |arguments: &[&str]| -> Vec<Value> { serde_json::from_str(&good(&desk.run(arguments))).unwrap() };
    let accounts = rows(&["export", "accounts", "--format", "json"]);
    let [first, second] = [0, 1].map(|at| accounts[at]["account"].as_str().unwrap().to_owned());
    let second_name = accounts[1]["account_name"].as_str().unwrap();
    let (journal_of_desk, to) = journal(&desk);
    let label =
        BookChange::Label { subject: LabelSubject::Account(AccountId::from_text(&first)), name: Some("Vault".into()) };
    let at = Timestamp::from_millis(0);
    journal_of_desk.change_book(&to, &AddressBook::default(), vec![label], Vec::new(), at).unwrap();
    for account in [&first, &second] {
        let new = NewWallet {
            account: AccountId::from_text(account),
            blockchain: "base".into(),
            name: Some("till".into()),
            ref_id: None,
            user: None,
            auto_sweep: false,
        };
        let request = RequestBytes {
            operation: Operation::CreateWallet,
            method: "POST".into(),
            path: "/v2/wallets".into(),
            body: "{}".into(),
            key: None,
        };
        let drafted = DraftedOrder {
            draft: Draft::CreateWallet(new),
            sender: None,
            request,
            destination: to.clone(),
            newest: Vec::new(),
            anchors: Vec::new(),
            template: None,
        };
        journal_of_desk.record_draft(drafted, at).unwrap();
    }
    drop(journal_of_desk);
    let month = Timestamp::from_millis(desk.now().millis()).format("%Y-%m");
    for report in [
        &["statement", "--offline", "--format", "json", "--month", &month][..],
        &["export", "balances", "--offline", "--format", "json"],
        &["export", "orders", "--format", "json"],
    ] {
        let report_rows = rows(report);
        let name_of =
            |id: &str| report_rows.iter().find(|row| row["account"] == id).map(|row| row["account_name"].clone());
        assert_eq!(name_of(&first).unwrap(), "Vault", "{report:?}");
        assert_eq!(name_of(&second).unwrap(), second_name, "{report:?}");
    }
}
