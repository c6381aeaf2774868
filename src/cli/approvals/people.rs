//! Who can sign now, and which rules these people cannot meet.

use crate::domain::Timestamp;
use crate::domain::approval::{ApprovalPolicy, StatementKind};

/// How many people can sign, and their names; and each further person with the reason why no signature counts.
pub(in crate::cli) fn people_who_sign(policy: &ApprovalPolicy, now: Timestamp) -> (usize, String) {
    let (mut people, mut others) = (Vec::new(), Vec::new());
    for (person, fault) in policy.signers.signing_fault_by_person(StatementKind::Approve, now) {
        match fault {
            None => people.push(person.as_str()),
            Some(reason) => others.push(format!("{person} ({reason})")),
        }
    }
    let names = if people.is_empty() { "nobody".to_owned() } else { people.join(", ") };
    let others = if others.is_empty() { String::new() } else { format!("; not counted: {}", others.join(", ")) };
    (people.len(), format!("{names}{others}"))
}

/// The rules under which no payment can be sent, because too few people can approve one besides its maker.
pub(in crate::cli) fn impossible_rules(policy: &ApprovalPolicy, now: Timestamp) -> Vec<String> {
    let impossible = policy.rules.iter().filter_map(|rule| {
        let most = policy.signers.max_possible_approvals(rule.touch, now);
        (most < usize::from(rule.needs)).then(|| {
            format!(
                "{rule}: {} can give that besides the maker, so no payment under this rule can ever be sent",
                people_count(most)
            )
        })
    });
    impossible.collect()
}

pub(in crate::cli) fn people_count(count: usize) -> String {
    if count == 1 { "1 person".into() } else { format!("{count} people") }
}
