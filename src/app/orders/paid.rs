//! Whom orders paid, as far as the service took them.

use crate::app::model::Model;
use crate::domain::intent::State;
use crate::domain::{Order, Text};

/// Everybody whom an order paid, each payment once: of a batch that is done in part, those who got something. Nobody
/// where the service did not take it, and none of a swap.
pub(in crate::app) fn paid_recipients<'a>(model: &Model, order: &'a Order) -> Vec<&'a Text> {
    if !matches!(order.state(model.now), State::Accepted | State::Settled | State::PartlySettled) {
        return Vec::new();
    }
    let nothing = order.unpaid_recipients(&model.book.final_words);
    let Some(pays) = order.drafted.draft.payment_details() else { return Vec::new() };
    let all = pays.to.into_iter().zip(0_u32..);
    all.filter(|(_, part)| !nothing.contains(part)).map(|((to, _), _)| to).collect()
}
