//! The prompts to type before a review sends.

use std::ops::Range;

use tui_input::Input;

use super::{Review, ReviewPurpose};
use crate::domain::{Draft, address};
use crate::guard::{self, Severity};

/// The most new recipients of a batch for which address characters are typed: those who get most.
pub const MAX_TYPED_RECIPIENTS: usize = 3;

#[derive(Debug, Clone)]
pub struct ConfirmationPrompt {
    pub kind: PromptKind,
    /// The expected text, letter by letter.
    pub expected: String,
    /// Whether case is ignored, as in addresses whose case is no more than a checksum.
    pub ignores_case: bool,
    pub input: Input,
    /// Why the input does not match, after an attempt to send.
    pub error: Option<&'static str>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PromptKind {
    Amount,
    Total,
    Count,
    SellAmount,
    /// Four characters from the middle of the recipient's address: the group of four that they are, counted from 1 and
    /// without the prefix of all addresses; `None` where the address is too short, and all of it is typed.
    AddressGroup(Option<usize>),
    /// The same for a new recipient of a batch, numbered from 1 as shown.
    NewRecipientGroup(usize, Option<usize>),
    /// The memo, where this console never sent it to that address.
    Memo,
    /// The phrase that overrides a danger.
    OverridePhrase,
}

impl PromptKind {
    pub fn label(self, text: &str) -> String {
        match self {
            Self::Amount => "the amount, in digits".into(),
            Self::Total => "the total, in digits".into(),
            Self::Count => "the number of recipients".into(),
            Self::SellAmount => "the amount sold, in digits".into(),
            Self::AddressGroup(Some(nth)) => format!("the {} group of four of the recipient", ordinal(nth)),
            Self::AddressGroup(None) => "the recipient".into(),
            Self::NewRecipientGroup(new, Some(nth)) => format!("the {} group of four of new {new}", ordinal(nth)),
            Self::NewRecipientGroup(new, None) => format!("the address of new {new}"),
            Self::Memo => "the memo or tag".into(),
            Self::OverridePhrase => format!("the words “{text}”"),
        }
    }

    pub(super) fn mismatch_message(self) -> &'static str {
        match self {
            Self::Amount | Self::SellAmount => "does not match the amount above",
            Self::Total => "does not match the total above",
            Self::Count => "does not match the number above",
            Self::AddressGroup(_) | Self::NewRecipientGroup(..) => "does not match the address",
            Self::Memo => "does not match the memo above",
            Self::OverridePhrase => "does not match these words",
        }
    }
}

impl Review {
    pub(super) fn build_prompts(&self) -> Vec<ConfirmationPrompt> {
        let prompt = |kind, text: &str| ConfirmationPrompt {
            kind,
            expected: text.to_owned(),
            ignores_case: false,
            input: Input::default(),
            error: None,
        };
        let payment = self.draft.single_payment();
        let mut all = match (&self.draft, payment, self.draft.exchange()) {
            (_, Some(withdrawal), _) => vec![prompt(PromptKind::Amount, &withdrawal.amount)],
            (Draft::Batch(batch), ..) => {
                let total = batch.total_as_written().map_or_else(String::new, |total| total.to_string());
                vec![prompt(PromptKind::Total, &total), prompt(PromptKind::Count, &batch.to.len().to_string())]
            }
            (.., Some(exchange)) => vec![prompt(PromptKind::SellAmount, exchange.amount)],
            _ => return Vec::new(),
        };
        if let Some(withdrawal) = payment {
            let case = self.guarded_payment(self.facts_at);
            let is_second_person = matches!(self.purpose, ReviewPurpose::Approve { .. });
            if is_second_person || case.is_none_or(|case| guard::is_first_payment(&case, self.draft.memo())) {
                all.push(address_prompt(&withdrawal.to, PromptKind::AddressGroup));
            }
            let memo = case.and_then(|case| guard::new_memo(&case, self.draft.memo()));
            all.extend(memo.map(|memo| prompt(PromptKind::Memo, memo)));
        }
        if let Draft::Batch(batch) = &self.draft {
            let to = |new: &guard::NewRecipient| batch.to.get(new.index);
            for (to, nth) in self.new_recipients.iter().take(MAX_TYPED_RECIPIENTS).filter_map(to).zip(1..) {
                let is_alone = batch.to.len() == 1;
                let kind_of_group = |group| {
                    if is_alone { PromptKind::AddressGroup(group) } else { PromptKind::NewRecipientGroup(nth, group) }
                };
                all.push(address_prompt(&to.address, kind_of_group));
            }
        }
        for finding in self.findings.iter().filter(|finding| finding.severity == Severity::Danger) {
            // Several recipients may share a danger: its phrase is typed once.
            if let Some(phrase) = finding.override_phrase
                && !all.iter().any(|earlier| earlier.kind == PromptKind::OverridePhrase && earlier.expected == phrase)
            {
                all.push(prompt(PromptKind::OverridePhrase, phrase));
            }
        }
        all
    }
}

impl ConfirmationPrompt {
    pub fn matches(&self) -> bool {
        let typed = self.input.value();
        typed == self.expected || (self.ignores_case && typed.eq_ignore_ascii_case(&self.expected))
    }
}

fn address_prompt(to: &str, kind_of_group: impl Fn(Option<usize>) -> PromptKind) -> ConfirmationPrompt {
    let middle = guard::challenge_range(to);
    let folds = address::recognise_address_kind(to).is_some_and(|kind| kind.is_case_insensitive);
    let text = to.get(middle.clone()).unwrap_or(to).to_owned();
    ConfirmationPrompt {
        kind: kind_of_group(group_number_of_range(to, &middle)),
        expected: text,
        ignores_case: folds,
        input: Input::default(),
        error: None,
    }
}

/// The position of a range among an address's groups of four, counted from 1; `None` where it is not such a group.
fn group_number_of_range(address: &str, middle: &Range<usize>) -> Option<usize> {
    let (mut at, mut nth) = (0, 0);
    for group in address::split_into_groups(address) {
        nth += usize::from(group.len() == 4);
        if at == middle.start && group.len() == middle.len() {
            return Some(nth);
        }
        at += group.len();
    }
    None
}

/// An ordinal number: 1st, 2nd, 3rd, 4th, 11th, 21st.
fn ordinal(number: usize) -> String {
    let ending = match (number % 10, number % 100) {
        (_, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    };
    format!("{number}{ending}")
}
