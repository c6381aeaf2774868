//! A session with bursar as its user has it: keys in, a screen out, over the real embedded service and the real store.
//!
//! Time stands still until a test lets it pass, in the service and in the console alike. Nothing sleeps: the console
//! tells when all its effects have been performed.

mod confirmation;
pub(super) mod disk;
pub(super) mod named_faults;
pub(super) mod payments;
pub(super) mod placeholders;
pub(super) mod rng;
pub(super) mod wait;

use bursar::domain::ServicePreferences;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::sync::Arc;
use std::time::Duration;

use bursar::api::{
    Connection, Limits, Reader, Route, SignatureOptions, SignatureScheme, WebhookListener, WebhookOptions, WireNames,
};
use bursar::app::data::prices::PriceSettings;
use bursar::app::input::keymap::ctrl;
use bursar::app::layout::{ScreenLayout, plan_layout};
use bursar::app::screen::{Pane, PaneArea};
use bursar::app::session::lock::LockSettings;
use bursar::app::session::veil::{Veil, VeilKey};
use bursar::app::{Msg, ProfileIdentity, Settings, Size};
use bursar::domain::watch::{AlertChannels, Watch};
use bursar::domain::{
    Appearance, Glyphs, Network, Redaction, Text, ThemeName, Timestamp, User, UserId, WebhookHints, Zone,
};
use bursar::runtime::clock::Clock;
use bursar::runtime::console::Console;
use bursar::runtime::demo::{DemoClient, DemoCredentials};
use bursar::runtime::effect_runner::{BalanceBackOffList, ConsoleResources, LoopRequest, StoreWriteQueue, seed_demo};
use bursar::runtime::profile_file::ProfileFile;
use bursar::runtime::{HostPermission, Program as _};
use bursar::service::ledger::LedgerLocation;
use bursar::service::{
    self, Credentials, FailurePolicy, Fault, Instance, NewKey, Options, Permission, RunningService, Sample, Scene,
    SceneExtras, ServiceClock, TenantHost, TenantInstance,
};
use bursar::store::{CacheLocation, Store};
use bursar::ui::Theme;
use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use secrecy::ExposeSecret as _;
use tokio::net::TcpSocket;
use tokio::runtime::Runtime;

use payments::PaymentSetup;

/// When every session begins.
pub(super) const BEGINNING: &str = "2026-11-02T12:03:20.000Z";

/// How long an effect may take that nothing holds up, on a machine that has more to do than this.
const PATIENCE: Duration = Duration::from_mins(5);

/// How a session begins.
#[derive(Clone, Copy)]
pub(super) struct Setup {
    pub(super) size: (u16, u16),
    pub(super) transactions: u64,
    pub(super) with_lists: bool,
    pub(super) sample: bool,
    pub(super) lively: bool,
    /// What the business is made for.
    pub(super) scene: Option<Scene>,
    pub(super) theme: ThemeName,
    pub(super) glyphs: Glyphs,
    /// Seconds to the east of UTC of the clock that times are shown by; UTC itself where none.
    pub(super) utc_offset_seconds: i32,
    pub(super) fault: Option<Fault>,
    /// Whether version 1 is asked of users.
    pub(super) v1: bool,
    /// Whether version 2 is asked for what moves money.
    pub(super) v2: bool,
    /// Whether what is held is valued.
    pub(super) with_valuation: bool,
    /// Whether it can pay.
    pub(super) can_pay: bool,
    /// How often what is on screen is read.
    pub(super) poll_period: Duration,
    /// How long the answer to a change is waited for, by a clock that nobody moves.
    pub(super) change_time_out: Duration,
    /// What the profile says of its network, if anything. The service's chains are test networks.
    pub(super) network: Option<Network>,
    /// Whether the service tells the console of events by webhooks, signed.
    pub(super) webhooks: bool,
    /// When paying is locked, and what unlocks it: never, if nobody says otherwise, so that time may pass.
    pub(super) lock: LockSettings,
    /// Whether the screen is veiled to start with.
    pub(super) veiled: bool,
    /// Whether it reads under a key that may only read, and pays under another one that may only pay.
    pub(super) keys_apart: bool,
    /// Whether the service keeps its ledger in a folder that commands can check.
    pub(super) ledger_in_folder: bool,
}

