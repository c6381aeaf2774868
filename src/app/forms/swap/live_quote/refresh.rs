//! The quote is requested again before it is old.

use std::time::Duration;

use super::{LiveQuote, QuoteQuery};
use crate::app::data::connection::ConnectionState;
use crate::app::forms::field::FieldId;
use crate::app::forms::form_state::FormState;
use crate::app::forms::review::{Review, ReviewStatus};
use crate::app::forms::stages::{form_mut, review_mut};
use crate::app::forms::swap::{parse_buy_token, parse_sell_amount};
use crate::app::forms::{Form, FormStage};
use crate::app::model::{Mode, Model};
use crate::app::msg::Effect;
use crate::app::orders;
use crate::app::pages::Tone;
use crate::app::request_id::RequestId;
use crate::domain::duration;
use crate::domain::v1::Quote;
use crate::domain::{Failure, OrderId, Rate, ReceivedQuote, Text, Timestamp};

/// A quote is requested again after two thirds of the time in which it turns old.
fn refresh_interval(model: &Model) -> Duration {
    model.data.prices.settings.old_after.saturating_mul(2) / 3
}

/// The quote to request: all fields are valid, and none that it depends on has the focus.
fn quote_query(model: &Model, form: &FormState) -> Option<QuoteQuery> {
    if !form.operation.is_swap()
        || matches!(form.focused_field(), Some(FieldId::Wallet | FieldId::Token | FieldId::Amount))
    {
        return None;
    }
    let from = Text::clean(form.value(FieldId::Token));
    let to = parse_buy_token(model, form).ok()?;
    Some(QuoteQuery { from, amount: parse_sell_amount(model, form).ok()?, to })
}

/// The change of the rate since an earlier quote for the same request.
pub fn drift_since_first(first: &ReceivedQuote, now: &ReceivedQuote) -> Option<String> {
    let drift = Rate::from_swap_quote(&now.quote)?.change_since(Rate::from_swap_quote(&first.quote)?)?;
    (first.at != now.at).then(|| format!("{} since first quote", drift.format_percent()))
}

/// A quote in one line, and whether it is old: `about 0.0079 ETH · quote 4s · 1 USDC gives 0.000317 · fee 0.025, …`.
pub fn quote_line(model: &Model, quote: &ReceivedQuote, drift: Option<String>) -> (String, bool) {
    let Quote { from_coin, to_coin, to_amount, fee, .. } = &quote.quote;
    let age = quote.at.age(model.now);
    let is_old = age > model.data.prices.settings.old_after;
    let old = if is_old { "old quote" } else { "quote" };
    let mut parts = vec![
        format!("about {} {to_coin}", to_amount.even_if_disputed().format_grouped()),
        format!("{old} {}", duration::format_age(age)),
    ];
    parts.extend(Rate::from_swap_quote(&quote.quote).map(|rate| format!("1 {from_coin} gives {}", rate.format_rate())));
    parts.extend(fee.as_ref().map(|fee| format!("fee {}, coin not reported", fee.even_if_disputed().format_grouped())));
    parts.extend(drift);
    (parts.join(" · "), is_old)
}

/// Whether the open form needs the list of pairs.
pub(in crate::app) fn needs_pairs(model: &Model) -> bool {
    form_of_mode(&model.mode).is_some_and(|form| form.state.operation.is_swap())
}

fn form_of_mode(mode: &Mode) -> Option<&Form> {
    if let Mode::Form(form) = mode { Some(form) } else { None }
}

/// Until when no request is made; `None` while the service rejects the API key, since nobody knows how long.
fn requests_paused_until(model: &Model) -> Option<Timestamp> {
    let quiet = model.data.remotes.quiet_until.unwrap_or(model.now);
    (model.data.connection != ConnectionState::KeyRejected).then_some(quiet)
}

pub(in crate::app) fn start_due_quote(model: &mut Model) -> Vec<Effect> {
    if requests_paused_until(model).is_none_or(|until| until > model.now) {
        return Vec::new();
    }
    match form_of_mode(&model.mode).map(|form| &form.stage) {
        Some(FormStage::Editing) => start_form_quote(model),
        Some(FormStage::Review(review)) if review_refresh_at(model, review).is_some_and(|due| due <= model.now) => {
            let mut request_id = model.forms.last_request_id;
            let effects = review_mut(model).map_or_else(Vec::new, |review| review.request_facts(&mut request_id));
            model.forms.last_request_id = request_id;
            effects
        }
        _ => Vec::new(),
    }
}

