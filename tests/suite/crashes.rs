//! The program is killed at every moment of a payment, in a real terminal, and started again: the service has paid at
//! most once, and the Orders page tells the truth.

use bursar::app::orders::state_label;
use bursar::domain::order::{ConsoleIdentity, ServiceDestination};
use bursar::domain::{Order, Timestamp};
use bursar::guard::challenge_range;
use bursar::journal::{self, Journal, JournalLocation};
use bursar::service::{
    self, FailurePolicy, Fault, FaultRule, Options, Pace, RequestLog, RunningService, Sample, ServiceClock,
};
use rstest::rstest;
use secrecy::ExposeSecret;
use tempfile::TempDir;
use tokio::runtime::Runtime;

use super::batches::stranger;
use super::harness::wait::waits_until;
use super::pty::PtySession;

/// A stranger's address.
pub(super) const STRANGER: &str = "0x52908400098527886E0F7030069857D2E4169EE7";

/// A business, its service, and the folders of one console.
pub(super) struct Business {
    pub(super) runtime: Runtime,
    service: Option<RunningService>,
    pub(super) tap: RequestLog,
    pub(super) folder: TempDir,
}

impl Business {
    pub(super) fn new(rules: Vec<FaultRule>) -> Self {
        let business = Self::with(Options {
            sample: Some(Sample { seed: 1, transactions: 400 }),
            clock: ServiceClock::System,
            pace: Pace::per_mille(10_000).unwrap(),
            lively: false,
            with_lists: true,
            ..Options::temporary()
        });
        business.service().set_failure_policy(FailurePolicy::Never);
        business.runtime.block_on(business.service().set_faults(rules));
        business
    }

    /// A business with a service of its own kind.
    pub(super) fn with(options: Options) -> Self {
        let runtime = Runtime::new().unwrap();
        let service = runtime.block_on(service::start(options)).unwrap();
        let tap = service.record_requests();
        Self { runtime, service: Some(service), tap, folder: tempfile::tempdir().unwrap() }
    }

    pub(super) fn service(&self) -> &RunningService {
        self.service.as_ref().unwrap()
    }

    /// The dashboard in a terminal; it is killed at this moment of an order's life, if it comes there.
    pub(super) fn opens(&self, killed_at: Option<&str>) -> PtySession {
        let killed_at = killed_at.map(|moment| ("BURSAR_KILL_AT", moment));
        self.opens_with(&[], killed_at.as_slice())
    }

    /// The dashboard in a terminal, with arguments and further variables.
    pub(super) fn opens_with(&self, arguments: &[&str], further: &[(&str, &str)]) -> PtySession {
        let variables = self.variables();
        let own_variables = variables.iter().map(|(name, value)| (*name, value.as_str()));
        PtySession::open_with(arguments, &own_variables.chain(further.iter().copied()).collect::<Vec<_>>())
    }

    /// The profile of its console pays by version 1 alone.
    fn pays_by_v1(&self) {
        self.has_profile("versions = [\"v1\"]");
    }

    /// Its console has a profile, with a setting of its own.
    pub(super) fn has_profile(&self, setting: &str) {
        let config = format!(
            "[profiles.quay]\nbase_url = \"{}\"\nenvironment = \"testnet\"\nsecrets = \"environment\"\n{setting}\n",
            self.service().base_url()
        );
        std::fs::write(self.folder.path().join("config.toml"), config).unwrap();
    }

    /// What the environment tells the program of this business.
    pub(super) fn variables(&self) -> Vec<(&'static str, String)> {
        let keys = self.service().credentials().unwrap();
        let folder = |path: &std::path::Path| path.to_str().unwrap().to_owned();
        let mut variables = vec![
            ("BURSAR_API_KEY", keys.api_key.expose_secret().to_owned()),
            ("BURSAR_WALLET_SECRET", keys.wallet_secret.expose_secret().to_owned()),
            ("BURSAR_DATA_DIR", folder(&self.folder.path().join("data"))),
            ("BURSAR_CONFIG_DIR", folder(self.folder.path())),
        ];
        // A profile names the service itself.
        if !self.folder.path().join("config.toml").exists() {
            variables.push(("BURSAR_BASE_URL", self.service().base_url().to_owned()));
        }
        variables
    }

    /// Every order, as the journal has it.
    pub(super) fn orders(&self) -> Vec<Order> {
        let by = ConsoleIdentity { user: "ada".into(), host: "quay".into(), run: uuid::Uuid::new_v4() };
        let journal =
            Journal::open(&JournalLocation::Folder(self.folder.path().join("data/journal")), by).unwrap().journal;
        journal.orders(&self.destination(), 9).unwrap()
    }