impl Default for Setup {
    fn default() -> Self {
        Self {
            size: (120, 36),
            transactions: 400,
            with_lists: true,
            sample: true,
            lively: false,
            scene: None,
            theme: ThemeName::Dark,
            glyphs: Glyphs::Unicode,
            utc_offset_seconds: 0,
            fault: None,
            v1: true,
            v2: true,
            with_valuation: true,
            can_pay: true,
            poll_period: Duration::from_secs(1),
            change_time_out: Duration::from_secs(15),
            network: Some(Network::Testnet),
            webhooks: false,
            lock: LockSettings::default(),
            veiled: false,
            keys_apart: false,
            ledger_in_folder: false,
        }
    }
}

/// Where visitors are taken in.
pub(super) struct VisitorService {
    pub(super) guests: TenantHost,
    clock: ServiceClock,
    /// Serves them.
    _runtime: Runtime,
}

impl VisitorService {
    pub(super) fn open() -> Arc<Self> {
        let runtime = Runtime::new().unwrap();
        let clock = ServiceClock::manual(Timestamp::parse_iso(BEGINNING).unwrap());
        let options = Options { clock: clock.clone(), with_lists: true, ..Options::temporary() };
        let guests = runtime.block_on(TenantHost::start(options)).unwrap();
        Arc::new(Self { guests, clock, _runtime: runtime })
    }
}

/// In how many steps a long time passes at most, and how long before its end each step is taken when it is due.
const HURRIED_STEPS: u32 = 30;
const LAST_MINUTES: Duration = Duration::from_mins(1);

/// A session.
pub(super) struct Session {
    runtime: Runtime,
    service: Option<RunningService>,
    /// What stands in place of a service of its own.
    visit: Option<(TenantInstance, Arc<VisitorService>)>,
    console: Console,
    /// The service's clock, this machine's, and by how many milliseconds the latter is ahead.
    time: Arc<std::sync::atomic::AtomicI64>,
    local: Arc<std::sync::atomic::AtomicI64>,
    ahead: i64,
    now: Timestamp,
    size: (u16, u16),
    settings: Settings,
    world: ConsoleResources,
    till: PaymentSetup,
    pub(super) loop_request: Option<LoopRequest>,
    /// What was put on the terminal's clipboard last.
    pub(super) clipboard: Option<String>,
    /// Where the service keeps its ledger, if commands can check it.
    ledger: Option<tempfile::TempDir>,
    _listener: Option<WebhookListener>,
}

/// A port that nobody else takes until it is listened on: bound, and not listening itself.
fn reserved_port() -> TcpSocket {
    let socket = TcpSocket::new_v4().unwrap();
    socket.set_reuseaddr(true).unwrap();
    socket.bind(([127, 0, 0, 1], 0).into()).unwrap();
    socket
}

impl Session {
    /// A session with the sample business, read to its end.
    pub(super) fn open() -> Self {
        Self::with(Setup::default())
    }

    /// A session as set up. It is settled: everything that was due has been read.
    pub(super) fn with(setup: Setup) -> Self {
        let mut session = Self::unsettled(setup);
        session.connect();
        session
    }

    /// A session of a visitor, who is taken in and has read everything.
    pub(super) fn visiting(lodging: &Arc<VisitorService>, seed: u64) -> Self {
        let Setup { size: (width, height), transactions, .. } = Setup::default();
        let runtime = Runtime::new().unwrap();
        let sample = Some(Sample { seed, transactions });
        let guest = runtime.block_on(lodging.guests.create_tenant_with_sample(sample)).unwrap();
        guest.set_failure_policy(FailurePolicy::Never);
        let ServiceClock::Manual(time) = lodging.clock.clone() else { unreachable!() };
        let Credentials { api_key, wallet_secret } = guest.credentials().unwrap().clone();
        let keys = DemoCredentials { api_key: api_key.clone(), wallet_secret: wallet_secret.clone() };
        let demo = DemoClient::connect(lodging.guests.base_url(), keys, Duration::from_secs(1)).unwrap();
        let by = bursar::domain::order::ConsoleIdentity {
            user: "ada".into(),
            host: "quay".into(),
            run: uuid::Uuid::new_v4(),
        };
        let world = ConsoleResources { clock: Clock::Manual(Arc::clone(&time)), ..demo.visitor_resources(by).unwrap() };
        let settings = demo.settings(Appearance::default(), Veil::default());
        let size = Size { width, height };
        let console = Console::new(settings.clone(), world.clone(), runtime.handle().clone(), size).unwrap();
        let till = PaymentSetup::new(
            lodging.guests.base_url(),
            guest.credentials().unwrap(),
            settings.preferences.poll_period,
            settings.preferences.poll_period,
        );
        let mut session = Self {
            ledger: None,
            _listener: None,
            runtime,
            service: None,
            visit: Some((guest, Arc::clone(lodging))),
            console,
            now: lodging.clock.now(),
            local: Arc::clone(&time),
            time,
            ahead: 0,
            size: (width, height),
            settings,
            world,
            till,
            loop_request: None,
            clipboard: None,
        };
        session.connect();
        session
    }

