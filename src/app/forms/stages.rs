//! A form from stage to stage.

use crossterm::event::{KeyCode, KeyEvent};

use super::form_state::{FormAction, FormState};
use super::lookups::Picked;
use super::review::{self, Review, ReviewPurpose, ReviewStatus};
use super::{Form, FormStage, Forms};
use crate::app::data::poll::Dataset;
use crate::app::listing::Keyed as _;
use crate::app::model::{Mode, Model, Page};
use crate::app::msg::{Effect, PreparedOrder};
use crate::app::request_id::RequestId;
use crate::app::{approvals, orders, pages, screen};
use crate::domain::history::Scope;
use crate::domain::order::SendReason;
use crate::domain::{Draft, Failure, OrderId, Sender, TokenKey};
use crate::guard::{ExpectedFee, GuardFacts};

pub(in crate::app) fn handle_key(model: &mut Model, key: KeyEvent) -> Vec<Effect> {
    let watched = model.shown_balance_scope();
    let effects = handle_stage_key(model, key);
    if model.shown_balance_scope() != watched {
        // The balance of the new scope is needed at once, and that of the old scope no longer.
        model.data.remotes.scope_balances.change_target();
    }
    effects
}

fn handle_stage_key(model: &mut Model, key: KeyEvent) -> Vec<Effect> {
    let Mode::Form(mut form) = std::mem::take(&mut model.mode) else { return Vec::new() };
    match &mut form.stage {
        FormStage::Editing => handle_editing_key(model, form, key),
        FormStage::Preparing(_) if key.code == KeyCode::Esc && form.proposal.is_some() => Vec::new(),
        FormStage::Preparing(_) if key.code == KeyCode::Esc => {
            form.stage = FormStage::Editing;
            model.mode = Mode::Form(form);
            Vec::new()
        }
        FormStage::Preparing(_) => {
            model.mode = Mode::Form(form);
            Vec::new()
        }
        FormStage::Review(_) => handle_review_key(model, form, key),
    }
}

fn handle_editing_key(model: &mut Model, mut form: Box<Form>, key: KeyEvent) -> Vec<Effect> {
    let mut request_id = model.forms.last_request_id;
    let step = form.state.handle_key(model, &mut request_id, key);
    model.forms.last_request_id = request_id;
    let effects = match step {
        FormAction::Close => {
            if form.state.follow_up.is_some() {
                // A restored follow-up would still be bound to its recipient when the operator wants to pay somebody
                // else.
                model.notice = Some("a follow-up payment is not kept as a draft; open it again from its order".into());
            } else {
                model.notice = keep_as_draft(&mut model.forms, form.state);
            }
            return Vec::new();
        }
        FormAction::Stay(effects) => effects,
        FormAction::Submit(draft, sender) => start_preparing(model, &mut form, *draft, sender.map(|sender| *sender)),
    };
    model.mode = Mode::Form(form);
    effects
}

/// Keeps a form as a draft, beside earlier ones; returns the notice to show.
fn keep_as_draft(forms: &mut Forms, form: FormState) -> Option<String> {
    let others = forms.count_drafts(form.operation);
    if form.has_user_input() {
        forms.drafts.push(form);
        let others = if others > 0 { format!(", with {others} more") } else { String::new() };
        Some(format!("the draft is kept until this console closes{others}; the same key restores it"))
    } else {
        (others > 0).then(|| "nothing was entered; the earlier draft is still kept".to_owned())
    }
}

pub(super) fn start_preparing(model: &mut Model, form: &mut Form, draft: Draft, sender: Option<Sender>) -> Vec<Effect> {
    let request_id = model.forms.last_request_id.advance();
    form.state.error = None;
    form.stage = FormStage::Preparing(request_id);
    vec![Effect::Prepare { draft, sender, template: form.state.template.clone(), request_id }]
}

fn handle_review_key(model: &mut Model, mut form: Box<Form>, key: KeyEvent) -> Vec<Effect> {
    let FormStage::Review(review) = &mut form.stage else { return Vec::new() };
    let id = review.order.id;
    match review.handle_key(model, key) {
        review::ReviewAction::Stay => {}
        review::ReviewAction::ReloadFacts => {
            let effects = review.request_facts(&mut model.forms.last_request_id);
            model.mode = Mode::Form(form);
            return effects;
        }
        review::ReviewAction::Back if form.proposal.is_some() => return Vec::new(),
        // What was proposed waits for others.
        review::ReviewAction::Leave if matches!(review.purpose, ReviewPurpose::Approve { .. }) => return Vec::new(),
        review::ReviewAction::Back => {
            form.stage = FormStage::Editing;
            model.mode = Mode::Form(form);
            return vec![Effect::Abandon(id)];
        }
        review::ReviewAction::Leave => {
            show_order(model, id);
            return Vec::new();
        }
        review::ReviewAction::Send(confirmation) => {
            if let (Ok(()), Some(effect)) =
                (orders::may_change(model), review.purpose.proposal_effect(id, &confirmation))
            {
                review.status = ReviewStatus::Sending;
                review.message = None;
                model.mode = Mode::Form(form);
                return vec![effect];
            }
            let effects = orders::send_order(model, id, SendReason::Confirmed, Some(confirmation));
            if effects.is_empty() {
                review.message = model.notice.take();
            } else {
                review.status = ReviewStatus::Sending;
                review.message = None;
            }
            model.mode = Mode::Form(form);
            return effects;
        }
    }
    model.mode = Mode::Form(form);
    Vec::new()
}

