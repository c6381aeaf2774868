use std::cell::RefCell;
use std::collections::HashSet;

use super::*;
use crate::domain::Direction;
use crate::service::chain::Pace;
use crate::service::ledger::{LedgerLocation, Paging, TransactionFilter, render};

mod scenes;

const PRESENT: Timestamp = Timestamp::from_millis(1_764_000_000_123);

fn create_sample_ledger(seed: u64, transactions: u64) -> (Ledger, WorkspaceNumber) {
    let ledger = Ledger::open(&LedgerLocation::Temporary, Pace::USUAL).unwrap();
    let workspace_number = create_sample(&ledger, SamplePlan { seed, transactions }, PRESENT, &|_, _| {}).unwrap();
    (ledger, workspace_number)
}

/// All that a client could see of a workspace.
fn everything_a_client_sees(ledger: &Ledger, workspace_number: WorkspaceNumber, now: Timestamp) -> String {
    let mut log = String::new();
    let mut page = 1;
    loop {
        let paging = Paging { page, limit: Paging::MOST };
        let rows = ledger
            .transactions(workspace_number, &TransactionFilter { paging, ..TransactionFilter::default() }, now)
            .unwrap();
        let users = ledger.users(workspace_number, paging).unwrap();
        let wallets = ledger.wallets(workspace_number, paging).unwrap();
        if rows.data.is_empty() && users.data.is_empty() && wallets.data.is_empty() {
            return log;
        }
        for user in &users.data {
            let balances = ledger.balances_of_user(workspace_number, user.id.parse().unwrap()).unwrap();
            log.push_str(&serde_json::to_string(&balances).unwrap());
        }
        for bytes in [
            render::bytes_without_envelope(&rows),
            render::bytes_without_envelope(&users),
            render::bytes_without_envelope(&wallets),
        ] {
            log.push_str(&String::from_utf8(bytes.unwrap()).unwrap());
        }
        page += 1;
    }
}

fn all_rows(ledger: &Ledger, workspace_number: WorkspaceNumber) -> Vec<render::Transaction> {
    let page = |page| {
        let paging = Paging { page, limit: Paging::MOST };
        ledger
            .transactions(workspace_number, &TransactionFilter { paging, ..TransactionFilter::default() }, PRESENT)
            .unwrap()
            .data
    };
    (1..).map(page).take_while(|rows| !rows.is_empty()).flatten().collect()
}

#[test]
fn the_usual_business_is_sound_and_has_all_that_the_demo_shows() {
    let (ledger, workspace_number) = create_sample_ledger(7, SamplePlan::USUAL);
    assert_eq!(ledger.check().unwrap().rows, SamplePlan::USUAL);
    let rows = all_rows(&ledger, workspace_number);
    assert_eq!(rows.len(), 400);
    let count = |predicate: &dyn Fn(&render::Transaction) -> bool| rows.iter().filter(|row| predicate(row)).count();
    let pending = count(&|row| row.status == "pending");
    assert!((2..=10).contains(&pending), "{pending} pending");
    let failed = count(&|row| row.status == "failed");
    assert!((1..=25).contains(&failed), "{failed} failed");
    assert!(count(&|row| row.token_symbol == counterparties::IMITATION_SYMBOL) >= 3);
    let chains: HashSet<_> = rows.iter().map(|row| row.blockchain).collect();
    assert_eq!(chains.len(), 8);
    assert!(count(&|row| row.tx_type == "outgoing") > 80);

    let users = ledger.users(workspace_number, Paging { page: 1, limit: 100 }).unwrap().data;
    let treasury = users.iter().find(|user| user.ref_id.as_deref() == Some("treasury")).unwrap();
    let balances = ledger.balances_of_user(workspace_number, treasury.id.parse().unwrap()).unwrap();
    let shib = balances.iter().find(|balance| balance.token.symbol == "SHIB").unwrap();
    assert_eq!(shib.amount.formatted, "589500000000000.123456789012345678");
    assert!(shib.amount.raw.parse::<ruint::aliases::U256>().unwrap().bit_len() > 96);
}

