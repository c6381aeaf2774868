//! Paints a frame when one is requested and the terminal has caught up with the last.
//!
//! Each frame ends with the query `CSI 5 n`. The response means that the terminal has processed all output so far,
//! whatever lies in between: a slow connection loses frames, never keys. A terminal that has not responded after a
//! second is given up, one that has responded before after ten; then a frame follows when the last one has been
//! written.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use tokio::time::Instant;

use super::encoder::{Dialect, Encoder};

const STATUS_QUERY: &[u8] = b"\x1b[5n";

/// How long the first response may take: later, most likely none will come.
const FIRST_RESPONSE_TIMEOUT: Duration = Duration::from_secs(1);

/// How long a response may take from a terminal that has responded before. Behind a phone a full frame may need this.
const NEXT_RESPONSE_TIMEOUT: Duration = Duration::from_secs(10);

/// The least time between frames that do not respond to a key.
const MIN_FRAME_INTERVAL: Duration = Duration::from_millis(16);

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Urgency {
    /// At a calm pace: data arrived.
    Soon,
    /// At once: a key was pressed.
    Now,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum AckSupport {
    /// Not known yet.
    Unknown,
    Supported,
    /// The terminal did not respond in time.
    Missing,
}

/// Decides when the next frame may be painted, and encodes it.
#[derive(Debug)]
pub struct FramePump {
    encoder: Encoder,
    area: Rect,
    /// The buffer of the next frame: blank, and as large as the area, or empty.
    next: Buffer,
    requested: Option<Urgency>,
    ack_support: AckSupport,
    /// The number of queries without a response; shared with the code that drains responses at the end.
    unanswered_query_count: Arc<AtomicU32>,
    painted: Option<Instant>,
}

impl FramePump {
    /// `open` is the shared number of queries without a response.
    pub fn new(dialect: Dialect, width: u16, height: u16, unanswered_query_count: Arc<AtomicU32>) -> Self {
        Self {
            encoder: Encoder::new(dialect),
            area: Rect::new(0, 0, width, height),
            next: Buffer::default(),
            requested: Some(Urgency::Now),
            ack_support: AckSupport::Unknown,
            unanswered_query_count,
            painted: None,
        }
    }

    pub fn request_frame(&mut self, haste: Urgency) {
        self.requested = self.requested.max(Some(haste));
    }

    pub fn resize(&mut self, width: u16, height: u16) {
        self.area = Rect::new(0, 0, width, height);
        self.next = Buffer::default();
        self.repaint();
    }

    /// The terminal shows something else: the next frame clears it and paints everything.
    pub fn repaint(&mut self) {
        self.encoder.invalidate();
        self.request_frame(Urgency::Now);
    }

    /// Queries from before the terminal was left get no response any more.
    pub fn reset_queries(&mut self) {
        self.unanswered_query_count.store(0, Ordering::Relaxed);
        self.repaint();
    }

    pub fn on_acknowledged(&mut self) {
        self.ack_support = AckSupport::Supported;
        let fewer = self.unanswered_query_count.load(Ordering::Relaxed).saturating_sub(1);
        self.unanswered_query_count.store(fewer, Ordering::Relaxed);
    }

    /// When the next frame may be painted, if one is requested; `None` also while output is being written.
    pub fn next_frame_at(&self, written: bool, now: Instant) -> Option<Instant> {
        let haste = self.requested.filter(|_| written)?;
        let calm = match (haste, self.painted) {
            (Urgency::Soon, Some(painted)) => painted + MIN_FRAME_INTERVAL,
            _ => now,
        };
        Some(calm.max(self.response_deadline().unwrap_or(now)))
    }

    /// When the response to the last frame times out, if one is awaited.
    fn response_deadline(&self) -> Option<Instant> {
        let patience = match self.ack_support {
            AckSupport::Unknown => FIRST_RESPONSE_TIMEOUT,
            AckSupport::Supported => NEXT_RESPONSE_TIMEOUT,
            AckSupport::Missing => return None,
        };
        self.painted
            .filter(|_| self.unanswered_query_count.load(Ordering::Relaxed) > 0)
            .map(|painted| painted + patience)
    }

    /// When the last frame, once written, counts as displayed: now, or while its response is awaited, at the time-out.
    pub fn counts_as_shown_at(&self, now: Instant) -> Instant {
        self.response_deadline().unwrap_or(now)
    }

    /// Paints the next frame and appends its changes. Appends nothing if the frame is the same.
    pub fn draw_frame(&mut self, now: Instant, out: &mut Vec<u8>, paint: impl FnOnce(Rect, &mut Buffer)) {
        if self.response_deadline().is_some_and(|given_up| given_up <= now) {
            self.ack_support = AckSupport::Missing;
            self.unanswered_query_count.store(0, Ordering::Relaxed);
        }
        self.requested = None;
        self.next.resize(self.area);
        // What the buffer held before must not shine through. Cleared here, it is at hand for what paints it next.
        self.next.reset();
        paint(self.area, &mut self.next);
        let before = out.len();
        self.encoder.encode_frame(&mut self.next, out);
        if out.len() > before {
            out.extend_from_slice(STATUS_QUERY);
            let more = if self.ack_support == AckSupport::Missing {
                1
            } else {
                self.unanswered_query_count.load(Ordering::Relaxed) + 1
            };
            self.unanswered_query_count.store(more, Ordering::Relaxed);
            self.painted = Some(now);
        }
    }
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "a pump is told the time; these tests need some to tell")]
mod tests {
    use super::{
        AtomicU32, Buffer, Dialect, Duration, FramePump, Instant, MIN_FRAME_INTERVAL, NEXT_RESPONSE_TIMEOUT, Rect,
        Urgency,
    };

