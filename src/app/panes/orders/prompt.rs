//! What is asked before something is done about an order that cannot be undone, and before leaving while one is on its
//! way or unresolved, or a review is open.
//!
//! The answer to a prompt counts only for the order as it stood when it was asked: one that moved on meanwhile, because
//! a read found it or another console acted, closes its prompt and says so.

pub mod view;

use tui_input::{Input, InputRequest};

use super::find;
use crate::app::Model;
use crate::app::forms;
use crate::app::key::{Key, KeyCode};
use crate::app::line;
use crate::app::model::Mode;
use crate::app::msg::Effect;
use crate::app::orders::{self, Action, Offer, offers};
use crate::app::panes::Tone;
use crate::domain::intent::{Because, State};
use crate::domain::text::is_hidden;
use crate::domain::{Draft, Intent, IntentId, Text, Zone, address};

/// The longest line that is typed into a prompt.
const LONGEST: usize = 200;

/// A prompt, over whatever was open.
#[derive(Debug, Clone)]
pub struct Prompt {
    /// What it asks for.
    pub about: About,
    /// The base address that it asks about, if it does.
    pub address: Option<Text>,
    /// What was typed, a line for each of [`questions`].
    pub lines: Vec<Input>,
    /// Which of them is typed.
    pub at: usize,
    /// What is wrong with it, in words that say what would be right.
    pub wrong: Option<String>,
    /// What had the keys before, and will have them again.
    pub over: Box<Mode>,
}

/// What a prompt asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum About {
    /// To do something about an order.
    Order {
        /// Which.
        id: IntentId,
        /// What.
        action: Action,
        /// How the order stood when it was asked.
        stood: State,
        /// Whether the operator was warned that its key may be forgotten.
        warned: bool,
    },
    /// To leave while an answer is waited for, an order is unresolved, or a review is open.
    Leave,
    /// To say whether an earlier base address of the profile leads to the same service.
    Address,
}

/// A line that a prompt wants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Question {
    /// What to type.
    pub asks: &'static str,
    /// The words of which it takes one; any, where there are none.
    pub words: &'static [&'static str],
}

/// The lines that a prompt wants before Enter does it.
pub fn questions(about: About) -> &'static [Question] {
    match about {
        About::Order { action: Action::SendAgain, stood: State::NotSent | State::Confirmed, .. } => {
            &[Question { asks: "Type “send” to send it", words: &["send"] }]
        }
        About::Order { action: Action::SendAgain, .. } => {
            &[Question { asks: "Type “again” to send it again", words: &["again"] }]
        }
        About::Order { action: Action::WriteOff, .. } => &[
            Question { asks: "Reason, for the record", words: &[] },
            Question { asks: "Type “write off” to close it", words: &["write off"] },
        ],
        About::Address => &[Question { asks: "Type “same” or “another”", words: &["same", "another"] }],
        About::Order { .. } | About::Leave => &[],
    }
}

/// Asks before an action on an order.
pub fn open(model: &mut Model, id: IntentId, action: Action) {
    let Some((order, offer)) = offered(model, id, action) else { return };
    let about = About::Order { id, action, stood: order.state(model.now), warned: offer.warning.is_some() };
    ask(model, about);
}

/// Leaves, or asks once before leaving something behind that somebody should know of.
pub fn leave(model: &mut Model) -> Vec<Effect> {
    if matches!(&model.mode, Mode::Prompt(prompt) if prompt.about == About::Leave) || leaving(model).is_empty() {
        return vec![Effect::Quit];
    }
    ask(model, About::Leave);
    Vec::new()
}

/// Asks about an earlier base address of the profile.
pub fn open_address(model: &mut Model, address: Text) {
    ask(model, About::Address);
    if let Mode::Prompt(prompt) = &mut model.mode {
        prompt.address = Some(address);
    }
}

fn ask(model: &mut Model, about: About) {
    let over = Box::new(std::mem::take(&mut model.mode));
    let lines = questions(about).iter().map(|_| Input::default()).collect();
    model.mode = Mode::Prompt(Box::new(Prompt { about, address: None, lines, at: 0, wrong: None, over }));
}

