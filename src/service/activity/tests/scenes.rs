//! What each scene promises, in the books.

use std::collections::HashMap;
use std::time::Duration;

use ruint::aliases::U256;

use super::*;
use crate::domain::draft::Operation;
use crate::domain::filter::{Filter, FilterContext};
use crate::domain::history::PriceList;
use crate::domain::{Amount, DemoSeed, PastCourse, Rate, RateHistory};
use crate::service::activity::scene::scene_profile;
use crate::service::ledger::ChainToken;

fn create_scene_ledger(scene: Scene, seed: u64) -> (Ledger, WorkspaceNumber) {
    let ledger = Ledger::open(&LedgerLocation::Temporary, Pace::USUAL).unwrap();
    let plan = SamplePlan { seed, transactions: SamplePlan::USUAL };
    let workspace_number = create_interruptible_sample(&ledger, plan, Some(scene), PRESENT, &|_, _| true).unwrap();
    (ledger, workspace_number)
}

/// The newest first.
fn scene_rows(scene: Scene) -> (Ledger, Vec<render::Transaction>) {
    let (ledger, workspace_number) = create_scene_ledger(scene, 1);
    assert_eq!(ledger.check().unwrap().rows, SamplePlan::USUAL);
    let rows = all_rows(&ledger, workspace_number);
    (ledger, rows)
}

fn count_pending(rows: &[render::Transaction]) -> usize {
    rows.iter().filter(|row| row.status == "pending").count()
}