    /// This service, as whoever only reads names it.
    pub(super) fn destination(&self) -> ServiceDestination {
        ServiceDestination {
            profile: "environment".into(),
            environment: None,
            base_url: self.service().base_url().into(),
            key_mark: "a reader's".into(),
        }
    }

    /// Waits until the program was killed at this moment; the failure names its orders.
    pub(super) fn sees_it_killed(&self, terminal: &mut PtySession, moment: &str) {
        let is_over = terminal.closes();
        assert!(is_over, "it never came to {moment}:\n{:#?}\n{}", self.orders(), terminal.contents());
        assert_eq!(terminal.ends().signal(), Some("Killed"), "at {moment}:\n{}", terminal.contents());
    }

    /// How often the ledger paid under the key of an order, or under its reference where it has no key.
    pub(super) fn executions(&self, order: &Order) -> usize {
        let reference = || order.drafted.draft.reference().unwrap().clone();
        match order.drafted.request.key {
            Some(key) => self.service().find_payments_with_key(key).unwrap().len(),
            None => self.service().find_payments_with_reference(&reference()).unwrap().len(),
        }
    }

    /// How many of the requests that arrived were executed.
    pub(super) fn execution_total(&self) -> usize {
        let requests = self.tap.changes();
        let bodies = requests.iter().map(|request| serde_json::from_slice::<serde_json::Value>(&request.body).unwrap());
        let keys = bodies.map(|body| body["idempotencyKey"].as_str().unwrap().parse().unwrap());
        keys.map(|key| self.service().find_payments_with_key(key).unwrap().len()).sum()
    }

    /// Starts the program once more and holds what it says against what is true.
    pub(super) fn tells_the_truth(&self) {
        let terminal = self.opens(None);
        terminal.waits_for("Treasury");
        terminal.types("4");
        let orders = self.orders();
        let Some(order) = orders.first() else {
            assert!(self.tap.changes().is_empty(), "something was sent that is not on record");
            terminal.waits_for("no orders yet");
            return self.is_left(terminal);
        };
        assert_eq!(orders.len(), 1);
        let executions = self.executions(order);
        let changes: Vec<_> = self.tap.changes();
        assert!(changes.iter().all(|change| change.body == order.drafted.request.body.as_bytes()), "{changes:?}");
        assert!(executions <= 1 && executions <= changes.len());
        if executions == 1 {
            terminal.waits_for("settled");
        } else {
            // Nothing of it may be said to have left, nor to have failed, before its sending is on record.
            let now = Timestamp::from_millis(self.orders()[0].created.at.millis() + 1_000);
            assert!(changes.is_empty());
            terminal.waits_for(state_label(order, now));
            assert!(!terminal.contents().contains("failed"), "{}", terminal.contents());
        }
        self.is_left(terminal);
        assert_eq!(self.tap.changes().len(), changes.len(), "something was sent after the restart");
        assert_eq!(self.executions(order), executions);
        journal::verify(&self.folder.path().join("data/journal")).unwrap();
    }

    /// Leaves the program, also where it asks because somebody may still wait for an answer.
    pub(super) fn is_left(&self, mut terminal: PtySession) {
        terminal.types("qy");
        assert!(terminal.ends().success());
        terminal.is_whole();
        self.kept_its_secrets(&terminal);
    }

    /// Fails if a secret was ever shown, or stands in any file: journal, cache, log.
    fn kept_its_secrets(&self, terminal: &PtySession) {
        let keys = self.service().credentials().unwrap();
        let secrets = [keys.api_key.expose_secret(), keys.wallet_secret.expose_secret()];
        for secret in secrets {
            terminal.never_showed(secret);
        }
        let (mut folders, mut files) = (vec![self.folder.path().to_owned()], 0);
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).unwrap().flatten() {
                if entry.file_type().unwrap().is_dir() {
                    folders.push(entry.path());
                    continue;
                }
                let bytes = std::fs::read(entry.path()).unwrap();
                let holds = |secret: &str| bytes.windows(secret.len()).any(|window| window == secret.as_bytes());
                assert!(!secrets.into_iter().any(holds), "{} holds a secret", entry.path().display());
                files += 1;
            }
        }
        assert!(files > 2, "the journal and the cache were not found");
    }
}

