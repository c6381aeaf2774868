//! What a session pays with: a journal in a folder that outlives its consoles, and keys that can be changed.

use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use bursar::api::{Connection, Limits, Operator, WireNames};
use bursar::app::forms::review::{self, Review};
use bursar::app::model::Mode;
use bursar::app::pages::book::entry;
use bursar::app::session::profile_switch::OtherProfile;
use bursar::domain::book::{BookChange, Contact};
use bursar::domain::draft::RequestDefaults;
use bursar::domain::order::{ConsoleIdentity, ServiceDestination};
use bursar::domain::{Failure, FailureReason, FinalStatuses, Network, Order, Policy, ReadOnlyReason, Redaction, Text};
use bursar::journal::{Journal, JournalLocation};
use bursar::runtime::HostPermission;
use bursar::runtime::effect_runner::{
    ApprovalSources, AuthorisedClient, JournalReader, OperatorFactory, PayingDisabled, PaymentContext,
};
use bursar::secrets::ApiKey;
use bursar::service::Credentials;
use bursar::ui::Theme;
use crossterm::event::KeyCode;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use secrecy::{ExposeSecret, SecretString};
use tempfile::TempDir;

use super::confirmation;
use super::{Msg, Session, text};

/// The profile of every session.
pub(in super::super) const PROFILE: &str = "harbour";

/// What unlocks paying where a session asks for a passphrase.
pub(in super::super) const PASSPHRASE: &str = "harbour lights";

/// What is at hand to pay with.
pub(in super::super) struct PaymentSetup {
    folder: TempDir,
    /// The profile's name.
    pub(super) profile: Text,
    base_url: String,
    /// Tells the key under which the history is read from others.
    reads_under: Text,
    patience: Duration,
    period: Duration,
    /// What the profile allows.
    policy: Policy,
    request_defaults: RequestDefaults,
    approvals: ApprovalSources,
    /// What the profile says of its network.
    pub(super) network: Option<Network>,
    /// Whether it pays under another key than it reads under.
    pub(super) separate_keys: bool,
    /// The keys, as a keyring would hold them; words where it would say why not.
    keys: Arc<Mutex<Result<(SecretString, SecretString), String>>>,
    /// Whoever is told when the keyring is asked, and has it wait.
    person: Arc<Mutex<Option<KeyringUser>>>,
}

/// Somebody who unlocks a keyring in his own time.
struct KeyringUser {
    is_asked: Sender<()>,
    unlocks: Receiver<()>,
}

/// A keyring that will wait for a person when it is asked the next time.
pub(in super::super) struct PendingUnlock {
    requests: Receiver<()>,
    unlocks: Sender<()>,
}

impl PendingUnlock {
    /// Waits until it is asked.
    pub(in super::super) fn is_asked(&self) {
        self.requests.recv().unwrap();
    }

    /// The person unlocks it.
    pub(in super::super) fn unlocks(self) {
        self.unlocks.send(()).unwrap();
    }
}

impl PaymentSetup {
    pub(super) fn new(base_url: &str, keys: &Credentials, patience: Duration, period: Duration) -> Self {
        let Credentials { api_key, wallet_secret, .. } = keys;
        Self {
            folder: tempfile::tempdir().unwrap(),
            profile: PROFILE.into(),
            base_url: base_url.to_owned(),
            reads_under: mark(&ApiKey::parse(api_key.clone()).unwrap()),
            patience,
            period,
            policy: Policy::default(),
            request_defaults: RequestDefaults::default(),
            approvals: ApprovalSources::default(),
            network: Some(Network::Testnet),
            separate_keys: false,
            keys: Arc::new(Mutex::new(Ok((api_key.clone(), wallet_secret.clone())))),
            person: Arc::default(),
        }
    }

    /// One key reads from now on, and another one pays.
    pub(super) fn is_kept_apart(&mut self, reads: &Credentials, pays: &Credentials) {
        self.reads_under = mark(&ApiKey::parse(reads.api_key.clone()).unwrap());
        self.separate_keys = true;
        self.holds(&pays.api_key, &pays.wallet_secret);
    }

    /// The folder of the journal.
    pub(in super::super) fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// The journal's file.
    pub(in super::super) fn file(&self) -> PathBuf {
        self.folder().join("journal.sqlite")
    }

    /// The folder of the cache.
    pub(in super::super) fn cache(&self) -> PathBuf {
        self.folder().join("cache")
    }