    fn pump() -> FramePump {
        FramePump::new(Dialect::FULL, 20, 2, AtomicU32::new(0).into())
    }

    fn draw_text(text: &'static str) -> impl FnOnce(Rect, &mut Buffer) {
        move |area, buf| {
            buf.set_string(area.x, area.y, text, ratatui::style::Style::new());
        }
    }

    #[test]
    fn a_frame_waits_for_the_answer_to_the_last() {
        let (mut pump, now, mut out) = (pump(), Instant::now(), Vec::new());
        assert_eq!(pump.next_frame_at(true, now), Some(now));
        pump.draw_frame(now, &mut out, draw_text("one"));
        assert!(out.ends_with(b"one\x1b[5n"));
        assert_eq!(pump.next_frame_at(true, now), None, "nothing is wanted");
        pump.request_frame(Urgency::Now);
        assert_eq!(pump.next_frame_at(true, now), Some(now + Duration::from_secs(1)));
        pump.on_acknowledged();
        assert_eq!(pump.next_frame_at(true, now), Some(now));
        assert_eq!(pump.next_frame_at(false, now), None, "the last frame is still being written");
    }

    #[test]
    fn the_same_picture_asks_nothing() {
        let (mut pump, now, mut out) = (pump(), Instant::now(), Vec::new());
        pump.draw_frame(now, &mut out, draw_text("one"));
        pump.on_acknowledged();
        out.clear();
        pump.draw_frame(now, &mut out, draw_text("one"));
        assert_eq!(out, b"");
        pump.request_frame(Urgency::Now);
        assert_eq!(pump.next_frame_at(true, now), Some(now));
    }

    #[test]
    fn news_keep_a_calm_pace_and_keys_do_not() {
        let (mut pump, now, mut out) = (pump(), Instant::now(), Vec::new());
        pump.draw_frame(now, &mut out, draw_text("one"));
        pump.on_acknowledged();
        pump.request_frame(Urgency::Soon);
        assert_eq!(pump.next_frame_at(true, now), Some(now + MIN_FRAME_INTERVAL));
        pump.request_frame(Urgency::Now);
        pump.request_frame(Urgency::Soon);
        assert_eq!(pump.next_frame_at(true, now), Some(now));
    }

    #[test]
    fn a_terminal_that_never_answers_is_given_up_until_it_does() {
        let (mut pump, now, mut out) = (pump(), Instant::now(), Vec::new());
        pump.draw_frame(now, &mut out, draw_text("one"));
        let later = now + Duration::from_secs(1);
        pump.draw_frame(later, &mut out, draw_text("two"));
        pump.request_frame(Urgency::Now);
        assert_eq!(pump.next_frame_at(true, later), Some(later), "no answer is waited for any more");
        pump.on_acknowledged();
        pump.draw_frame(later, &mut out, draw_text("three"));
        pump.request_frame(Urgency::Now);
        assert_eq!(pump.next_frame_at(true, later), Some(later + NEXT_RESPONSE_TIMEOUT), "it answers after all");
    }

    #[test]
    fn a_resized_terminal_is_painted_afresh() {
        let (mut pump, now, mut out) = (pump(), Instant::now(), Vec::new());
        pump.draw_frame(now, &mut out, draw_text("one"));
        pump.on_acknowledged();
        pump.resize(30, 3);
        pump.resize(10, 2);
        assert_eq!(pump.next_frame_at(true, now), Some(now));
        out.clear();
        pump.draw_frame(now, &mut out, draw_text("one"));
        assert_eq!(String::from_utf8_lossy(&out), "\x1b[m\x1b[H\x1b[2Jone\x1b[5n");
    }
}