pub(in crate::app) fn paste_into_form(model: &mut Model, text: &str) -> Vec<Effect> {
    let Mode::Form(form) = &mut model.mode else { return Vec::new() };
    match &mut form.stage {
        FormStage::Editing => match form.state.paste(&mut model.forms.last_request_id, text) {
            Ok(effects) => effects,
            Err(reason) => {
                model.notice = Some(reason);
                Vec::new()
            }
        },
        FormStage::Preparing(_) => Vec::new(),
        FormStage::Review(_) => {
            model.notice = Some("a review must be typed by hand; the paste was ignored".into());
            Vec::new()
        }
    }
}

pub(in crate::app) fn apply_prepared(
    model: &mut Model,
    request_id: RequestId,
    result: Result<Box<PreparedOrder>, Failure>,
) -> Vec<Effect> {
    let now = model.now;
    if let Some(form) = form_mut(model)
        && matches!(form.stage, FormStage::Preparing(pending_id) if pending_id == request_id)
    {
        match result {
            Ok(prepared_order) => {
                let mut review = Review::new(*prepared_order, request_id, now);
                review.set_follow_up(form.state.follow_up.clone(), now);
                form.stage = FormStage::Review(Box::new(review));
                set_review_purpose(model);
            }
            Err(failure) if form.proposal.is_some() => {
                model.show_mode(Mode::Browse);
                model.notice = Some(format!("the proposal cannot be reviewed: {failure}"));
            }
            Err(failure) => {
                form.stage = FormStage::Editing;
                form.state.error = Some(format!("{failure}. Nothing was sent"));
            }
        }
        return Vec::new();
    }
    // The operator left the form before the draft was recorded.
    let recorded = result.ok().filter(|prepared_order| prepared_order.order.approval.is_none());
    recorded.map(|prepared_order| Effect::Abandon(prepared_order.order.id)).into_iter().collect()
}

/// Sets what the review just opened leads to, by the policy of the profile.
fn set_review_purpose(model: &mut Model) {
    let opened = form_mut(model).and_then(|form| form.proposal.clone());
    let Some(review) = model.review() else { return };
    let sender = review.order.drafted.sender.as_ref();
    let purpose = ReviewPurpose::new(&model.journal.policy.approval, opened.as_ref(), &review.draft, sender);
    if let Some(review) = review_mut(model) {
        review.set_purpose(purpose);
    }
}

/// The open review of an order.
pub(in crate::app) fn review_of_order_mut(model: &mut Model, id: OrderId) -> Option<&mut Review> {
    review_mut(model).filter(|review| review.order.id == id)
}

/// A proposal that came to its end while its review is open is not typed for any longer. Called after every message.
pub(in crate::app) fn end_review_of_proposal(model: &mut Model) {
    let is_open = |review: &&mut Review| review.purpose.is_of_proposal() && review.status == ReviewStatus::Waiting;
    let Some(id) = review_mut(model).filter(is_open).map(|review| review.order.id) else { return };
    let reason = approvals::end_message(model, id);
    if let Some((reason, review)) = reason.zip(review_mut(model)) {
        let nothing = if review.purpose.verb() == "send" { "Nothing was sent" } else { "Nothing was signed" };
        review.status = ReviewStatus::NotSent(format!("{}. {nothing}", reason.trim_end_matches('.')));
    }
}

pub(in crate::app) fn apply_facts(
    model: &mut Model,
    request_id: RequestId,
    order_id: OrderId,
    result: Result<Box<GuardFacts>, Failure>,
) {
    let (now, period) = (model.now, model.console.preferences.poll_period);
    let Some(review) = review_mut(model) else { return };
    if review.order.id != order_id || review.facts_request.0 != request_id {
        return;
    }
    review.facts_request.1 = false;
    review.facts_tried_at = now;
    match result {
        Ok(facts) => review.apply_facts(*facts, period, now),
        Err(failure) => review.message = Some(format!("the facts for this review could not be refreshed: {failure}")),
    }
}

