//! [`Program`] for the console.

use crossterm::event::Event;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::Console;
use crate::app::{self, Msg, Size};
use crate::domain::Timestamp;
use crate::domain::watch::Alert;
use crate::runtime::effect_runner::Request;
use crate::runtime::{Flow, Program};

impl Program for Console {
    fn input(&mut self, event: Event, now: Timestamp) -> Flow {
        self.handle_message(Msg::Tick(now));
        let msg = match event {
            Event::Key(key) => Msg::Key(key),
            Event::Paste(text) => Msg::Paste(text),
            Event::FocusGained => Msg::Focus(true),
            Event::FocusLost => Msg::Focus(false),
            Event::Resize(width, height) => Msg::Resized(Size { width, height }),
            Event::Mouse(_) => return Flow::Continue,
        };
        let before = self.asking;
        let request = self.handle_message(msg);
        self.key_asked |= self.asking > before;
        match request {
            None => Flow::Continue,
            Some(Request::Suspend) => Flow::Suspend,
            Some(Request::Quit) => Flow::Quit,
            Some(Request::OpenProfile(name)) => {
                self.next = Some(name);
                Flow::Quit
            }
            Some(Request::Copy(text)) => Flow::Copy(text),
        }
    }

    fn refuse_paste(&mut self, now: Timestamp) {
        self.handle_message(Msg::Tick(now));
        self.handle_message(Msg::PasteTooLong);
    }

    async fn answer(&mut self) {
        self.receive_next().await;
    }

    fn try_answer(&mut self) -> bool {
        match self.deliveries.try_recv() {
            Ok(delivery) => {
                self.take(delivery);
                true
            }
            Err(_) => false,
        }
    }

    fn is_settled(&self) -> bool {
        // A search that counts on after its first rows is not waited for: its rows are what is shown.
        self.asking <= usize::from(self.begun)
    }

    fn awaited(&mut self) -> bool {
        std::mem::take(&mut self.awaited)
    }

    fn due(&self) -> Option<Timestamp> {
        Self::next_due(self)
    }

    fn tick(&mut self, now: Timestamp) {
        self.handle_message(Msg::Tick(now));
        // By now the first frame is on its way, and connecting cannot delay it.
        if !self.model.is_connected {
            self.connect();
        }
    }

    fn alerts(&mut self) -> Vec<(Alert, String)> {
        std::mem::take(&mut self.alerts)
    }

    fn copies(&mut self) -> Vec<String> {
        std::mem::take(&mut self.copies)
    }

    fn changed(&mut self) -> bool {
        std::mem::take(&mut self.changed)
    }

    fn view(&self, area: Rect, buf: &mut Buffer) {
        app::view(&self.model, area, buf);
    }

    fn picture(&self) -> u64 {
        self.pictures
    }

    fn arrived(&mut self, picture: u64, now: Timestamp) {
        if self.unseen.is_some_and(|(_, since)| since <= picture) {
            self.handle_message(Msg::Tick(now));
            self.handle_message(Msg::FrameDrawn);
        }
    }
}
