//! What comes before the first picture.

use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite};

use super::Session;
use crate::runtime::Program;

/// How long the first picture waits for what it should show.
pub(super) const FIRST_PICTURE: Duration = Duration::from_millis(30);

impl<R, W, P> Session<'_, R, W, P>
where
    R: AsyncRead + Unpin,
    W: AsyncWrite + Unpin,
    P: Program,
{
    /// Waits for what the first picture should show.
    pub(super) async fn settle(&mut self) {
        if self.program.is_settled() {
            return;
        }
        let settled = async {
            // While answers are looked up this thread has nothing to do, and rehearses with what it has: half of what a
            // first picture costs is room and code that are touched for the first time. Whoever looks them up goes first,
            // should both have been given the same processor.
            self.program.answer().await;
            self.take_answers();
            if !self.program.is_settled() {
                std::thread::yield_now();
                self.pump.rehearse(|area, buf| self.program.view(area, buf));
            }
            while !self.program.is_settled() {
                self.program.answer().await;
            }
        };
        let _later_if_not_now = tokio::time::timeout(FIRST_PICTURE, settled).await;
    }
}
