//! Guests side by side: what one does is nothing to the others, and who leaves is gone.

use std::sync::Weak;
use std::time::Duration;

use axum::body::{Body, to_bytes};
use axum::extract::Request;
use axum::http::StatusCode;
use proptest::prelude::*;
use serde_json::{Value, json};
use tokio::runtime::Runtime;
use uuid::Uuid;

use super::*;
use crate::domain::Timestamp;
use crate::service::http::Fault;
use crate::service::keys::Credentials;

const START: Timestamp = Timestamp::from_millis(1_764_000_000_000);

async fn start_host() -> TenantHost {
    let sample = Some(Sample { seed: 1, transactions: 30 });
    let clock = ServiceClock::manual(START);
    TenantHost::start(Options { sample, clock, with_lists: true, ..Options::temporary() }).await.unwrap()
}

/// Asks as whoever has these keys, past the network and no further.
async fn send_request(
    guests: &TenantHost,
    keys: &Credentials,
    method: &str,
    path: &str,
    body: Value,
) -> (StatusCode, Value) {
    use secrecy::ExposeSecret as _;
    let request = Request::builder()
        .method(method)
        .uri(path)
        .header("authorization", format!("Bearer {}", keys.api_key.expose_secret()))
        .header("x-wallet-secret", keys.wallet_secret.expose_secret())
        .header("content-type", "application/json");
    let body = if body.is_null() { Body::empty() } else { Body::from(body.to_string()) };
    let response = Dispatcher::MultiTenant(guests.tenant_router.clone()).handle(request.body(body).unwrap()).await;
    let status = response.status();
    let body = to_bytes(response.into_body(), usize::MAX).await.unwrap_or_default();
    (status, serde_json::from_slice(&body).unwrap_or_default())
}

fn credentials_of(guest: &TenantInstance) -> Credentials {
    guest.credentials().unwrap().clone()
}

/// What a guest may do. Names and keys are few, so that both guests come upon the same.
#[derive(Debug, Clone)]
enum GuestAction {
    User(u8),
    Account(u8, u128),
    Read(usize),
}

const LISTS: [&str; 5] =
    ["/v2/users", "/v2/accounts", "/v2/wallets", "/v2/transactions?txType=incoming", "/v2/users/stats"];

fn any_guest_actions() -> impl Strategy<Value = Vec<(bool, GuestAction)>> {
    let deed = prop_oneof![
        (0..3_u8).prop_map(GuestAction::User),
        (0..3_u8, 0..3_u128).prop_map(|(name, key)| GuestAction::Account(name, key)),
        (0..LISTS.len()).prop_map(GuestAction::Read),
    ];
    proptest::collection::vec((any::<bool>(), deed), 1..24)
}

/// Does it, and says what came of it but for what was drawn by chance.
async fn perform_action(guests: &TenantHost, keys: &Credentials, deed: &GuestAction) -> (StatusCode, Value) {
    let (status, mut answer) = match deed {
        GuestAction::User(name) => {
            let user = json!({ "refId": format!("user-{name}"), "displayName": "Somebody" });
            send_request(guests, keys, "POST", "/v2/users", user).await
        }
        GuestAction::Account(name, key) => {
            let account = json!({ "name": format!("Account {name}"), "idempotencyKey": Uuid::from_u128(*key) });
            send_request(guests, keys, "POST", "/v2/accounts", account).await
        }
        GuestAction::Read(list) => send_request(guests, keys, "GET", LISTS[*list], Value::Null).await,
    };
    mask_random_texts(&mut answer);
    (status, answer)
}

/// Identifiers and addresses of what is new are drawn by chance; both are long, and names are not.
fn mask_random_texts(value: &mut Value) {
    match value {
        Value::String(text) if text.len() > 24 => "…".clone_into(text),
        Value::Array(items) => items.iter_mut().for_each(mask_random_texts),
        Value::Object(fields) => fields.values_mut().for_each(mask_random_texts),
        _ => {}
    }
}

async fn perform_alone(deeds: &[(bool, GuestAction)], which: bool) -> Vec<(StatusCode, Value)> {
    let guests = start_host().await;
    let guest = guests.create_tenant_with_sample(Some(sample_of_guest(which))).await.unwrap();
    let mut answers = Vec::new();
    for (_, deed) in deeds.iter().filter(|(owner, _)| *owner == which) {
        answers.push(perform_action(&guests, &credentials_of(&guest), deed).await);
    }
    answers
}

fn sample_of_guest(which: bool) -> Sample {
    Sample { seed: u64::from(which), transactions: 12 }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, ..ProptestConfig::default() })]

    /// Whatever two guests do one after the other, each is answered as if nobody else were there: no row, no reference and
    /// no idempotency key of the one is known to the other.
    #[test]
    fn each_guest_is_answered_as_if_nobody_else_were_there(deeds in any_guest_actions()) {
        let runtime = Runtime::new().unwrap();
        let (together, apart) = runtime.block_on(async {
            let guests = start_host().await;
            let tenants = [
                guests.create_tenant_with_sample(Some(sample_of_guest(false))).await.unwrap(),
                guests.create_tenant_with_sample(Some(sample_of_guest(true))).await.unwrap(),
            ];
            let mut together = [Vec::new(), Vec::new()];
            for (which, deed) in &deeds {
                let nth = usize::from(*which);
                together[nth].push(perform_action(&guests, &credentials_of(&tenants[nth]), deed).await);
            }
            assert!(tenants.iter().all(|guest| guest.ledger().check().is_ok()));
            (together, [perform_alone(&deeds, false).await, perform_alone(&deeds, true).await])
        });
        prop_assert_eq!(together, apart);
    }
}

