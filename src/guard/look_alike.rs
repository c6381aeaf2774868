//! Whether the recipient's address was made to be mistaken for a trusted one.
//!
//! People who copy an address from a list compare its ends. So forgers generate keys until an address has the same
//! ends, and plant it in histories by worthless payments. An address that shares three leading and three trailing
//! characters with a trusted one occurs by chance once in 16.8 million on EVM chains.

mod end_index;
mod known_ends;
mod shared_ends;

use std::collections::HashSet;

use super::{Finding, GuardFacts, GuardedPayment, Override, OwnAddress, Rule, truncate_word};
use crate::domain::address::ComparableAddress;
use crate::domain::book::BookEntry;
use crate::domain::{Text, Timestamp};

pub(super) use end_index::{RecipientIndex, TrustedIndex};
pub use known_ends::KnownEnds;
use shared_ends::{Likeness, MANY_ADDRESSES, SharedEnds, most_shared_ends};

const RULE: Rule = Rule::LookAlike;

const MAX_SHOWN: usize = 2;

struct TrustedAddress<'a> {
    address: &'a str,
    reason: TrustReason<'a>,
    shape: ComparableAddress,
}

#[derive(Clone, Copy)]
enum TrustReason<'a> {
    /// In the address book, past its cooling-off period.
    Contact(&'a BookEntry),
    /// Paid by this console before.
    Payee,
    /// A wallet of the business, with an address reported by the service.
    Own(&'a OwnAddress),
    /// Paid by anyone in the service's history: known, and no more.
    History,
}

impl TrustedAddress<'_> {
    fn reason_label(&self) -> String {
        match self.reason {
            TrustReason::Contact(entry) => format!("“{}” in your address book", truncate_word(&entry.contact.name)),
            TrustReason::Payee => "paid before".to_owned(),
            TrustReason::Own(OwnAddress { name: Some(name), .. }) => format!("your wallet “{}”", truncate_word(name)),
            TrustReason::Own(OwnAddress { name: None, .. }) => "one of your wallets".to_owned(),
            TrustReason::History => "paid before, according to the service's history".to_owned(),
        }
    }

    /// Whether there is a better reason than a payment by somebody.
    fn is_trusted(&self) -> bool {
        !matches!(self.reason, TrustReason::History)
    }

    /// The label of the address beside the recipient's.
    fn label(&self) -> &'static str {
        if self.is_trusted() { "trusted" } else { "paid" }
    }
}

fn trusted_addresses(facts: &GuardFacts, now: Timestamp) -> Vec<TrustedAddress<'_>> {
    let cooling = facts.policy.cooling;
    let cooled = facts.book.entries().iter().filter(|entry| entry.has_cooled(cooling, now));
    let contacts = cooled.map(|entry| (&entry.contact.address, TrustReason::Contact(entry)));
    let payees = facts.payees.iter().map(|payee| (&payee.address, TrustReason::Payee));
    // An import file may come from anybody, so a resemblance to an address in it proves nothing.
    let own = facts.own_addresses.iter().filter(|own| own.is_reported).map(|own| (&own.address, TrustReason::Own(own)));
    let paid_by_history = facts.paid_by_history.iter().map(|address| (address, TrustReason::History));
    let all = contacts.chain(payees).chain(own).chain(paid_by_history);
    all.map(|(address, reason)| TrustedAddress { address, reason, shape: ComparableAddress::parse(address) }).collect()
}

/// The number of distinct trusted addresses, up to [`MANY_ADDRESSES`].
fn count_distinct(trusted: &[TrustedAddress<'_>]) -> usize {
    let mut shapes = HashSet::new();
    for trusted_address in trusted.iter().filter(|candidate| candidate.is_trusted()) {
        shapes.insert(&trusted_address.shape);
        if shapes.len() == MANY_ADDRESSES {
            break;
        }
    }
    shapes.len()
}

pub(super) fn judge(case: &GuardedPayment<'_>) -> Vec<Finding> {
    let to = ComparableAddress::parse(&case.request.to);
    let trusted = trusted_addresses(case.facts, case.now);
    let count = count_distinct(&trusted);
    judge_against(&case.request.to, &to, trusted.iter(), count).into_iter().collect()
}

/// A known address that another address resembles at both ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LookAlikeMatch {
    pub address: Text,
    pub reason: String,
}

