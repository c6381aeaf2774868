//! Forms: an order is filled in, checked, reviewed and sent.
//!
//! ```text
//!   w, s, n ▶ editing ──▶ preparing ──▶ review ──▶ sending ──▶ the Orders page
//!              ▲  │ Esc: draft  │ Esc     │ Esc
//!              └──┴─────────────┴─────────┘ nothing was sent
//! ```
//!
//! A form is pure, like everything in `app`. It ends in a draft, which the runtime serialises and records. The review
//! is rendered from the recorded bytes, and only a reviewed order is sent.

mod balance_share;
pub mod batch;
mod chains;
mod change;
mod contact_payment;
mod create;
mod deposit_address;
mod drafts;
pub mod field;
pub mod follow_up;
pub mod form_state;
mod help;
pub mod lookups;
mod open;
pub mod operation_menu;
mod pay_again;
mod payer;
mod queued_input;
pub mod review;
mod send_result;
mod simulated_deposit;
mod stages;
pub mod swap;
pub mod templates;
mod typed_amount;
pub mod view;
mod withdraw;

use super::data::proposals::OpenedProposal;
use super::request_id::RequestId;
use crate::domain::Operation;
use crate::domain::history::Scope;
pub(super) use contact_payment::{last_payments_to, open_contact_payment, open_payment_to, open_payment_to_address};
pub(super) use drafts::{
    apply_draft_file, handle_menu_key as handle_drafts_key, open_menu as open_drafts_menu,
    refresh_menu as refresh_drafts_menu, refusal as drafts_refusal,
};
use form_state::FormState;
pub use open::check_can_open;
pub(super) use open::{
    close_form, is_review_open, open_form, open_payment, open_simulated_deposit, open_swap, open_user_change,
    open_wallet_change,
};
pub(super) use pay_again::{check_no_look_alike, open as open_pay_again, refusal as pay_again_refusal, review_again};
pub(super) use payer::chain_address_family;
pub(super) use queued_input::{apply_holdings, apply_wallet_matches, drop_queued_input, replay_after_pairs_load};
use review::Review;
pub(super) use send_result::{apply_send_result, close_resolved_review, select_created};
pub(super) use stages::{
    apply_facts, apply_fee, apply_prepared, change_and_clear_moved_highlight, end_review_of_proposal, handle_key,
    mark_review_drawn, mark_review_hidden, paste_into_form, requery_after_load, review_of_order_mut,
};
pub(super) use swap::live_quote;

#[derive(Debug, Clone)]
pub struct Form {
    pub state: FormState,
    pub stage: FormStage,
    /// The proposal that is reviewed: there is nothing to fill in, and leaving gives nothing up.
    pub proposal: Option<OpenedProposal>,
}

#[derive(Debug, Clone)]
pub enum FormStage {
    Editing,
    Preparing(RequestId),
    Review(Box<Review>),
}

#[derive(Debug, Clone, Default)]
pub struct Forms {
    /// The newest request of any form.
    pub last_request_id: RequestId,
    /// Drafts: forms that were closed and not sent, newest last. A form opened for another subject leaves them alone,
    /// so there may be several of one operation.
    pub drafts: Vec<FormState>,
    /// The wallet or account just created: selected once it is listed, unless a key is pressed first.
    pub created_scope: Option<Scope>,
    /// The change of a template that is being recorded, and what to say when it is.
    pub template_change: Option<(RequestId, String)>,
}

impl Forms {
    /// The number of drafts of an operation.
    fn count_drafts(&self, operation: Operation) -> usize {
        self.drafts.iter().filter(|form| form.operation == operation).count()
    }
}

#[cfg(test)]
pub(super) mod tests;
