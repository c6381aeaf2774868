//! A service to test, and a plain HTTP client in front of it.

use std::time::Duration;

use bursar::domain::Timestamp;
use bursar::service::{self, FailurePolicy, LedgerLocation, Options, RunningService, Sample, ServiceClock};
use reqwest::{Client, Method, RequestBuilder};
use secrecy::ExposeSecret;
use serde_json::{Value, json};
use uuid::Uuid;

/// Monday noon: when the tests of a standing clock begin.
pub(crate) const NOON: &str = "2026-01-05T12:00:00.000Z";

/// A running service with the sample business, its clock in the test's hand.
pub(crate) struct TestService {
    pub(crate) service: RunningService,
    pub(crate) clock: ServiceClock,
    client: Client,
    key: String,
    secret: String,
}

/// What came back.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct TestResponse {
    pub(crate) status: u16,
    pub(crate) text: String,
    pub(crate) body: Value,
}

impl TestService {
    /// The sample business in a temporary place, with lists.
    pub(crate) async fn open() -> Self {
        Self::with(|_| {}).await
    }

    /// The same, with other options.
    pub(crate) async fn with(change: impl FnOnce(&mut Options)) -> Self {
        let clock = ServiceClock::manual(Timestamp::parse_iso(NOON).unwrap());
        let mut options = Options {
            sample: Some(Sample { seed: 7, transactions: 240 }),
            clock: clock.clone(),
            with_lists: true,
            ..Options::temporary()
        };
        change(&mut options);
        let service = service::start(options).await.unwrap();
        // One payment in some dozens fails on its chain, drawn by its identifier: no test may hang on that.
        service.set_failure_policy(FailurePolicy::Never);
        Self::around(service, clock)
    }

    /// A house around a service that runs already and has just made its keys.
    pub(crate) fn around(service: RunningService, clock: ServiceClock) -> Self {
        let exposed = |secret: Option<&secrecy::SecretString>| secret.unwrap().expose_secret().to_owned();
        let (key, secret) = (exposed(service.api_key()), exposed(service.wallet_secret()));
        Self::knowing(service, clock, key, secret)
    }

    /// A house around a service whose keys are known from before.
    pub(crate) fn knowing(service: RunningService, clock: ServiceClock, key: String, secret: String) -> Self {
        // Another test of this process may have installed it already.
        let _installed_before = rustls::crypto::ring::default_provider().install_default();
        let client = Client::builder()
            // A connection that is kept may be the one that makes room for others just when it is used again.
            .pool_max_idle_per_host(0)
            .no_proxy()
            .tls_certs_only([])
            .retry(reqwest::retry::never())
            .timeout(Duration::from_mins(1))
            .build()
            .unwrap();
        Self { service, clock, client, key, secret }
    }

    pub(crate) fn keys(&self) -> (String, String) {
        (self.key.clone(), self.secret.clone())
    }

    /// A request without any header of ours.
    pub(crate) fn bare_request(&self, method: Method, path: &str) -> RequestBuilder {
        self.client.request(method, format!("{}{path}", self.service.base_url()))
    }

    /// A request with key and secret.
    pub(crate) fn request(&self, method: Method, path: &str) -> RequestBuilder {
        self.bare_request(method, path).bearer_auth(&self.key).header("x-wallet-secret", &self.secret)
    }

    pub(crate) async fn get(&self, path: &str) -> TestResponse {
        send_and_read(self.request(Method::GET, path)).await
    }

    pub(crate) async fn post(&self, path: &str, body: &Value) -> TestResponse {
        send_and_read(self.request(Method::POST, path).json(body)).await
    }

    pub(crate) async fn patch(&self, path: &str, body: &Value) -> TestResponse {
        send_and_read(self.request(Method::PATCH, path).json(body)).await
    }

    /// Moves the clock, and the chains with it.
    pub(crate) async fn wait(&self, seconds: u64) {
        let now = self.clock.now().plus(Duration::from_secs(seconds));
        self.service.advance_to(now).await.unwrap();
    }