/// The closest known address that this one resembles at both ends without being it; `None` where this one is trusted.
pub fn find_look_alike(address: &str, facts: &GuardFacts, now: Timestamp) -> Option<LookAlikeMatch> {
    let shape = ComparableAddress::parse(address);
    let trusted = trusted_addresses(facts, now);
    if trusted.iter().any(|candidate| candidate.is_trusted() && candidate.shape == shape) {
        return None;
    }
    let others = trusted.iter().filter(|candidate| candidate.shape != shape);
    let alike = others.map(|candidate| (most_shared_ends(&shape, &candidate.shape), candidate));
    let alike = alike.filter(|(shared, _)| shared.are_both_alike());
    // Of equally close addresses, the first is named: it is known for the best reason.
    let (_, closest) = alike.rev().max_by_key(|(shared, _)| shared.leading + shared.trailing)?;
    Some(LookAlikeMatch { address: closest.address.into(), reason: closest.reason_label() })
}

/// The finding for an address among `count` distinct trusted ones.
fn judge_against<'a>(
    address: &str,
    to: &ComparableAddress,
    trusted: impl Iterator<Item = &'a TrustedAddress<'a>>,
    count: usize,
) -> Option<Finding> {
    let all: Vec<&TrustedAddress<'_>> = trusted.collect();
    // A trusted recipient stays trusted when somebody paid a forgery of its address.
    let is_trusted = all.iter().any(|candidate| candidate.is_trusted() && candidate.shape == *to);
    let mut alike: Vec<(Likeness, SharedEnds, &TrustedAddress<'_>)> = all
        .into_iter()
        .filter(|candidate| candidate.shape != *to)
        .filter_map(|candidate| {
            let shared = most_shared_ends(to, &candidate.shape);
            Some((shared.likeness(count)?, shared, candidate))
        })
        // Among all addresses ever paid, one shared end occurs by chance.
        .filter(|(likeness, _, candidate)| candidate.is_trusted() || (*likeness == Likeness::BothEnds && !is_trusted))
        .collect();
    alike.sort_by_key(|(likeness, shared, _)| std::cmp::Reverse((*likeness, shared.leading + shared.trailing)));
    // One address may be known on several chains.
    let mut shapes = HashSet::new();
    alike.retain(|(_, _, candidate)| shapes.insert(&candidate.shape));
    let (likeness, shared, imitated) = alike.first()?;
    let more = match alike.len() {
        1 => String::new(),
        count => format!(" It is the closest of {count} such addresses."),
    };
    let lines = alike.iter().take(MAX_SHOWN).flat_map(|(_, shared, candidate)| {
        side_by_side(address, candidate.label(), candidate.address, &candidate.shape, *shared)
    });
    let finding = match likeness {
        Likeness::BothEnds => Finding::danger(
            RULE,
            Override::LookAlike,
            format!(
                "This is not the known address ({}), but it begins with the same {} and ends in the same {} \
                 characters, as a forged address would.{more}",
                imitated.reason_label(),
                shared.leading,
                shared.trailing
            ),
        ),
        Likeness::OneEnd => {
            let end = if shared.leading > shared.trailing {
                format!("begins with the same {}", shared.leading)
            } else {
                format!("ends in the same {}", shared.trailing)
            };
            let reason = imitated.reason_label();
            Finding::caution(
                RULE,
                format!(
                    "This address {end} characters as one that you trust ({reason}), but is a different one.{more}"
                ),
            )
        }
    };
    Some(finding.with_lines(lines))
}

/// Both addresses below each other, with marks below the differences. Where their notations differ, both are shown in
/// the canonical one, and as written below.
///
/// `name` is the label of the known address, at most seven letters.
fn side_by_side(
    to: &str,
    name: &str,
    known_address: &str,
    known_shape: &ComparableAddress,
    shared: SharedEnds,
) -> Vec<String> {
    let shape = ComparableAddress::parse(to);
    let (one, other) = (shape.as_written(), known_shape.as_written());
    let is_alike =
        one.text().len() == other.text().len() || (one == shape.canonical() && other == known_shape.canonical());
    let (one, other) = if is_alike { (one, other) } else { (shape.canonical(), known_shape.canonical()) };
    let fixed = one.text().len() - one.distinctive_part().len();
    let (one, other) = (one.text(), other.text());
    let longest = one.chars().count().max(other.chars().count());
    let marks: String = if one.len() == other.len() {
        one.bytes().zip(other.bytes()).map(|(one, other)| if one == other { ' ' } else { '^' }).collect()
    } else {
        // With different lengths, nothing lines up between the ends.
        let differing_columns = fixed + shared.leading..longest.saturating_sub(shared.trailing);
        (0..longest).map(|index| if differing_columns.contains(&index) { '^' } else { ' ' }).collect()
    };
    let marks = format!("differ at   {}", marks.trim_end());
    if is_alike {
        return vec![format!("to be paid  {to}"), format!("{name:<12}{known_address}"), marks];
    }
    let (to, as_written) = (format!("requested   {to}"), format!("{:<12}{known_address}", format!("{name} as")));
    vec![format!("to be paid  {one}"), format!("{name:<12}{other}"), marks, to, as_written]
}

#[cfg(test)]
mod tests;