    /// A session that has not read anything yet.
    pub(super) fn unsettled(setup: Setup) -> Self {
        let Setup {
            size: (width, height),
            transactions,
            with_lists,
            sample,
            lively,
            scene,
            theme,
            glyphs,
            utc_offset_seconds: east,
            fault,
            v1,
            v2,
            with_valuation: valued,
            can_pay: pays,
            poll_period: period,
            change_time_out: patience,
            network,
            webhooks,
            lock,
            veiled,
            keys_apart,
            ledger_in_folder,
        } = setup;
        let ledger = ledger_in_folder.then(|| tempfile::tempdir().unwrap());
        let runtime = Runtime::new().unwrap();
        let now = Timestamp::parse_iso(BEGINNING).unwrap();
        let clock = ServiceClock::manual(now);
        let ServiceClock::Manual(time) = clock.clone() else { unreachable!() };
        let port = webhooks.then(|| runtime.block_on(async { reserved_port() }));
        let webhook =
            port.as_ref().map(|port| format!("http://{}/events", port.local_addr().unwrap()).parse().unwrap());
        let options = Options {
            webhooks: webhook.into_iter().collect(),
            sample: sample.then_some(Sample { seed: 1, transactions }),
            scene,
            clock,
            lively,
            with_lists,
            ledger_location: ledger
                .as_ref()
                .map_or(LedgerLocation::Temporary, |folder| LedgerLocation::Folder(folder.path().join("data"))),
            ..Options::temporary()
        };
        let service = runtime.block_on(service::start(options)).unwrap();
        // One payment in some dozens fails on its chain, drawn by its identifier: no journey may hang on that.
        service.set_failure_policy(FailurePolicy::Never);
        if let Some(fault) = fault {
            runtime.block_on(service.set_fault(fault));
        }
        let may = |permission: Permission| {
            let new = NewKey {
                name: "apart".into(),
                permissions: [permission].into_iter().collect(),
                trusted_addresses: Vec::new(),
            };
            runtime.block_on(service.create_key(new)).unwrap()
        };
        let separate_keys = keys_apart.then(|| (may(Permission::Read), may(Permission::Withdrawal)));
        let reads = separate_keys.as_ref().map_or(service.credentials().unwrap(), |(reads, _)| reads);
        let key = reads.api_key.clone();
        let reader = {
            let _inside = runtime.enter();
            Reader::new(Connection {
                base_url: service.base_url().to_owned(),
                api_key: key,
                wallet_secret: None,
                redaction: Redaction::default(),
                limits: Limits::default(),
                wire_names: WireNames::default(),
                route: Route::default(),
            })
            .unwrap()
        };
        let mut till = PaymentSetup::new(service.base_url(), service.credentials().unwrap(), patience, period);
        till.network = network;
        if let Some((reads, pays)) = &separate_keys {
            till.is_kept_apart(reads, pays);
        }
        let store = Store::open(&CacheLocation::Folder(till.cache())).unwrap().store;
        let local = Arc::new(std::sync::atomic::AtomicI64::new(now.millis()));
        let world = ConsoleResources {
            reader: Arc::new(reader),
            store,
            clock: Clock::Manual(Arc::clone(&local)),
            store_queue: StoreWriteQueue::default(),
            balance_back_off: BalanceBackOffList::default(),
            payments: if pays { Ok(till.opens()) } else { Err(till.paying_disabled()) },
            host: Some(HostPermission::for_local_operator()),
            profile_file: ProfileFile::default(),
            rows_per_page: ConsoleResources::ROWS_PER_PAGE,
        };
        let (mut past_rates, mut watches, mut views, mut sample_order) = Default::default();
        if let Some(SceneExtras { rules, mut seed, .. }) = service.scene_extras().unwrap() {
            past_rates = std::mem::take(&mut seed.rates);
            watches = std::mem::take(&mut seed.watches);
            views = std::mem::take(&mut seed.views);
            runtime.block_on(service.set_faults(rules));
            sample_order = runtime.block_on(seed_demo(&world, seed)).unwrap();
        }
        let identity = ProfileIdentity {
            name: Text::clean("Harbour Trading"),
            profile: "harbour".into(),
            environment: network,
            demo: true,
            fault: None,
            demo_role: None,
            base_url: Text::clean(service.base_url()),
        };
        let settings = Settings {
            identity,
            preferences: ServicePreferences { poll_period: period, v1, v2, ..ServicePreferences::default() },
            zone: if east == 0 { Zone::default() } else { Zone::from_offset_function(now, now, |_| east) },
            appearance: Appearance { theme, glyphs, ..Appearance::default() },
            profiles: Vec::new(),
            prices: PriceSettings {
                valuation: valued.then(|| Text::clean(PriceSettings::VALUATION)),
                past_rates,
                ..PriceSettings::default()
            },
            read_only: world.payments.as_ref().err().map(|barred| barred.reason.clone()),
            veil: Veil::new(veiled, VeilKey::new([7; 32])),
            lock,
            seed: 0,
        };
        let size = Size { width, height };
        let mut console = Console::new(settings.clone(), world.clone(), runtime.handle().clone(), size).unwrap();
        console.set_watches(watches);
        console.set_views(views);
        console.set_unresolved_demo_order(sample_order);
        let listener = port.map(|port| {
            let listening = WebhookOptions {
                address: port.local_addr().unwrap(),
                path: "/events".into(),
                signature: Some(SignatureOptions {
                    scheme: SignatureScheme::TimestampBody,
                    header: "x-webhook-signature".into(),
                    timestamp_header: "x-webhook-timestamp".into(),
                    secret: service.signing_secret().unwrap().clone(),
                }),
                per_minute: 1_000,
                redaction: Redaction::default(),
            };
            let clock = world.clock.clone();
            runtime
                .block_on(WebhookListener::open(listening, Arc::new(move || clock.now()), console.webhook_sink()))
                .unwrap()
        });
        Self {
            ledger,
            _listener: listener,
            runtime,
            service: Some(service),
            visit: None,
            console,
            time,
            local,
            ahead: 0,
            now,
            size: (width, height),
            settings,
            world,
            till,
            loop_request: None,
            clipboard: None,
        }
    }

