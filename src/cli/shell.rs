//! `bursar completions` and `bursar man`.

use std::io::{self, Write};

use clap::CommandFactory;
use clap_complete::Shell;

use super::output::ignore_broken_pipe;
use super::{Arguments, Exit};
use crate::manual::{Chapter, markdown, roff};

/// Prints the completion script. It is generated in memory first: the generator panics where it cannot write.
pub(super) fn print_completions(shell: Shell) -> anyhow::Result<Exit> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Arguments::command(), "bursar", &mut script);
    ignore_broken_pipe(io::stdout().write_all(&script))?;
    Ok(Exit::Normally)
}

pub(super) fn print_manual() -> anyhow::Result<Exit> {
    let mut page = Vec::new();
    let mut command = Arguments::command();
    command.build();
    clap_mangen::Man::new(command.clone()).render(&mut page)?;
    // One page has all subcommands, so that they can be found together.
    for part in command.get_subcommands().filter(|part| part.get_name() != "help") {
        clap_mangen::Man::new(part.clone()).source(concat!("bursar ", env!("CARGO_PKG_VERSION"))).render(&mut page)?;
    }
    for chapter in Chapter::ALL {
        page.extend(roff::render(&markdown::parse(chapter.text())).into_bytes());
    }
    ignore_broken_pipe(io::stdout().write_all(&page))?;
    Ok(Exit::Normally)
}
