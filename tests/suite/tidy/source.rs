//! Source text as the rules read it: without comments and literals, and as the paths that it names.

use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// A source file.
pub(super) struct Source {
    /// Its path from the package's root, with `/` between the parts.
    pub(super) path: String,
    /// The code: comments and the insides of literals are blanks, so that columns and lines stay.
    pub(super) code: String,
    /// The code with its literals; only comments are blanks.
    pub(super) spoken: String,
    /// Where the unit tests at its end begin, as an offset; the length where there are none.
    tests_from: usize,
}

/// A path that code names, such as `crate::domain::Text`, with its line.
pub(super) struct NamedPath {
    /// Its parts; `crate`, `self` and `super` are resolved where the path is one of ours, which then begins with `crate`.
    pub(super) parts: Vec<String>,
    /// Counted from 1.
    pub(super) line: usize,
    /// What the file calls it from there on, if it is a branch of a `use`.
    pub(super) import: Option<Import>,
}

/// What a branch of a `use` brings into its file.
pub(super) struct Import {
    pub(super) name: String,
    /// Whether other files may take it from there.
    pub(super) is_public: bool,
}

impl Source {
    /// Reads a text that is said to stand at a path.
    pub(super) fn new(path: &str, text: &str) -> Self {
        let (code, spoken) = strip(text);
        let whole = if path.starts_with("tests/") || path.ends_with("/tests.rs") || path.contains("/tests/") {
            Some(0)
        } else {
            ["#[cfg(test)]\nmod tests {", "#[cfg(test)]\n#[expect"].iter().filter_map(|start| code.find(start)).min()
        };
        let tests_from = whole.unwrap_or(code.len());
        Self { path: path.to_owned(), code, spoken, tests_from }
    }

    /// Every source file of the package.
    pub(super) fn all() -> Vec<Self> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let mut files = Vec::new();
        for folder in ["src", "tests"] {
            collect(&root.join(folder), &mut files);
        }
        files.sort();
        let read_file = |file: &PathBuf| {
            let path = file.strip_prefix(root).unwrap().to_string_lossy().replace('\\', "/");
            Self::new(&path, &fs::read_to_string(file).unwrap())
        };
        files.iter().map(read_file).collect()
    }

    /// The room it belongs to: `app` for `src/app.rs` and all in `src/app/`; `None` outside `src`, and for the roots.
    pub(super) fn room(&self) -> Option<&str> {
        let below = self.path.strip_prefix("src/")?;
        let room = below.split('/').next()?.trim_end_matches(".rs");
        (room != "lib" && room != "main").then_some(room)
    }

    /// Whether it draws: `view.rs`, or a file in a folder `view`.
    pub(super) fn is_view(&self) -> bool {
        self.path.split('/').any(|part| part == "view" || part == "view.rs")
    }

    /// The code that is shipped, without unit tests.
    pub(super) fn shipped(&self) -> &str {
        &self.code[..self.tests_from]
    }

    /// The code of tests.
    pub(super) fn tests(&self) -> &str {
        &self.code[self.tests_from..]
    }

    /// The line of an offset into the code, counted from 1.
    pub(super) fn line(&self, offset: usize) -> usize {
        self.code[..offset].matches('\n').count() + 1
    }

    /// Where a word stands in the code, not as a part of another word.
    pub(super) fn offsets_of<'a>(&'a self, word: &'a str) -> impl Iterator<Item = usize> + 'a {
        let part_of_word = |c: char| c.is_alphanumeric() || c == '_';
        self.code.match_indices(word).map(|(start, _)| start).filter(move |start| {
            !self.code[..*start].ends_with(part_of_word) && !self.code[start + word.len()..].starts_with(part_of_word)
        })
    }

    /// Every path of the shipped code, in `use` and elsewhere; trees in braces are taken apart.
    pub(super) fn named_paths(&self) -> Vec<NamedPath> {
        let mut reader = Reader { code: self.shipped(), at: 0, paths: Vec::new() };
        while reader.at < reader.code.len() {
            reader.path(&[]);
        }
        let home = self.module();
        let statements = self.use_statements();
        // A visibility names who may look in, not what is imported.
        let is_visibility = |at: usize| self.code[..at].ends_with("pub(in ");
        let paths = reader.paths.into_iter().filter(|(parts, span)| parts.len() > 1 && !is_visibility(span.start));
        let paths = paths.map(|(parts, span)| {
            let statement = statements.iter().find(|(statement, _)| statement.contains(&span.start));
            let import = statement.map(|(_, is_public)| {
                let own = parts.iter().rfind(|part| *part != "self").cloned().unwrap_or_default();
                let alias = self.code[span.end..].trim_start().strip_prefix("as ");
                Import {
                    name: alias.map_or(own, |rest| first_word(rest.trim_start()).to_owned()),
                    is_public: *is_public,
                }
            });
            NamedPath { parts: resolve(parts, &home), line: self.line(span.start), import }
        });
        paths.collect()
    }

    /// Where the `use` statements of the shipped code stand, each with whether it is public.
    fn use_statements(&self) -> Vec<(Range<usize>, bool)> {
        let code = self.shipped();
        let starts = self.offsets_of("use").filter(|at| code.get(at + 3..).is_some_and(|rest| rest.starts_with(' ')));
        let statements = starts.map(|at| {
            let before = code[..at].trim_end();
            let is_public = before.ends_with("pub")
                || before.rsplit_once("pub(").is_some_and(|(_, to)| to.find(')') == Some(to.len() - 1));
            (at..code[at..].find(';').map_or(code.len(), |length| at + length), is_public)
        });
        statements.collect()
    }

    /// Whether the shipped code uses a name outside of paths and imports.
    pub(super) fn speaks_of(&self, name: &str) -> bool {
        let statements = self.use_statements();
        self.offsets_of(name).filter(|at| *at < self.shipped().len()).any(|at| {
            let is_part = ["::", ".", "mod ", "fn "].iter().any(|before| self.code[..at].ends_with(before));
            !is_part && !statements.iter().any(|(statement, _)| statement.contains(&at))
        })
    }

    /// The module that it holds, as the parts below `crate`.
    pub(super) fn module(&self) -> Vec<String> {
        let below = self.path.trim_start_matches("src/").trim_end_matches(".rs");
        below.split('/').filter(|part| *part != "lib" && *part != "main").map(str::to_owned).collect()
    }
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
}