    /// Every row of a list, page by page.
    pub(crate) async fn all(&self, path: &str) -> Vec<Value> {
        let joint = if path.contains('?') { '&' } else { '?' };
        let mut rows = Vec::new();
        for page in 1.. {
            let answer = self.get(&format!("{path}{joint}pageNo={page}&pageLimit=100")).await;
            assert_eq!(answer.status, 200, "{}", answer.text);
            rows.extend(answer.body["data"].as_array().unwrap().iter().cloned());
            if page >= answer.body["totalPage"].as_u64().unwrap() {
                return rows;
            }
        }
        rows
    }

    /// The wallet of the treasury on a chain.
    pub(crate) async fn treasury(&self, chain: &str) -> Value {
        let user = self.treasury_user().await;
        let wallets = self.all("/v2/wallets").await;
        wallets.into_iter().find(|wallet| wallet["blockchain"] == chain && wallet["userId"] == user).unwrap()
    }

    /// The identifier of the user that owns the treasury's wallets.
    pub(crate) async fn treasury_user(&self) -> String {
        let users = self.all("/v2/users").await;
        text(&users.iter().find(|user| user["refId"] == "treasury").unwrap()["id"])
    }

    /// What a user holds of a token on a chain, in its smallest unit.
    pub(crate) async fn balance_of(&self, user: &str, chain: &str, symbol: &str) -> u128 {
        let balances = self.get(&format!("/v2/users/balances?userId={user}")).await;
        assert_eq!(balances.status, 200, "{}", balances.text);
        let balance = balances.body["data"]
            .as_array()
            .unwrap()
            .iter()
            .find(|balance| balance["token"]["blockchain"] == chain && balance["token"]["symbol"] == symbol);
        balance.map_or(0, |balance| text(&balance["amount"]["raw"]).parse().unwrap())
    }

    /// A withdrawal of 25 USDC from the treasury on Base to somebody outside.
    pub(crate) async fn payment(&self) -> Value {
        let wallet = self.treasury("base").await;
        payment_of(wallet["id"].as_str().unwrap())
    }
}

/// The same from any wallet.
pub(crate) fn payment_of(wallet: &str) -> Value {
    json!({
        "idempotencyKey": Uuid::new_v4(),
        "walletId": wallet,
        "amount": "25",
        "withdrawalAddress": OUTSIDE,
        "token": "USDC",
        "blockchain": "base",
        "refId": "invoice-2291",
        "note": "October hosting",
        "metadata": { "approvedBy": "two people" },
    })
}

/// An address of nobody here.
pub(crate) const OUTSIDE: &str = "0x52908400098527886E0F7030069857D2E4169EE7";

/// Sends a request and reads all of the answer.
pub(crate) async fn send_and_read(request: RequestBuilder) -> TestResponse {
    let response = request.send().await.unwrap();
    let status = response.status().as_u16();
    let text = response.text().await.unwrap();
    let body = serde_json::from_str(&text).unwrap_or(Value::Null);
    TestResponse { status, text, body }
}

/// A JSON string as text.
pub(crate) fn text(value: &Value) -> String {
    value.as_str().unwrap_or_else(|| panic!("{value} is no text")).to_owned()
}

/// A folder that stays until the value is dropped.
pub(crate) fn folder() -> (tempfile::TempDir, LedgerLocation) {
    let folder = tempfile::tempdir().unwrap();
    let place = LedgerLocation::Folder(folder.path().join("data"));
    (folder, place)
}

impl TestResponse {
    /// Asserts the common error body and gives its message.
    #[track_caller]
    pub(crate) fn expect_error(&self, status: u16, path: &str) -> Value {
        assert_eq!(self.status, status, "{}", self.text);
        let body = self.body.as_object().unwrap();
        assert_eq!(body.keys().collect::<Vec<_>>(), ["message", "path", "statusCode", "timestamp"]);
        assert_eq!(body["statusCode"], json!(status));
        assert_eq!(body["path"], path);
        let timestamp = text(&body["timestamp"]);
        assert_eq!(Timestamp::parse_iso(&timestamp).unwrap().to_string(), timestamp, "ISO 8601 with milliseconds");
        assert_eq!(body["message"].is_array(), status == 422, "{}", self.text);
        body["message"].clone()
    }
}
