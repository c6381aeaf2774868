//! Rows that an order made, and that have no reference of their own: they show the order's, and are found by it.

use std::time::Duration;

use bursar::config::{Config, Environment, Overrides};
use bursar::domain::draft::{Batch, Metadata, Recipient, Withdrawal};
use bursar::domain::history::{HistoryRow, Query, WindowAnchor, WindowRequest};
use bursar::domain::order::{DraftedOrder, RequestBytes};
use bursar::domain::{Draft, Sender, Text};
use bursar::runtime::HostPermission;
use bursar::runtime::profile_file::ProfileFile;
use bursar::service::ledger::{IdSource, NewWithdrawal};
use bursar::store::Cancel;
use uuid::Uuid;

use super::exports::{Shell, write_export};
use super::guard_rules::wallet;
use super::harness::{Session, Setup};

const MINUTE: Duration = Duration::from_mins(1);
const STRANGER: &str = "0x52908400098527886E0F7030069857D2E4169EE7";

/// A payment to a stranger with a key, and without a reference and a note.
fn pays(session: &mut Session, amount: &str) -> HistoryRow {
    let (wallet, _) = wallet(session, |name, _| name == "base-ops");
    let new = NewWithdrawal {
        wallet,
        token: "USDC".into(),
        blockchain: "base".into(),
        address: STRANGER.into(),
        amount: amount.into(),
        ref_id: None,
        note: None,
        key: Some(Uuid::new_v4()),
    };
    let ledger = session.service().ledger();
    let workspace_number = ledger.workspaces().unwrap()[0].number;
    ledger
        .execute_in_workspace(workspace_number, session.now(), IdSource::Random, move |books| books.withdraw(&new))
        .unwrap();
    session.passes(2 * MINUTE);
    let query = Query { filter: format!("to:{STRANGER}").as_str().into(), ..Query::default() };
    let request = WindowRequest { query, anchor: WindowAnchor::Rank(0), rows: 1 };
    let mut rows = Vec::new();
    session.store().query_history(&request, &Cancel::new(), &mut |window| rows = window.rows).unwrap();
    rows.remove(0)
}

/// A colleague's console records the order that made a row.
fn records_order(session: &Session, row: &HistoryRow, draft: Draft) {
    let context = session.till().opens();
    let row = &row.transaction;
    let sender = Sender {
        name: None,
        address: row.from_address.clone(),
        account: row.account.clone(),
        user: row.user.clone(),
        token: row.token.clone(),
        amount: row.exact_amount().unwrap(),
    };
    let request = RequestBytes {
        operation: draft.operation(),
        method: "POST".into(),
        path: "/v2/transactions/withdraw".into(),
        body: "{}".into(),
        key: Some(Uuid::parse_str(row.idempotency_key.as_ref().unwrap()).unwrap()),
    };
    let drafted = DraftedOrder {
        draft,
        sender: Some(sender),
        request,
        destination: context.destination.clone(),
        newest: Vec::new(),
        anchors: Vec::new(),
        template: None,
    };
    context.journal.record_draft(drafted, session.now()).unwrap();
}

/// The payment that a row is.
fn payment(row: &HistoryRow, reference: &str) -> Draft {
    let row = &row.transaction;
    Draft::Withdraw(Withdrawal {
        wallet: row.wallet.clone().unwrap(),
        blockchain: row.token.blockchain.clone(),
        token: row.symbol.clone(),
        amount: Text::clean(&row.exact_amount().unwrap().to_string()),
        to: row.to_address.clone().unwrap(),
        ref_id: Some(reference.into()),
        note: Some("Harbour dues".into()),
        metadata: Metadata::default(),
    })
}

fn session() -> Session {
    Session::with(Setup { size: (200, 60), poll_period: MINUTE / 3, ..Setup::default() })
}

