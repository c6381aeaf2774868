//! `bursar watch`: the watches of a profile without a screen.

mod delivery;
mod notification;
mod state;

use std::sync::Arc;
use std::thread;
use std::time::Duration;

use anyhow::Context as _;
use tokio::runtime::{Builder, Runtime};
use tokio::signal::unix::{SignalKind, signal};

use super::dashboard::{dashboard_settings, open_cache};
use super::{CommandContext, Exit, LogLevel, directory, logging, output, passphrase, run_loop};
use crate::api::Reader;
use crate::app::session::veil::Veil;
use crate::app::{Msg, Settings, Size};
use crate::config::Profile;
use crate::domain::watch::{Watch, WatchEdit};
use crate::domain::{ReadOnlyReason, Timestamp};
use crate::runtime::console::Console;
use crate::runtime::effect_runner::{BalanceBackOffList, ConsoleResources, PayingDisabled, StoreWriteQueue};
use crate::runtime::profile_file::ProfileFile;
use crate::runtime::{Clock, HostPermission, Program};
use crate::secrets::disable_core_dumps;
use crate::store::Store;
use notification::{Notifier, describe};
use state::KeptState;

/// What `bursar watch` may be told.
#[derive(Debug, clap::Args)]
pub(super) struct WatchArguments {
    /// Send one notification to try what `notify` in the profile calls, and end
    #[arg(long)]
    test: bool,
}

/// The longest pause in which nothing is judged: a watch may become stale by time alone.
const LONGEST_PAUSE: Duration = Duration::from_secs(30);
/// How often the profile is read again: its watches may have been changed on the screen.
const PROFILE_PERIOD: Duration = Duration::from_secs(5);
/// The screen that nobody sees: as large as the smallest one with everything on it.
const NO_SCREEN: Size = Size { width: 120, height: 36 };

pub(super) fn run(context: &CommandContext, arguments: &WatchArguments) -> anyhow::Result<Exit> {
    disable_core_dumps();
    logging::log_to_stderr(context.log_level.unwrap_or(LogLevel::Warn));
    let config = context.config()?;
    let profile = config.profile()?;
    let name = &profile.name;
    let vault = passphrase::prompt_passphrase_if_needed(config.vault(profile, &context.environment)?)?;
    let Some(notify) = &profile.notify else {
        anyhow::bail!(
            "nothing to call: write [profiles.{name}.notify] with a command or a url into {}",
            config_path(&config)
        );
    };
    let notifier = Notifier::new(notify, &vault, profile)?;
    let effects = run_loop::effects_runtime(2)?;
    if arguments.test {
        effects.block_on(notifier.send_test(Clock::System.now()))?;
        output::print_line("the test notification was delivered");
        return Ok(Exit::Normally);
    }
    if profile.watches.is_empty() {
        anyhow::bail!(
            "profile {name} has no watches: make one on page ! of the dashboard, or write [[profiles.{name}.watch]]"
        );
    }
    let keys = vault.keys()?;
    let data = config.folders.create_data_folder()?;
    let mut state = KeptState::open(data.join(format!("watch-{name}.json")))?;
    state.retain(&profile.watches);
    let folder = data.join(profile.cache_folder(&keys.api_key));
    let final_statuses = profile.final_statuses();
    let opening = thread::spawn(move || open_cache(folder, final_statuses));
    let settings = dashboard_settings(context, &config, profile, &vault)?;
    let reader = Reader::new(profile.connection(keys.api_key.into_secret(), vault.redaction())?)
        .context("cannot reach the service")?;
    let opened =
        opening.join().map_err(|_panic| anyhow::anyhow!("opening the cache failed because of a fault in bursar"))?;
    let store = opened?.store;
    directory::sync_recorded_imports(&config, profile, &store);
    let ended = watch(context, profile, settings, reading_resources(reader, store.clone()), &effects, notifier, state);
    effects.shutdown_background();
    store.remove_if_temporary();
    ended
}

fn config_path(config: &crate::config::Config) -> String {
    config.folders.config_file().map_or_else(|| "config.toml".into(), |path| path.display().to_string())
}

/// What the console of `bursar watch` works with: it reads, and nothing else.
fn reading_resources(reader: Reader, store: Store) -> ConsoleResources {
    ConsoleResources {
        reader: Arc::new(reader),
        store,
        clock: Clock::System,
        store_queue: StoreWriteQueue::default(),
        balance_back_off: BalanceBackOffList::default(),
        payments: Err(PayingDisabled { reason: ReadOnlyReason::ByCommand, journal: None }),
        host: Some(HostPermission::for_local_operator()),
        profile_file: ProfileFile::default(),
        rows_per_page: ConsoleResources::ROWS_PER_PAGE,
    }
}