/// Puts `crate` in front of what `self`, `super`, `crate` and our own name lead to.
fn resolve(parts: Vec<String>, home: &[String]) -> Vec<String> {
    let mut base = match parts[0].as_str() {
        "crate" | "bursar" => Vec::new(),
        "self" | "super" => home.to_vec(),
        _ => return parts,
    };
    let mut rest = parts.iter().peekable();
    while let Some(part) = rest.next_if(|part| matches!(part.as_str(), "crate" | "bursar" | "self" | "super")) {
        if part == "super" {
            base.pop();
        }
    }
    std::iter::once("crate".to_owned()).chain(base).chain(rest.cloned()).collect()
}

fn first_word(code: &str) -> &str {
    code.split(|c: char| !(c.is_alphanumeric() || c == '_')).next().unwrap_or("")
}

/// Reads paths out of stripped code.
struct Reader<'a> {
    code: &'a str,
    at: usize,
    paths: Vec<(Vec<String>, Range<usize>)>,
}

impl Reader<'_> {
    /// One path or tree behind a prefix; or one character of what is neither.
    fn path(&mut self, prefix: &[String]) {
        let start = self.at;
        let mut parts = prefix.to_vec();
        loop {
            if self.code[self.at..].starts_with('{') && parts.len() > prefix.len() {
                return self.tree(&parts);
            }
            let word = first_word(&self.code[self.at..]);
            if word.is_empty() {
                break;
            }
            parts.push(word.to_owned());
            self.at += word.len();
            let Some(rest) = self.code[self.at..].strip_prefix("::") else { break };
            self.at += 2;
            if !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_' || c == '{') {
                break;
            }
        }
        if parts.len() > prefix.len() {
            self.paths.push((parts, start..self.at));
        } else {
            self.at += self.code[self.at..].chars().next().map_or(1, char::len_utf8);
        }
    }

    /// The branches in braces.
    fn tree(&mut self, prefix: &[String]) {
        self.at += 1;
        while self.at < self.code.len() {
            if self.code[self.at..].starts_with('}') {
                self.at += 1;
                return;
            }
            let before = self.paths.len();
            self.path(prefix);
            // The name that `as` gives is no branch.
            if self.paths[before..].iter().any(|(parts, _)| parts.last().is_some_and(|part| part == "as")) {
                self.paths.truncate(before);
                let to_next = self.code[self.at..].find([',', '}']).unwrap_or(0);
                self.at += to_next;
            }
        }
    }
}

