//! [`Program`] for the console.

use crossterm::event::Event;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::Console;
use crate::app::{self, Msg, Size};
use crate::domain::Timestamp;
use crate::domain::watch::AlertChannels;
use crate::runtime::effect_runner::LoopRequest;
use crate::runtime::{Flow, Program};

impl Program for Console {
    fn input(&mut self, event: Event, now: Timestamp) -> Flow {
        self.handle_message(Msg::InputTime(now));
        let msg = match event {
            Event::Key(key) => Msg::Key(key),
            Event::Paste(text) => Msg::Paste(text),
            Event::FocusGained => Msg::Focus(true),
            Event::FocusLost => Msg::Focus(false),
            Event::Resize(width, height) => Msg::Resized(Size { width, height }),
            Event::Mouse(_) => return Flow::Continue,
        };
        let before = self.queries_under_way;
        let request = self.handle_message(msg);
        self.is_key_query_under_way |= self.queries_under_way > before;
        match request {
            None => Flow::Continue,
            Some(LoopRequest::Suspend) => Flow::Suspend,
            Some(LoopRequest::Quit) => Flow::Quit,
            Some(LoopRequest::OpenProfile(name)) => {
                self.next_profile = Some(name);
                Flow::Quit
            }
            Some(LoopRequest::Copy(text)) => Flow::Copy(text),
        }
    }

    fn refuse_paste(&mut self, now: Timestamp) {
        self.handle_message(Msg::InputTime(now));
        self.handle_message(Msg::PasteTooLong);
    }

    async fn apply_next_result(&mut self) {
        self.apply_next_completion().await;
    }

    fn try_apply_result(&mut self) -> bool {
        match self.completions.try_recv() {
            Ok(completion) => {
                self.apply_completion(completion);
                true
            }
            Err(_) => false,
        }
    }

    fn is_ready_for_first_frame(&self) -> bool {
        // A search that counts on after its first rows is not waited for: its rows are what is shown.
        self.queries_under_way <= usize::from(self.has_first_result)
    }

    fn take_has_result_for_key(&mut self) -> bool {
        std::mem::take(&mut self.has_key_response)
    }

    fn next_timer_at(&self) -> Option<Timestamp> {
        Self::next_poll_at(self)
    }

    fn run_due_timers(&mut self, now: Timestamp) {
        self.handle_message(Msg::Tick(now));
        // By now the first frame is on its way, and connecting cannot delay it.
        if !self.model.data.is_connected {
            self.start_service_reads();
        }
    }

    fn take_alerts(&mut self) -> Vec<(AlertChannels, String)> {
        std::mem::take(&mut self.alerts)
    }

    fn take_clipboard_texts(&mut self) -> Vec<String> {
        std::mem::take(&mut self.clipboard_texts)
    }

    fn take_has_changed(&mut self) -> bool {
        std::mem::take(&mut self.has_changed)
    }

    fn view(&self, area: Rect, buf: &mut Buffer) {
        app::view(&self.model, area, buf);
    }

    fn frame_number(&self) -> u64 {
        self.frame_number
    }

    fn on_frame_displayed(&mut self, frame_number: u64, now: Timestamp) {
        if self.awaited_frame.is_some_and(|(_, since)| since <= frame_number) {
            self.handle_message(Msg::Tick(now));
            self.handle_message(Msg::FrameDrawn);
        }
    }
}