/// A dataset was loaded, or failed to: an open form that shows its figures queries them again.
pub(in crate::app) fn requery_after_load(model: &mut Model, dataset: &Dataset) -> Vec<Effect> {
    if !matches!(dataset, Dataset::Latest | Dataset::Balances(_)) {
        return Vec::new();
    }
    let Some((form, request_id)) = form_and_last_request_id(model) else { return Vec::new() };
    match &mut form.stage {
        FormStage::Review(review) => review.request_facts(request_id),
        FormStage::Editing if form.state.selection.wallet.is_some() => {
            vec![form.state.query_holdings(request_id)]
        }
        FormStage::Editing | FormStage::Preparing(_) => Vec::new(),
    }
}

/// Runs `change`, and clears the highlight if `change` put another choice under it.
pub(in crate::app) fn change_and_clear_moved_highlight(model: &mut Model, change: impl FnOnce(&mut Model)) {
    let before = highlighted_choice(model);
    change(model);
    if before.is_some()
        && highlighted_choice(model) != before
        && let Some(form) = form_mut(model)
    {
        form.state.highlighted_index = None;
    }
}

/// The highlighted choice: its text, and what choosing it picks.
fn highlighted_choice(model: &Model) -> Option<(String, Picked)> {
    let Mode::Form(form) = &model.mode else { return None };
    let choice = form.state.choices(model).into_iter().nth(form.state.highlighted_index?)?;
    Some((choice.text, choice.picked))
}

pub(in crate::app) fn apply_fee(model: &mut Model, request_id: RequestId, token: TokenKey, fee: Option<ExpectedFee>) {
    if let Some(form) = form_mut(model)
        && form.state.fee_lookup.request_id == request_id
    {
        form.state.fee_lookup.token = Some(token);
        form.state.fee_lookup.estimate = fee;
    }
}

pub(super) fn show_order(model: &mut Model, order_id: OrderId) {
    model.show_mode(Mode::Browse);
    model.page = Page::Orders;
    model.pages.is_zoomed = false;
    model.pages.orders.listing.select(&order_id.key());
}

/// The current frame has reached the terminal.
pub(in crate::app) fn mark_review_drawn(model: &mut Model) {
    let now = model.now;
    if let Some(review) = review_mut(model) {
        review.mark_drawn(now);
    }
}

/// The review is hidden, or it is not known how long it was visible: it takes keys only after it was visible again
/// for [`review::ARMING_DELAY`].
pub(in crate::app) fn mark_review_hidden(model: &mut Model) {
    if let Some(review) = review_mut(model) {
        review.accepts_keys_at = None;
    }
}

/// The review of the open form, also where something covers it.
pub(super) fn review_mut(model: &mut Model) -> Option<&mut Review> {
    match &mut form_mut(model)?.stage {
        FormStage::Review(review) => Some(review),
        FormStage::Editing | FormStage::Preparing(_) => None,
    }
}

/// The open form, also below another mode.
pub(super) fn form_mut(model: &mut Model) -> Option<&mut Form> {
    form_and_last_request_id(model).map(|(form, _)| form)
}

/// The open form, also below another mode, and the id of the last request of a form.
pub(super) fn form_and_last_request_id(model: &mut Model) -> Option<(&mut Form, &mut RequestId)> {
    let Model { mode, modes_below, forms, .. } = model;
    let mut modes = std::iter::once(mode).chain(modes_below.iter_mut().rev());
    let form = modes.find_map(|mode| if let Mode::Form(form) = mode { Some(&mut **form) } else { None })?;
    Some((form, &mut forms.last_request_id))
}

impl Model {
    /// The review on screen; none while a prompt covers it.
    pub fn review(&self) -> Option<&Review> {
        let Mode::Form(form) = &self.mode else { return None };
        match &form.stage {
            FormStage::Review(review) => Some(review),
            FormStage::Editing | FormStage::Preparing(_) => None,
        }
    }

    /// The version of the review whose frame must reach the terminal before keys count; the runtime answers with
    /// [`Msg::FrameDrawn`](crate::app::Msg::FrameDrawn).
    pub fn review_version_to_draw(&self) -> Option<u64> {
        let visible_review = self.review().filter(|_| !screen::is_too_small(self.size));
        visible_review.filter(|review| review.accepts_keys_at.is_none()).map(|review| review.version)
    }

    /// The scope whose balances are on screen: the wallet that a form pays from, else the selection on the page.
    pub fn shown_balance_scope(&self) -> Scope {
        if let Mode::Form(form) = &self.mode
            && let Some(wallet) = &form.state.selection.wallet
        {
            return Scope::Wallet(wallet.id.clone());
        }
        if self.page == Page::Users { pages::users::balance_scope(self) } else { self.scope() }
    }
}