    /// What was read from the service.
    pub(super) fn store(&self) -> &Store {
        &self.world.store
    }

    /// Starts to read, until everything that is due has been read.
    pub(super) fn connect(&mut self) {
        self.console.start_service_reads();
        self.settle();
    }

    /// Starts to read, and goes no further than the first answer.
    pub(super) fn begins(&mut self) {
        self.console.start_service_reads();
        self.runtime.block_on(self.console.apply_next_completion());
    }

    /// Ends the console, whatever it was at, and starts another on the same cache. It has not read anything yet.
    pub(super) fn restarts(&mut self) {
        // Like another process it reads the journal from its file, under a name of its own.
        if self.world.payments.is_ok() {
            self.world.payments = Ok(self.till.opens());
        }
        let size = Size { width: self.size.0, height: self.size.1 };
        let handle = self.runtime.handle().clone();
        self.console = Console::new(self.settings.clone(), self.world.clone(), handle, size).unwrap();
        self.run_out();
    }

    /// Ends the console, deletes its cache, and starts another one. It has not read anything yet.
    pub(super) fn loses_its_cache(&mut self) {
        self.world.store = Store::open(&CacheLocation::Temporary).unwrap().store;
        self.restarts();
    }

    /// Lets everything under way be performed.
    fn run_out(&mut self) {
        while self.console.pending_effect_count() > 0 {
            let console = &mut self.console;
            let next = async { tokio::time::timeout(PATIENCE, console.apply_next_completion()).await };
            self.runtime.block_on(next).expect("an effect is never answered");
        }
    }

