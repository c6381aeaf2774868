//! The wait before the first frame.

use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite};

use super::TerminalSession;
use crate::runtime::Program;

/// How long the first frame waits for its data.
pub(super) const INITIAL_DATA_TIMEOUT: Duration = Duration::from_millis(30);

impl<R, W, P> TerminalSession<'_, R, W, P>
where
    R: AsyncRead + Unpin,
    W: AsyncWrite + Unpin,
    P: Program,
{
    pub(super) async fn wait_for_initial_data(&mut self) {
        if self.program.is_ready_for_first_frame() {
            return;
        }
        let settled = async {
            while !self.program.is_ready_for_first_frame() {
                self.program.apply_next_result().await;
            }
        };
        let _later_if_not_now = tokio::time::timeout(INITIAL_DATA_TIMEOUT, settled).await;
    }
}
