//! What a console asks of its service while somebody watches a lively business, and how fresh that keeps what is on screen,
//! what is watched and who moved: with few users, with many and with very many, on a clock that is moved by hand.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use bursar::api::{Connection, Limits, Reader, Route, WireNames};
use bursar::app::session::veil::Veil;
use bursar::app::{Msg, Size};
use bursar::domain::watch::{AlertChannels, Watch, WatchCondition, WatchScope as Watched};
use bursar::domain::{Amount, Appearance, Redaction, Text, Timestamp, UserId};
use bursar::runtime::Program as _;
use bursar::runtime::console::Console;
use bursar::runtime::demo::{DemoClient, DemoCredentials};
use bursar::runtime::effect_runner::{BalanceBackOffList, ConsoleResources, PayingDisabled, StoreWriteQueue};
use bursar::runtime::profile_file::ProfileFile;
use bursar::runtime::{Clock, HostPermission};
use bursar::service::ledger::{IdSource, NewUser, NewWallet, Paging, RequestError, TransactionFilter, WorkspaceNumber};
use bursar::service::{self, Options, RunningService, Sample, ServiceClock};
use bursar::store::{CacheLocation, Store};
use tokio::runtime::Runtime;
use uuid::Uuid;

use super::figures::{heads, tell};

/// How often what is on screen is read.
const PERIOD: Duration = Duration::from_secs(5);
/// How long it watches before it is measured: by then it has read the lists of accounts, users and wallets once, 100,000
/// entries of each.
const BEFORE: Duration = Duration::from_mins(30);
/// How long it is measured.
const MEASURED: u32 = 10;
/// Users of few, of many and of most, where nobody says how many the most are.
const USERS: [u64; 3] = [100, 10_000, 100_000];
/// Users that are made at once.
const AT_ONCE: u64 = 1_000;

/// Tells the figures of all.
pub(super) fn compare() {
    let most = std::env::var("BURSAR_USERS").ok().and_then(|users| users.parse().ok()).unwrap_or(USERS[2]);
    let sizes = [USERS[0], USERS[1].min(most), most];
    let figures = sizes.map(|users| Desk::open(users).measure());
    heads("requests a minute, by users", sizes);
    let minutes = u64::from(MEASURED);
    tell("the busiest minute of the start", figures.each_ref().map(|figures| figures.busiest));
    tell("later, hundredths", figures.each_ref().map(|figures| figures.requests.values().sum::<u64>() * 100 / minutes));
    let paths: BTreeSet<&String> = figures.iter().flat_map(|figures| figures.requests.keys()).collect();
    for path in paths {
        let of = |figures: &RequestFigures| figures.requests.get(path).copied().unwrap_or_default() * 100 / minutes;
        tell(&format!("  {path}"), figures.each_ref().map(of));
    }
    heads("oldest, in hundredths of a poll period", sizes);
    tell("the history", figures.each_ref().map(|figures| figures.history));
    tell("balances on screen", figures.each_ref().map(|figures| figures.on_screen));
    tell("balance of a wallet that is watched", figures.each_ref().map(|figures| figures.watched));
    tell("balances of who moved, until read again", figures.each_ref().map(|figures| figures.moved));
    heads("users who moved", sizes);
    tell("read again since", figures.each_ref().map(|figures| figures.read_again));
    tell("not read again by the end", figures.each_ref().map(|figures| figures.not_read_again));
}

/// What was found with one number of users.
#[derive(Default)]
struct RequestFigures {
    /// The most requests in a minute while the lists were read for the first time.
    busiest: u64,
    /// Requests of the measured minutes, by what they read.
    requests: BTreeMap<String, u64>,
    /// How old each of these grew at most, in hundredths of a poll period.
    history: u64,
    on_screen: u64,
    watched: u64,
    moved: u64,
    /// Users whose rows changed, and who were read again or not.
    read_again: u64,
    not_read_again: u64,
}