/// The order and the offer of an action on it, if it can be taken now.
fn offered(model: &Model, id: IntentId, action: Action) -> Option<(&Intent, Offer)> {
    let order = find(model, id)?;
    let offer = offers(model, order).into_iter().find(|offer| offer.action == action)?;
    offer.refused.is_none().then_some((order, offer))
}

/// Closes a prompt that asks for what cannot be done any more. To be called after every message.
pub fn hold(model: &mut Model) {
    let Mode::Prompt(prompt) = &model.mode else { return };
    let said = match prompt.about {
        About::Leave if !leaving(model).is_empty() => return,
        About::Leave => "the answer has come; nothing is on its way any more".to_owned(),
        About::Address if prompt.address.as_ref() == model.addresses.questions().first() => return,
        About::Address => "that was answered meanwhile".to_owned(),
        About::Order { id, action, stood, .. } => {
            let state = find(model, id).map(|order| order.state(model.now));
            if state == Some(stood) && offered(model, id, action).is_some() {
                return;
            }
            let word = find(model, id).map_or("no longer known here", |order| orders::word(order, model.now));
            format!("the order moved on: it is {word} now. Nothing was done")
        }
    };
    close(model);
    model.notice = Some(said);
}

fn close(model: &mut Model) {
    if let Mode::Prompt(prompt) = &mut model.mode {
        model.mode = std::mem::take(&mut prompt.over);
    }
}

/// A key while a prompt is open.
pub fn key(model: &mut Model, key: Key) -> Vec<Effect> {
    let Mode::Prompt(prompt) = &mut model.mode else { return Vec::new() };
    prompt.wrong = None;
    match key.code {
        KeyCode::Esc => close(model),
        KeyCode::Char('c') if key.ctrl => return leave(model),
        KeyCode::Char('z') if key.ctrl => return vec![Effect::Suspend],
        _ if [Key::char('y'), Key::char('q')].contains(&key) && prompt.about == About::Leave => {
            return vec![Effect::Quit];
        }
        _ if key == Key::char('n') && prompt.about == About::Leave => close(model),
        KeyCode::BackTab | KeyCode::Up => prompt.at = prompt.at.saturating_sub(1),
        KeyCode::Enter | KeyCode::Tab | KeyCode::Down => return onward(model, key.code == KeyCode::Enter),
        _ => {
            if let (Some(request), Some(input)) = (line::request(key), prompt.lines.get_mut(prompt.at)) {
                insert(input, request);
            }
        }
    }
    Vec::new()
}

/// Text was pasted. Words that confirm are typed: that is what they are for.
pub fn paste(model: &mut Model, text: &str) {
    let Mode::Prompt(prompt) = &mut model.mode else { return };
    let Some(question) = questions(prompt.about).get(prompt.at) else { return };
    if !question.words.is_empty() {
        prompt.wrong = Some("these words are typed, not pasted".into());
        return;
    }
    if let Some(input) = prompt.lines.get_mut(prompt.at) {
        for character in text.trim().chars().map(|c| if c.is_whitespace() { ' ' } else { c }) {
            insert(input, InputRequest::InsertChar(character));
        }
    }
}

fn insert(input: &mut Input, request: InputRequest) {
    if let InputRequest::InsertChar(character) = request
        && (is_hidden(character) || input.value().chars().count() >= LONGEST)
    {
        return;
    }
    input.handle(request);
}