    /// Waits until every effect has been performed and nothing more is due at this moment.
    pub(super) fn settle(&mut self) {
        loop {
            self.run_out();
            self.clipboard = self.console.take_clipboard_texts().pop().or(self.clipboard.take());
            self.console.on_frame_displayed(self.console.frame_number(), self.now);
            match self.console.next_poll_at() {
                Some(poll_at) if poll_at <= self.now => self.receive(Msg::Tick(self.now)),
                _ => return,
            }
            if self.console.pending_effect_count() == 0 {
                return;
            }
        }
    }

    /// Waits for something that comes from outside, as a webhook, and for all that follows from it.
    pub(super) fn is_told(&mut self) {
        let console = &mut self.console;
        let next = async { tokio::time::timeout(PATIENCE, console.apply_next_completion()).await };
        self.runtime.block_on(next).expect("nothing was told");
        self.settle();
    }

    /// Has a console that saves to the file of a profile. It has read everything.
    pub(super) fn saves_to(&mut self, profile: ProfileFile) {
        self.world.profile_file = profile;
        self.restarts();
        self.connect();
    }

    /// What the operator wants to be told of. To be said before reading begins.
    pub(super) fn watches(&mut self, watches: Vec<Watch>) {
        self.console.set_watches(watches);
    }

    /// Something is to be said that came before the first picture, as that another profile was not opened.
    pub(super) fn is_opened_with(&mut self, text: &str) {
        self.console.show_notice(text.to_owned());
    }

    /// How the operator was called since this was last asked.
    pub(super) fn calls(&mut self) -> Vec<(AlertChannels, String)> {
        self.console.take_alerts()
    }

    /// The terminal's window is entered, or left.
    pub(super) fn focus(&mut self, is_there: bool) {
        self.receive(Msg::Focus(is_there));
        self.settle();
    }

    /// Webhooks came in.
    pub(super) fn hears(&mut self, hints: WebhookHints) {
        self.receive(Msg::Hints(hints));
        self.settle();
    }

    /// Sends a request to the service past the console, as somebody else would.
    pub(super) fn posts(&self, path: &str, body: &serde_json::Value) {
        let bursar::service::Credentials { api_key, wallet_secret, .. } = self.service().credentials().unwrap();
        let (key, secret) = (api_key.expose_secret(), wallet_secret.expose_secret());
        // The console has made a client by now, and with it the provider of TLS.
        let client = reqwest::Client::builder().no_proxy().build().unwrap();
        let request = client.post(format!("{}{path}", self.service().base_url()));
        let request = request.bearer_auth(key).header("x-wallet-secret", secret).json(body);
        let answer = self.runtime.block_on(request.send()).unwrap();
        assert!(answer.status().is_success(), "{}", answer.status());
    }

    fn receive(&mut self, msg: Msg) {
        match self.console.handle_message(msg) {
            Some(LoopRequest::Copy(text)) => self.clipboard = Some(text),
            Some(request) => self.loop_request = Some(request),
            None => {}
        }
    }

    /// Lets time pass, in the service and in the console, step by step as things fall due. A long time passes as on a busy
    /// machine, which polls late, until its last minutes.
    pub(super) fn passes(&mut self, duration: Duration) {
        let hurried = duration.saturating_sub(LAST_MINUTES);
        let stride = hurried / HURRIED_STEPS;
        let end = self.now.plus(hurried);
        while self.now < end {
            self.steps_to(self.next_due(end).max(self.now.plus(stride)).min(end));
        }
        self.polls_for(duration.min(LAST_MINUTES));
    }

    /// The same, each step when it is due, however long it takes: where requests are counted.
    pub(super) fn polls_for(&mut self, duration: Duration) {
        self.passes_watched(duration, &mut |_| {});
    }

    /// The same, with somebody who looks after each step.
    pub(super) fn passes_watched(&mut self, duration: Duration, watch: &mut dyn FnMut(&Self)) {
        let end = self.now.plus(duration);
        while self.now < end {
            self.steps_to(self.next_due(end).max(self.now.plus(Duration::from_millis(1))));
            watch(self);
        }
    }

