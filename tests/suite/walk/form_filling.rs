//! What is filled in on a walk, mostly as it should be: every way by which money leaves, also by what was paid before or
//! left unfinished; what moves none, what is only looked at, and the book.

use std::fmt::Write as _;

use super::{Observer, RECIPIENTS};
use crate::harness::rng::SeededRng;

/// What is filled in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Task {
    Payment,
    PaymentV1,
    Batch,
    Swap,
    /// A payment with a reference of one's own.
    Invoice,
    /// A payment of a share of the balance.
    Share,
    /// A payment through the palette: to an entry of the address book, as before, or to a pasted address.
    PayTo,
    /// What was paid before, again: a payment or a batch.
    Again,
    /// The rest after a payment.
    Rest,
    /// A form that was left, continued or copied.
    Draft,
    Account,
    Contact,
    /// An entry of the address book is taken out.
    Removal,
    /// The policy, a view, a search, or a receipt: nothing to confirm.
    Look,
}

/// What there is to fill in, as often as it is.
const OFTEN: &[Task] = &[
    Task::Payment,
    Task::Payment,
    Task::Payment,
    Task::PaymentV1,
    Task::PaymentV1,
    Task::Batch,
    Task::Batch,
    Task::Batch,
    Task::Swap,
    Task::Swap,
    Task::Swap,
    Task::Invoice,
    Task::Share,
    Task::PayTo,
    Task::PayTo,
    Task::Again,
    Task::Again,
    Task::Again,
    Task::Rest,
    Task::Rest,
    Task::Draft,
    Task::Draft,
    Task::Look,
    Task::Account,
    Task::Contact,
    Task::Contact,
    Task::Removal,
];

/// What goes wrong where something is to be typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Slip {
    None,
    /// One has a digit more.
    More,
    /// One lacks its first letter.
    Less,
    /// One is pasted.
    Pasted,
    /// One is passed over.
    Skipped,
    /// Nothing is typed at all.
    Nothing,
}

/// Slips, as often as they are made.
const SLIPS: &[Slip] = &[
    Slip::None,
    Slip::None,
    Slip::None,
    Slip::None,
    Slip::None,
    Slip::None,
    Slip::None,
    Slip::None,
    Slip::None,
    Slip::More,
    Slip::Less,
    Slip::Pasted,
    Slip::Skipped,
    Slip::Nothing,
];

impl Observer {
    fn pays_by_palette(&mut self, to: &str, amount: &str, dice: &mut SeededRng) {
        match dice.below(3) {
            0 => {
                self.presses(":");
                self.types("Walker");
                self.presses("Enter");
                self.types(amount);
                self.presses("C-r");
            }
            1 => {
                self.presses(":");
                self.types("Walker");
                self.presses("Down Enter");
            }
            _ => {
                self.pastes(to);
                self.presses("Enter Enter Enter");
                self.types(amount);
                self.presses("C-r");
            }
        }
    }