#[test]
fn somebody_sends_dust_from_an_address_that_looks_like_one_often_paid() {
    let (ledger, workspace_number) = create_sample_ledger(3, SamplePlan::USUAL);
    let rows = all_rows(&ledger, workspace_number);
    let recipients: Vec<_> = rows
        .iter()
        .filter(|row| row.tx_type == "outgoing" && row.protocol == "EVM")
        .filter_map(|row| row.to_address.as_deref())
        .collect();
    let alike = |sender: &str| {
        let sender = sender.to_lowercase();
        recipients.iter().map(|recipient| recipient.to_lowercase()).any(|recipient| {
            recipient != sender
                && recipient[..6] == sender[..6]
                && recipient[6..7] != sender[6..7]
                && recipient[38..] == sender[38..]
        })
    };
    let poison: Vec<_> =
        rows.iter().filter(|row| row.tx_type == "incoming" && row.from_address.as_deref().is_some_and(alike)).collect();
    assert!(poison.len() >= 2);
    for row in poison {
        assert_eq!(row.token_symbol, "USDT");
        assert!(row.amount.raw.parse::<u64>().unwrap() <= 2, "dust, or nothing");
    }
}

#[test]
fn a_seed_makes_one_business_and_another_seed_another() {
    let see = |seed| {
        let (ledger, workspace_number) = create_sample_ledger(seed, 700);
        everything_a_client_sees(&ledger, workspace_number, PRESENT)
    };
    let first = see(42);
    assert!(first == see(42), "the same seed made something else");
    assert!(first != see(43), "another seed made the same");
}

#[test]
fn history_lies_in_the_past_and_ends_at_the_present() {
    let timeline = timeline::Timeline::new(2_000, PRESENT, &scene::scene_profile(None).history);
    let mut last = Timestamp::from_millis(0);
    for n in 0..2_000 {
        let earliest = timeline.event_time(n, 0);
        assert!(earliest >= last && earliest < PRESENT, "event {n}");
        last = earliest;
    }
    assert!(last.age(PRESENT) < std::time::Duration::from_secs(10));
    let span = timeline.event_time(0, 0).age(PRESENT);
    assert!(span > std::time::Duration::from_hours(24 * 90), "{span:?}");
}

#[test]
fn a_making_that_was_cut_off_is_finished_as_if_it_had_not_been() {
    let folder = tempfile::tempdir().unwrap();
    let place = LedgerLocation::Folder(folder.path().join("data"));
    let plan = SamplePlan { seed: 5, transactions: 900 };
    let workspace_number = {
        let ledger = Ledger::open(&place, Pace::USUAL).unwrap();
        let mut marker = begin_sample(&ledger, plan, None, PRESENT).unwrap();
        let workspace_number = WorkspaceNumber::from_i64(marker.workspace_number);
        let business = sample_business::BusinessState::load(&ledger, &marker).unwrap();
        let ids = crate::service::ledger::IdSource::Random;
        (marker, _) = ledger
            .execute_in_workspace(workspace_number, Timestamp::from_millis(0), ids, move |books| {
                events::play_history_batch(books, &business, marker, 333)
            })
            .unwrap();
        assert!(!marker.done);
        workspace_number
    };
    let ledger = Ledger::open(&place, Pace::USUAL).unwrap();
    let (unfinished_plan, rows) = find_unfinished_sample(&ledger).unwrap().unwrap();
    assert_eq!(unfinished_plan, plan);
    assert!((333..900).contains(&rows));
    let later = PRESENT.plus(std::time::Duration::from_hours(9));
    create_sample(&ledger, SamplePlan { seed: 99, transactions: 1 }, later, &|_, _| {}).unwrap();
    assert_eq!(find_unfinished_sample(&ledger).unwrap(), None);
    ledger.check().unwrap();
    let (whole, whole_workspace_number) = create_sample_ledger(5, 900);
    assert!(
        everything_a_client_sees(&ledger, workspace_number, PRESENT)
            == everything_a_client_sees(&whole, whole_workspace_number, PRESENT)
    );
}