impl Drop for Business {
    fn drop(&mut self) {
        if let Some(service) = self.service.take() {
            let _stopped = self.runtime.block_on(service.stop());
        }
    }
}

/// What is asked for while the program is killed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum OperationKind {
    Payment,
    Batch,
    Swap,
    /// By version 1, without a key: it is sent once, and what became of it is found by its reference.
    PaymentV1,
    /// A swap by version 1, likewise.
    InstantSwap,
}

impl OperationKind {
    /// A business of which it can be asked for.
    fn business(self) -> Business {
        let business = Business::new(Vec::new());
        if self == Self::InstantSwap {
            business.pays_by_v1();
        }
        business
    }
}

/// Asks for it; where the program has not ended by then, it shows its orders.
fn makes(terminal: &PtySession, operation: OperationKind, business: &Business) {
    let confirmation = match operation {
        OperationKind::Payment => confirms_a_payment(terminal, "w", "\t"),
        OperationKind::PaymentV1 => confirms_a_payment(terminal, "m", "\t\t"),
        OperationKind::Batch => confirms_a_batch(terminal, business.folder.path(), 2),
        OperationKind::Swap => confirms_a_swap(terminal, "\t\t"),
        // It takes no note.
        OperationKind::InstantSwap => confirms_a_swap(terminal, "\t"),
    };
    if confirmation.is_some() {
        // It shows its orders after that, until something ends it.
        terminal.types("4");
    }
}

/// Makes a swap up to the last key, or until the program has ended; by what is typed between its last field and the button.
fn confirms_a_swap(terminal: &PtySession, behind: &str) -> Option<()> {
    fills_in_a_swap(terminal, behind)?;
    terminal.types("\r");
    confirms_the_swap(terminal)
}

/// Selects the first wallet of the first account; `None` where the program ended.
fn selects_base_ops(terminal: &PtySession) -> Option<()> {
    terminal.comes_to(lists_base_ops_first).then_some(())?;
    terminal.types("\t");
    // Rows may change their order between the look and the key, while values arrive.
    loop {
        terminal.comes_to(lists_base_ops_first).then_some(())?;
        terminal.types("j");
        let shows_wallet = |screen: &str| screen.contains("Balances · ") && !screen.contains("▌All wallets");
        terminal.comes_to(shows_wallet).then_some(())?;
        if terminal.contents().contains("Balances · base-ops") {
            return Some(());
        }
        terminal.types("gk");
    }
}

/// Whether the first read has the list of wallets: wallets that are known from their account alone, by its name, may stand
/// there before.
pub(super) fn lists_base_ops_first(screen: &str) -> bool {
    let below = screen.lines().skip_while(|line| !line.contains("▌All wallets")).nth(1);
    screen.contains("live") && below.is_some_and(|line| line.contains("base-ops"))
}

/// Fills in a swap of 25.5 USDC, up to the button that leads to its review.
pub(super) fn fills_in_a_swap(terminal: &PtySession, behind: &str) -> Option<()> {
    let shows = |text: &str| terminal.shows(text).then_some(());
    selects_base_ops(terminal)?;
    terminal.types("s");
    shows("From wallet    base-ops")?;
    shows("633,927.94")?;
    terminal.types("USDC\t");
    shows("holds")?;
    terminal.types(&format!("25.5\tETH{behind}"));
    shows("about 0.00")
}

/// Types what the review of that swap asks for, and sends.
pub(super) fn confirms_the_swap(terminal: &PtySession) -> Option<()> {
    terminal.shows_a_review_that_takes_keys().then_some(())?;
    let screen = terminal.contents();
    let phrase = screen.split_once("the words “").and_then(|(_, rest)| rest.split_once('”'));
    terminal.types("25.5\r");
    if let Some((phrase, _)) = phrase {
        terminal.types(&format!("{phrase}\r"));
    }
    Some(())
}

/// Makes a payment up to the last key, or until the program has ended; by the key that opens its form, and with what is
/// typed between the recipient and the amount.
pub(super) fn confirms_a_payment(terminal: &PtySession, key: &str, between: &str) -> Option<()> {
    fills_in_by(terminal, key, between)?;
    terminal.types("\r");
    confirms(terminal)
}

/// Pays so many strangers a quarter of USDC each, from a file, up to the last key; `None` where the program ended.
pub(super) fn confirms_a_batch(terminal: &PtySession, folder: &std::path::Path, count: u64) -> Option<()> {
    fills_in_a_batch(terminal, folder, count)?;
    terminal.types("\t\r");
    confirms_the_batch(terminal, count)
}

