//! The `bursar` program: parse arguments, choose the mode, print the last error, exit code.

use std::io::Write;
use std::process::ExitCode;

use bursar::cli::Arguments;
use bursar::domain::text::is_forbidden_in_text;

fn main() -> ExitCode {
    let arguments = match Arguments::from_args(std::env::args_os()) {
        Ok(arguments) => arguments,
        Err(error) => {
            // Help and version come this way too. A reader that has gone, as in `| head`, is no error of ours.
            let _reader_may_be_gone = error.print();
            return ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2));
        }
    };
    match arguments.run(std::env::vars_os().collect()) {
        Ok(ended) => ExitCode::from(ended.code()),
        Err(error) => {
            // Paths and words of the outside stand in it, and a terminal reads it.
            let message: String =
                format!("{error:#}").chars().map(|c| if is_forbidden_in_text(c) { '\u{fffd}' } else { c }).collect();
            let _stderr_may_be_gone = writeln!(std::io::stderr(), "bursar: {message}");
            ExitCode::FAILURE
        }
    }
}