    /// The keyring holds other keys from now on.
    pub(in super::super) fn holds(&self, api_key: &SecretString, wallet_secret: &SecretString) {
        *self.keys.lock().unwrap() = Ok((api_key.clone(), wallet_secret.clone()));
    }

    /// The keyring says no from now on.
    pub(in super::super) fn refuses(&self, reason: &str) {
        *self.keys.lock().unwrap() = Err(reason.to_owned());
    }

    /// The keyring waits for a person when it is asked the next time.
    pub(in super::super) fn waits(&self) -> PendingUnlock {
        let ((is_asked, requests), (unlocks, unlocked)) = (channel(), channel());
        *self.person.lock().unwrap() = Some(KeyringUser { is_asked, unlocks: unlocked });
        PendingUnlock { requests, unlocks }
    }

    /// Opens the journal, as a program that was just started does.
    pub(in super::super) fn opens(&self) -> PaymentContext {
        let by = ConsoleIdentity { user: "ada".into(), host: "quay".into(), run: uuid::Uuid::new_v4() };
        let journal = Journal::open(&JournalLocation::Folder(self.folder().to_owned()), by).unwrap().journal;
        self.pays_by(journal)
    }

    /// What it takes to pay, with this journal.
    pub(in super::super) fn pays_by(&self, journal: Journal) -> PaymentContext {
        let (keys, person) = (Arc::clone(&self.keys), Arc::clone(&self.person));
        let (base_url, patience) = (self.base_url.clone(), self.patience);
        let destination = self.destination();
        let operator: OperatorFactory = Arc::new(move || {
            let failure = |reason: &str| Failure::from_read(FailureReason::Local, reason);
            if let Some(KeyringUser { is_asked, unlocks }) = { person.lock().unwrap().take() } {
                is_asked.send(()).unwrap();
                unlocks.recv().unwrap();
            }
            let (api_key, wallet_secret) = keys.lock().unwrap().clone().map_err(|reason| failure(&reason))?;
            let key = ApiKey::parse(api_key.expose_secret().to_owned()).unwrap();
            let destination = ServiceDestination { key_mark: mark(&key), ..destination.clone() };
            let operator = Operator::new(Connection {
                base_url: base_url.clone(),
                api_key,
                wallet_secret: Some(wallet_secret),
                route: bursar::api::Route::default(),
                redaction: Redaction::default(),
                limits: Limits { request: patience, ..Limits::default() },
                wire_names: WireNames::default(),
            });
            operator
                .map(|operator| AuthorisedClient { operator, destination })
                .map_err(|error| failure(&error.to_string()))
        });
        PaymentContext {
            journal,
            operator_factory: operator,
            passphrase_verifier: Some(Arc::new(|entry| Ok(entry.expose() == PASSPHRASE))),
            separate_keys: self.separate_keys,
            destination: self.destination(),
            wire: WireNames::default(),
            final_statuses: FinalStatuses::default(),
            expected_network: self.network,
            policy: self.policy.clone(),
            request_defaults: self.request_defaults.clone(),
            approvals: self.approvals.clone(),
            period: self.period,
        }
    }

    /// Every order, as another program reads it in the journal.
    pub(in super::super) fn orders(&self) -> Vec<Order> {
        self.opens().journal.orders(&self.destination(), usize::MAX).unwrap()
    }

    /// Where the session stands. It reads under the first key, whatever the keyring holds later.
    fn destination(&self) -> ServiceDestination {
        ServiceDestination {
            profile: self.profile.clone(),
            environment: self.network,
            base_url: self.base_url.as_str().into(),
            key_mark: self.reads_under.clone(),
        }
    }

    /// What a console looks at that only reads.
    pub(super) fn paying_disabled(&self) -> PayingDisabled {
        let host = HostPermission::for_local_operator();
        let (folder, policy) = (self.folder().to_owned(), self.policy.clone());
        let journal = JournalReader::new(&host, folder, self.destination(), policy, FinalStatuses::default());
        PayingDisabled { reason: ReadOnlyReason::ByOption, journal: Some(journal) }
    }
}

/// What tells a key from others.
fn mark(key: &ApiKey) -> Text {
    Text::clean(&key.mark("bursar"))
}

/// An order as the screen tells it, and what the ledger has of it.
pub(in super::super) struct OrderReport {
    pub(in super::super) intent: Order,
    /// Its word in the list.
    pub(in super::super) status: &'static str,
    /// What is said of it.
    pub(in super::super) status_text: String,
    /// How often the ledger paid under its key, or under its reference where it has no key.
    pub(in super::super) executions: usize,
}