    /// Opens a form, fills it in, and mostly goes through with it.
    pub(super) fn fills_in(&mut self, dice: &mut SeededRng) {
        let choice = dice.of(OFTEN);
        for _ in 0..4 {
            self.presses("Esc");
        }
        self.presses("1");
        self.is_unbarred(dice);
        let (to, amount) = (dice.of(RECIPIENTS), self.amount(dice));
        match choice {
            Task::Payment if self.v2 => self.types_into("w", &["base-ops", "USDC", to, &amount, ""], dice),
            Task::Invoice if self.v2 => {
                self.types_fields("w", &["base-ops", "USDC", to, &amount, ""], dice);
                self.presses("BackTab");
                self.types(&format!("INV-{}-{}", self.walk, dice.below(3)));
                self.presses("C-r");
            }
            Task::Share if self.v2 => self.types_into("w", &["base-ops", "USDC", to, "1%", ""], dice),
            Task::PayTo => self.pays_by_palette(to, &amount, dice),
            Task::Again => self.pays_again(&amount, dice),
            Task::Rest => self.pays_the_rest(&amount, dice),
            Task::Draft => self.resumes_a_draft(to, &amount, dice),
            Task::Look => self.looks_around(dice),
            Task::Payment | Task::PaymentV1 | Task::Invoice | Task::Share => {
                let memo = dice.of(&["", "", "customer 12"]);
                self.types_into("m", &["base-ops", "USDC", to, memo, &amount, ""], dice);
            }
            Task::Batch if self.v2 => self.fills_in_a_batch(dice),
            Task::Batch | Task::Swap => {
                let (sold, bought) = dice.of(&[("USDC", "ETH"), ("USDC", "ETH"), ("ETH", "USDC")]);
                let fields = ["base-ops", sold, &amount, bought, ""];
                self.types_into("s", if self.v2 { &fields } else { &fields[..4] }, dice);
            }
            Task::Account => {
                self.presses("n");
                self.types_into("a", &[&format!("Walkers {amount}")], dice);
            }
            Task::Contact => {
                self.presses("7");
                let tag = if dice.is_one_in(6) { "12" } else { "" };
                self.types_into("n", &[&format!("Walker {amount}"), "base", to, tag, ""], dice);
            }
            Task::Removal => ["7", "j", "D"].into_iter().for_each(|key| self.presses(key)),
        }
        self.trail.push(format!("filled in {choice:?} {amount} to {to}"));
        let is_reviewed = self.session.review().is_some();
        let sent_before = self.change_count();
        if !dice.is_one_in(3) {
            self.goes_through(dice);
        }
        let is_sent = self.change_count() > sent_before;
        let path = self.paths.entry(format!("{choice:?}")).or_default();
        path.reviewed += usize::from(is_reviewed);
        path.sent += usize::from(is_sent);
    }

    /// Pays again what was paid, mostly as it is filled in.
    fn pays_again(&mut self, amount: &str, dice: &mut SeededRng) {
        if dice.is_one_in(3) {
            self.presses("3");
            self.presses("/");
            self.types("dir:out");
            self.presses("Enter");
        } else {
            self.presses("4");
        }
        for _ in 0..dice.below(4) {
            self.presses("j");
        }
        self.presses("+");
        if dice.is_one_in(3) {
            self.presses("C-u");
            self.types(amount);
        }
        self.presses("C-r");
    }

    /// Pays the rest of what was paid; of a batch, to one of its recipients.
    fn pays_the_rest(&mut self, amount: &str, dice: &mut SeededRng) {
        self.presses("4");
        for _ in 0..dice.below(4) {
            self.presses("j");
        }
        self.presses("R");
        if self.session.screen().contains("the rest for which recipient?") {
            self.presses(dice.of(&["j", "k"]));
            self.presses("Enter");
        }
        self.types(amount);
        self.presses("C-r");
    }

    /// Leaves a form unfinished, and continues it or a copy of it.
    fn resumes_a_draft(&mut self, to: &str, amount: &str, dice: &mut SeededRng) {
        let fields = ["base-ops", "USDC", to, amount, ""];
        self.types_fields(if self.v2 { "w" } else { "m" }, &fields[..3 + usize::from(self.v2)], dice);
        self.presses("Esc");
        self.presses("E");
        if dice.is_one_in(4) {
            self.presses("j");
        }
        self.presses(dice.of(&["Enter", "c"]));
        self.presses("C-r");
    }

    /// Looks at what confirms nothing.
    fn looks_around(&mut self, dice: &mut SeededRng) {
        match dice.below(4) {
            0 => self.presses("%"),
            1 => {
                self.presses("V");
                self.presses(dice.of(&["1", "2", "3", "5", "s", "G"]));
                self.presses(dice.of(&["Enter", "D", "e"]));
            }
            2 => {
                self.presses(":");
                self.types("walkers 12");
                self.presses("Enter");
            }
            _ => {
                self.presses(dice.of(&["3", "4"]));
                self.presses("Enter");
                self.presses("x");
                self.presses("C-u");
                let folder = self.session.journal_folder().to_str().unwrap().to_owned();
                self.types(&folder);
                self.presses("Enter");
            }
        }
    }

    /// How many requests that change something have arrived.
    fn change_count(&self) -> usize {
        self.session.service().record_requests().changes().len()
    }