/// A business, and a console that watches it.
struct Desk {
    runtime: Runtime,
    service: RunningService,
    workspace_number: WorkspaceNumber,
    console: Console,
    store: Store,
    time: Arc<AtomicI64>,
    now: Timestamp,
    /// Who is on screen, and who owns the wallet that is watched.
    users_on_screen: BTreeSet<String>,
    watched: UserId,
    /// Rows that were looked at, each as it stood, and since when users wait who moved.
    statuses_seen: BTreeSet<(String, &'static str)>,
    waiting_users: BTreeMap<UserId, Timestamp>,
}

impl Desk {
    fn open(users: u64) -> Self {
        let runtime = Runtime::new().unwrap();
        let now = Timestamp::parse_iso("2026-11-02T12:00:00.000Z").unwrap();
        let clock = ServiceClock::manual(now);
        let ServiceClock::Manual(time) = clock.clone() else { unreachable!() };
        let sample = Some(Sample { seed: 1, transactions: Sample::USUAL });
        let options = Options { sample, clock, lively: true, with_lists: true, ..Options::temporary() };
        let service = runtime.block_on(service::start(options)).unwrap();
        let workspace_number = service.ledger().workspaces().unwrap()[0].number;
        let wallets = service.ledger().wallets(workspace_number, Paging { page: 1, limit: Paging::MOST }).unwrap().data;
        let of =
            |name: &str| wallets.iter().find(|wallet| wallet.name.as_deref().unwrap_or_default().starts_with(name));
        let (wallet_on_screen, watched) = (of("base-ops").unwrap(), of("cust-").unwrap());
        settle_in(&service, workspace_number, users, now);
        let credentials = service.credentials().unwrap();
        let keys =
            DemoCredentials { api_key: credentials.api_key.clone(), wallet_secret: credentials.wallet_secret.clone() };
        let demo = DemoClient::connect(service.base_url(), keys, PERIOD).unwrap();
        let store = Store::open(&CacheLocation::Temporary).unwrap().store;
        let connection = Connection {
            base_url: service.base_url().to_owned(),
            api_key: credentials.api_key.clone(),
            wallet_secret: None,
            redaction: Redaction::default(),
            limits: Limits::default(),
            wire_names: WireNames::default(),
            route: Route::default(),
        };
        let world = ConsoleResources {
            reader: Arc::new(Reader::new(connection).unwrap()),
            store: store.clone(),
            clock: Clock::Manual(Arc::clone(&time)),
            store_queue: StoreWriteQueue::default(),
            balance_back_off: BalanceBackOffList::default(),
            payments: Err(PayingDisabled { reason: bursar::domain::ReadOnlyReason::ByCommand, journal: None }),
            host: Some(HostPermission::for_local_operator()),
            profile_file: ProfileFile::default(),
            rows_per_page: ConsoleResources::ROWS_PER_PAGE,
        };
        let settings = demo.settings(Appearance::default(), Veil::default());
        let size = Size { width: 120, height: 36 };
        let mut console = Console::new(settings, world, runtime.handle().clone(), size).unwrap();
        console.set_watches(vec![
            watch(Watched::Wallet(Text::clean(&watched.id))),
            watch(Watched::Account(Text::clean("Customers"))),
        ]);
        service.record_requests();
        console.start_service_reads();
        let user = |wallet: &service::ledger::render::Wallet| wallet.user_id.clone().unwrap();
        let (users_on_screen, watched) = (BTreeSet::from([user(wallet_on_screen)]), UserId::from_text(&user(watched)));
        let (statuses_seen, waiting_users) = (BTreeSet::new(), BTreeMap::new());
        Self {
            runtime,
            service,
            workspace_number,
            console,
            store,
            time,
            now,
            users_on_screen,
            watched,
            statuses_seen,
            waiting_users,
        }
    }

    /// Watches until the lists were read once, and then measures.
    fn measure(mut self) -> RequestFigures {
        let mut figures = RequestFigures::default();
        let tap = self.service.record_requests();
        let start = self.now;
        while start.age(self.now) < BEFORE {
            tap.clear();
            self.passes(Duration::from_mins(1), &mut |_| {});
            figures.busiest = figures.busiest.max(tap.requests().len().try_into().unwrap());
        }
        tap.clear();
        self.waiting_users.clear();
        self.passes(Duration::from_mins(1) * MEASURED, &mut |desk| desk.looks(&mut figures));
        for request in tap.requests() {
            let path = match request.query.strip_prefix("userId=") {
                Some(user) if self.users_on_screen.contains(user) => format!("{} on screen", request.path),
                Some(user) if user == self.watched.as_str() => format!("{} watched", request.path),
                Some(_) => format!("{} of others", request.path),
                None => request.path,
            };
            *figures.requests.entry(path).or_default() += 1;
        }
        figures.not_read_again = self.waiting_users.len().try_into().unwrap();
        let Self { runtime, service, console, .. } = self;
        drop(console);
        runtime.block_on(service.stop()).unwrap();
        figures
    }