impl OrderReport {
    /// Fails unless it stands so.
    #[track_caller]
    pub(in super::super) fn is(&self, word: &str, reason: &str) {
        assert_eq!(self.status, word, "{reason}: {}\n{:#?}", self.status_text, self.intent);
    }
}

impl Session {
    /// Sets rules by which the service goes wrong.
    pub(in super::super) fn faults(&self, rules: Vec<bursar::service::FaultRule>) {
        self.runtime.block_on(self.service().set_faults(rules));
    }

    /// Fills in a payment out of a wallet of the first account, up to its review.
    #[track_caller]
    pub(in super::super) fn reviews(&mut self, wallet: &str, token: &str, amount: &str, to: &str) {
        self.fills_in(wallet, token, amount, to);
        self.sees("Review");
        assert!(self.console.model().review().is_some(), "no review on\n{}", self.screen());
    }

    /// Fills in a payment and asks for its review.
    #[track_caller]
    pub(in super::super) fn fills_in(&mut self, wallet: &str, token: &str, amount: &str, to: &str) {
        self.chooses("w", wallet, token);
        self.keys(&format!("'{to}' Enter '{amount}' Enter Enter Enter"));
    }

    /// Fills in a payment by version 1, up to its review.
    #[track_caller]
    pub(in super::super) fn reviews_v1(&mut self, wallet: &str, token: &str, amount: &str, to: &str, memo: &str) {
        self.chooses("m", wallet, token);
        self.keys(&format!("'{to}' Enter"));
        self.types(memo);
        self.keys(&format!("Enter '{amount}' Enter Enter Enter"));
        self.sees("Review · Withdraw · version 1");
    }

    /// Fills in a batch out of a wallet of the first account, up to its review.
    #[track_caller]
    pub(in super::super) fn reviews_batch(&mut self, wallet: &str, token: &str, rows: &[(&str, &str)]) {
        self.chooses("b", wallet, token);
        self.keys("Enter Enter");
        let lines: Vec<String> = rows.iter().map(|(to, amount)| format!("{to},{amount}")).collect();
        // One more line has it taken for rows, however few there are.
        self.pastes(&format!("address,amount\n{}\n", lines.join("\n")));
        self.keys("Tab Enter");
        self.sees("Review");
        assert!(self.console.model().review().is_some(), "no review on\n{}", self.screen());
    }

    /// Opens the form of a key and chooses wallet and token.
    #[track_caller]
    pub(in super::super) fn chooses(&mut self, key: &str, wallet: &str, token: &str) {
        self.keys(&format!("1 {key}"));
        self.sees("Clear form");
        let is_kept = self.screen().contains("draft restored");
        if is_kept || !self.screen().contains(&format!("From wallet    {wallet}")) {
            self.starts_anew();
            for text in [wallet, token] {
                self.keys(&format!("'{text}' Enter"));
            }
        } else {
            self.keys(&format!("'{token}' Enter"));
        }
    }

    /// Fills in a swap within a wallet of the first account, up to its review.
    #[track_caller]
    pub(in super::super) fn reviews_swap(&mut self, wallet: &str, from: &str, amount: &str, to: &str) {
        self.fills_in_swap(wallet, from, amount, to);
        self.sees("Review");
        assert!(self.console.model().review().is_some(), "no review on\n{}", self.screen());
    }

    /// Fills in a swap and asks for its review.
    #[track_caller]
    pub(in super::super) fn fills_in_swap(&mut self, wallet: &str, from: &str, amount: &str, to: &str) {
        self.keys("1 s");
        self.sees("Clear form");
        if self.screen().contains("draft restored") {
            self.starts_anew();
            self.keys(&format!("'{wallet}' Enter"));
        } else if !self.screen().contains(&format!("From wallet    {wallet}")) {
            self.keys(&format!("BackTab C-u '{wallet}' Enter"));
        }
        self.keys(&format!("'{from}' Enter '{amount}' Enter '{to}' Enter"));
        // Version 2 takes a note.
        if self.screen().contains("Note") {
            self.keys("Enter");
        }
        self.keys("Enter");
    }

    /// Empties the form.
    fn starts_anew(&mut self) {
        for _ in 0..8 {
            self.keys("Tab");
        }
        // Nothing is chosen, so nothing passes the first field.
        if self.screen().contains("▌From wallet    wallet name") {
            return;
        }
        self.keys("Tab Enter");
        if self.screen().contains("Enter again to clear") {
            self.keys("Enter");
        }
    }

