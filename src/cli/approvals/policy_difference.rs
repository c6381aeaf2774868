//! What a change of the rules adds and removes, in lines.

use std::collections::BTreeSet;

use crate::domain::Text;
use crate::domain::approval::PolicyRecord;

/// What a change adds and removes, a line each. Every byte of the files counts: where they differ in nothing that a line
/// shows, a line says in what.
pub(super) fn difference(before: Option<&PolicyRecord>, after: &PolicyRecord) -> Vec<String> {
    let (old, new) = (before.map(Files::of).unwrap_or_default(), Files::of(after));
    let (removed, added) = (old.lines(), new.lines());
    let minus = removed.difference(&added).map(|line| format!("- {line}"));
    let mut lines: Vec<String> = minus.chain(added.difference(&removed).map(|line| format!("+ {line}"))).collect();
    if before.is_some() {
        let notes = [
            unseen_difference(&old.signers, &new.signers).map(|reason| format!("the file of signers: {reason}")),
            unseen_difference(&old.revoked, &new.revoked).map(|reason| format!("the file of revoked keys: {reason}")),
            (old.rules != new.rules && is_same_set(&old.rules, &new.rules))
                .then(|| "the rules: the same ones in another order".to_owned()),
        ];
        lines.extend(notes.into_iter().flatten().map(|note| format!("~ {note}")));
        if lines.is_empty() && before.is_some_and(|before| before.rules_hash() != after.rules_hash()) {
            lines.push("~ a rule differs in what its words leave out".into());
        }
    }
    lines
}

#[derive(Default)]
struct Files {
    rules: Vec<String>,
    signers: String,
    revoked: String,
}

impl Files {
    fn of(policy: &PolicyRecord) -> Self {
        let (signers, revoked) = policy.signer_file_texts().unwrap_or_default();
        Self { rules: policy.rule_texts(), signers, revoked }
    }

    fn lines(&self) -> BTreeSet<String> {
        let labelled = |label: &str, line: &str| format!("{label:<8}{}", Text::clean(line.trim_end()));
        let rules = self.rules.iter().map(|rule| labelled("rule", rule));
        let signers = self.signers.lines().map(|line| labelled("signer", line));
        let revoked = self.revoked.lines().map(|line| labelled("revoked", line));
        rules.chain(signers).chain(revoked).collect()
    }
}

fn is_same_set(old: &[String], new: &[String]) -> bool {
    old.iter().collect::<BTreeSet<_>>() == new.iter().collect::<BTreeSet<_>>()
}

/// How two texts differ whose lines read alike; `None` where they are the same, or where lines differ.
fn unseen_difference(old: &str, new: &str) -> Option<&'static str> {
    let lines = |text: &str| text.lines().map(|line| line.trim_end().to_owned()).collect::<Vec<_>>();
    let has_carriage_returns = |text: &str| text.contains('\r');
    let (old_lines, new_lines) = (lines(old), lines(new));
    if old == new || !is_same_set(&old_lines, &new_lines) {
        None
    } else if old_lines != new_lines {
        Some("the same lines in another order, or some of them more than once")
    } else {
        Some(match (has_carriage_returns(old), has_carriage_returns(new)) {
            (false, true) => "its lines end with CR LF, and with LF as recorded (sed -i 's/\\r$//' FILE converts it)",
            (true, false) => "its lines end with LF, and with CR LF as recorded (sed -i 's/$/\\r/' FILE converts it)",
            _ => "blanks at the ends of lines, or the line end of the last one",
        })
    }
}