/// To the next line, or, behind the last one, to the deed.
fn onward(model: &mut Model, enter: bool) -> Vec<Effect> {
    let Mode::Prompt(prompt) = &mut model.mode else { return Vec::new() };
    let asked = questions(prompt.about);
    if let (Some(question), Some(input)) = (asked.get(prompt.at), prompt.lines.get(prompt.at)) {
        prompt.wrong = wrong(*question, input.value().trim());
        if prompt.wrong.is_some() {
            return Vec::new();
        }
    }
    if prompt.at + 1 < asked.len() {
        prompt.at += 1;
        return Vec::new();
    }
    // Going back is free, so that every line is looked at again.
    let answers = || asked.iter().zip(&prompt.lines).enumerate();
    if let Some((at, said)) =
        answers().find_map(|(at, (question, input))| Some((at, wrong(*question, input.value().trim())?)))
    {
        (prompt.at, prompt.wrong) = (at, Some(said));
        return Vec::new();
    }
    if !enter {
        return Vec::new();
    }
    // What does not stand on the screen is not confirmed, whatever is typed.
    if let Mode::Prompt(prompt) = &model.mode
        && !view::has_room(model, prompt)
    {
        if let Mode::Prompt(prompt) = &mut model.mode {
            prompt.wrong = Some("this screen does not show all of it; enlarge it".into());
        }
        return Vec::new();
    }
    act(model)
}

fn wrong(question: Question, typed: &str) -> Option<String> {
    match question.words {
        words if !words.is_empty() && !words.contains(&typed) => {
            Some(format!("type “{}”, or press Esc", words.join("” or “")))
        }
        [] if typed.is_empty() => Some("a reason is kept for whoever asks later; write one".into()),
        _ => None,
    }
}

/// Does what was asked for.
fn act(model: &mut Model) -> Vec<Effect> {
    let Mode::Prompt(prompt) = &mut model.mode else { return Vec::new() };
    let reason = Text::clean(prompt.lines.first().map_or("", |input| input.value().trim()));
    if let (About::Address, Some(other)) = (prompt.about, prompt.address.clone()) {
        close(model);
        return vec![Effect::AnswerAddress { other, is_same: reason.as_str() == "same" }];
    }
    let About::Order { id, action, warned, .. } = prompt.about else { return Vec::new() };
    let Some((_, offer)) = offered(model, id, action) else { return Vec::new() };
    if offer.warning.is_some() && !warned {
        // The key grew old while the prompt stood open: what was typed was typed without the warning.
        if let Mode::Prompt(prompt) = &mut model.mode {
            if let About::Order { warned, .. } = &mut prompt.about {
                *warned = true;
            }
            prompt.lines.iter_mut().for_each(Input::reset);
            prompt.wrong = Some("its key has grown old meanwhile; read above, and type it again".into());
        }
        return Vec::new();
    }
    close(model);
    match action {
        Action::SendAgain => orders::send(model, id, Because::Operator { warned }, None),
        Action::WriteOff => vec![Effect::WriteOff { intent: id, reason }],
        Action::Abandon => vec![Effect::Abandon(id)],
        // Neither asks before it is done.
        Action::CheckAgain | Action::SendRest => Vec::new(),
    }
}

/// What an order that is written off still counts against.
const WRITTEN_OFF: &str = "For 24 hours from its sending it goes on counting against limits, against those of a cooling entry \
                           for as long as that cools, and an equal payment asks for typed words. Later only a payment with \
                           its reference does.";