#[tokio::test]
async fn the_same_seed_makes_the_same_business_for_each_guest_and_each_has_a_key_of_their_own() {
    let guests = start_host().await;
    let (one, other) = (guests.create_tenant().await.unwrap(), guests.create_tenant().await.unwrap());
    assert_eq!(guests.tenant_count(), 2);
    for list in LISTS {
        let (status, answer) = send_request(&guests, &credentials_of(&one), "GET", list, Value::Null).await;
        assert_eq!(status, StatusCode::OK);
        assert_eq!(
            send_request(&guests, &credentials_of(&other), "GET", list, Value::Null).await,
            (status, answer),
            "{list}"
        );
    }
    // The key opens one ledger and the secret of another guest nothing in it.
    let mixed = Credentials { wallet_secret: credentials_of(&other).wallet_secret, ..credentials_of(&one) };
    let (status, _) = send_request(&guests, &mixed, "POST", "/v2/accounts", json!({})).await;
    assert_eq!(status, StatusCode::UNAUTHORIZED);
}

/// Waits until a desk is gone: those who were at it let go of it when they are done.
async fn wait_until_dropped(app_state: &Weak<AppState>) {
    let until_dropped = async {
        while app_state.strong_count() > 0 {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(Duration::from_secs(20), until_dropped).await.expect("a desk is still there");
}

#[tokio::test]
async fn whoever_leaves_is_unknown_and_nothing_of_them_is_left() {
    let guests = start_host().await;
    let (leaves, stays) = (guests.create_tenant().await.unwrap(), guests.create_tenant().await.unwrap());
    let (former, app_state) = (credentials_of(&leaves), Arc::downgrade(&leaves.instance.app_state));
    let never = Credentials { api_key: "bursar_key_of_nobody".to_owned().into(), ..former.clone() };
    drop(leaves);
    wait_until_dropped(&app_state).await;
    assert_eq!(guests.tenant_count(), 1);
    for list in LISTS.into_iter().chain(["/healthz", "/nowhere"]) {
        let answer = send_request(&guests, &former, "GET", list, Value::Null).await;
        assert_eq!(answer, send_request(&guests, &never, "GET", list, Value::Null).await, "{list}");
        assert_eq!(answer.0 == StatusCode::UNAUTHORIZED, list.starts_with("/v2"), "{list}: {answer:?}");
    }
    assert_eq!(send_request(&guests, &credentials_of(&stays), "GET", LISTS[0], Value::Null).await.0, StatusCode::OK);
}

#[tokio::test]
async fn a_request_under_way_ends_when_its_guest_leaves() {
    let guests = Arc::new(start_host().await);
    let guest = guests.create_tenant().await.unwrap();
    guest.set_faults(vec![Fault::NoAnswer { executed: false }.on_paths(String::new())]);
    let (host, credentials) = (Arc::clone(&guests), credentials_of(&guest));
    let waits = tokio::spawn(async move { send_request(&host, &credentials, "GET", "/v2/users", Value::Null).await });
    while guest.faults_fired() == 0 {
        tokio::task::yield_now().await;
    }
    let app_state = Arc::downgrade(&guest.instance.app_state);
    drop(guest);
    tokio::time::timeout(Duration::from_secs(20), waits).await.expect("it still hangs").unwrap();
    wait_until_dropped(&app_state).await;
}

#[tokio::test]
async fn whoever_gives_up_waiting_to_be_taken_in_leaves_nothing_behind() {
    let guests = start_host().await;
    for steps in 0..40 {
        let mut admitting = Box::pin(guests.create_tenant());
        for _ in 0..steps {
            let _taken_in_or_not = futures::poll!(admitting.as_mut());
            tokio::task::yield_now().await;
        }
    }
    assert_eq!(guests.tenant_count(), 0);
    guests.create_tenant().await.unwrap();
}

#[tokio::test]
async fn a_panic_takes_the_guest_away_in_whose_task_it_was() {
    let guests = Arc::new(start_host().await);
    let stays = guests.create_tenant().await.unwrap();
    let host = Arc::clone(&guests);
    let task = tokio::spawn(async move {
        let _guest = host.create_tenant().await.unwrap();
        assert_eq!(host.tenant_count(), 2);
        panic!("a fault in the console of one guest")
    });
    assert!(task.await.unwrap_err().is_panic());
    assert_eq!(guests.tenant_count(), 1);
    assert_eq!(send_request(&guests, &credentials_of(&stays), "GET", LISTS[0], Value::Null).await.0, StatusCode::OK);
}

#[tokio::test]
async fn a_ledger_in_memory_is_as_lively_as_one_on_disk() {
    let guests = start_host().await;
    let options =
        Options { sample: Some(Sample { seed: 1, transactions: 30 }), lively: true, ..guests.options.clone() };
    let disk =
        crate::service::start(Options { ledger_location: LedgerLocation::Temporary, ..options.clone() }).await.unwrap();
    let memory = crate::service::start(options).await.unwrap();
    let later = START.plus(Duration::from_mins(3));
    let mut results = Vec::new();
    for service in [&disk, &memory] {
        service.advance_to(later).await.unwrap();
        let workspace = service.ledger().workspaces().unwrap().remove(0);
        assert!(workspace.transaction_count() > 40, "nothing happened");
        results.push((workspace.transaction_count(), service.ledger().check().unwrap()));
    }
    assert_eq!(results[0], results[1]);
}
