//! What a visitor's console can reach: rules that hold it apart from the machine that it runs on.

use super::Rule;
use super::source::Source;

/// What a visitor must not come near: the host's files, processes and environment, its keys and its profiles.
const OF_THE_HOST: &[&str] = &[
    "std::fs",
    "std::env",
    "std::process",
    "std::os::unix::fs",
    "tokio::fs",
    "tokio::process",
    "rustix::fs",
    "etcetera",
    "crate::secrets",
    "crate::config",
    "crate::runtime::host_permission",
    "crate::runtime::HostPermission",
];

/// The files under runtime that touch the disk: each function in them that does is given a `HostPermission`.
const ON_THE_DISK: &[&str] = &[
    "src/runtime/export/file.rs",
    "src/runtime/payments/approvals/folder.rs",
    "src/runtime/payments/paths.rs",
    "src/runtime/table_file.rs",
];

/// Opens the terminal of whoever sits at this machine; a visitor's comes as a channel.
const TERMINAL: &str = "src/runtime/local_terminal.rs";

/// What no other file under runtime names.
const DISK: &[&str] =
    &["std::fs", "std::os::unix::fs", "tokio::fs", "rustix::fs", "std::process::Command", "tokio::process", "etcetera"];

/// Signs of code that touches the disk.
const TOUCHES: &[&str] = &["fs::", "File::", "OpenOptions", "home_dir"];

pub(super) const RULES: &[Rule] = &[
    Rule {
        asks: "nothing of the host is within a visitor's reach",
        check: |source| {
            if source.room() != Some("ssh") {
                return Vec::new();
            }
            paths_of_list(source, OF_THE_HOST)
        },
        broken: &[
            ("src/ssh/workspace.rs", "fn f() { std::fs::read(\"x\") }"),
            ("src/ssh/client_handler.rs", "use std::process::Command;"),
            ("src/ssh/client_handler.rs", "use std::env;"),
            ("src/ssh.rs", "use crate::secrets::Vault;"),
            ("src/ssh/workspace.rs", "use crate::runtime::{Clock, HostPermission};"),
            ("src/ssh/workspace.rs", "use crate::config::Profile;"),
            ("src/ssh/host_key.rs", "use std::{fmt, fs};"),
        ],
        clean: &[
            ("src/ssh/workspace.rs", "use crate::runtime::Clock; // std::fs"),
            ("src/ssh.rs", "fn f() {}\n#[cfg(test)]\nmod tests {\n    use std::fs;\n}"),
            ("src/cli/ssh.rs", "use std::fs;\nuse crate::runtime::HostPermission;"),
        ],
    },
    Rule {
        asks: "the runtime touches this machine with the permission in hand",
        check: |source| {
            if source.room() != Some("runtime") {
                return Vec::new();
            }
            if ON_THE_DISK.contains(&source.path.as_str()) {
                let lines = unpermitted_functions(source.shipped());
                return lines
                    .into_iter()
                    .map(|at| (source.line(at), "a function without &HostPermission".to_owned()))
                    .collect();
            }
            if source.path == TERMINAL { Vec::new() } else { paths_of_list(source, DISK) }
        },
        broken: &[
            ("src/runtime/effect_runner.rs", "use std::fs;"),
            ("src/runtime/export_job.rs", "fn f() { std::fs::File::open(p) }"),
            ("src/runtime/reads.rs", "fn f() { std::process::Command::new(\"sh\") }"),
            ("src/runtime/table_file.rs", "pub fn bytes_of(path: &Path) -> X {\n    std::fs::File::open(path)\n}\n"),
            ("src/runtime/export/file.rs", "pub fn folder(named: &str) -> PathBuf {\n    etcetera::home_dir()\n}\n"),
            (
                "src/runtime/table_file.rs",
                "pub fn one(_: &HostPermission) {}\n\nfn other(path: &Path) {\n    std::fs::read(path)\n}\n",
            ),
        ],
        clean: &[
            (
                "src/runtime/table_file.rs",
                "pub fn bytes_of(\n    _host: &HostPermission,\n    path: &Path,\n) -> X {\n    std::fs::File::open(path)\n}\n",
            ),
            (
                "src/runtime/export/file.rs",
                "impl Drop for NewFile {\n    fn drop(&mut self) {\n        fs::remove_file(&self.part);\n    }\n}\n",
            ),
            ("src/runtime/payments/batch.rs", "fn f() { Some(More::File(path)) }"),
            ("src/cli/book.rs", "use std::fs;"),
        ],
    },
    Rule {
        asks: "the permission to touch this machine is given out by the command line alone",
        check: |source| {
            if source.room().is_none_or(|room| room == "cli") || source.path == "src/runtime/host_permission.rs" {
                return Vec::new();
            }
            let positions = source.offsets_of("at_hand").filter(|at| *at < source.shipped().len());
            positions.map(|at| (source.line(at), "at_hand".to_owned())).collect()
        },
        broken: &[
            ("src/runtime/demo.rs", "fn f() { HostPermission::at_hand() }"),
            ("src/ssh/workspace.rs", "fn f() { crate::runtime::HostPermission::at_hand() }"),
        ],
        clean: &[
            ("src/cli/run_loop.rs", "fn f() { HostPermission::at_hand() }"),
            (
                "src/runtime/table_file.rs",
                "fn f() {}\n#[cfg(test)]\nmod tests {\n    fn f() { HostPermission::at_hand() }\n}",
            ),
        ],
    },
];

/// Where a file names something of a list.
fn paths_of_list(source: &Source, list: &[&str]) -> Vec<(usize, String)> {
    let is_of_list = |path: &str| {
        list.iter()
            .any(|prefix| path.strip_prefix(prefix).is_some_and(|rest| rest.is_empty() || rest.starts_with("::")))
    };
    let paths = source.named_paths().into_iter().map(|path| (path.line, path.parts.join("::")));
    paths.filter(|(_, path)| is_of_list(path)).map(|(line, path)| (line, format!("names {path}"))).collect()
}

/// Functions that stand by themselves, touch the disk and are not given a `HostPermission`: where each begins.
fn unpermitted_functions(code: &str) -> Vec<usize> {
    let begins = ["fn ", "pub fn ", "pub(super) fn ", "pub(crate) fn ", "async fn ", "pub async fn "];
    let (mut lines, mut at) = (Vec::new(), 0);
    // Where the function begins that the line stands in, and whether it was given one so far.
    let mut inside: Option<(usize, bool)> = None;
    for line in code.split_inclusive('\n') {
        if begins.iter().any(|word| line.starts_with(word)) {
            inside = Some((at, false));
        }
        if let Some((from, permitted)) = &mut inside {
            *permitted |= line.contains("&HostPermission");
            if !*permitted && TOUCHES.iter().any(|sign| line.contains(sign)) && lines.last() != Some(from) {
                lines.push(*from);
            }
        }
        if line.starts_with('}') || line.starts_with("impl") {
            inside = None;
        }
        at += line.len();
    }
    lines
}