#[test]
fn progress_is_told_to_the_end_and_a_second_making_changes_nothing() {
    let ledger = Ledger::open(&LedgerLocation::Temporary, Pace::USUAL).unwrap();
    let progress = RefCell::new(Vec::new());
    let plan = SamplePlan { seed: 1, transactions: 20_500 };
    let workspace_number =
        create_sample(&ledger, plan, PRESENT, &|done, all| progress.borrow_mut().push((done, all))).unwrap();
    assert_eq!(progress.into_inner().last(), Some(&(20_500, 20_500)));
    assert_eq!(ledger.workspace(workspace_number).unwrap().transaction_count(), 20_500);
    assert_eq!(create_sample(&ledger, plan, PRESENT, &|_, _| {}).unwrap(), workspace_number);
    assert_eq!(ledger.check().unwrap().rows, 20_500);
}

#[test]
fn no_history_at_all_is_a_business_too() {
    for transactions in [0, 1, 3, 16] {
        let (ledger, workspace_number) = create_sample_ledger(1, transactions);
        assert_eq!(ledger.check().unwrap().rows, transactions);
        assert_eq!(ledger.users(workspace_number, Paging::default()).unwrap().total_page, 1);
    }
}

#[test]
fn a_business_is_not_made_beside_another() {
    let ledger = Ledger::open(&LedgerLocation::Temporary, Pace::USUAL).unwrap();
    ledger.create_workspace(crate::service::ledger::NewWorkspace::with_random_id("Other", "testnet"), PRESENT).unwrap();
    let refused = create_sample(&ledger, SamplePlan { seed: 1, transactions: 10 }, PRESENT, &|_, _| {}).unwrap_err();
    assert!(matches!(refused, RequestError::BadRequest(_)), "{refused}");
}

#[test]
fn a_lively_day_comes_out_the_same_in_however_many_steps_and_the_treasury_stays_solvent() {
    let day = |step_seconds: u64, seconds: u64| {
        let (ledger, workspace_number) = create_sample_ledger(11, 200);
        let mut activity = LiveActivity::resume(&ledger, Pace::USUAL, PRESENT).unwrap().unwrap();
        let mut events = 0;
        let mut now = PRESENT;
        for _ in 0..seconds / step_seconds {
            now = now.plus(std::time::Duration::from_secs(step_seconds));
            events += activity.play_due_events(&ledger, now).unwrap();
            assert!(activity.next_due() > now);
        }
        ledger.check().unwrap();
        (everything_a_client_sees(&ledger, workspace_number, now), events)
    };
    let (coarse, events) = day(600, 3_600);
    let (fine, _) = day(7, 3_598);
    let (fine_again, _) = day(14, 3_598);
    assert!((600..1_200).contains(&events), "{events} events an hour");
    assert!(fine == fine_again, "the steps made a difference");
    assert!(!coarse.is_empty());
}

#[test]
fn lively_activity_goes_on_after_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let place = LedgerLocation::Folder(folder.path().into());
    let mut now = PRESENT;
    for _ in 0..3 {
        let ledger = Ledger::open(&place, Pace::USUAL).unwrap();
        let workspace_number =
            create_sample(&ledger, SamplePlan { seed: 2, transactions: 100 }, PRESENT, &|_, _| {}).unwrap();
        let mut activity = LiveActivity::resume(&ledger, Pace::USUAL, now).unwrap().unwrap();
        now = now.plus(std::time::Duration::from_mins(2));
        let before = ledger.workspace(workspace_number).unwrap().transaction_count();
        assert!(activity.play_due_events(&ledger, now).unwrap() > 10);
        assert!(ledger.workspace(workspace_number).unwrap().transaction_count() > before);
        ledger.check().unwrap();
    }
    let ledger = Ledger::open(&place, Pace::USUAL).unwrap();
    let workspace_number = ledger.workspaces().unwrap()[0].number;
    let ids: Vec<_> = all_rows(&ledger, workspace_number).into_iter().map(|row| row.id).collect();
    assert_eq!(ids.iter().collect::<HashSet<_>>().len(), ids.len(), "an identifier came twice");
    let incoming = TransactionFilter { direction: Some(Direction::Incoming), ..TransactionFilter::default() };
    assert!(ledger.transactions(workspace_number, &incoming, now).unwrap().total_page > 3);
}
