//! `bursar help`: the chapters of the manual, and the options of commands.

use std::env;
use std::io::{self, IsTerminal as _, Write};

use super::output::ignore_broken_pipe;
use crate::manual::Chapter;
use crate::manual::layout::{Line, lay_out};
use crate::manual::markdown::{Emphasis, parse};

/// The width of a page that no terminal shows.
const COLUMNS: u16 = 80;

/// Refuses what is neither a chapter nor a command, and lists the chapters.
pub(super) fn check_topic(topic: &[String], program: clap::Command) -> Result<(), String> {
    if chapter_of(topic).is_some() || command_of(topic, program).is_some() {
        return Ok(());
    }
    let chapters = Chapter::ALL.map(Chapter::name).join(", ");
    Err(format!(
        "“{}” is no chapter and no command; the chapters are {chapters}; `bursar --help` lists the commands",
        topic.join(" ")
    ))
}

pub(super) fn run(topic: &[String], program: clap::Command) -> anyhow::Result<()> {
    let text = if let Some(chapter) = chapter_of(topic) {
        let stdout = io::stdout();
        let columns = rustix::termios::tcgetwinsize(&stdout).map_or(COLUMNS, |size| size.ws_col.max(20));
        let is_plain = !stdout.is_terminal() || env::var_os("NO_COLOR").is_some();
        let lines = lay_out(&parse(chapter.text()), columns);
        lines.iter().map(|line| format_line(line, is_plain) + "\n").collect()
    } else {
        let help =
            command_of(topic, program).map(|mut command| command.render_long_help().to_string()).unwrap_or_default();
        if topic.is_empty() { format!("{help}\n{}", contents()) } else { help }
    };
    Ok(ignore_broken_pipe(io::stdout().write_all(text.as_bytes()))?)
}

fn chapter_of(topic: &[String]) -> Option<Chapter> {
    let [name] = topic else { return None };
    Chapter::from_name(name)
}

/// The command of some words, such as `key set`; without words, the program itself.
fn command_of(topic: &[String], mut program: clap::Command) -> Option<clap::Command> {
    program.build();
    topic.iter().try_fold(program, |command, word| command.find_subcommand(word).cloned())
}

/// The chapters and what they answer.
fn contents() -> String {
    let lines = Chapter::ALL.map(|chapter| format!("  {:<15} {}\n", chapter.name(), chapter.subject()));
    format!("Chapters of the manual:\n{}", lines.concat())
}

/// A line as a terminal shows it; plain where it goes elsewhere.
fn format_line(line: &Line, is_plain: bool) -> String {
    if is_plain {
        return line.text().trim_end().to_owned();
    }
    let spans = line.spans.iter().map(|span| match span.emphasis {
        Emphasis::Plain => span.text.clone(),
        Emphasis::Code | Emphasis::Strong => format!("\x1b[1m{}\x1b[22m", span.text),
        Emphasis::Link => format!("\x1b[4m{}\x1b[24m", span.text),
    });
    format!("{}{}", " ".repeat(usize::from(line.indent)), spans.collect::<String>())
}