    fn next_due(&self, end: Timestamp) -> Timestamp {
        self.console.next_poll_at().unwrap_or(end).min(end)
    }

    fn steps_to(&mut self, next: Timestamp) {
        self.now = next;
        let at_service = self.moves_clocks();
        if self.service.is_some() || self.visit.is_some() {
            self.runtime.block_on(self.premises().advance_to(at_service)).unwrap();
        }
        self.receive(Msg::Tick(next));
        self.settle();
    }

    /// Has both clocks show the present, and says what the service's does.
    fn moves_clocks(&self) -> Timestamp {
        let at_service = self.now.millis() - self.ahead;
        self.time.fetch_max(at_service, std::sync::atomic::Ordering::SeqCst);
        self.local.fetch_max(self.now.millis(), std::sync::atomic::Ordering::SeqCst);
        Timestamp::from_millis(at_service)
    }

    /// Lets the console's time pass while nothing is answered: what is under way stays so.
    pub(super) fn ticks(&mut self, duration: Duration) {
        self.now = self.now.plus(duration);
        self.moves_clocks();
        self.receive(Msg::Tick(self.now));
    }

    /// Presses keys: names apart by blanks (`Enter`, `Esc`, `Tab`, `Down`, `C-d`, `j`), and in quotes what is typed.
    pub(super) fn keys(&mut self, script: &str) {
        for word in script.split(' ').filter(|word| !word.is_empty()) {
            if let Some(text) = word.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\'')) {
                for character in text.chars() {
                    self.receive(Msg::Key(KeyCode::Char(character).into()));
                }
            } else {
                self.receive(Msg::Key(named_key(word)));
            }
            self.settle();
        }
    }

    /// Pastes a text.
    pub(super) fn pastes(&mut self, text: &str) {
        self.receive(Msg::Paste(text.to_owned()));
        self.settle();
    }

    /// How many rows are held for the screen, of lists that grow with the history.
    pub(super) fn rows_held(&self) -> usize {
        let model = self.console.model();
        model.pages.transactions.listing.rows().len() + model.pages.overview.recent.listing.rows().len()
    }

    /// Gives the screen another size.
    pub(super) fn resizes(&mut self, width: u16, height: u16) {
        self.size = (width, height);
        self.receive(Msg::Resized(Size { width, height }));
        self.settle();
    }

    /// Makes the service misbehave.
    pub(super) fn fault(&self, fault: Fault) {
        self.runtime.block_on(self.service().set_fault(fault));
    }

    /// Makes the service misbehave where the path of a request starts so.
    pub(super) fn fault_on(&self, paths: &str, fault: Fault) {
        self.runtime.block_on(self.service().set_fault_on(paths, fault));
    }

    /// The folder of the service's ledger.
    pub(super) fn ledger_folder(&self) -> std::path::PathBuf {
        self.ledger.as_ref().unwrap().path().join("data")
    }

    /// The folder of the journal.
    pub(super) fn journal_folder(&self) -> &std::path::Path {
        self.till.folder()
    }

    /// The orders, as the journal holds them.
    pub(super) fn recorded_orders(&self) -> Vec<bursar::domain::Order> {
        self.till.orders()
    }

    /// What stands behind the address, be it a service of its own or a guest's.
    pub(super) fn premises(&self) -> &Instance {
        self.visit.as_ref().map_or_else(|| -> &Instance { self.service() }, |(guest, _)| guest)
    }

    /// The service.
    pub(super) fn service(&self) -> &RunningService {
        self.service.as_ref().unwrap()
    }

    /// The price of one whole token in the console's valuation.
    pub(super) fn price(&self, symbol: &Text) -> Option<bursar::domain::Rate> {
        self.console.model().data.prices.valuation_rate(symbol).map(|(rate, _)| rate)
    }

    /// The cells of the screen.
    pub(super) fn buffer(&self) -> Buffer {
        self.buffer_in(self.console.model().console.appearance.theme)
    }

    /// The cells of the screen in another theme.
    pub(super) fn buffer_in(&self, theme: ThemeName) -> Buffer {
        let (model, area) = (self.console.model(), Rect::new(0, 0, self.size.0, self.size.1));
        let mut buffer = Buffer::empty(area);
        let theme = Theme::from_name(theme, model.console.appearance.colours);
        bursar::app::view::view_in_theme(model, &theme, area, &mut buffer);
        buffer
    }

    /// The words of the column heads of each pane on screen.
    pub(super) fn column_heads(&self) -> Vec<(Pane, BTreeSet<String>)> {
        let ScreenLayout::Full { page, .. } = plan_layout(self.console.model()) else { return Vec::new() };
        let buffer = self.buffer();
        let heads = |place: &PaneArea| {
            let area = place.content();
            let row: String = (area.x..area.x + area.width).map(|x| buffer[(x, area.y)].symbol()).collect();
            (place.pane, row.split_whitespace().map(str::to_owned).collect())
        };
        page.panes.iter().map(heads).collect()
    }

    /// The screen as text, a line a row, without blanks at the ends.
    pub(super) fn screen(&self) -> String {
        text(&self.buffer())
    }

    /// The screen without the row of tabs.
    pub(super) fn screen_below_tabs(&self) -> String {
        without_tabs(&self.screen())
    }

    /// The line that holds a text.
    pub(super) fn line(&self, text: &str) -> String {
        let screen = self.screen();
        screen.lines().find(|line| line.contains(text)).unwrap_or_else(|| panic!("no “{text}” on\n{screen}")).to_owned()
    }

    /// Fails unless the screen shows a text.
    #[track_caller]
    pub(super) fn sees(&self, text: &str) {
        let screen = self.screen();
        assert!(screen.contains(text), "no “{text}” on\n{screen}");
    }

    /// Fails if the screen shows a text.
    #[track_caller]
    pub(super) fn sees_no(&self, text: &str) {
        let screen = self.screen();
        assert!(!screen.contains(text), "“{text}” on\n{screen}");
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        if let Some(service) = self.service.take() {
            let _stopped = self.runtime.block_on(service.stop());
        }
    }
}

