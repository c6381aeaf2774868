//! The dashboard on the local terminal, for any service.

use std::io::Write;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use tokio::runtime::{Builder, Runtime};
use tokio::signal::unix::{SignalKind, signal};

use super::webhook_start::start_webhooks;
use super::{CommandContext, Exit, appearance, prompt};
use crate::api::{Reader, WebhookOptions};
use crate::app::{Settings, Size};
use crate::config::{self, Profile};
use crate::domain::saved_view::SavedView;
use crate::domain::watch::Watch;
use crate::domain::{DemoSeed, Text, ThemeName};
use crate::runtime::console::Console;
use crate::runtime::effect_runner::{
    BalanceBackOffList, ConsoleResources, PayingDisabled, PaymentContext, StoreWriteQueue, seed_demo,
};
use crate::runtime::export::file::default_folder;
use crate::runtime::profile_file::ProfileFile;
use crate::runtime::{self, Clock, ExitReason, HostPermission, local_terminal};
use crate::secrets::Vault;
use crate::store::Store;

/// How long after its start a console returns freed memory to the system, and the interval of further returns.
const FIRST_MEMORY_RETURN: Duration = Duration::from_secs(10);
const MEMORY_RETURN_INTERVAL: Duration = Duration::from_mins(1);
/// How long the program waits at its end for the journal to record what was decided last.
const RECORDING_PATIENCE: Duration = Duration::from_secs(10);

/// The runtime of effects, apart from the screen's loop: a key never waits for an answer. Two threads are enough for a
/// console: one parses a page of a long history while the other fetches the next; blocking work has its own threads.
pub(super) fn effects_runtime(threads: usize) -> anyhow::Result<Runtime> {
    Builder::new_multi_thread()
        .worker_threads(threads)
        .thread_name("effects")
        .enable_all()
        .build()
        .context("cannot start threads")
}

#[derive(Default)]
pub(super) struct DashboardOptions {
    /// The listener's options and its displayed address.
    pub(super) webhooks: Option<(WebhookOptions, String)>,
    pub(super) views: Vec<SavedView>,
    pub(super) profile_file: ProfileFile,
    pub(super) watches: Vec<Watch>,
    pub(super) notice: Option<String>,
    /// The presenter's cues, in order.
    pub(super) cues: &'static [&'static str],
    pub(super) demo_seed: DemoSeed,
}

#[derive(Debug)]
pub(super) enum DashboardExit {
    Exit(Exit),
    OpenProfile {
        profile: Text,
        /// The current theme, which belongs to the terminal and not to a profile.
        theme: ThemeName,
    },
}

impl DashboardOptions {
    /// Reads the secret of the profile's listener.
    pub(super) fn from_profile(profile: &Profile, vault: &Vault) -> anyhow::Result<Self> {
        let listener_parts =
            |listener: &config::ListenerConfig| anyhow::Ok((listener.webhook_options(vault)?, listener.summary()));
        let listening = profile.listener.as_ref().map(listener_parts);
        Ok(Self {
            webhooks: listening.transpose()?,
            views: profile.views.clone(),
            watches: profile.watches.clone(),
            ..Self::default()
        })
    }
}

