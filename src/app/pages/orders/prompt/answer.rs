//! Prompts opened and answered.

use crossterm::event::{KeyCode, KeyEvent};
use tui_input::{Input, InputRequest};

use super::message::left_behind_on_quit;
use super::{OrderPrompt, PromptInput, PromptSubject, prompt_inputs, view};
use crate::app::input::input_line;
use crate::app::model::{Mode, Model};
use crate::app::msg::Effect;
use crate::app::orders::{self, CommandOffer, OrderCommand, command_offers, find_order};
use crate::domain::order::SendReason;
use crate::domain::text::is_forbidden_in_text;
use crate::domain::{Order, OrderId, Text};

/// The longest line in a prompt, in characters.
const MAX_LINE_CHARS: usize = 200;

pub fn open_command_prompt(model: &mut Model, id: OrderId, command: OrderCommand) {
    let Some((order, offer)) = available_offer(model, id, command) else { return };
    let about =
        PromptSubject::Order { id, command, state_at_opening: order.state(model.now), warned: offer.warning.is_some() };
    open_prompt(model, about);
}

/// Quits, or asks once if an order or a review would be left behind.
pub fn request_quit(model: &mut Model) -> Vec<Effect> {
    if matches!(&model.mode, Mode::Prompt(prompt) if prompt.subject == PromptSubject::Quit)
        || left_behind_on_quit(model).is_empty()
    {
        return vec![Effect::Quit];
    }
    open_prompt(model, PromptSubject::Quit);
    Vec::new()
}

pub fn open_service_address_prompt(model: &mut Model, address: Text) {
    open_prompt(model, PromptSubject::ServiceAddress);
    if let Mode::Prompt(prompt) = &mut model.mode {
        prompt.address = Some(address);
    }
}

fn open_prompt(model: &mut Model, about: PromptSubject) {
    let lines = prompt_inputs(about).iter().map(|_| Input::default()).collect();
    model.open_over(Mode::Prompt(Box::new(OrderPrompt {
        subject: about,
        address: None,
        inputs: lines,
        focused_index: 0,
        error: None,
    })));
}

/// The order and the offer of an action, if the action can be taken now.
pub(super) fn available_offer(model: &Model, id: OrderId, command: OrderCommand) -> Option<(&Order, CommandOffer)> {
    let order = find_order(model, id)?;
    let offer = command_offers(model, order).into_iter().find(|offer| offer.command == command)?;
    offer.refusal.is_none().then_some((order, offer))
}

/// Closes a prompt whose action is no longer possible. Called after every message.
pub fn close_stale_prompt(model: &mut Model) {
    let Mode::Prompt(prompt) = &model.mode else { return };
    let notice_text = match prompt.subject {
        PromptSubject::Quit if !left_behind_on_quit(model).is_empty() => return,
        PromptSubject::Quit => "the answer has arrived; no request is on its way any more".to_owned(),
        PromptSubject::ServiceAddress if prompt.address.as_ref() == model.journal.addresses.unanswered().first() => {
            return;
        }
        PromptSubject::ServiceAddress => "this question has been answered in the meantime".to_owned(),
        PromptSubject::Order { id, command, state_at_opening, .. } => {
            let state = find_order(model, id).map(|order| order.state(model.now));
            if state == Some(state_at_opening) && available_offer(model, id, command).is_some() {
                return;
            }
            let word =
                find_order(model, id).map_or("no longer known here", |order| orders::state_label(order, model.now));
            format!("the order has changed: it is {word} now. Nothing was done")
        }
    };
    close_prompt(model);
    model.notice = Some(notice_text);
}

fn close_prompt(model: &mut Model) {
    if matches!(model.mode, Mode::Prompt(_)) {
        model.close_mode();
    }
}

#[expect(clippy::wildcard_enum_match_arm, reason = "other keys edit the text")]
pub fn handle_key(model: &mut Model, key: KeyEvent) -> Vec<Effect> {
    let Mode::Prompt(prompt) = &mut model.mode else { return Vec::new() };
    prompt.error = None;
    match key.code {
        KeyCode::Esc => close_prompt(model),
        KeyCode::Char('y' | 'q') if prompt.subject == PromptSubject::Quit && key.modifiers.is_empty() => {
            return vec![Effect::Quit];
        }
        KeyCode::Char('n') if prompt.subject == PromptSubject::Quit && key.modifiers.is_empty() => close_prompt(model),
        KeyCode::BackTab | KeyCode::Up => prompt.focused_index = prompt.focused_index.saturating_sub(1),
        KeyCode::Enter | KeyCode::Tab | KeyCode::Down => return next_input_or_run(model, key.code == KeyCode::Enter),
        _ => {
            if let (Some(request), Some(input)) =
                (input_line::input_edit_of_key(key), prompt.inputs.get_mut(prompt.focused_index))
            {
                edit_input(input, request);
            }
        }
    }
    Vec::new()
}

