//! What each scene promises, in the books.

use std::time::Duration;

use super::*;

fn create_scene_ledger(scene: Scene, seed: u64) -> (Ledger, Tenant) {
    let ledger = Ledger::open(&LedgerLocation::Temporary, Pace::USUAL).unwrap();
    let plan = SamplePlan { seed, transactions: SamplePlan::USUAL };
    let tenant = create_sample_while(&ledger, plan, Some(scene), PRESENT, &|_, _| true).unwrap();
    (ledger, tenant)
}

/// The newest first.
fn scene_rows(scene: Scene) -> (Ledger, Vec<render::Transaction>) {
    let (ledger, tenant) = create_scene_ledger(scene, 1);
    assert_eq!(ledger.check().unwrap().rows, SamplePlan::USUAL);
    let rows = all_rows(&ledger, tenant);
    (ledger, rows)
}

fn count_pending(rows: &[render::Transaction]) -> usize {
    rows.iter().filter(|row| row.status == "pending").count()
}

#[test]
fn a_seed_and_a_scene_make_one_business() {
    let see = |scene, seed| {
        let (ledger, tenant) = create_scene_ledger(scene, seed);
        everything_a_client_sees(&ledger, tenant, PRESENT)
    };
    for scene in Scene::ALL {
        let first = see(scene, 42);
        assert!(first == see(scene, 42), "{scene:?}: the same seed made something else");
        assert!(first != see(scene, 43), "{scene:?}: another seed made the same");
        for other in Scene::ALL.into_iter().filter(|other| *other != scene) {
            assert!(first != see(other, 42), "{other:?} is {scene:?}");
        }
    }
}

#[test]
fn on_a_calm_morning_everything_has_settled_and_little_comes_in() {
    let (ledger, rows) = scene_rows(Scene::Calm);
    assert!(rows.iter().all(|row| row.status == "success"));
    assert!(rows.iter().all(|row| row.token_symbol != counterparties::IMITATION_SYMBOL));
    let mut activity = LiveActivity::resume(&ledger, Pace::USUAL, PRESENT).unwrap().unwrap();
    let events = activity.play_due_events(&ledger, PRESENT.plus(Duration::from_mins(10))).unwrap();
    assert!((20..=70).contains(&events), "{events} events in ten minutes");
}

#[test]
fn on_a_busy_day_much_is_on_its_way_for_many() {
    let (ledger, rows) = scene_rows(Scene::Busy);
    assert!(count_pending(&rows) >= 12, "{} pending", count_pending(&rows));
    let users = ledger.users(Tenant::FIRST, Paging { page: 1, limit: 100 }).unwrap();
    assert!(users.total_page > 1, "no more than a hundred users");
    let mut activity = LiveActivity::resume(&ledger, Pace::USUAL, PRESENT).unwrap().unwrap();
    let events = activity.play_due_events(&ledger, PRESENT.plus(Duration::from_mins(1))).unwrap();
    assert!(events >= 60, "{events} events in a minute");
    ledger.check().unwrap();
}

#[test]
fn before_an_incident_wages_did_not_go_through_and_an_insurer_is_to_be_paid() {
    let (ledger, rows) = scene_rows(Scene::Incident);
    assert_eq!(count_pending(&rows), 0);
    let newest = &rows[0];
    assert_eq!((newest.status, newest.token_symbol.as_str()), ("failed", "USDT"));
    assert!(newest.ref_id.as_deref().unwrap().starts_with("WHS-"));
    let props = load_scene_extras(&ledger).unwrap().unwrap();
    let (draft, sender) = props.unanswered_payment.unwrap();
    let paid = draft.payment_details().unwrap();
    assert!(paid.ref_id.unwrap().starts_with("CAS-"));
    assert_eq!(sender.amount.to_string(), "48250");
    assert_eq!(sender.name.as_deref(), Some("eth-main"));
    assert!(props.contacts.is_empty() && props.rules.len() == 3);
}

#[test]
fn poison_follows_the_payment_whose_recipient_it_imitates() {
    let (ledger, rows) = scene_rows(Scene::Poisoning);
    let [imitation, dust, paid, ..] = rows.as_slice() else { unreachable!() };
    let known = &load_scene_extras(&ledger).unwrap().unwrap().contacts[0];
    assert_eq!(paid.to_address.as_deref(), Some(known.address.as_str()));
    assert_eq!((paid.status, paid.amount.formatted.as_str()), ("success", "18400.000000"));
    let (real, forged) = (known.address.to_lowercase(), dust.from_address.clone().unwrap().to_lowercase());
    assert!(real != forged && real[..5] == forged[..5] && real[38..] == forged[38..]);
    assert!(dust.amount.raw.parse::<u64>().unwrap() <= 2 && dust.token_symbol == "USDT");
    assert_eq!(imitation.token_symbol, counterparties::IMITATION_SYMBOL);
    assert_eq!(imitation.from_address.clone().unwrap().to_lowercase(), forged);
    let mut activity = LiveActivity::resume(&ledger, Pace::USUAL, PRESENT).unwrap().unwrap();
    let later = PRESENT.plus(Duration::from_mins(3));
    activity.play_due_events(&ledger, later).unwrap();
    let from_forger =
        |row: &&render::Transaction| row.from_address.as_deref().is_some_and(|from| from.to_lowercase() == forged);
    let paging = Paging { page: 1, limit: Paging::MOST };
    let newer = ledger
        .transactions(Tenant::FIRST, &TransactionFilter { paging, ..TransactionFilter::default() }, later)
        .unwrap()
        .data;
    assert!(newer.iter().filter(from_forger).count() > 2, "no more dust came");
}

#[test]
fn a_business_without_a_scene_needs_nothing_beside_it() {
    let (ledger, _) = create_sample_ledger(1, 120);
    assert!(load_scene_extras(&ledger).unwrap().is_none());
}
