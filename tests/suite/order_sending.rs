//! Orders on their way: from the journal through the operator to the embedded service, and what came of them.

mod approvals;
mod connection_cuts;
mod faults;
mod proxy;
mod read_only;
mod request_shapes;

use bursar::api::{Connection, Limits, Operator, Reader, Route, WireNames, encode};
use bursar::domain::approval::ApprovalPolicy;
use bursar::domain::draft::{Draft, Metadata, Withdrawal};
use bursar::domain::order::{
    Confirmation, ConsoleIdentity, DraftedOrder, RequestBytes, SendReason, ServiceDestination,
};
use bursar::domain::{AttemptResult, CreatedObject, Network, Order, Outcome, Redaction, Skew, Timestamp, Wallet};
use bursar::journal::{Journal, JournalLocation, SendPermit};
use bursar::service::{self, Options, RunningService, Sample, ServiceClock};
use uuid::Uuid;

/// When everything here happens.
const NOON: &str = "2026-01-05T12:00:00.000Z";

/// An address of nobody here.
const OUTSIDE: &str = "0x52908400098527886E0F7030069857D2E4169EE7";

/// A service, and a journal of orders to it.
struct Office {
    service: RunningService,
    /// Where clients reach it.
    base_url: String,
    journal: Journal,
    wire: WireNames,
}

impl Office {
    /// With the sample business, whose chains stand still.
    async fn open() -> Self {
        Self::with(|_| {}).await
    }

    /// The same, with other options.
    async fn with(change: impl FnOnce(&mut Options)) -> Self {
        let clock = ServiceClock::manual(noon());
        let sample = Some(Sample { seed: 7, transactions: 240 });
        let mut options = Options { sample, clock, with_lists: true, ..Options::temporary() };
        change(&mut options);
        let service = service::start(options).await.unwrap();
        service.wait_until_ready().await.unwrap();
        let by = ConsoleIdentity { user: "ada".into(), host: "quay".into(), run: Uuid::from_u128(1) };
        let journal = Journal::open(&JournalLocation::Temporary, by).unwrap().journal;
        Self { base_url: service.base_url().to_owned(), service, journal, wire: WireNames::default() }
    }

    fn connection(&self) -> Connection {
        Connection {
            base_url: self.base_url.clone(),
            api_key: self.service.api_key().unwrap().clone(),
            wallet_secret: self.service.wallet_secret().cloned(),
            redaction: Redaction::default(),
            limits: Limits::default(),
            wire_names: self.wire.clone(),
            route: Route::default(),
        }
    }

    fn reader(&self) -> Reader {
        Reader::new(self.connection()).unwrap()
    }

    fn operator(&self) -> Operator {
        Operator::new(self.connection()).unwrap()
    }

    fn destination(&self) -> ServiceDestination {
        ServiceDestination {
            profile: "harbour".into(),
            environment: Some(Network::Testnet),
            base_url: self.base_url.as_str().into(),
            key_mark: "0123456789abcdef".into(),
        }
    }

    /// A draft, frozen under a key and confirmed.
    fn confirmed_order(&self, draft: Draft, key: Uuid) -> Order {
        let request = encode(&draft, key, &self.wire);
        let drafted = DraftedOrder {
            draft,
            sender: None,
            request,
            destination: self.destination(),
            newest: Vec::new(),
            anchors: Vec::new(),
            template: None,
        };
        let intent = self.journal.record_draft(drafted, noon()).unwrap();
        let confirmation = Confirmation { typed: vec!["25".into()], findings: Vec::new(), agreed: None };
        self.journal.record_confirmation(intent.id, confirmation, noon()).unwrap();
        intent
    }

    fn order(&self, intent: &Order, because: SendReason) -> SendPermit {
        self.journal
            .permit_send(intent.id, because, &self.destination(), noon(), noon(), None, &ApprovalPolicy::default())
            .unwrap()
    }

    /// Sends an order and records what came of it, as the console does.
    async fn send(&self, operator: &Operator, intent: &Order, because: SendReason) -> AttemptResult {
        let order = self.order(intent, because);
        let attempt = order.attempt();
        let result = operator.send(order, None).await;
        self.journal.record_answer(intent.id, attempt, result.clone(), noon()).unwrap();
        result
    }

    /// The sample business's own wallet on Base.
    async fn treasury(&self) -> Wallet {
        let reader = self.reader();
        let users = reader.fetch_users(1, 100).await.unwrap().items;
        let owner = users.into_iter().find(|user| user.ref_id.as_deref() == Some("treasury")).unwrap().id;
        let mut wallets = Vec::new();
        for page in 1..=10 {
            wallets.extend(reader.fetch_wallets(page, 100).await.unwrap().items);
        }
        let of_treasury = |wallet: &Wallet| wallet.user.as_ref() == Some(&owner) && &*wallet.blockchain == "base";
        wallets.into_iter().find(of_treasury).unwrap()
    }

    /// 25 USDC out of the treasury to somebody outside.
    async fn payment(&self) -> Draft {
        Draft::Withdraw(Withdrawal {
            wallet: self.treasury().await.id,
            blockchain: "base".into(),
            token: "USDC".into(),
            amount: "25".into(),
            to: OUTSIDE.into(),
            ref_id: Some("invoice-9001".into()),
            note: Some("October “hosting”".into()),
            metadata: Metadata::default(),
        })
    }

    /// How often the ledger paid under a key.
    fn executions(&self, key: Uuid) -> usize {
        self.service.find_payments_with_key(key).unwrap().len()
    }
}

fn noon() -> Timestamp {
    Timestamp::parse_iso(NOON).unwrap()
}

/// What is sent is as long under way as what is read, and says as much of the clock.
#[tokio::test]
async fn the_date_of_an_answer_to_a_change_is_compared_as_that_of_a_read_is() {
    const HOUR: i64 = 3_600_000;
    let office = Office::open().await;
    let draft = office.payment().await;
    for (hours, is_off) in [(25, true), (0, false), (-25, true)] {
        let clock = Timestamp::from_millis(noon().millis() + hours * HOUR);
        let reader = office.reader().with_clock(std::sync::Arc::new(move || clock));
        let operator = office.operator().sharing_limits_of(&reader);
        assert_eq!(reader.skew(), Skew::Unknown);
        let intent = office.confirmed_order(draft.clone(), Uuid::new_v4());
        office.send(&operator, &intent, SendReason::Confirmed).await;
        assert_eq!(reader.skew().exceeds_tolerance(), is_off, "{hours} h: {:?}", reader.skew());
        assert_ne!(reader.skew(), Skew::Unknown);
    }
}
