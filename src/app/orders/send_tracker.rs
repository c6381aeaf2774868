use std::collections::HashMap;

use crate::domain::{OrderId, Text};

/// What this run of the program sent, and whether it may go on sending.
#[derive(Debug, Clone, Default)]
pub struct SendTracker {
    /// Orders that this run sent, with how often.
    pub(super) sent_by_this_run: HashMap<OrderId, SendRecord>,
    /// Why nothing is sent until the operator resumes: the service rejected the key of a change.
    pub(super) stop_reason: Option<Text>,
    /// The payment that the demo sent to show an unknown outcome. It is nobody's money: leaving does not ask about it.
    pub sample_order: Option<OrderId>,
}

#[derive(Debug, Clone, Copy, Default)]
pub(super) struct SendRecord {
    pub(super) attempts: usize,
    pub(super) under_way: bool,
    /// Whether automatic resending has ended.
    pub(super) has_stopped_resending: bool,
}
