//! A file of `[[approval]]` tables alone: the rules of a service that enforces approvals.

use std::path::Path;

use super::file::{FileFault, fault_in_file, parse_table, read_text};
use super::policy;
use super::toml_reader::{TomlFault, TomlTable};
use crate::domain::approval::ApprovalRule;

/// Reads the rules, written as in a profile's policy.
///
/// # Errors
/// Also where there is no file, or no rule in it.
pub fn read_approval_rules(path: &Path) -> Result<Vec<ApprovalRule>, FileFault> {
    let source = read_text(path)?.ok_or_else(|| FileFault::Unreadable {
        path: path.to_owned(),
        source: std::io::Error::from(std::io::ErrorKind::NotFound),
    })?;
    parse_file(&source).map_err(|fault| fault_in_file(path, fault))
}

fn parse_file(source: &str) -> Result<Vec<ApprovalRule>, TomlFault> {
    let whole = parse_table(source)?;
    let table = TomlTable::root(source, whole.get_ref());
    table.reject_unknown_keys(&["approval"])?;
    let rules = table.get("approval").map(|value| policy::parse_approval_rules(&value, "approval")).transpose()?;
    rules.filter(|rules| !rules.is_empty()).ok_or_else(|| TomlFault {
        line: 1,
        message: "there is no rule; write each as a table of its own, as in [[approval]]".into(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(source: &str) -> (usize, String) {
        let TomlFault { line, message } = parse_file(source).unwrap_err();
        (line, message)
    }

    #[test]
    fn a_file_of_rules_is_written_as_a_policy_and_has_nothing_else() {
        let rule = "[[approval]]\ntoken = \"USDC\"\nabove = \"10000\"\nneeds = 1\n";
        let rules = parse_file(&format!("{rule}\n[[approval]]\ntoken = \"*\"\nalways = true\nneeds = 2\n")).unwrap();
        let texts: Vec<String> = rules.iter().map(ToString::to_string).collect();
        assert_eq!(
            texts,
            ["USDC above 10,000: 1 approval within 24 hours", "every token, every amount: 2 approvals within 24 hours"]
        );
        assert_eq!(fault("# nothing\n").1, "there is no rule; write each as a table of its own, as in [[approval]]");
        assert_eq!(fault(&format!("{rule}[[limit]]\n")), (5, "unknown key “limit”; known keys are approval".into()));
        let (line, message) = fault("[[approval]]\ntoken = \"USDC\"\nneeds = 1\n");
        assert_eq!((line, message.starts_with("approval: a rule needs above")), (1, true), "{message}");
        assert_eq!(fault("[[approval]\n").0, 1);
    }
}
