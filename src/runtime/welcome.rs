//! The first-run page as a [`Program`]: keys into the page, actions to their handler.

use std::sync::Arc;

use crossterm::event::Event;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use tokio::runtime::Handle;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use super::{Flow, Program};
use crate::app::input::keymap::ctrl;
use crate::app::pages::welcome::{self, SetupAction, SetupResult, Welcome};
use crate::domain::Timestamp;

/// Performs an action, which may take as long as a person takes to unlock a keyring; `None` for one that ends the page.
pub type ActionHandler = dyn Fn(SetupAction) -> Option<SetupResult> + Send + Sync;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WelcomeExit {
    /// To the dashboard, on the profile that has a key now.
    OpenDashboard,
    Demo,
    Quit,
}

pub struct WelcomeProgram {
    page: Welcome,
    action_handler: Arc<ActionHandler>,
    handle: Handle,
    sender: UnboundedSender<SetupResult>,
    replies: UnboundedReceiver<SetupResult>,
    exit: Option<WelcomeExit>,
    has_changed: bool,
}

impl WelcomeProgram {
    /// `doer` performs actions on blocking threads of `handle`.
    pub fn new(page: Welcome, first: Option<SetupAction>, doer: Arc<ActionHandler>, handle: Handle) -> Self {
        let (sender, replies) = unbounded_channel();
        let mut program = Self { page, action_handler: doer, handle, sender, replies, exit: None, has_changed: true };
        program.run_action(first);
        program
    }

    pub fn exit(&self) -> WelcomeExit {
        self.exit.unwrap_or(WelcomeExit::Quit)
    }

    pub fn page(&self) -> &Welcome {
        &self.page
    }

    fn run_action(&mut self, deed: Option<SetupAction>) {
        match deed {
            None => {}
            Some(SetupAction::Open) => self.exit = Some(WelcomeExit::OpenDashboard),
            Some(SetupAction::Demo) => self.exit = Some(WelcomeExit::Demo),
            Some(SetupAction::Quit) => self.exit = Some(WelcomeExit::Quit),
            Some(deed) => {
                let (doer, sender) = (Arc::clone(&self.action_handler), self.sender.clone());
                self.handle.spawn_blocking(move || {
                    if let Some(reply) = doer(deed) {
                        // The page may have been left meanwhile.
                        let _ = sender.send(reply);
                    }
                });
            }
        }
    }

    fn apply_result(&mut self, reply: SetupResult) {
        self.has_changed = true;
        let deed = self.page.apply_result(reply);
        self.run_action(deed);
    }
}

impl Program for WelcomeProgram {
    fn input(&mut self, event: Event, _now: Timestamp) -> Flow {
        self.has_changed = true;
        match event {
            Event::Key(key) if key == ctrl('z') => return Flow::Suspend,
            Event::Key(key) => {
                let deed = self.page.handle_key(key);
                self.run_action(deed);
            }
            Event::Paste(text) => self.page.paste(&text),
            Event::FocusGained | Event::FocusLost | Event::Mouse(_) | Event::Resize(..) => {}
        }
        if self.exit.is_some() { Flow::Quit } else { Flow::Continue }
    }

    async fn apply_next_result(&mut self) {
        match self.replies.recv().await {
            Some(reply) => self.apply_result(reply),
            // The sender is this program's own, so that it lives as long as this receiver.
            None => std::future::pending().await,
        }
    }

    fn try_apply_result(&mut self) -> bool {
        self.replies.try_recv().map(|reply| self.apply_result(reply)).is_ok()
    }

    fn next_timer_at(&self) -> Option<Timestamp> {
        None
    }

    fn run_due_timers(&mut self, _now: Timestamp) {}

    fn take_has_changed(&mut self) -> bool {
        std::mem::take(&mut self.has_changed)
    }

    fn view(&self, area: Rect, buf: &mut Buffer) {
        welcome::view::view(&self.page, area, buf);
    }
}
