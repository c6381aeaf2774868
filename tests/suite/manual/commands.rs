//! Commands of README and the manual: the command line accepts each, and those that end by themselves are run.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;

use bursar::cli::Arguments;
use bursar::manual::markdown::{Block, Emphasis, parse};

use super::super::reports::{Desk, stderr_text};
use super::{pages, root, test_names};

/// Commands that need a terminal, last until they are stopped, or are run by a test of their own.
const LASTING: &[&str] = &[
    "bursar demo",
    "bursar ssh",
    "bursar serve",
    "bursar listen",
    "bursar watch",
    "bursar key set",
    "bursar approve",
    "bursar refuse",
    "bursar approvals show",
    "bursar approvals verify",
    "bursar approvals policy --",
];

/// Programs of the system that the pages use beside bursar.
const OTHER_PROGRAMS: &[&str] =
    &["cargo", "ssh", "ssh-add", "ssh-keygen", "sudo", "install", "cp", "for", "echo", "done", "$EDITOR"];

/// The lines of shell code in a page, without comments, joined where they go on.
fn shell_lines(text: &str) -> Vec<String> {
    let mut lines = Vec::new();
    for code in text.split("```sh\n").skip(1).filter_map(|rest| rest.split("```").next()) {
        let joined_code = code.replace("\\\n", " ");
        let commands = joined_code.lines().map(|line| line.split(" #").next().unwrap_or_default().trim());
        lines.extend(commands.filter(|line| !line.is_empty()).map(str::to_owned));
    }
    lines
}

/// The words of a line as a shell reads them, up to a redirection.
fn split_words(line: &str) -> Vec<String> {
    let mut arguments = vec![String::new()];
    let mut quote = None;
    for letter in line.chars() {
        match (letter, quote) {
            ('\'' | '"', None) => quote = Some(letter),
            (letter, Some(open)) if letter == open => quote = None,
            (' ', None) => arguments.push(String::new()),
            (letter, _) => arguments.last_mut().unwrap().push(letter),
        }
    }
    arguments.retain(|word| !word.is_empty());
    arguments.into_iter().take_while(|word| ![">", "<"].contains(&word.as_str())).collect()
}

#[test]
fn the_command_line_accepts_every_command_of_the_pages() {
    let mut count = 0;
    for (path, text) in pages() {
        for line in shell_lines(&text) {
            let mut arguments = split_words(&line);
            if line.starts_with("cargo run") {
                arguments = arguments.into_iter().skip_while(|word| word != "--").collect();
                arguments[0] = "bursar".to_owned();
            }
            if arguments[0] != "bursar" {
                assert!(OTHER_PROGRAMS.contains(&arguments[0].as_str()), "{path}: {line}");
                continue;
            }
            count += 1;
            let parsed = Arguments::from_args(arguments.iter().map(OsString::from));
            assert!(parsed.is_ok(), "{path}: {line}\n{}", parsed.unwrap_err());
        }
    }
    assert!(count > 30, "{count} commands");
}

/// Commands within a sentence, whole or in part. What stands for a value of one's own is in capitals.
#[test]
fn the_command_line_accepts_every_command_within_a_sentence() {
    let mut count = 0;
    for (path, text) in pages() {
        for block in parse(&text) {
            let spans = match block {
                Block::Heading(_, spans) | Block::Paragraph(spans) | Block::Item(spans) => spans,
                Block::Table(rows) => rows.into_iter().flat_map(|(term, cell)| [term, cell]).flatten().collect(),
                Block::Code(_) => continue,
            };
            for span in spans.iter().filter(|span| span.emphasis == Emphasis::Code) {
                let line =
                    span.text.replace("cargo run -- ", "bursar ").replace(" --version", "").replace(" --help", "");
                if !line.starts_with("bursar ") {
                    continue;
                }
                count += 1;
                let accepts = |line: &str| Arguments::from_args(split_words(line).into_iter().map(OsString::from));
                let is_pattern = line.split(' ').any(|word| ["NAME", "CHAPTER"].contains(&word));
                let is_name = accepts(&line.replacen("bursar", "bursar help", 1)).is_ok();
                let parsed = accepts(&line);
                let is_part = parsed.as_ref().is_err_and(|error| error.to_string().contains("required arguments"));
                assert!(parsed.is_ok() || is_name || is_part || is_pattern, "{path}: {line}\n{}", parsed.unwrap_err());
            }
        }
    }
    assert!(count > 30, "{count} commands");
}

#[test]
fn every_command_of_the_pages_that_ends_by_itself_does_its_work() {
    let desk = Desk::serving(true);
    let csv = parse(&fs::read_to_string(root().join("assets/manual/start.md")).unwrap()).into_iter();
    let csv = csv.filter_map(|block| if let Block::Code(lines) = block { Some(lines.join("\n")) } else { None });
    let csv: Vec<String> = csv.filter(|text| text.starts_with("kind,")).collect();
    fs::write(desk.home().join("known.csv"), &csv[0]).unwrap();
    let book = "name,address,chain,tag,note\nZebra Stores,0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359,base,,by phone\n";
    fs::write(desk.home().join("book.csv"), book).unwrap();
    let crew = "Payee,address,chain\nQuay Crew,0xde709f2102306220921060314715629080e2fb77,base\n";
    fs::write(desk.home().join("crew.csv"), crew).unwrap();
    let payables = "reference,to,amount,token\nINV-1,0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359,25,USDC\n";
    fs::write(desk.home().join("due.csv"), payables).unwrap();
    let mut ran = BTreeSet::new();
    for (path, text) in pages() {
        for line in shell_lines(&text) {
            let lasts = line == "bursar" || LASTING.iter().any(|start| line.starts_with(start));
            if lasts || !line.starts_with("bursar") || !ran.insert(split_words(&line)) {
                continue;
            }
            let output = desk.runs_line(&line);
            let is_report = line.starts_with("bursar status") && matches!(output.status.code(), Some(1 | 3));
            assert!(output.status.success() || is_report, "{path}: {line}\n{}", stderr_text(&output));
        }
    }
    assert!(ran.len() > 20, "{} commands", ran.len());
}

#[test]
fn every_proof_of_readme_names_a_test() {
    let readme = super::page("README.md");
    let tests = test_names();
    let proofs: Vec<&str> = readme.lines().filter_map(|line| line.split("| `cargo test ").nth(1)).collect();
    assert!(proofs.len() >= 6, "{proofs:?}");
    for proof in proofs {
        let filter = proof.trim_end_matches("` |");
        assert!(tests.iter().any(|name| name.contains(filter)), "no test is called {filter}");
    }
}
