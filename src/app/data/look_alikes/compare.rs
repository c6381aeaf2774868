//! When addresses are compared, and with what.

use std::collections::HashSet;

use super::LookAlikeQuery;
use crate::app::data::analyses::AnalysisQuery;
use crate::app::model::Model;
use crate::app::msg::Effect;
use crate::domain::order::OrderState;
use crate::domain::{FinalStatuses, Order, Text, Timestamp};

/// Starts the judgement of new addresses, or of all of them if known addresses may have changed.
pub(in crate::app) fn start_due(model: &mut Model) -> Option<Effect> {
    let look_alikes = &model.data.analyses.look_alikes;
    let is_renewed = look_alikes.as_of.is_none() || look_alikes.next_due().is_some_and(|due| due <= model.now);
    if look_alikes.in_flight || !(is_renewed || look_alikes.has_new_rows) {
        return None;
    }
    let addresses = loaded_counterparty_addresses(model);
    let now = model.now;
    let look_alikes = &mut model.data.analyses.look_alikes;
    look_alikes.has_new_rows = false;
    if addresses.is_empty()
        || (!is_renewed && addresses.iter().all(|address| look_alikes.matches.contains_key(address)))
    {
        return None;
    }
    if is_renewed {
        // After a change that counts at once the generation is a new one already.
        if look_alikes.as_of.is_some() {
            look_alikes.generation = look_alikes.generation.wrapping_add(1);
        }
        (look_alikes.as_of, look_alikes.are_known_addresses_outdated) = (Some(now), false);
    }
    look_alikes.in_flight = true;
    let request_id = look_alikes.request_id.advance();
    let query = AnalysisQuery::LookAlikes(Box::new(build_look_alike_query(model, addresses)));
    Some(Effect::RunAnalysis { query, request_id })
}

pub(in crate::app) fn build_look_alike_query(model: &Model, addresses: Vec<Text>) -> LookAlikeQuery {
    LookAlikeQuery {
        addresses,
        generation: model.data.analyses.look_alikes.generation,
        final_statuses: model.journal.final_statuses.clone(),
        book: model.journal.book.clone(),
        cooling: model.journal.policy.cooling,
        payees: accepted_payees(&model.journal.orders, &model.journal.final_statuses, model.now),
    }
}

/// The counterparty addresses of all rows in memory.
fn loaded_counterparty_addresses(model: &Model) -> Vec<Text> {
    let lists = [&model.pages.overview.recent, &model.pages.transactions];
    let rows = lists.into_iter().flat_map(|list| list.listing.rows()).chain(model.open_transaction());
    let deposits = model.pages.users.deposits.rows().iter().filter_map(|deposit| deposit.from_address.as_ref());
    let others = rows.filter_map(|row| row.transaction.counterparty());
    // Rows that are left out of a list for their address are not in memory, and stay out.
    let left_out = model.data.analyses.look_alikes.resembling_addresses();
    others.chain(deposits).chain(left_out).collect::<HashSet<&Text>>().into_iter().cloned().collect()
}

/// The recipients of payments that the service accepted and that did not fail.
pub fn accepted_payees(orders: &[Order], final_statuses: &FinalStatuses, now: Timestamp) -> Vec<Text> {
    let was_accepted =
        |state: OrderState| matches!(state, OrderState::Accepted | OrderState::Settled | OrderState::PartlySettled);
    let orders = orders.iter().filter(|order| was_accepted(order.state(now)));
    let orders_and_payments = orders.filter_map(|order| Some((order, order.drafted.draft.payment_details()?)));
    let all = orders_and_payments.flat_map(|(order, pays)| {
        let failed = order.finally_unpaid_recipients(final_statuses);
        (0_u32..).zip(pays.to).filter(move |(part, _)| !failed.contains(part)).map(|(_, (to, _))| to)
    });
    all.collect::<HashSet<&Text>>().into_iter().cloned().collect()
}