fn watch(
    context: &CommandContext,
    profile: &Profile,
    settings: Settings,
    resources: ConsoleResources,
    effects: &Runtime,
    notifier: Notifier,
    state: KeptState,
) -> anyhow::Result<Exit> {
    // Nobody sees the screen: there is nothing to veil.
    let settings = Settings { read_only: Some(ReadOnlyReason::ByCommand), veil: Veil::default(), ..settings };
    let clock = resources.clock.clone();
    let turns = Builder::new_current_thread().enable_all().build().context("cannot start the loop")?;
    turns.block_on(async {
        let mut console = Console::new(settings, resources, effects.handle().clone(), NO_SCREEN)?;
        console.restore_watches(state.alert_states(&profile.watches));
        console.start_collecting_watch_notices();
        output::print_line(&format!("{} watches of {}", profile.watches.len(), profile.display_name()));
        let mut signals = [
            (signal(SignalKind::interrupt())?, 2),
            (signal(SignalKind::terminate())?, 15),
            (signal(SignalKind::hangup())?, 1),
        ];
        let watches = profile.watches.clone();
        let read_at = clock.now();
        let mut watching = Watching { context: context.clone(), console, clock, notifier, state, watches, read_at };
        let [(interrupt, _), (terminate, _), (hang_up, _)] = &mut signals;
        let number = tokio::select! {
            failed = watching.run() => return Err(failed),
            _ = interrupt.recv() => 2,
            _ = terminate.recv() => 15,
            _ = hang_up.recv() => 1,
        };
        Ok(Exit::BySignal(number))
    })
}

struct Watching {
    context: CommandContext,
    console: Console,
    clock: Clock,
    notifier: Notifier,
    state: KeptState,
    /// The watches of the profile, and when they were read.
    watches: Vec<Watch>,
    read_at: Timestamp,
}

impl Watching {
    /// Runs until it fails: the state of the watches must be kept, or a restart would notify again.
    async fn run(&mut self) -> anyhow::Error {
        loop {
            if let Err(error) = self.step().await {
                return error;
            }
        }
    }

    async fn step(&mut self) -> anyhow::Result<()> {
        let now = self.clock.now();
        let timer = Program::next_timer_at(&self.console).map_or(LONGEST_PAUSE, |at| now.age(at));
        let retry = self.state.next_delivery_at().map_or(LONGEST_PAUSE, |at| now.age(at));
        let pause = timer.min(retry).min(LONGEST_PAUSE);
        tokio::select! {
            () = self.console.apply_next_completion() => {}
            () = tokio::time::sleep(pause) => self.console.run_due_timers(self.clock.now()),
        }
        self.console.apply_ready_completions();
        self.read_watches_again();
        for notice in self.console.take_watch_notices() {
            if !notice.watch.is_muted {
                output::print_line(&describe(&notice));
            }
            // Recorded before it is delivered, so that no restart forgets it or reports it again.
            self.state.record(&notice, &self.notifier)?;
        }
        let now = self.clock.now();
        self.deliver_due(now).await
    }

    /// Takes up what was changed of the profile's watches meanwhile. A file that cannot be read changes nothing.
    fn read_watches_again(&mut self) {
        let now = self.clock.now();
        if self.read_at.age(now) < PROFILE_PERIOD {
            return;
        }
        self.read_at = now;
        let config = self.context.config().map_err(anyhow::Error::from);
        let watches = match config.and_then(|config| Ok(config.profile()?.watches.clone())) {
            Ok(watches) => watches,
            Err(error) => return tracing::warn!("the watches were not read again: {error:#}"),
        };
        for edit in WatchEdit::between(&self.watches, &watches) {
            output::print_line(&edit.summary());
            self.console.handle_message(Msg::WatchEdited { edit: Box::new(edit), result: Ok(None) });
        }
        self.state.retain(&watches);
        self.watches = watches;
    }

    async fn deliver_due(&mut self, now: Timestamp) -> anyhow::Result<()> {
        for due in self.state.due_deliveries(now) {
            match self.notifier.deliver(&due, now).await {
                Ok(()) => self.state.remove_delivery(&due)?,
                Err(why) => {
                    tracing::warn!(why, "a notification was not delivered");
                    self.state.postpone_delivery(&due, now)?;
                }
            }
        }
        Ok(())
    }
}