/// A screen without its row of tabs. That row names every page, so that a new page would change every picture; the
/// pictures without colours, those in ASCII and those of a presentation have it.
pub(super) fn without_tabs(screen: &str) -> String {
    let is_below = |(number, line): &(usize, &str)| *number != 1 || !line.contains("1 Overview");
    screen.lines().enumerate().filter(is_below).map(|(_, line)| line).collect::<Vec<_>>().join("\n")
}

/// Cells as text.
pub(super) fn text(buffer: &Buffer) -> String {
    let mut screen = String::new();
    for y in 0..buffer.area.height {
        let mut line = String::new();
        let mut skip = 0_u16;
        for x in 0..buffer.area.width {
            if skip > 0 {
                skip -= 1;
                continue;
            }
            let symbol = buffer[(x, y)].symbol();
            skip = Text::clean(symbol).display_width().saturating_sub(1).try_into().unwrap_or(0);
            line.push_str(symbol);
        }
        writeln!(screen, "{}", line.trim_end()).unwrap();
    }
    screen
}

/// What the history tells of a user.
pub(super) fn nameless(id: &str) -> User {
    let id = UserId::from_text(id);
    User { id, display_name: None, ref_id: None, email: None, is_active: None, created_at: None }
}

fn named_key(word: &str) -> KeyEvent {
    if let Some(character) = word.strip_prefix("C-").and_then(|rest| rest.chars().next()) {
        return ctrl(character);
    }
    if let Some(rest) = word.strip_prefix("A-") {
        return KeyEvent { modifiers: KeyModifiers::ALT, ..named_key(rest) };
    }
    let code = match word {
        "Enter" => KeyCode::Enter,
        "Esc" => KeyCode::Esc,
        "Tab" => KeyCode::Tab,
        "BackTab" => KeyCode::BackTab,
        "Backspace" => KeyCode::Backspace,
        "Up" => KeyCode::Up,
        "Down" => KeyCode::Down,
        "Left" => KeyCode::Left,
        "Right" => KeyCode::Right,
        "Home" => KeyCode::Home,
        "End" => KeyCode::End,
        "PgUp" => KeyCode::PageUp,
        "PgDn" => KeyCode::PageDown,
        "F1" => KeyCode::F(1),
        "Blank" => KeyCode::Char(' '),
        single if single.chars().count() == 1 => return KeyCode::Char(single.chars().next().unwrap()).into(),
        other => panic!("no key is called {other}"),
    };
    code.into()
}
