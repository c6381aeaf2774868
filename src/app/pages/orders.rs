//! The Orders page: everything that this console was asked to change, its outcome, and the actions on it.

pub mod exit_summary;
pub mod filter;
pub(in crate::app) mod page;
pub mod pane;
pub mod prompt;
pub mod service_address;
mod sort;
pub mod state;
pub mod timeline;
pub mod view;

use std::cmp::Reverse;
use std::time::Duration;

use super::Tone;
use crate::app::data::connection::ConnectionState;
use crate::app::forms::follow_up;
use crate::app::model::{Mode, Model, Page};
use crate::app::msg::Effect;
use crate::app::orders::{
    OrderCommand, alarm_messages, command_offers, find_order, may_be_hidden, order_subject, state_label, urgency_rank,
};
use crate::domain::address_names::AddressFormatter;
use crate::domain::filter::AllWordsFilter;
use crate::domain::history::Window;
use crate::domain::{Order, Text, Timestamp, address};

pub use sort::OrderSort;
pub use timeline::order_detail_lines;

/// How long after the last attempt the banner shows an alarm about a closed order.
pub const ALARM_DURATION: Duration = Duration::from_hours(24);

/// Sorts the list. Called after every message, since an order's state changes with time alone; the list is touched only
/// when the order of its rows changes.
pub fn sort_orders(model: &mut Model) {
    let filter = OrderFilter::from_model(model);
    let is_listed = |order: &&Order| {
        (model.pages.orders.shows_abandoned || !may_be_hidden(order))
            && (order.is_unresolved(model.now) || filter.matches(order, model.now))
    };
    let mut orders: Vec<&Order> = model.journal.orders.iter().filter(is_listed).collect();
    match model.pages.orders.sort {
        OrderSort::Urgent => {
            orders.sort_by_key(|order| (urgency_rank(order, model.now), Reverse(order.display_time())));
        }
        OrderSort::Newest => orders.sort_by_key(|order| Reverse(order.display_time())),
    }
    if !orders.iter().map(|order| &order.id).eq(model.pages.orders.listing.rows())
        || !model.pages.orders.listing.is_loaded()
    {
        let ids = orders.into_iter().map(|order| order.id).collect();
        model.pages.orders.listing.apply_window(Window::whole(ids));
    }
}

/// Marks the alarms of the order whose details are open as seen. Called after every message.
pub fn acknowledge_alarms(model: &mut Model) {
    let Mode::Order { id, .. } = model.mode else { return };
    if let Some(order) = find_order(model, id) {
        let alarms = alarm_messages(order, model.now).len();
        model.journal.alarms_seen.insert(id, alarms);
    }
}

/// Runs an action on the open or selected order, or says why it cannot. Where no order is selected, selects the first
/// one instead; the same key pressed again acts on it.
pub fn run_order_command(model: &mut Model, command: OrderCommand) -> Vec<Effect> {
    if let Some(reason) = command_refusal(model, &model.mode, command) {
        model.notice = Some(reason);
        return Vec::new();
    }
    let open_order = if let Mode::Order { id, .. } = &model.mode { Some(*id) } else { None };
    let chosen = open_order.is_none() && model.pages.orders.listing.select_first_visible();
    let Some(id) = open_order.or(model.pages.orders.listing.selected_key().copied()).filter(|_| !chosen) else {
        model.notice = Some("this order: press the same key again to confirm".into());
        return Vec::new();
    };
    if command == OrderCommand::SendRest {
        return follow_up::open_follow_up(model, id);
    }
    if command == OrderCommand::CheckAgain {
        // The operator's request overrides any pause.
        model.data.remotes.quiet_until = None;
        model.data.remotes.orders.request_now();
        model.notice = Some(if model.data.connection == ConnectionState::KeyRejected {
            "the API key is rejected and nothing is read; correct the key, then press r".into()
        } else {
            "reading the history for open orders".to_owned()
        });
    } else {
        prompt::open_command_prompt(model, id, command);
    }
    Vec::new()
}