pub(super) fn run_dashboard(
    context: &CommandContext,
    effects: &Runtime,
    settings: Settings,
    reader: Reader,
    store: Store,
    paying: Result<PaymentContext, PayingDisabled>,
    duty: DashboardOptions,
) -> anyhow::Result<DashboardExit> {
    let dialect = appearance::terminal_dialect(&context.environment)?;
    // The reason why paying is disabled is shown wherever an operator tries to pay.
    let settings = Settings { read_only: paying.as_ref().err().map(|barred| barred.reason.clone()), ..settings };
    let clock = Clock::System;
    let DashboardOptions {
        webhooks: listening,
        views,
        profile_file,
        watches,
        notice: opening_notice,
        cues,
        demo_seed: staged,
    } = duty;
    let world = ConsoleResources {
        reader: Arc::new(reader),
        store,
        clock: clock.clone(),
        store_queue: StoreWriteQueue::default(),
        balance_back_off: BalanceBackOffList::default(),
        payments: paying,
        host: Some(HostPermission::for_local_operator()),
        profile_file,
        rows_per_page: ConsoleResources::ROWS_PER_PAGE,
    };
    effects.spawn(async {
        let mut pause = FIRST_MEMORY_RETURN;
        loop {
            tokio::time::sleep(pause).await;
            bursar_heap::give_back();
            pause = MEMORY_RETURN_INTERVAL;
        }
    });
    let sample_order = effects.block_on(seed_demo(&world, staged));
    let sample_order =
        sample_order.map_err(|reason| anyhow::anyhow!("the scene cannot be prepared: {}", reason.detail))?;
    let turns = Builder::new_current_thread().enable_all().build().context("cannot start the loop")?;
    let (ending, next) = turns.block_on(async {
        let (width, height) = local_terminal::terminal_size();
        let mut console = Console::new(settings, world, effects.handle().clone(), Size { width, height })?;
        console.set_views(views);
        console.set_watches(watches);
        console.set_export_folder(default_folder(&HostPermission::for_local_operator()));
        console.set_unresolved_demo_order(sample_order);
        console.show_presenter_cues(cues);
        console.set_clipboard(dialect.clipboard);
        if let Some(notice) = opening_notice {
            console.show_notice(notice);
        }
        let _listens_while_it_lives = match listening {
            Some((listening, endpoint)) => Some(start_webhooks(&mut console, effects, listening, endpoint).await),
            None => None,
        };
        let screen = local_terminal::open_terminal(dialect)?;
        prompt::release_signals();
        let ending = runtime::run_program(screen, &clock, &mut console).await;
        // A disk that hangs does not hold the program up for ever.
        let _may_take_too_long = tokio::time::timeout(RECORDING_PATIENCE, console.finish_recording_decisions()).await;
        // The screen is gone, and with it its report of orders under way.
        console.apply_ready_completions();
        let waited_for = console.orders_awaiting_response();
        if ending == ExitReason::Quit && console.is_sending() {
            finish_sending(&mut console).await;
        }
        for line in console.order_exit_messages(&waited_for) {
            print_to_stderr(&line);
        }
        anyhow::Ok((ending, (console.next_profile().cloned(), console.model().console.appearance.theme)))
    })?;
    Ok(match (exit_status(ending)?, next) {
        (Exit::Normally, (Some(profile), theme)) => DashboardExit::OpenProfile { profile, theme },
        (ended, _) => DashboardExit::Exit(ended),
    })
}

pub(super) fn exit_status(ending: ExitReason) -> anyhow::Result<Exit> {
    Ok(match ending {
        ExitReason::Quit => Exit::Normally,
        ExitReason::Signal(number) => Exit::BySignal(number),
        // A closed terminal ends the program as SIGHUP does.
        ExitReason::Closed => Exit::BySignal(1),
        ExitReason::Panicked => anyhow::bail!("this is a fault in bursar; the message above says where"),
    })
}

/// Waits for the answer to a request that was just sent, so that the next start need not look it up. Ctrl-C stops the
/// waiting. After a signal there is none: the journal records that the request left.
async fn finish_sending(console: &mut Console) {
    // Signals are caught before the message about Ctrl-C.
    let kinds = [SignalKind::interrupt(), SignalKind::terminate(), SignalKind::hangup()];
    let mut signals: Vec<_> = kinds.into_iter().filter_map(|kind| signal(kind).ok()).collect();
    print_to_stderr(
        "waiting for the answer to a request that was just sent; Ctrl-C stops waiting, and the next start looks for the payment",
    );
    let asked_to_end = async {
        let next_signals = signals.iter_mut().map(|signal| Box::pin(signal.recv()));
        futures::future::select_all(next_signals).await;
    };
    tokio::select! {
        () = console.finish_sending() => {}
        () = asked_to_end => {}
    }
}

fn print_to_stderr(message: &str) {
    let _stderr_may_be_gone = writeln!(std::io::stderr(), "bursar: {message}");
}