/// Fills in that batch, up to its rows.
pub(super) fn fills_in_a_batch(terminal: &PtySession, folder: &std::path::Path, count: u64) -> Option<()> {
    let shows = |text: &str| terminal.shows(text).then_some(());
    let path = folder.join("pay.csv");
    let rows = (0..count).map(|number| format!("{},0.25,Crew {number}\n", stranger(number)));
    std::fs::write(&path, format!("address,amount,label\n{}", rows.collect::<String>())).unwrap();
    selects_base_ops(terminal)?;
    terminal.types("b");
    shows("From wallet    base-ops")?;
    shows("633,927.94")?;
    terminal.types("USDC\t");
    shows("holds")?;
    terminal.types(&format!("\t{}\t", path.display()));
    shows(&format!("{count} recipients · "))
}

/// Types what the review of that batch asks for, and sends.
pub(super) fn confirms_the_batch(terminal: &PtySession, count: u64) -> Option<()> {
    terminal.shows_a_review_that_takes_keys().then_some(())?;
    terminal.shows("the number of recipients").then_some(())?;
    let total = count / 4;
    let cents = ["", ".25", ".5", ".75"][usize::try_from(count % 4).unwrap()];
    let screen = terminal.contents();
    terminal.types(&format!("{total}{cents}\r{count}\r"));
    // All get as much, so that the first of them are those of whom characters are asked for.
    for number in (0..count).take_while(|number| screen.contains(&format!("of new {}", number + 1))) {
        let address = stranger(number);
        terminal.types(&format!("{}\r", &address[bursar::guard::challenge_range(&address)]));
    }
    for phrase in screen.split("the words “").skip(1).filter_map(|rest| rest.split_once('”')) {
        terminal.types(&format!("{}\r", phrase.0));
    }
    Some(())
}

/// Fills in a payment of 25.5 USDC to a stranger, up to the button that leads to its review; `None` where the program
/// ended.
pub(super) fn fills_in(terminal: &PtySession) -> Option<()> {
    fills_in_by(terminal, "w", "\t")
}

pub(super) fn fills_in_by(terminal: &PtySession, key: &str, between: &str) -> Option<()> {
    let shows = |text: &str| terminal.shows(text).then_some(());
    selects_base_ops(terminal)?;
    terminal.types(key);
    shows("From wallet    base-ops")?;
    shows("633,927.94")?;
    terminal.types("USDC\t");
    shows("holds")?;
    terminal.types(&format!("{STRANGER}{between}25.5\t\t"));
    shows("25.5")
}

/// Types what the review asks for, and sends; `None` where the program ended.
pub(super) fn confirms(terminal: &PtySession) -> Option<()> {
    terminal.shows_a_review_that_takes_keys().then_some(())?;
    let screen = terminal.contents();
    let phrase = screen.split_once("the words “").and_then(|(_, rest)| rest.split_once('”'));
    terminal.types(&format!("25.5\r{}\r", &STRANGER[challenge_range(STRANGER)]));
    if let Some((phrase, _)) = phrase {
        terminal.types(&format!("{phrase}\r"));
    }
    Some(())
}

/// Moments of the table of the journal, in the program itself.
#[rstest]
fn killed_at_a_moment_of_a_payment_it_pays_once_at_most_and_knows_what_it_knows(
    #[values("within-drafted", "after-sending", "after-send", "after-answer", "within-looked")] moment: &str,
) {
    killed_at(moment, OperationKind::Payment);
}

#[rstest]
#[ignore = "campaign: each moment of each operation"]
fn killed_at_any_moment_of_any_operation_it_pays_once_at_most_and_knows_what_it_knows(
    #[values(
        OperationKind::Payment,
        OperationKind::Batch,
        OperationKind::Swap,
        OperationKind::PaymentV1,
        OperationKind::InstantSwap
    )]
    operation: OperationKind,
) {
    assert_eq!(journal::crash::CRASH_POINTS.len(), 21, "each step of a record has three");
    for moment in journal::crash::CRASH_POINTS {
        killed_at(moment, operation);
    }
}

fn killed_at(moment: &str, operation: OperationKind) {
    let business = operation.business();
    let mut terminal = business.opens(Some(moment));
    makes(&terminal, operation, &business);
    business.sees_it_killed(&mut terminal, moment);
    business.tells_the_truth();
}

