//! Paths that complete a typed one.

use crate::app::request_id::RequestId;
use crate::domain::csv_table::mapping::split_path_and_mapping;
use crate::domain::text::wrap;

/// What a path is to lead to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PathKind {
    /// CSV and TSV files.
    Tables,
    /// The same and JSON files.
    Entries,
    /// JSON files.
    Drafts,
    Folders,
}

#[derive(Debug, Clone, Default)]
pub struct PathCompletions {
    request_id: RequestId,
    /// The path that `matches` complete.
    pub prefix: Option<String>,
    /// The matching paths; folders end in a slash.
    pub matches: Vec<String>,
}

impl PathCompletions {
    /// Starts a completion; its request has the returned id.
    pub fn start(&mut self, prefix: &str, request_id: &mut RequestId) -> RequestId {
        self.request_id = request_id.advance();
        self.prefix = Some(prefix.to_owned());
        self.request_id
    }

    /// Takes the paths of the last request; returns whether they are its.
    pub fn apply(&mut self, request_id: RequestId, paths: Vec<String>) -> bool {
        let is_own = self.prefix.is_some() && self.request_id == request_id;
        if is_own {
            self.matches = paths;
        }
        is_own
    }

    /// The paths that begin as typed.
    pub fn candidates(&self, typed: &str) -> Vec<&str> {
        self.matches.iter().map(String::as_str).filter(|path| path.starts_with(typed)).collect()
    }

    /// What is certain of the path behind what was typed: the beginning that all candidates share.
    pub fn shared_prefix(&self, typed: &str) -> Option<&str> {
        let candidates = self.candidates(typed);
        let first = *candidates.first()?;
        let shared = candidates.iter().fold(first, |shared, path| {
            let common = shared.char_indices().zip(path.chars()).take_while(|((_, one), other)| one == other);
            let end = common.last().map_or(0, |((at, letter), _)| at + letter.len_utf8());
            shared.get(..end).unwrap_or_default()
        });
        (shared.len() > typed.len()).then_some(shared)
    }
}

/// The most lines of candidates that are listed.
const MAX_PATH_LINES: usize = 4;

/// The names of the candidates, in lines of a width.
pub fn path_lines(completions: &PathCompletions, width: u16) -> Vec<String> {
    let name = |path: &String| {
        let end = path.trim_end_matches('/').rfind('/').map_or(0, |slash| slash + 1);
        path.get(end..).unwrap_or_default().replace(' ', "\u{a0}")
    };
    let names: Vec<String> = completions.matches.iter().map(name).collect();
    let mut lines = wrap(&names.join("  "), width);
    if lines.len() > MAX_PATH_LINES {
        lines.truncate(MAX_PATH_LINES - 1);
        lines.push("… and more; type on".into());
    }
    lines
}

/// The folder of a typed path, perhaps with a mapping behind it, with its slash; `None` where none was typed.
pub fn folder_of(line: &str) -> Option<&str> {
    let (path, _) = split_path_and_mapping(line);
    path.rfind('/').and_then(|slash| path.get(..=slash))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_much_is_completed_as_all_candidates_share() {
        let mut completions = PathCompletions::default();
        let mut request_id = RequestId::default();
        let id = completions.start("~/pa", &mut request_id);
        assert!(!completions.apply(RequestId(99), vec!["~/pass.csv".into()]));
        assert!(completions.apply(id, ["~/pay-é1.csv", "~/pay-é2.csv", "~/pay-é/"].map(str::to_owned).into()));
        assert_eq!(completions.shared_prefix("~/pa"), Some("~/pay-é"));
        assert_eq!(completions.shared_prefix("~/pay-é"), None);
        assert_eq!(completions.shared_prefix("~/pay-é1"), Some("~/pay-é1.csv"));
        assert_eq!(completions.shared_prefix("~/x"), None);
        assert_eq!(completions.candidates("~/pay-é").len(), 3);
        assert_eq!((folder_of("~/a/pay.csv"), folder_of("pay.csv")), (Some("~/a/"), None));
    }
}
