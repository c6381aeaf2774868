//! The console as a [`Program`]: messages into the model, effects out of it.

mod program;

use std::io;
use std::sync::Arc;
use std::time::Duration;

use tokio::runtime::Handle;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use super::completion::{Completion, EffectKind};
use super::effect_runner::{ConsoleResources, EffectRunner, LoopRequest};
use super::host_permission::{NO_SHELL_MESSAGE, VISITOR_MAY_NOT_SWITCH_PROFILE};
use super::{Program, store_worker};
use crate::api::HintSink;
use crate::app::pages::Tone;
use crate::app::pages::orders::exit_summary::exit_message;
use crate::app::session::events::EventKind;
use crate::app::session::views::SavedViews;
use crate::app::session::watches::WatchList;
use crate::app::{self, Effect, Model, Msg, Settings, Size, StoreQuery};
use crate::domain::saved_view::SavedView;
use crate::domain::watch::{AlertChannels, AlertState, Watch, WatchNotice};
use crate::domain::{Appearance, ClipboardRoute, Network, OrderId, Text, Timestamp};

pub struct Console {
    model: Model,
    effect_runner: EffectRunner,
    completions: UnboundedReceiver<Completion>,
    sender: UnboundedSender<Completion>,
    reads_under_way: usize,
    queries_under_way: usize,
    /// Whether the store query in progress has had a first result.
    has_first_result: bool,
    order_tasks_under_way: usize,
    exports_under_way: usize,
    /// Whether a key caused a store query that is not yet complete.
    is_key_query_under_way: bool,
    /// See [`Program::take_has_result_for_key`].
    has_key_response: bool,
    has_changed: bool,
    /// The number of the current frame; and what the model waits to have displayed, with the first frame that shows it.
    frame_number: u64,
    awaited_frame: Option<(u64, u64)>,
    request: Option<LoopRequest>,
    /// The profile to open next, if the operator left for one.
    next_profile: Option<Text>,
    alerts: Vec<(AlertChannels, String)>,
    /// Changes of watches, where somebody takes them.
    watch_notices: Option<Vec<WatchNotice>>,
    /// Texts for the terminal's clipboard, from completed effects.
    clipboard_texts: Vec<String>,
}

impl Console {
    /// Runs the first store queries at once; reads from the service begin with [`Console::start_service_reads`].
    pub fn new(settings: Settings, resources: ConsoleResources, handle: Handle, size: Size) -> io::Result<Self> {
        let (sender, completions) = unbounded_channel();
        let mut model = Model::new(settings, size, resources.clock.now());
        // Data of an earlier session is on screen at once; a store that fails here reports so at its first query.
        model.data.progress = resources.store.progress().unwrap_or_default();
        model.console.is_visit = resources.host.is_none();
        model.console.has_own_cache = resources.store.is_temporary() && !model.console.identity.demo;
        if model.console.has_own_cache {
            let message =
                "another bursar uses this service's cache; this one uses a temporary cache, deleted at the end";
            model.notice = Some(message.into());
        }
        model.console.key_mark = resources.reading_key_mark().cloned().unwrap_or_default();
        model.console.has_separate_keys = resources.payments.as_ref().is_ok_and(|paying| paying.separate_keys);
        model.data.cached_as_of = resources.store.newest_rows_synced_at().unwrap_or_default();
        let store = resources.store.clone();
        let effect_runner = EffectRunner::new(resources, handle, sender.clone())?;
        let mut console = Self {
            model,
            effect_runner,
            completions,
            sender,
            reads_under_way: 0,
            queries_under_way: 0,
            has_first_result: false,
            order_tasks_under_way: 0,
            exports_under_way: 0,
            is_key_query_under_way: false,
            has_key_response: false,
            has_changed: true,
            frame_number: 0,
            awaited_frame: None,
            request: None,
            next_profile: None,
            alerts: Vec::new(),
            watch_notices: None,
            clipboard_texts: Vec::new(),
        };
        let identity = &console.model.console.identity;
        let environment = identity.environment.map_or("environment not set", Network::name);
        let reads = if console.model.console.read_only.is_some() { ", read-only" } else { "" };
        let message = format!("opened: {}, {environment}{reads}", identity.name);
        console.log_event(message);
        for effect in app::start(&mut console.model) {
            // All other queries depend on the accounts, whose query takes less time than waking a thread.
            if let Effect::QueryStore { query: StoreQuery::Accounts, request_id } = effect {
                let answer = store_worker::query_accounts(&store);
                console.handle_message(Msg::StoreAnswered { request_id, answer });
            } else {
                console.run_effects(vec![effect]);
            }
        }
        Ok(console)
    }

    /// Starts to read from the service.
    pub fn start_service_reads(&mut self) {
        let effects = app::connect(&mut self.model);
        self.run_effects(effects);
    }

    pub fn webhook_sink(&self) -> HintSink {
        let tell = self.message_sink();
        Arc::new(move |hints| tell(Msg::Hints(hints)))
    }