/// Why an action cannot be taken on the open or selected order, if so.
pub fn command_refusal(model: &Model, mode: &Mode, command: OrderCommand) -> Option<String> {
    let id = if let Mode::Order { id, .. } = mode {
        id
    } else if model.page != Page::Orders {
        return Some(format!("orders are on page {}", Page::Orders.digit()));
    } else if let Some(id) = model.pages.orders.listing.selected_key() {
        id
    } else {
        // Where no order is selected the key only selects one.
        return model.journal.orders.is_empty().then(|| "there are no orders here".to_owned());
    };
    let order = find_order(model, *id)?;
    match command_offers(model, order).into_iter().find(|offer| offer.command == command) {
        None => Some(pointless_command_message(order, command, model.now)),
        Some(offer) => offer.refusal,
    }
}

fn pointless_command_message(order: &Order, command: OrderCommand, now: Timestamp) -> String {
    let word = state_label(order, now);
    match command {
        OrderCommand::CheckAgain => format!("nothing to look for: this order is {word}"),
        OrderCommand::SendAgain => format!("nothing to send: this order is {word}"),
        OrderCommand::Abandon => format!("nothing to give up: this order is {word}"),
        OrderCommand::WriteOff => format!("nothing to write off: this order is {word}"),
        OrderCommand::SendRest if order.drafted.draft.payment_details().is_none() => {
            "only a payment can have a rest".to_owned()
        }
        OrderCommand::SendRest => format!("the rest follows a payment that is settled: this order is {word}"),
    }
}

/// The banner while the service contradicts the request or itself, until the operator has opened the order.
pub fn alarm_banner(model: &Model) -> Option<String> {
    let now = model.now;
    let is_recent = |order: &Order| {
        order.is_open(now) || order.attempts.last().is_some_and(|attempt| attempt.stamp.at.age(now) < ALARM_DURATION)
    };
    let seen_count = |order: &Order| model.journal.alarms_seen.get(&order.id).copied().unwrap_or(0);
    let is_alarming = |order: &&Order| is_recent(order) && alarm_messages(order, now).len() > seen_count(order);
    let alarmed: Vec<&Order> = model.journal.orders.iter().filter(is_alarming).collect();
    let orders = if alarmed.len() == 1 { "an order" } else { "orders" };
    let is_of_costs = |order: &&Order| alarm_messages(order, now).len() == order.cost_alarms().len();
    let problem = if alarmed.iter().all(is_of_costs) {
        format!("{orders} cost far more than expected")
    } else {
        format!("the service contradicts itself about {orders}")
    };
    (!alarmed.is_empty()).then(|| format!("ALARM: {problem}. Press {}, then Enter.", Page::Orders.digit()))
}

/// A whole address, with the name of who is there.
fn named_address(model: &Model, address: &Text, blockchain: &str) -> String {
    let name = model.party_name(address, blockchain).map_or_else(String::new, |name| format!(" {name}"));
    format!("{}{name}", address::format_grouped(address))
}

/// What is typed to find orders; `None` where nothing is.
struct OrderFilter<'a>(Option<(AllWordsFilter, AddressFormatter<'a>)>);

impl<'a> OrderFilter<'a> {
    fn from_model(model: &'a Model) -> Self {
        let is_typed = !model.pages.orders.filter.trim().is_empty();
        Self(is_typed.then(|| (AllWordsFilter::parse(&model.pages.orders.filter), model.address_formatter())))
    }

    /// Whether the filter matches an order; one of which the outcome is unknown is listed all the same.
    fn matches(&self, order: &Order, now: Timestamp) -> bool {
        let Some((word_filter, parties)) = &self.0 else { return true };
        let draft = &order.drafted.draft;
        let (state, subject) = (state_label(order, now), order_subject(draft, parties));
        // An amount may be typed with or without the commas of the screen.
        let plain = subject.replace(',', "");
        filter::matches(order, word_filter, &[state, draft.operation().label(), &subject, &plain])
    }
}

/// The listed orders that the filter matches.
pub fn matching_orders(model: &Model) -> impl Iterator<Item = &Order> {
    let filter = OrderFilter::from_model(model);
    let all_orders = model.pages.orders.listing.rows().iter().filter_map(|id| find_order(model, *id));
    all_orders.filter(move |order| filter.matches(order, model.now))
}