#[test]
fn a_seed_and_a_scene_make_one_business() {
    let see = |scene, seed| {
        let (ledger, workspace_number) = create_scene_ledger(scene, seed);
        everything_a_client_sees(&ledger, workspace_number, PRESENT)
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
    let users = ledger.users(WorkspaceNumber::FIRST, Paging { page: 1, limit: 100 }).unwrap();
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
    let props = load_scene_extras(&ledger, PRESENT).unwrap().unwrap();
    let (draft, sender) = props.seed.unresolved_payment.unwrap();
    let payment = draft.payment_details().unwrap();
    assert!(payment.ref_id.unwrap().starts_with("CAS-"));
    assert_eq!(sender.amount.to_string(), "48250");
    assert_eq!(sender.name.as_deref(), Some("eth-main"));
    assert!(props.seed.contacts.is_empty() && props.rules.len() == 3);
}

#[test]
fn poison_follows_the_payment_whose_recipient_it_imitates() {
    let (ledger, rows) = scene_rows(Scene::Poisoning);
    let [imitation, dust, genuine, ..] = rows.as_slice() else { unreachable!() };
    let contact = &load_scene_extras(&ledger, PRESENT).unwrap().unwrap().seed.contacts[0];
    assert_eq!(genuine.to_address.as_deref(), Some(contact.address.as_str()));
    assert_eq!((genuine.status, genuine.amount.formatted.as_str()), ("success", "18400.000000"));
    let (real, forged) = (contact.address.to_lowercase(), dust.from_address.clone().unwrap().to_lowercase());
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
        .transactions(WorkspaceNumber::FIRST, &TransactionFilter { paging, ..TransactionFilter::default() }, later)
        .unwrap()
        .data;
    assert!(newer.iter().filter(from_forger).count() > 2, "no more dust came");
}

#[test]
fn a_business_without_a_scene_needs_nothing_beside_it() {
    let (ledger, _) = create_sample_ledger(1, 120);
    assert!(load_scene_extras(&ledger, PRESENT).unwrap().is_none());
}

/// Every seed has an order of each kind, and each follows from a payment of the history.
#[test]
fn the_showcase_has_a_year_of_orders_whatever_the_seed() {
    for seed in 1..=6 {
        let (ledger, workspace_number) = create_scene_ledger(Scene::Showcase, seed);
        assert_eq!(ledger.check().unwrap().rows, SamplePlan::USUAL);
        let DemoSeed { contacts, labels, past_orders, unresolved_payment, watches, views, .. } =
            load_scene_extras(&ledger, PRESENT).unwrap().unwrap().seed;
        assert!(contacts.len() > 8 && unresolved_payment.is_some() && watches.len() == 3, "{seed}");
        assert!(labels.len() > 80 && views.len() == 2, "{seed}: {} names", labels.len());
        assert_eq!(labels.iter().find(|label| label.check().is_err()), None, "{seed}");
        let prices = vec![("USDT".into(), Amount::parse("1", 6).unwrap())];
        let prices = PriceList { token: "USDT".into(), at: Some(PRESENT), prices };
        let context = FilterContext { now: Some(PRESENT), prices, ..FilterContext::default() };
        assert_eq!(views.iter().find(|view| Filter::parse(&view.filter, &context).is_faulty()), None);
        assert!(past_orders.is_sorted_by_key(|order| order.drafted_at), "{seed}");
        assert!(past_orders[0].drafted_at.age(PRESENT) > Duration::from_hours(24 * 200), "{seed}");
        let rows = all_rows(&ledger, workspace_number);
        let mut kinds = HashSet::new();
        for order in &past_orders {
            let key = order.key.to_string();
            let own: Vec<_> = rows.iter().filter(|row| row.idempotency_key.as_ref() == Some(&key)).collect();
            let statuses: Vec<_> = own.iter().map(|row| row.status).collect();
            let is_of_history = matches!(order.course, PastCourse::Answered { status: 201, .. });
            assert_eq!(!own.is_empty(), is_of_history, "{seed} {order:?}");
            kinds.insert(match (&order.course, order.draft.operation()) {
                (PastCourse::Abandoned(_), _) => "abandoned",
                (PastCourse::WrittenOff(_), _) => "written off",
                (PastCourse::Answered { status: 400, .. }, _) => "refused",
                (_, Operation::Batch) if statuses.contains(&"failed") && statuses.contains(&"success") => {
                    "partly settled"
                }
                (_, Operation::Swap) if statuses == ["success"] => "swap",
                (_, Operation::Withdraw) if statuses == ["success"] => "settled",
                (_, Operation::Withdraw) if statuses == ["failed"] => "failed",
                (_, Operation::Withdraw) if statuses == ["pending"] => "pending",
                (_, other) => panic!("{seed}: {other:?} {statuses:?}"),
            });
        }
        assert_eq!(kinds.len(), 8, "{seed}: {kinds:?}");
    }
}

/// What is said of the past at the present is what the books say.
#[test]
fn a_saved_view_of_a_scene_compares_values_and_names_their_currency() {
    for (name, filter, _) in Scene::ALL.into_iter().flat_map(|scene| scene_profile(Some(scene)).saved_views) {
        // A million of one coin is worth less than one of another.
        assert!(!filter.contains("amount:"), "{filter}");
        assert_eq!(filter.contains("value:"), name.contains("USDT"), "{name}");
    }
}

#[test]
fn what_a_business_held_at_a_time_follows_from_its_history() {
    let (ledger, workspace_number) = create_scene_ledger(Scene::Showcase, 3);
    ledger.advance(PRESENT.plus(Duration::from_mins(5))).unwrap();
    let now = PRESENT.plus(Duration::from_mins(10));
    let balances = ledger.balances_at(workspace_number, &[Timestamp::from_millis(0), now]).unwrap();
    assert!(balances[0].is_empty());
    let tokens = ledger.read(ChainToken::load_all_listed).unwrap();
    let mut booked: HashMap<i64, U256> = HashMap::new();
    for page in 1..=2 {
        for user in ledger.users(workspace_number, Paging { page, limit: Paging::MOST }).unwrap().data {
            for balance in ledger.balances_of_user(workspace_number, user.id.parse().unwrap()).unwrap() {
                let is_its = |token: &&ChainToken| {
                    token.chain.slug == balance.token.blockchain && token.contract == balance.token.token_address
                };
                let Some(token) = tokens.iter().find(is_its) else { continue };
                *booked.entry(token.no).or_default() += balance.amount.raw.parse::<U256>().unwrap();
            }
        }
    }
    assert!(booked.len() > 20);
    for (token, amount) in booked {
        assert_eq!(balances[1].get(&token).copied().unwrap_or_default(), amount, "{token}");
    }
    let samples = load_scene_extras(&ledger, PRESENT).unwrap().unwrap().seed.total_samples;
    assert_eq!(samples.len(), 26);
    assert!(samples.is_sorted_by_key(|sample| sample.at));
    assert!(samples.iter().all(|sample| sample.at <= PRESENT && sample.at.millis() % 3_600_000 == 0));
    let totals: HashSet<_> = samples.iter().map(|sample| sample.total().unwrap().format_grouped()).collect();
    assert!(totals.len() > 20, "prices move: {totals:?}");
}

#[test]
fn the_market_has_rates_of_the_last_quarter_of_an_hour_of_every_pair_that_is_shown() {
    let rates = past_market::recent_rates_per_pair(PRESENT);
    assert!(rates.len() > 40, "{}", rates.len());
    for RateHistory { pair, rates } in rates {
        assert_eq!(rates.len(), 8, "{pair:?}");
        assert!(rates.is_sorted_by_key(|quoted| quoted.at), "{pair:?}");
        let last = rates.last().unwrap();
        // As the service quotes it.
        let quote = Ledger::quote_swap(&pair.from, "1000000", &pair.to, last.at).unwrap();
        let decimals = quote.to_amount.split_once('.').map_or(0, |(_, digits)| digits.len());
        let [sold, bought] = [(quote.from_amount.as_str(), 18), (&quote.to_amount, decimals)]
            .map(|(text, digits)| Amount::parse(text, u8::try_from(digits).unwrap()).unwrap());
        assert_eq!(Rate::from_amounts(sold, bought), Some(last.rate), "{pair:?}");
    }
}