    /// Sends messages from outside into the console, for as long as it lives.
    pub fn message_sink(&self) -> impl Fn(Msg) + Send + Sync + 'static {
        let completions = self.sender.clone();
        move |message| {
            // Sending fails only when the console ends.
            let _ = completions.send(Completion::Message(message));
        }
    }

    /// Sets the saved views. To be called before reading begins.
    pub fn set_views(&mut self, views: Vec<SavedView>) {
        self.model.session.views = SavedViews::new(views);
    }

    /// Proposes a folder for exports, until another one was used.
    pub fn set_export_folder(&mut self, folder: &str) {
        folder.clone_into(&mut self.model.overlays.exports.folder);
    }

    /// Names the payment of a demo whose outcome is unknown when it opens.
    pub fn set_unresolved_demo_order(&mut self, order: Option<OrderId>) {
        self.model.send_tracker.sample_order = order;
    }

    /// Sets the operator's watches. To be called before reading begins.
    pub fn set_watches(&mut self, watches: Vec<Watch>) {
        self.model.session.watches = WatchList::new(watches);
    }

    /// The same with states of an earlier run.
    pub fn restore_watches(&mut self, watches: Vec<(Watch, AlertState)>) {
        self.model.session.watches = WatchList::with_alert_states(watches);
    }

    /// Collects the changes of watches from now on.
    pub fn start_collecting_watch_notices(&mut self) {
        self.watch_notices = Some(Vec::new());
    }

    /// The changes of watches since the last call.
    pub fn take_watch_notices(&mut self) -> Vec<WatchNotice> {
        self.watch_notices.as_mut().map(std::mem::take).unwrap_or_default()
    }

    /// Sets the clipboard's route, so that messages about copying are true.
    pub fn set_clipboard(&mut self, clipboard: ClipboardRoute) {
        self.model.console.clipboard = clipboard;
    }

    /// Adopts the abilities of another terminal. The theme remains the one that was chosen.
    pub fn set_terminal_abilities(&mut self, appearance: Appearance) {
        self.model.console.appearance = Appearance { theme: self.model.console.appearance.theme, ..appearance };
        self.has_changed = true;
    }

    pub fn log_event(&mut self, message: String) {
        self.model.record_event(EventKind::Console, Tone::Text, message);
    }

    /// Shows a message until the next key, and records it. While the veil is on, only the existence of a message is
    /// shown: its text may contain names, and the Events page shows it when the veil is lifted.
    pub fn show_notice(&mut self, message: String) {
        let is_veiled = self.model.session.veil.is_on();
        self.show_unmasked_notice(message);
        if is_veiled {
            self.model.notice = Some(app::session::veil::WITHHELD_MESSAGE.to_owned());
        }
    }

    /// Shows a message without names or figures, even while the veil is on.
    pub fn show_unmasked_notice(&mut self, message: String) {
        self.model.notice = Some(message.clone());
        self.model.record_event(EventKind::Console, Tone::Warn, message);
    }

    /// Shows a presenter the first cue, even while the veil is on, and records all cues as events.
    pub fn show_presenter_cues(&mut self, cues: &[&str]) {
        let Some((first, others)) = cues.split_first() else { return };
        for cue in others.iter().rev().chain([first]) {
            self.model.record_event(EventKind::Cue, Tone::Warn, (*cue).to_owned());
        }
        self.model.notice = Some((*first).to_owned());
    }

    /// Sets the screen's size before the loop reports it.
    pub fn resize(&mut self, size: Size) {
        self.handle_message(Msg::Resized(size));
    }

    pub fn next_profile(&self) -> Option<&Text> {
        self.next_profile.as_ref()
    }

    pub fn model(&self) -> &Model {
        &self.model
    }

    pub fn pending_effect_count(&self) -> usize {
        self.reads_under_way + self.queries_under_way + self.order_tasks_under_way + self.exports_under_way
    }

    /// Waits until the journal has recorded what the operator decided last.
    pub async fn finish_recording_decisions(&self) {
        if let Some(records) = self.effect_runner.journal_write_tasks() {
            records.close();
            records.wait().await;
        }
    }

    /// Whether an answer to a sent request is awaited, or is still to be recorded.
    pub fn is_sending(&self) -> bool {
        self.effect_runner.send_tasks().is_some_and(|sendings| !sendings.is_empty())
    }

    /// Waits for these answers and their records. It ends, since every send times out; quitting without it loses only
    /// the answer: the journal has recorded that the request was sent.
    pub async fn finish_sending(&mut self) {
        if let Some(sendings) = self.effect_runner.send_tasks() {
            sendings.close();
            sendings.wait().await;
        }
        // Their completions have arrived by now.
        self.apply_ready_completions();
    }

    pub fn apply_ready_completions(&mut self) {
        while self.try_apply_result() {}
    }

    pub fn orders_awaiting_response(&self) -> Vec<OrderId> {
        app::orders::awaited_orders(&self.model).collect()
    }

    /// One line for each order, printed after the screen is restored.
    pub fn order_exit_messages(&self, orders: &[OrderId]) -> Vec<String> {
        orders.iter().map(|id| exit_message(&self.model, *id)).collect()
    }

    /// Applies a message; returns a request for the loop, if any.
    pub fn handle_message(&mut self, msg: Msg) -> Option<LoopRequest> {
        #[cfg(debug_assertions)]
        panic_on_test_key(&msg);
        self.has_changed = true;
        self.frame_number += 1;
        let effects = app::update(&mut self.model, msg);
        let frame_of = |version: u64| self.awaited_frame.filter(|(before, _)| *before == version);
        self.awaited_frame = self
            .model
            .review_version_to_draw()
            .map(|version| frame_of(version).unwrap_or((version, self.frame_number)));
        self.run_effects(effects);
        self.request.take()
    }

    /// Waits for the next completion and applies it. Cancel-safe.
    pub async fn apply_next_completion(&mut self) {
        match self.completions.recv().await {
            Some(completion) => self.apply_completion(completion),
            // The effect runner is this console's own, so that its sender lives as long as this receiver.
            None => std::future::pending().await,
        }
    }

    pub fn next_poll_at(&self) -> Option<Timestamp> {
        app::data::poll::next_due(&self.model)
    }

    /// Applies what the store returns at once, so that the first frame is a useful one. Results that take longer than
    /// `patience` arrive later, and so do all of the service's.
    pub async fn wait_for_initial_store_data(&mut self, patience: Duration) {
        let settled = async {
            while !self.is_ready_for_first_frame() {
                self.apply_next_completion().await;
            }
        };
        let _later_if_not_now = tokio::time::timeout(patience, settled).await;
    }

    fn apply_completion(&mut self, completion: Completion) {
        match completion {
            Completion::Message(msg) => {
                let is_store_result = matches!(msg, Msg::StoreAnswered { .. });
                self.has_first_result |= is_store_result;
                // Only an operator's action requests these.
                let is_requested_by_key = matches!(
                    msg,
                    Msg::RawLoaded { .. } | Msg::Prepared { .. } | Msg::Sent { .. } | Msg::Unlocked { .. }
                );
                self.has_key_response |= is_requested_by_key || is_store_result && self.is_key_query_under_way;
                // No result makes any other request of the loop.
                if let Some(LoopRequest::Copy(text)) = self.handle_message(msg) {
                    // The latest text wins, as it would on the clipboard.
                    self.clipboard_texts = vec![text];
                }
            }
            Completion::Done(EffectKind::NetworkRead) => self.reads_under_way = self.reads_under_way.saturating_sub(1),
            Completion::Done(EffectKind::Export) => self.exports_under_way = self.exports_under_way.saturating_sub(1),
            Completion::Done(EffectKind::OrderWork) => {
                self.order_tasks_under_way = self.order_tasks_under_way.saturating_sub(1);
            }
            Completion::Done(EffectKind::StoreQuery) => {
                self.queries_under_way = self.queries_under_way.saturating_sub(1);
                self.has_first_result = false;
                self.is_key_query_under_way &= self.queries_under_way > 0;
            }
        }
    }

    fn run_effects(&mut self, effects: Vec<Effect>) {
        for effect in effects {
            if let Effect::ReportWatch(notice) = effect {
                self.watch_notices.iter_mut().for_each(|notices| notices.push((*notice).clone()));
                continue;
            }
            if let Effect::Alert { alert, text } = effect {
                self.alerts.push((alert, text));
                continue;
            }
            match self.effect_runner.run_effect(effect) {
                Ok(EffectKind::NetworkRead) => self.reads_under_way += 1,
                Ok(EffectKind::StoreQuery) => self.queries_under_way += 1,
                Ok(EffectKind::OrderWork) => self.order_tasks_under_way += 1,
                Ok(EffectKind::Export) => self.exports_under_way += 1,
                Err(LoopRequest::Suspend) if !self.effect_runner.is_at_host() => {
                    self.model.notice = Some(NO_SHELL_MESSAGE.into());
                }
                Err(LoopRequest::OpenProfile(_)) if !self.effect_runner.is_at_host() => {
                    self.model.notice = Some(VISITOR_MAY_NOT_SWITCH_PROFILE.into());
                }
                Err(request) => self.request = Some(request),
            }
        }
    }
}

/// Panics at the key named by `BURSAR_PANIC_ON`, so that tests can observe a panic. Not in a release build.
#[cfg(debug_assertions)]
fn panic_on_test_key(msg: &Msg) {
    use crossterm::event::{KeyCode, KeyEvent};
    if let Msg::Key(KeyEvent { code: KeyCode::Char(key), .. }) = msg
        && std::env::var("BURSAR_PANIC_ON").is_ok_and(|key_name| key_name == key.to_string())
    {
        #[expect(clippy::panic, reason = "this is what it is for")]
        {
            panic!("a panic was asked for");
        }
    }
}