    /// Waits until the review takes keys, types what it asks for, and sends.
    #[track_caller]
    pub(in super::super) fn confirms(&mut self) {
        self.passes(Duration::from_millis(1_100));
        let review = self.console.model().review().expect("there is no review");
        assert!(!review.is_stopped(), "it cannot be sent:\n{}", self.screen());
        for text in self.expected_entries() {
            self.types(&text);
            self.keys("Enter");
        }
    }

    /// Types a text, blanks and all.
    pub(in super::super) fn types(&mut self, text: &str) {
        for character in text.chars() {
            self.receive(Msg::Key(KeyCode::Char(character).into()));
        }
        self.settle();
    }

    /// Presses keys without waiting for what comes of them.
    pub(in super::super) fn presses(&mut self, script: &str) {
        for word in script.split(' ').filter(|word| !word.is_empty()) {
            self.receive(Msg::Key(super::named_key(word)));
        }
    }

    /// Every order, the first one as on the Orders page.
    pub(in super::super) fn orders(&self) -> Vec<OrderReport> {
        let model = self.console.model();
        model.journal.orders.iter().map(|intent| self.order_report(intent)).collect()
    }

    fn order_report(&self, intent: &Order) -> OrderReport {
        let executions = match (intent.drafted.request.key, intent.drafted.draft.reference()) {
            (Some(key), _) => self.premises().find_payments_with_key(key).unwrap().len(),
            (None, Some(reference)) => self.premises().find_payments_with_reference(reference).unwrap().len(),
            (None, None) => 0,
        };
        let status_text = bursar::app::orders::status_messages(self.console.model(), intent).join(" ");
        let word = bursar::app::orders::state_label(intent, self.now);
        OrderReport { intent: intent.clone(), status: word, status_text, executions }
    }

    /// Every order that the journal knows, however old.
    pub(in super::super) fn all_orders(&self) -> Vec<OrderReport> {
        let reports = self.till.orders().into_iter().map(|intent| self.order_report(&intent));
        reports.collect()
    }

    /// The review that is open.
    pub(in super::super) fn review(&self) -> Option<&Review> {
        self.console.model().review()
    }

    /// All that scrolling through the review that is open shows.
    pub(in super::super) fn whole_review(&self) -> Option<String> {
        let model = self.console.model();
        let theme = Theme::from_name(model.console.appearance.theme, model.console.appearance.colours);
        let area = Rect::new(0, 0, self.size.0, 300);
        let mut buffer = Buffer::empty(area);
        review::view::view(model, &theme, model.review()?, area, &mut buffer);
        Some(text(&buffer))
    }

    /// The change of the address book that is about to be confirmed, whom it is of, and what is to be typed for it.
    pub(in super::super) fn entering(&self) -> Option<(BookChange, Contact, Vec<String>)> {
        let Mode::Entry(entry) = &self.console.model().mode else { return None };
        let entry::EntryStage::Confirming(confirming) = &entry.stage else { return None };
        let contact = confirming.contact.clone();
        let change = if let entry::BookAction::Remove(_) = entry.action {
            BookChange::Removed { address: contact.address.clone(), blockchain: contact.blockchain.clone() }
        } else {
            BookChange::Entered(contact.clone())
        };
        Some((change, contact, confirming.prompts.iter().map(|(text, _)| text.clone()).collect()))
    }

    /// The name that Enter would record, where one is typed.
    pub(in super::super) fn naming(&self) -> Option<BookChange> {
        let Mode::Naming(prompt) = &self.console.model().mode else { return None };
        let text = prompt.input.value().trim();
        let name = (!text.is_empty()).then(|| text.into());
        Some(BookChange::Label { subject: prompt.subject.clone(), name })
    }

    /// Every change of the address book, as another program reads it in the journal.
    pub(in super::super) fn book_changes(&self) -> Vec<BookChange> {
        let records = self.till.opens().journal.book_changes(&self.till.destination()).unwrap();
        records.into_iter().flat_map(|records| records.changes).collect()
    }

    /// What a review that is open says, and the bytes that it would send.
    pub(in super::super) fn reviewed_payment(&self) -> Option<(bursar::domain::Draft, Vec<u8>)> {
        let review = self.console.model().review()?;
        Some((review.draft.clone(), review.order.drafted.request.body.clone().into_bytes()))
    }

    /// What the guard has to say in the review that is open, and whether that cannot be sent; `None` where none is.
    pub(in super::super) fn judgement(&self) -> Option<(Vec<bursar::guard::Finding>, bool)> {
        self.console.model().review().map(|review| (review.findings.clone(), review.is_stopped()))
    }