/// The answer never comes; who waits for it is killed, and killed again while it is looked for.
#[rstest]
fn killed_again_in_its_recovery_it_still_finds_what_it_paid(
    #[values(("after-send", "within-looked"), ("within-answered", "after-looked"))] (first, second): (&str, &str),
) {
    killed_twice(first, second, OperationKind::Payment);
}

#[rstest]
#[ignore = "campaign: each pair of moments of each operation"]
fn killed_again_in_the_recovery_of_any_operation_it_still_finds_what_it_paid(
    #[values("after-send", "within-answered")] first: &str,
    #[values(
        OperationKind::Payment,
        OperationKind::Batch,
        OperationKind::Swap,
        OperationKind::PaymentV1,
        OperationKind::InstantSwap
    )]
    operation: OperationKind,
) {
    for second in ["before-looked", "within-looked", "after-looked", "within-ended", "after-ended"] {
        killed_twice(first, second, operation);
    }
}

fn killed_twice(first: &str, second: &str, operation: OperationKind) {
    let business = operation.business();
    let mut terminal = business.opens(Some(first));
    makes(&terminal, operation, &business);
    business.sees_it_killed(&mut terminal, first);
    let mut terminal = business.opens(Some(second));
    business.sees_it_killed(&mut terminal, second);
    assert_eq!(business.executions(&business.orders()[0]), 1);
    business.tells_the_truth();
}

/// The service executes a payment and says nothing: it is waited for from here on. A request that is cut off before that
/// is none.
fn waits_for_an_answer(business: &Business) -> PtySession {
    let terminal = business.opens(None);
    confirms_a_payment(&terminal, "w", "\t").expect("the program ended");
    waits_until("the payment is executed", || business.execution_total() > 0);
    terminal
}

pub(super) fn sends(terminal: &PtySession, signal: rustix::process::Signal) {
    let process = rustix::process::Pid::from_raw(terminal.id().try_into().unwrap()).unwrap();
    rustix::process::kill_process(process, signal).unwrap();
}

/// The service executes what it is asked for, and neither its answer nor its history tells of it.
pub(super) fn silent() -> Vec<FaultRule> {
    vec![Fault::NoAnswer { executed: true }.on_changes(), Fault::RowsHidden.on_reads()]
}

/// A screen that is gone tells nothing any more: what was on its way is said below it.
#[test]
fn asked_to_end_while_it_waits_for_an_answer_it_says_what_nobody_knows() {
    let business = Business::new(silent());
    let mut terminal = waits_for_an_answer(&business);
    sends(&terminal, rustix::process::Signal::TERM);
    assert_eq!(terminal.ends().exit_code(), 143);
    terminal.is_whole();
    says_what_was_on_its_way(&terminal);
    business.runtime.block_on(business.service().set_faults(Vec::new()));
    business.tells_the_truth();
}

#[test]
fn left_while_it_waits_for_an_answer_it_says_what_it_waits_for_and_what_nobody_knows() {
    let business = Business::new(silent());
    let mut terminal = waits_for_an_answer(&business);
    terminal.types("\x03");
    terminal.waits_for("If you leave");
    terminal.types("y");
    terminal.waits_for("waiting for the answer to a request that was just sent");
    // Whoever does not want to wait for it.
    sends(&terminal, rustix::process::Signal::INT);
    assert!(terminal.ends().success());
    terminal.is_whole();
    says_what_was_on_its_way(&terminal);
}

fn says_what_was_on_its_way(terminal: &PtySession) {
    let output = String::from_utf8_lossy(&terminal.all_that_was_written()).into_owned();
    let report = output.split("\x1b[?1049l").last().unwrap_or_default().replace(['\r', '\n'], " ");
    let address = bursar::domain::address::format_grouped(STRANGER);
    for text in ["25.5 USDC to", &address, "It was being sent, and its outcome is not known", "the next start looks"] {
        assert!(report.contains(text), "no “{text}” in {report}");
    }
}

/// The service executes it and says nothing, and the power goes.
#[test]
fn killed_while_it_waits_for_an_answer_it_looks_for_the_payment_at_its_next_start() {
    let business = Business::new(vec![Fault::NoAnswer { executed: true }.on_changes()]);
    let mut terminal = waits_for_an_answer(&business);
    sends(&terminal, rustix::process::Signal::KILL);
    assert_eq!(terminal.ends().signal(), Some("Killed"));
    business.runtime.block_on(business.service().set_faults(Vec::new()));
    business.tells_the_truth();
}