#[test]
fn a_row_shows_the_order_that_made_it_and_is_found_by_its_reference() {
    let mut session = session();
    let row = pays(&mut session, "12.5");
    records_order(&session, &row, payment(&row, "rent-2611"));
    session.restarts();
    session.connect();
    for filter in ["'ref:RENT-26'", "'rent-2611'", "'note:harbour'", "'dues' Blank 'dir:out'"] {
        session.keys(&format!("3 / C-u {filter} Enter"));
        session.settle();
        session.sees("rent-2611 · Har");
        assert!(session.line("Sum of ").contains("Sum of 1 row"), "{}", session.screen());
    }
    session.keys("/ C-u 'rent-2611' Blank 'dir:in' Enter");
    session.settle();
    session.sees("nothing matches");
    session.keys("/ C-u 'ref:rent' Enter Enter");
    let line = session.line(" Order ");
    assert!(line.contains("rent-2611 · withdrawal of ") && line.contains(&*row.transaction.symbol), "{line}");
    session.keys("Esc");

    let folder = tempfile::tempdir().unwrap();
    session.keys("x");
    let file = write_export(&mut session, folder.path(), "transactions");
    assert!(file.lines().count() == 2 && file.contains(row.transaction.id.as_str()), "{file}");
    let shell = Shell::beside(&session);
    let exported = shell.runs(&["export", "transactions", "--filter", "ref:rent-2611"]);
    assert!(exported.lines().count() == 2 && exported.contains(row.transaction.id.as_str()), "{exported}");
}

#[test]
fn an_order_that_is_recorded_while_its_filter_is_on_screen_adds_its_rows() {
    let mut session = session();
    let rows = ["12.5", "13.5"].map(|amount| pays(&mut session, amount));
    session.keys("3 / 'dues' Enter");
    session.settle();
    session.sees("nothing matches");
    for (row, number) in [(&rows[0], 1), (&rows[1], 2)] {
        records_order(&session, row, payment(row, &format!("rent-{number}")));
        session.passes(MINUTE);
        session.sees(&format!("rent-{number} · Har"));
    }
}

#[test]
fn a_saved_view_finds_rows_by_the_reference_of_their_order() {
    let folder = tempfile::tempdir().unwrap();
    let text = "[profiles.harbour]\nbase_url = \"https://api.example.com\"\n";
    std::fs::write(folder.path().join("config.toml"), text).unwrap();
    let overrides = Overrides { config_dir: Some(folder.path().to_owned()), ..Overrides::default() };
    let config = Config::resolve(overrides, &Environment::default()).unwrap();
    let mut session = session();
    let row = pays(&mut session, "12.5");
    records_order(&session, &row, payment(&row, "rent-2611"));
    session.restarts();
    session.saves_to(ProfileFile::new(&HostPermission::for_local_operator(), &config, &config.profiles[0]));
    session.connect();
    session.keys("3 / 'ref:rent' Enter V s 'Dues' Enter");
    session.sees("“Dues” is saved");
    session.keys("Esc Esc Esc 1 : 'dues' Enter");
    session.settle();
    session.sees("Transactions · Dues");
    session.sees("rent-2611");
}

#[test]
fn a_row_of_a_batch_names_its_recipients() {
    let mut session = session();
    let payment = pays(&mut session, "12.5");
    let row = &payment.transaction;
    let recipient = |address: &Text| Recipient {
        address: address.clone(),
        amount: "1".into(),
        label: None,
        reference: None,
        line: None,
    };
    let to = row.to_address.clone().unwrap();
    let draft = Draft::Batch(Batch {
        wallet: row.wallet.clone().unwrap(),
        blockchain: row.token.blockchain.clone(),
        token: row.symbol.clone(),
        to: vec![recipient(&to), recipient(&to)],
        ref_id: Some("crew-pay".into()),
        note: None,
        file: None,
        metadata: Metadata::default(),
        queue: None,
    });
    records_order(&session, &payment, draft);
    session.restarts();
    session.connect();
    session.keys("3 / 'crew-pay' Enter Enter");
    session.settle();
    let line = session.line(" Order ");
    assert!(line.contains("crew-pay · batch of ") && line.contains("to 2 recipients"), "{line}");
}