fn start_form_quote(model: &mut Model) -> Vec<Effect> {
    let Some(form_state) = form_of_mode(&model.mode).map(|form| &form.state) else { return Vec::new() };
    let Some(query) = quote_query(model, form_state) else { return Vec::new() };
    if form_state.live_quote.next_refresh_at(model, &query) > model.now {
        return Vec::new();
    }
    let (now, request_id) = (model.now, model.forms.last_request_id.advance());
    let Some(form) = form_mut(model) else { return Vec::new() };
    let swap = &mut form.state.live_quote;
    if swap.last_query.as_ref().is_none_or(|(last_query, _)| *last_query != query) {
        (swap.last_result, swap.first_quote) = (None, None);
    }
    (swap.request_id, swap.last_query) = (request_id, Some((query.clone(), now)));
    let QuoteQuery { from, amount, to } = query;
    vec![Effect::LoadQuote { from, amount, to, request_id }]
}

/// When the quote on screen next needs attention: it is due again, or its age in seconds changes.
pub(in crate::app) fn next_update_at(model: &Model) -> Option<Timestamp> {
    let form = form_of_mode(&model.mode)?;
    let (due, quote) = match &form.stage {
        FormStage::Editing => {
            let swap = &form.state.live_quote;
            let quote = swap.last_result.as_ref().and_then(|quote_result| quote_result.as_ref().ok());
            (quote_query(model, &form.state).map(|query| swap.next_refresh_at(model, &query)), quote)
        }
        FormStage::Review(review) => {
            (review_refresh_at(model, review), review.quote.as_ref().map(|reviewed_quote| &reviewed_quote.newest_quote))
        }
        FormStage::Preparing(_) => return None,
    };
    // Ages are shown in seconds.
    let ages = quote.map(|quote| quote.at.plus(Duration::from_secs(quote.at.age(model.now).as_secs() + 1)));
    let due = due.zip(requests_paused_until(model)).map(|(due, until)| due.max(until));
    due.into_iter().chain(ages.filter(|_| form.state.operation.is_swap())).min()
}

/// When the facts of a reviewed swap are next due for its quote.
fn review_refresh_at(model: &Model, review: &Review) -> Option<Timestamp> {
    if !review.draft.operation().is_swap() || review.status != ReviewStatus::Waiting || review.facts_request.1 {
        return None;
    }
    Some(review.facts_tried_at.min(model.now).plus(refresh_interval(model)))
}

pub(in crate::app) fn apply_quote(model: &mut Model, request_id: RequestId, result: Result<Box<Quote>, Failure>) {
    let now = model.now;
    let Some(form) = form_mut(model) else { return };
    let swap = &mut form.state.live_quote;
    if swap.request_id != request_id {
        return;
    }
    let quote_result = result.map(|quote| ReceivedQuote { quote: *quote, at: now });
    if let Ok(quote) = &quote_result {
        swap.first_quote.get_or_insert_with(|| quote.clone());
    }
    swap.last_result = Some(quote_result);
}

/// A confirmed swap was not sent: its review goes on with the new quote. If the review was closed meanwhile, the order
/// is abandoned, and the API keys opened for it are released.
pub(in crate::app) fn apply_requote(
    model: &mut Model,
    order_id: OrderId,
    result: Result<Box<ReceivedQuote>, Failure>,
) -> Vec<Effect> {
    orders::apply_not_sent(model, order_id);
    let now = model.now;
    let request_id = model.forms.last_request_id.advance();
    if let Some(review) = review_mut(model).filter(|review| review.order.id == order_id) {
        let quote = result.map(|quote| *quote).map_err(|failure| Text::clean(&failure.to_string()));
        review.reset_with_new_quote(quote, request_id, now);
        return Vec::new();
    }
    let message = "not sent: the quote has changed since the review, which is closed; the swap was given up";
    model.notice = Some(message.into());
    let is_proposed = model.journal.orders.iter().any(|order| order.id == order_id && order.approval.is_some());
    if is_proposed { Vec::new() } else { vec![Effect::Abandon(order_id)] }
}

impl LiveQuote {
    pub(in crate::app::forms::swap) fn quote_summary(&self, model: &Model, form: &FormState) -> Option<(String, Tone)> {
        let query = quote_query(model, form)?;
        if self.last_query.as_ref().is_none_or(|(last_query, _)| *last_query != query) {
            return Some(("requesting a quote…".into(), Tone::Dim));
        }
        Some(match &self.last_result {
            None => ("requesting a quote…".into(), Tone::Dim),
            Some(Err(failure)) => (format!("no quote: {failure}"), Tone::Warn),
            Some(Ok(quote)) => {
                let drift = self.first_quote.as_ref().and_then(|first| drift_since_first(first, quote));
                let (text, is_old) = quote_line(model, quote, drift);
                (text, if is_old { Tone::Warn } else { Tone::Text })
            }
        })
    }

    fn next_refresh_at(&self, model: &Model, query: &QuoteQuery) -> Timestamp {
        match &self.last_query {
            Some((last_query, at)) if last_query == query && *at <= model.now => at.plus(refresh_interval(model)),
            _ => model.now,
        }
    }
}
