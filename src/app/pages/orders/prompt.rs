//! Prompts before an action on an order that cannot be undone, and before quitting while an order is under way or
//! unresolved, or a review is open.
//!
//! The answer to a prompt counts only for the state that the order had when the prompt opened. If the order changes
//! meanwhile, because a read found it or another console acted, the prompt closes with a message.

mod answer;
mod message;
pub mod view;

pub(super) use message::order_summary;
pub use message::prompt_message;
use tui_input::Input;

use crate::app::orders::OrderCommand;
use crate::domain::order::OrderState;
use crate::domain::{OrderId, Text};
pub use answer::{
    close_stale_prompt, handle_key, open_command_prompt, open_service_address_prompt, paste, request_quit,
};

#[derive(Debug, Clone)]
pub struct OrderPrompt {
    pub subject: PromptSubject,
    /// The base address that it asks about, if it does.
    pub address: Option<Text>,
    /// The inputs, one for each of [`prompt_inputs`].
    pub inputs: Vec<Input>,
    pub focused_index: usize,
    /// What is wrong with the input, and what would be correct.
    pub error: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PromptSubject {
    Order {
        id: OrderId,
        command: OrderCommand,
        /// The order's state when the prompt opened.
        state_at_opening: OrderState,
        /// Whether the operator was warned that the service may have forgotten the idempotency key.
        warned: bool,
    },
    /// Quitting while an answer is awaited, an order is unresolved, or a review is open.
    Quit,
    /// Whether an earlier base address of the profile leads to the same service.
    ServiceAddress,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PromptInput {
    pub label: &'static str,
    /// The accepted words; any text where there are none.
    pub words: &'static [&'static str],
}

pub fn prompt_inputs(about: PromptSubject) -> &'static [PromptInput] {
    match about {
        PromptSubject::Order {
            command: OrderCommand::SendAgain,
            state_at_opening: OrderState::NotSent | OrderState::Confirmed,
            ..
        } => &[PromptInput { label: "Type “send” to send it", words: &["send"] }],
        PromptSubject::Order { command: OrderCommand::SendAgain, .. } => {
            &[PromptInput { label: "Type “again” to send it again", words: &["again"] }]
        }
        PromptSubject::Order { command: OrderCommand::WriteOff, .. } => &[
            PromptInput { label: "Reason, for the record", words: &[] },
            PromptInput { label: "Type “write off” to close it", words: &["write off"] },
        ],
        PromptSubject::ServiceAddress => {
            &[PromptInput { label: "Type “same” or “another”", words: &["same", "another"] }]
        }
        PromptSubject::Order { .. } | PromptSubject::Quit => &[],
    }
}
