//! `bursar completions` and `bursar man`: what a shell and `man` want to know of the command line.

use std::io::{self, Write};

use clap::CommandFactory;
use clap_complete::Shell;

use super::offline_cache::ignore_broken_pipe;
use super::{Arguments, Exit};

/// Writes what completes the command line. It is made in memory first: the maker panics where it cannot write.
pub(super) fn completions(shell: Shell) -> anyhow::Result<Exit> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Arguments::command(), "bursar", &mut script);
    ignore_broken_pipe(io::stdout().write_all(&script))?;
    Ok(Exit::Normally)
}

/// Writes the manual page.
pub(super) fn manual() -> anyhow::Result<Exit> {
    let mut page = Vec::new();
    let mut command = Arguments::command();
    command.build();
    clap_mangen::Man::new(command.clone()).render(&mut page)?;
    // One page holds them all, so that nobody has to look for the others.
    for part in command.get_subcommands().filter(|part| part.get_name() != "help") {
        clap_mangen::Man::new(part.clone()).source(concat!("bursar ", env!("CARGO_PKG_VERSION"))).render(&mut page)?;
    }
    ignore_broken_pipe(io::stdout().write_all(&page))?;
    Ok(Exit::Normally)
}