/// The code with comments and the insides of literals blanked, and the code with comments alone blanked.
fn strip(text: &str) -> (String, String) {
    let (mut code, mut spoken) = (String::with_capacity(text.len()), String::with_capacity(text.len()));
    let mut rest = text;
    let blank = |piece: &str| piece.chars().map(|c| if c == '\n' { '\n' } else { ' ' }).collect::<String>();
    while let Some(next) = rest.chars().next() {
        let (length, in_code, in_spoken) = if rest.starts_with("//") {
            (rest.find('\n').unwrap_or(rest.len()), false, false)
        } else if rest.starts_with("/*") {
            (block_comment(rest), false, false)
        } else if let Some(length) = literal(rest, code.chars().last()) {
            (length, false, true)
        } else {
            (next.len_utf8(), true, true)
        };
        let (piece, behind) = rest.split_at(length);
        code.push_str(&if in_code { piece.to_owned() } else { blank(piece) });
        spoken.push_str(&if in_spoken { piece.to_owned() } else { blank(piece) });
        rest = behind;
    }
    (code, spoken)
}

/// How long the comment is that begins here; comments may hold comments.
fn block_comment(text: &str) -> usize {
    let (mut depth, mut at) = (0, 0);
    while at < text.len() {
        if text[at..].starts_with("/*") {
            (depth, at) = (depth + 1, at + 2);
        } else if text[at..].starts_with("*/") {
            (depth, at) = (depth - 1, at + 2);
            if depth == 0 {
                return at;
            }
        } else {
            at += text[at..].chars().next().map_or(1, char::len_utf8);
        }
    }
    text.len()
}

/// How long the string or character literal is that begins here, if one does.
fn literal(text: &str, before: Option<char>) -> Option<usize> {
    if before.is_some_and(|c| c.is_alphanumeric() || c == '_') {
        return None;
    }
    let unprefixed = text.trim_start_matches(['b', 'c']);
    let prefix = text.len() - unprefixed.len();
    if let Some(raw) = unprefixed.strip_prefix('r').filter(|_| prefix < 2) {
        let hashes = raw.len() - raw.trim_start_matches('#').len();
        if raw[hashes..].starts_with('"') {
            let end = format!("\"{}", "#".repeat(hashes));
            let inside = raw[hashes + 1..].find(&end)?;
            return Some(prefix + 1 + hashes + 1 + inside + end.len());
        }
        return None;
    }
    let quote = unprefixed.chars().next().filter(|c| matches!(c, '"' | '\'')).filter(|_| prefix < 2)?;
    let mut inside = unprefixed[1..].char_indices();
    if quote == '\'' {
        // A lifetime has no closing quote behind its first character.
        let mut characters = unprefixed[1..].chars();
        if characters.next() != Some('\\') && characters.next() != Some('\'') {
            return None;
        }
    }
    while let Some((at, character)) = inside.next() {
        if character == '\\' {
            inside.next();
        } else if character == quote {
            return Some(prefix + 1 + at + 1);
        }
    }
    None
}

#[test]
fn literals_and_comments_are_blanked_and_lines_stay() {
    let text = "let a = \"std::fs \\\" x\"; // tokio::spawn\n/* one /* two */ f64 */ let b: &'a str = r#\"\"q\"\"#; let c = '\"'; let d = b'x';\n";
    let source = Source::new("src/app.rs", text);
    assert_eq!(source.code.len(), text.len());
    assert_eq!(source.code.matches('\n').count(), 2);
    for blanked in ["std::fs", "tokio", "f64", "\"q"] {
        assert!(!source.code.contains(blanked), "{blanked} in {}", source.code);
    }
    assert!(source.code.contains("let b: &'a str =") && source.code.contains("let d ="), "{}", source.code);
    assert!(source.spoken.contains("std::fs") && !source.spoken.contains("tokio"));
}

#[test]
fn trees_are_taken_apart_and_relative_paths_resolved() {
    let text = "use std::{fs::File, io as sys, env};\nuse super::{view, model::{self, Model}};\nfn f() { crate::store::open(self::x::y) }";
    let source = Source::new("src/app/pages.rs", text);
    let paths: Vec<String> = source.named_paths().iter().map(|path| path.parts.join("::")).collect();
    for expected in [
        "std::fs::File",
        "std::io",
        "std::env",
        "crate::app::view",
        "crate::app::model::Model",
        "crate::store::open",
        "crate::app::pages::x::y",
    ] {
        assert!(paths.iter().any(|path| path == expected), "{expected} is not in {paths:?}");
    }
    assert_eq!(source.named_paths().last().map(|path| path.line), Some(3));
}