    /// Lets time pass, in the service and in the console, step by step as things fall due, with somebody who looks at the end
    /// of each step, before anything is read again.
    fn passes(&mut self, duration: Duration, look: &mut dyn FnMut(&mut Self)) {
        let end = self.now.plus(duration);
        while self.now < end {
            let next = self.console.next_poll_at().unwrap_or(end).min(end).max(self.now.plus(Duration::from_millis(1)));
            self.now = next;
            self.time.fetch_max(next.millis(), Ordering::SeqCst);
            look(self);
            self.runtime.block_on(self.service.advance_to(next)).unwrap();
            self.notes_who_moved();
            self.console.handle_message(Msg::Tick(next));
            self.settles();
        }
    }

    /// Waits until every effect has been performed and nothing more is due at this moment.
    fn settles(&mut self) {
        loop {
            while self.console.pending_effect_count() > 0 {
                self.runtime.block_on(self.console.apply_next_completion());
            }
            self.console.on_frame_displayed(self.console.frame_number(), self.now);
            if self.console.next_poll_at().is_none_or(|poll_at| poll_at > self.now) {
                return;
            }
            self.console.handle_message(Msg::Tick(self.now));
            if self.console.pending_effect_count() == 0 {
                return;
            }
        }
    }

    /// Looks how old everything is.
    fn looks(&mut self, figures: &mut RequestFigures) {
        let model = self.console.model();
        let oldest_on_screen =
            model.pages.overview.balances.listing.rows().iter().filter_map(|holding| holding.as_of).min();
        let watched = self.store.balances_of_user(&self.watched).unwrap().map(|(_, at)| at);
        figures.history = figures.history.max(self.age(model.data.remotes.latest.last_success));
        figures.on_screen = figures.on_screen.max(self.age(oldest_on_screen));
        figures.watched = figures.watched.max(self.age(watched));
        let (now, store) = (self.now, &self.store);
        self.waiting_users.retain(|user, since| {
            let reading_time = store.balances_of_user(user).unwrap().map(|(_, at)| at).filter(|at| at >= since);
            figures.moved = figures.moved.max(in_hundredths(since.age(reading_time.unwrap_or(now))));
            figures.read_again += u64::from(reading_time.is_some());
            reading_time.is_none()
        });
    }

    fn age(&self, at: Option<Timestamp>) -> u64 {
        in_hundredths(at.unwrap().age(self.now))
    }

    /// Takes note of users whose rows came or changed at the service since it was last looked at.
    fn notes_who_moved(&mut self) {
        let newest =
            TransactionFilter { paging: Paging { page: 1, limit: Paging::MOST }, ..TransactionFilter::default() };
        for row in self.service.ledger().transactions(self.workspace_number, &newest, self.now).unwrap().data {
            if let Some(user) = row.user_id
                && self.statuses_seen.insert((row.id, row.status))
            {
                self.waiting_users.entry(UserId::from_text(&user)).or_insert(self.now);
            }
        }
    }
}

fn in_hundredths(age: Duration) -> u64 {
    u64::try_from(age.as_millis() * 100 / PERIOD.as_millis()).unwrap()
}

/// A watch that is not raised.
fn watch(place: Watched) -> Watch {
    let units = |units| Amount::parse(units, 6).unwrap();
    Watch {
        name: None,
        token: Some("USDC".into()),
        chain: None,
        scope: place,
        condition: WatchCondition::Above { limit: units("1000000000"), margin: units("0") },
        max_age: None,
        alert: AlertChannels::default(),
        is_muted: false,
    }
}

/// Has so many users at the service, those of the sample business included. Each further one owns a wallet.
fn settle_in(service: &RunningService, workspace_number: WorkspaceNumber, users: u64, now: Timestamp) {
    let ledger = service.ledger();
    let one = Paging { page: 1, limit: 1 };
    let existing = ledger.users(workspace_number, one).unwrap().total_page;
    let accounts = ledger.accounts_of_workspace(workspace_number, Paging::default()).unwrap().data;
    let customers = accounts.iter().find(|account| account.name == "Customers").unwrap();
    let account = Uuid::try_parse(&customers.id).unwrap();
    for first in (existing..users).step_by(usize::try_from(AT_ONCE).unwrap()) {
        let last = users.min(first + AT_ONCE);
        let result = ledger.execute_in_workspace(workspace_number, now, IdSource::Random, move |books| {
            for number in first..last {
                let user =
                    books.create_user(&NewUser { ref_id: Some(format!("guest-{number}")), ..NewUser::default() })?;
                let user = Uuid::try_parse(&user.id).map_err(|error| RequestError::Internal(error.to_string()))?;
                books.create_wallet(&NewWallet {
                    account,
                    user: Some(user),
                    blockchain: "base".into(),
                    name: None,
                    ref_id: None,
                    auto_sweep: false,
                })?;
            }
            Ok(())
        });
        result.unwrap();
    }
}