    /// What the review that is open wants typed, read off it; nothing, where none is.
    pub(in super::super) fn expected_entries(&self) -> Vec<String> {
        self.whole_review().map_or_else(Vec::new, |review| confirmation::expected_entries(&review))
    }

    /// Somebody sets this machine's clock. The service's own goes on.
    pub(in super::super) fn sets_clock(&mut self, now: bursar::domain::Timestamp) {
        self.ahead += now.millis() - self.now.millis();
        self.now = now;
        self.local.store(now.millis(), std::sync::atomic::Ordering::SeqCst);
        self.receive(Msg::Tick(now));
        self.settle();
    }

    /// The keyring holds a new key from now on; the old one stays valid for reading.
    pub(in super::super) fn rotates_keys(&mut self) {
        let keys = self.runtime.block_on(self.service().create_key(bursar::service::NewKey::owner())).unwrap();
        self.till.holds(&keys.api_key, &keys.wallet_secret);
    }

    /// The window of the terminal comes to the front.
    pub(in super::super) fn looks_again(&mut self) {
        self.receive(Msg::Focus(true));
        self.settle();
    }

    /// Starts the console anew with other additions to its requests in its profile.
    pub(in super::super) fn adds_to_requests(&mut self, defaults: RequestDefaults) {
        self.till.request_defaults = defaults;
        self.restarts();
        self.connect();
    }

    /// Starts the console anew with another policy in its profile.
    pub(in super::super) fn allows(&mut self, policy: Policy) {
        self.till.policy = policy;
        self.restarts();
        self.connect();
    }

    /// Starts the console anew with other people and keys beside its profile.
    pub(in super::super) fn signs_with(&mut self, policy: Policy, approvals: ApprovalSources) {
        self.till.approvals = approvals;
        self.allows(policy);
    }

    /// Starts the console anew under another name of its profile.
    pub(in super::super) fn renames_profile(&mut self, name: &str) {
        self.till.profile = name.into();
        self.settings.identity.profile = name.into();
        self.restarts();
    }

    /// Starts the console anew with another base address in its profile: it reads everything there from the beginning.
    pub(in super::super) fn is_given_address(&mut self, base_url: &str) {
        self.till.base_url = base_url.to_owned();
        self.settings.identity.base_url = base_url.into();
        let credentials = self.service().credentials().unwrap();
        let reader = {
            let _inside = self.runtime.enter();
            bursar::api::Reader::new(Connection {
                base_url: base_url.to_owned(),
                api_key: credentials.api_key.clone(),
                wallet_secret: None,
                redaction: Redaction::default(),
                limits: Limits::default(),
                wire_names: WireNames::default(),
                route: bursar::api::Route::default(),
            })
            .unwrap()
        };
        self.world.reader = Arc::new(reader);
        self.loses_its_cache();
        self.connect();
    }

    /// The base address of the profile.
    pub(in super::super) fn address(&self) -> String {
        self.till.base_url.clone()
    }

    /// Starts the console anew, to read only.
    pub(in super::super) fn only_reads_from_now_on(&mut self) {
        let barred = self.till.paying_disabled();
        self.settings.read_only = Some(barred.reason.clone());
        self.world.payments = Err(barred);
        self.restarts();
    }

    /// Whether nothing may be confirmed: the veil is on, or paying is locked.
    pub(in super::super) fn is_barred(&self) -> bool {
        let model = self.console.model();
        model.session.veil.is_on() || model.session.lock.locked_since().is_some()
    }

    /// Starts the console anew, with another profile at hand.
    pub(in super::super) fn knows_profile(&mut self, name: &str) {
        let neighbour = OtherProfile { name: name.into(), destination: "https://quay.example.com (mainnet)".into() };
        self.settings.profiles.push(neighbour);
        self.restarts();
        self.connect();
    }

    /// What the clock shows.
    pub(in super::super) fn now(&self) -> bursar::domain::Timestamp {
        self.now
    }

    /// The youngest order.
    #[track_caller]
    pub(in super::super) fn order(&self) -> OrderReport {
        let orders = self.orders().into_iter();
        orders.max_by_key(|report| report.intent.created.at).unwrap_or_else(|| panic!("no order on\n{}", self.screen()))
    }

    /// Opens the first order of the Orders page.
    pub(in super::super) fn opens_order(&mut self) {
        self.keys("Esc Esc Esc Esc 4 g Enter");
    }

    /// What is at hand to pay with.
    pub(in super::super) fn till(&self) -> &PaymentSetup {
        &self.till
    }
}