/// Pastes text. Words that confirm must be typed: that is their purpose.
pub fn paste(model: &mut Model, text: &str) {
    let Mode::Prompt(prompt) = &mut model.mode else { return };
    let Some(line) = prompt_inputs(prompt.subject).get(prompt.focused_index) else { return };
    if !line.words.is_empty() {
        prompt.error = Some("these words must be typed, not pasted".into());
        return;
    }
    if let Some(input) = prompt.inputs.get_mut(prompt.focused_index) {
        for character in text.trim().chars().map(|c| if c.is_whitespace() { ' ' } else { c }) {
            edit_input(input, InputRequest::InsertChar(character));
        }
    }
}

fn edit_input(input: &mut Input, request: InputRequest) {
    if let InputRequest::InsertChar(character) = request
        && (is_forbidden_in_text(character) || input.value().chars().count() >= MAX_LINE_CHARS)
    {
        return;
    }
    input.handle(request);
}

/// Moves to the next input; behind the last one, runs the action.
fn next_input_or_run(model: &mut Model, enter: bool) -> Vec<Effect> {
    let Mode::Prompt(prompt) = &mut model.mode else { return Vec::new() };
    let lines = prompt_inputs(prompt.subject);
    if let (Some(line), Some(input)) = (lines.get(prompt.focused_index), prompt.inputs.get(prompt.focused_index)) {
        prompt.error = input_error(*line, input.value().trim());
        if prompt.error.is_some() {
            return Vec::new();
        }
    }
    if prompt.focused_index + 1 < lines.len() {
        prompt.focused_index += 1;
        return Vec::new();
    }
    // The operator may have gone back and changed a line, so every line is checked again.
    let answers = || lines.iter().zip(&prompt.inputs).enumerate();
    if let Some((at, error_text)) =
        answers().find_map(|(at, (line, input))| Some((at, input_error(*line, input.value().trim())?)))
    {
        (prompt.focused_index, prompt.error) = (at, Some(error_text));
        return Vec::new();
    }
    if !enter {
        return Vec::new();
    }
    // What is not on screen in full cannot be confirmed, whatever is typed.
    if let Mode::Prompt(prompt) = &model.mode
        && !view::has_room_for_prompt(model, prompt)
    {
        if let Mode::Prompt(prompt) = &mut model.mode {
            prompt.error = Some("the screen does not show everything; enlarge it".into());
        }
        return Vec::new();
    }
    run_prompted_action(model)
}

fn input_error(line: PromptInput, typed: &str) -> Option<String> {
    match line.words {
        expected_words if !expected_words.is_empty() && !expected_words.contains(&typed) => {
            Some(format!("type “{}”, or press Esc", expected_words.join("” or “")))
        }
        [] if typed.is_empty() => Some("enter a reason; it is kept for the record".into()),
        _ => None,
    }
}

fn run_prompted_action(model: &mut Model) -> Vec<Effect> {
    let Mode::Prompt(prompt) = &mut model.mode else { return Vec::new() };
    let reason = Text::clean(prompt.inputs.first().map_or("", |input| input.value().trim()));
    if let (PromptSubject::ServiceAddress, Some(other)) = (prompt.subject, prompt.address.clone()) {
        close_prompt(model);
        return vec![Effect::RecordServiceAddress { earlier_address: other, is_same: reason.as_str() == "same" }];
    }
    let PromptSubject::Order { id, command, warned, .. } = prompt.subject else { return Vec::new() };
    let Some((_, offer)) = available_offer(model, id, command) else { return Vec::new() };
    if offer.warning.is_some() && !warned {
        // The key became old while the prompt was open: the words were typed without the warning.
        if let Mode::Prompt(prompt) = &mut model.mode {
            if let PromptSubject::Order { warned, .. } = &mut prompt.subject {
                *warned = true;
            }
            prompt.inputs.iter_mut().for_each(Input::reset);
            prompt.error = Some(
                "the idempotency key has grown old in the meantime; read the text above and type the word again".into(),
            );
        }
        return Vec::new();
    }
    close_prompt(model);
    match command {
        OrderCommand::SendAgain => orders::send_order(model, id, SendReason::Operator { warned }, None),
        OrderCommand::WriteOff => vec![Effect::WriteOff { order_id: id, reason }],
        OrderCommand::Abandon => vec![Effect::Abandon(id)],
        // These actions have no prompt.
        OrderCommand::CheckAgain | OrderCommand::SendRest => Vec::new(),
    }
}
