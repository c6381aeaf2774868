//! The first-run page as a [`Program`]: keys into the page, actions to their handler.

use std::sync::Arc;

use crossterm::event::Event;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use tokio::runtime::Handle;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use super::{Flow, Program};
use crate::app::keymap::ctrl;
use crate::app::welcome::{self, SetupAction, SetupResult, Welcome};
use crate::domain::Timestamp;

/// Performs an action, which may take as long as a person takes to unlock a keyring; `None` for one that ends the page.
pub type ActionHandler = dyn Fn(SetupAction) -> Option<SetupResult> + Send + Sync;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WelcomeExit {
    /// To the dashboard, on the profile that has a key now.
    Open,
    Demo,
    Out,
}

pub struct FirstRun {
    page: Welcome,
    doer: Arc<ActionHandler>,
    handle: Handle,
    sender: UnboundedSender<SetupResult>,
    replies: UnboundedReceiver<SetupResult>,
    way: Option<WelcomeExit>,
    changed: bool,
}

impl FirstRun {
    /// `doer` performs actions on blocking threads of `handle`.
    pub fn new(page: Welcome, first: Option<SetupAction>, doer: Arc<ActionHandler>, handle: Handle) -> Self {
        let (sender, replies) = unbounded_channel();
        let mut program = Self { page, doer, handle, sender, replies, way: None, changed: true };
        program.perform(first);
        program
    }

    pub fn way(&self) -> WelcomeExit {
        self.way.unwrap_or(WelcomeExit::Out)
    }

    pub fn page(&self) -> &Welcome {
        &self.page
    }

    fn perform(&mut self, deed: Option<SetupAction>) {
        match deed {
            None => {}
            Some(SetupAction::Open) => self.way = Some(WelcomeExit::Open),
            Some(SetupAction::Demo) => self.way = Some(WelcomeExit::Demo),
            Some(SetupAction::Quit) => self.way = Some(WelcomeExit::Out),
            Some(deed) => {
                let (doer, sender) = (Arc::clone(&self.doer), self.sender.clone());
                self.handle.spawn_blocking(move || {
                    if let Some(reply) = doer(deed) {
                        // The page may have been left meanwhile.
                        let _ = sender.send(reply);
                    }
                });
            }
        }
    }

    fn take(&mut self, reply: SetupResult) {
        self.changed = true;
        let deed = self.page.apply_result(reply);
        self.perform(deed);
    }
}

impl Program for FirstRun {
    fn input(&mut self, event: Event, _now: Timestamp) -> Flow {
        self.changed = true;
        match event {
            Event::Key(key) if key == ctrl('z') => return Flow::Suspend,
            Event::Key(key) => {
                let deed = self.page.key(key);
                self.perform(deed);
            }
            Event::Paste(text) => self.page.paste(&text),
            _ => {}
        }
        if self.way.is_some() { Flow::Quit } else { Flow::Continue }
    }

    async fn answer(&mut self) {
        match self.replies.recv().await {
            Some(reply) => self.take(reply),
            // The sender is this program's own, so that it lives as long as this receiver.
            None => std::future::pending().await,
        }
    }

    fn try_answer(&mut self) -> bool {
        self.replies.try_recv().map(|reply| self.take(reply)).is_ok()
    }

    fn due(&self) -> Option<Timestamp> {
        None
    }

    fn tick(&mut self, _now: Timestamp) {}

    fn changed(&mut self) -> bool {
        std::mem::take(&mut self.changed)
    }

    fn view(&self, area: Rect, buf: &mut Buffer) {
        welcome::view::view(&self.page, area, buf);
    }
}