/// What the prompt says above its lines.
pub fn words(model: &Model, prompt: &Prompt) -> (&'static str, Vec<(String, Tone)>) {
    if let Some(address) = &prompt.address {
        return ("Is it the same service?", super::service_address::words(model, address));
    }
    let About::Order { id, action, stood, .. } = prompt.about else {
        let left = leaving(model).into_iter().map(|words| (words, Tone::Warn));
        let ends = ("q, y or Ctrl-C leaves, Esc stays.".to_owned(), Tone::Text);
        return ("Leave?", left.chain([ends]).collect());
    };
    let Some(order) = find(model, id) else { return ("Order", Vec::new()) };
    let mut said = vec![(brief(&model.zone, order), Tone::Accent)];
    let mut say = |words: &str, tone| said.push((words.to_owned(), tone));
    match (action, stood) {
        (Action::SendAgain, State::Confirmed | State::NotSent) => {
            say("Nothing of it has left this machine so far. The same request is sent, with the same key.", Tone::Text);
            say("The guard judges it once more; what it finds new keeps it from being sent.", Tone::Text);
        }
        (Action::SendAgain, _) => {
            say(
                "The same request is sent again: same bytes, same key. A service that remembers the key pays once.",
                Tone::Text,
            );
        }
        (Action::WriteOff, State::Accepted) => {
            say(
                "The service took this order. Written off, it is not watched any more; nothing is called back.",
                Tone::Warn,
            );
            say(WRITTEN_OFF, Tone::Warn);
        }
        (Action::WriteOff, _) => {
            say(
                "What became of this order is not known, and it may have been made: ask the service first. Written off, it \
                 is not waited for any more, and an equal payment is not stopped by it.",
                Tone::Warn,
            );
            say(WRITTEN_OFF, Tone::Warn);
        }
        (Action::Abandon, _) => {
            say("Nothing of it was sent, and nothing will be. Enter gives it up, Esc keeps it.", Tone::Text);
        }
        (Action::CheckAgain | Action::SendRest, _) => {}
    }
    if let Some((_, Offer { warning: Some(warning), .. })) = offered(model, id, action) {
        say(warning, Tone::Bad);
    }
    let title = match action {
        Action::SendAgain if questions(prompt.about).first().is_some_and(|asked| asked.words == ["send"]) => "Send",
        Action::SendAgain => "Send the same request again",
        Action::WriteOff => "Write off",
        Action::Abandon => "Give up",
        Action::CheckAgain => "Check again",
        Action::SendRest => "Send the rest",
    };
    (title, said)
}

/// What is left behind by leaving now, in words; nothing where nobody needs to know. What a console that only reads shows
/// is looked after by another one.
fn leaving(model: &Model) -> Vec<String> {
    let mut left = Vec::new();
    let is_under_way = |order: &&Intent| order.state(model.now) == State::Sending;
    let sending: Vec<&Intent> = model.orders.iter().filter(is_under_way).collect();
    if orders::is_waiting_for_any(model) {
        let until = sending.iter().filter_map(|order| order.attempts.last()).map(|attempt| attempt.gives_up_at).max();
        let until = until.map_or(String::new(), |until| {
            format!(" It comes by {} or not at all.", model.zone.marked(until, "%H:%M:%S"))
        });
        left.push(format!(
            "A request is on its way. If you leave, the screen closes, and the program waits for the answer in the \
             terminal.{until} Ctrl-C leaves it to the next start, which looks it up in the history."
        ));
    } else if !sending.is_empty() && model.read_only.is_none() {
        left.push("Another console has a request on its way. If you leave, only that one follows it.".to_owned());
    }
    let unresolved = super::unresolved(model);
    if unresolved > 0 && model.read_only.is_none() {
        let orders = if unresolved == 1 { "1 order is".to_owned() } else { format!("{unresolved} orders are") };
        left.push(format!(
            "{orders} unresolved: nobody knows for sure what became of the money. If you leave, nobody looks for it from \
             here until the next start. Do not pay again from elsewhere."
        ));
    }
    if forms::is_reviewing(&model.mode) {
        left.push("A review is open. Nothing of it was sent, and nothing will be if you leave.".to_owned());
    }
    left
}

/// An order in a line.
pub(super) fn brief(zone: &Zone, order: &Intent) -> String {
    let draft = &order.drafted.draft;
    match draft.to_one() {
        Some(paid) => format!(
            "{} {} to {}, drafted {}",
            paid.amount,
            paid.token,
            address::in_groups(&paid.to),
            zone.marked(order.born.at, "%Y-%m-%d %H:%M:%S")
        ),
        None => match draft {
            Draft::Batch(batch) => {
                let total =
                    order.drafted.sender.as_ref().map_or_else(|| "—".to_owned(), |sender| sender.amount.to_string());
                let drafted = zone.marked(order.born.at, "%Y-%m-%d %H:%M:%S");
                format!("batch of {total} {} to {}, drafted {drafted}", batch.token, super::recipients(batch))
            }
            _ => format!("{}: {}", draft.operation().title(), super::subject(draft)),
        },
    }
}
