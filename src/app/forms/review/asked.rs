//! What must be typed before a review sends.

use std::ops::Range;

use tui_input::Input;

use super::Review;
use crate::domain::{Draft, address};
use crate::guard::{self, Severity};

/// Something that must be typed.
#[derive(Debug, Clone)]
pub struct Asked {
    /// What.
    pub what: What,
    /// What it must be, letter by letter.
    pub wanted: String,
    /// Whether upper and lower case are the same in it, as in addresses whose case is no more than a checksum.
    pub folds: bool,
    /// What is typed.
    pub input: Input,
    /// What is wrong with it, once the operator tried to send.
    pub error: Option<&'static str>,
}

/// What is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum What {
    /// The amount.
    Amount,
    /// The total of a batch.
    Total,
    /// The number of a batch's recipients.
    Count,
    /// The amount that is sold.
    Sold,
    /// Four characters out of the middle of the recipient's address: which of the groups in which it is shown, counted
    /// from 1 and without what all addresses begin with; `None` where the address is too short for that and all of it
    /// is asked for.
    Middle(Option<usize>),
    /// The words that name a danger.
    Words,
}

impl What {
    /// What stands before the line.
    pub fn label(self, wanted: &str) -> String {
        match self {
            Self::Amount => "the amount, in digits".into(),
            Self::Total => "the total, in digits".into(),
            Self::Count => "the number of recipients".into(),
            Self::Sold => "the amount that is sold, in digits".into(),
            Self::Middle(Some(nth)) => format!("the {} group of four of the recipient", ordinal(nth)),
            Self::Middle(None) => "the recipient".into(),
            Self::Words => format!("the words “{wanted}”"),
        }
    }

    /// What is said of it where something else was typed.
    pub(super) fn wrong(self) -> &'static str {
        match self {
            Self::Amount | Self::Sold => "not the amount as it is written above",
            Self::Total => "not the total as it is written above",
            Self::Count => "not the number above",
            Self::Middle(_) => "not what the address says",
            Self::Words => "not these words",
        }
    }
}

impl Review {
    /// What must be typed for what is known now.
    pub(super) fn ask(&self) -> Vec<Asked> {
        let asked = |what, wanted: &str| Asked {
            what,
            wanted: wanted.to_owned(),
            folds: false,
            input: Input::default(),
            error: None,
        };
        let paid = self.says.to_one();
        let mut all = match (&self.says, paid, self.says.exchange()) {
            (_, Some(says), _) => vec![asked(What::Amount, &says.amount)],
            // The new ones among its recipients stand first in the list, to be compared there.
            (Draft::Batch(says), ..) => {
                let total = says.sum().map_or_else(String::new, |total| total.to_string());
                vec![asked(What::Total, &total), asked(What::Count, &says.to.len().to_string())]
            }
            (.., Some(exchange)) => vec![asked(What::Sold, exchange.amount)],
            _ => return Vec::new(),
        };
        if let Some(says) = paid
            && self.case(self.known_at).is_none_or(|case| guard::is_first(&case, self.says.tag()))
        {
            let middle = guard::middle(&says.to);
            let folds = address::recognise(&says.to).is_some_and(|kind| kind.folds_case);
            let wanted = says.to.get(middle.clone()).unwrap_or(&says.to);
            all.push(Asked { folds, ..asked(What::Middle(group_at(&says.to, &middle)), wanted) });
        }
        for finding in self.findings.iter().filter(|finding| finding.severity == Severity::Danger) {
            // Several recipients may be in the same danger: its words are typed once.
            if let Some(words) = finding.overridden_by
                && !all.iter().any(|asked| asked.what == What::Words && asked.wanted == words)
            {
                all.push(asked(What::Words, words));
            }
        }
        all
    }
}

impl Asked {
    /// Whether it was typed, letter by letter.
    pub fn matches(&self) -> bool {
        let typed = self.input.value();
        typed == self.wanted || (self.folds && typed.eq_ignore_ascii_case(&self.wanted))
    }
}

/// Which of the groups of four of an address this is, counted from 1; `None` where it is none of them.
fn group_at(address: &str, middle: &Range<usize>) -> Option<usize> {
    let (mut at, mut nth) = (0, 0);
    for group in address::groups(address) {
        nth += usize::from(group.len() == 4);
        if at == middle.start && group.len() == middle.len() {
            return Some(nth);
        }
        at += group.len();
    }
    None
}

/// A number that counts: 1st, 2nd, 3rd, 4th, 11th, 21st.
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