    /// Few amounts in a walk, so that equal payments meet, and others in the next, so that what nobody knows of this one
    /// does not stand in its way.
    fn amount(&self, dice: &mut SeededRng) -> String {
        format!("{}.{}", 1 + self.walk % 89, 1 + dice.below(3))
    }

    /// Opens a form by its key, and writes into its fields from the first on; now and then one is left as it is.
    fn types_into(&mut self, key: &str, fields: &[&str], dice: &mut SeededRng) {
        self.types_fields(key, fields, dice);
        self.presses("Enter");
    }

    /// The same, up to the button.
    fn types_fields(&mut self, key: &str, fields: &[&str], dice: &mut SeededRng) {
        self.presses(key);
        for _ in fields {
            self.presses("BackTab");
        }
        for text in fields {
            if !dice.is_one_in(60) {
                self.presses("C-u");
                self.types(text);
            }
            self.presses("Enter");
        }
    }

    fn fills_in_a_batch(&mut self, dice: &mut SeededRng) {
        self.presses("b");
        if self.session.screen().contains("draft restored") {
            // Its rows would be paid along.
            for _ in 0..4 {
                self.presses("BackTab");
            }
            for _ in 0..7 {
                self.presses("C-u");
                self.presses("Tab");
            }
            self.presses("Enter");
            if self.session.screen().contains("Enter again to clear") {
                self.presses("Enter");
            }
        }
        for _ in 0..4 {
            self.presses("BackTab");
        }
        for text in ["base-ops", "USDC", "", ""] {
            self.presses("C-u");
            self.types(text);
            self.presses("Enter");
        }
        let mut lines = "address,amount\n".to_owned();
        for _ in 0..2 + dice.below(3) {
            let (to, amount) = (dice.of(RECIPIENTS), self.amount(dice));
            writeln!(lines, "{to},{amount}").unwrap();
        }
        self.pastes(&lines);
        self.presses("Tab");
        self.presses("Enter");
    }

    /// Reads what stands there and confirms it; now and then something comes in between.
    fn goes_through(&mut self, dice: &mut SeededRng) {
        if dice.is_one_in(4) {
            self.meets_something(dice);
        }
        self.confirms(dice);
    }

    /// Lifts the veil and unlocks paying, mostly: who finds a form refused does so.
    fn is_unbarred(&mut self, dice: &mut SeededRng) {
        if dice.is_one_in(8) {
            return;
        }
        let head = |observer: &Self| observer.session.screen().lines().next().unwrap_or_default().to_owned();
        if head(self).contains("veiled") {
            self.presses("p");
        }
        if head(self).contains("paying locked") {
            self.presses("L");
            self.types("unlock");
            self.presses("Enter");
        }
        // After a rejected key nothing is asked for until somebody says so.
        if self.session.screen().contains("press r") {
            self.presses("r");
        }
    }

    /// Types what a review, or the sheet of an entry, asks for, mostly without a slip, and mostly after it takes keys.
    pub(super) fn confirms(&mut self, dice: &mut SeededRng) {
        if !dice.is_one_in(10) {
            self.lets_pass(std::time::Duration::from_millis(1_100));
        }
        let entry = self.session.entering().map(|(_, _, prompts)| prompts);
        let prompts = entry.unwrap_or_else(|| self.session.expected_entries());
        let slip = dice.of(SLIPS);
        let at = if prompts.is_empty() { 0 } else { dice.below(prompts.len() as u64) };
        self.trail.push(format!("confirms {prompts:?}, {slip:?} at {at}"));
        for (index, text) in (0..).zip(&prompts) {
            match slip {
                _ if index != at && slip != Slip::Nothing => self.types(text),
                Slip::None => self.types(text),
                Slip::More => self.types(&format!("{text}0")),
                Slip::Less => self.types(text.get(1..).unwrap_or_default()),
                Slip::Pasted => self.pastes(text),
                Slip::Nothing | Slip::Skipped => {}
            }
            self.presses("Enter");
        }
        if prompts.is_empty() {
            self.presses("Enter");
        }
    }
}
