//! The command line: its arguments and commands.
//!
//! One file per command. Every command resolves the configuration that it needs by itself, so that `bursar demo` needs
//! none of what the dashboard on a real service does.

mod address;
mod appearance;
mod approvals;
mod book;
mod context;
mod dashboard;
mod demo;
mod deposit_address;
mod directory;
mod doctor;
mod export;
mod fault;
mod first_run;
mod help;
mod journal;
mod key;
mod listen;
mod logging;
mod number_argument;
mod offline_cache;
mod option_checks;
mod os_user;
mod output;
mod pace_argument;
mod passphrase;
mod payables;
mod payment_context;
mod profile;
mod prompt;
mod receipt;
mod report;
mod run_loop;
mod scene;
mod serve;
mod shell;
mod ssh;
mod statement;
mod status;
mod table_options;
mod veil;
mod watch;
mod webhook_start;

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::LazyLock;

use clap::error::ErrorKind;
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};

use approvals::{ApprovalsCommand, ApproveArguments, RefuseArguments};
use book::BookCommand;
use context::CommandContext;
pub use context::Exit;
pub use demo::DemoArguments;
use deposit_address::AddressArguments;
use directory::DirectoryCommand;
use doctor::DoctorArguments;
use export::ExportArguments;
use journal::JournalCommand;
use key::KeyCommand;
use listen::ListenArguments;
pub use logging::LogLevel;
use payables::PayablesArguments;
use profile::ProfileCommand;
use receipt::ReceiptArguments;
use report::ReportCommand;
use serve::ServeArguments;
use ssh::SshArguments;
use statement::StatementArguments;
use status::StatusArguments;
use watch::WatchArguments;

use crate::config::{Environment, GlyphSet, Overrides};
use crate::domain::ThemeName;

/// A treasury console in the terminal, for businesses that hold digital assets with a wallet and transfer service.
///
/// Without a command, bursar opens the dashboard on the service of a profile.
#[derive(Debug, Default, Parser)]
#[command(name = "bursar", version, max_term_width = 100, after_help = AFTER_HELP, after_long_help = AFTER_LONG_HELP)]
#[command(disable_help_subcommand = true)]
pub struct Arguments {
    #[command(flatten)]
    global: GlobalOptions,
    #[command(subcommand)]
    command: Option<Command>,
}

const AFTER_HELP: &str = "\
Try it without any set-up: bursar demo
The manual, a chapter at a time: bursar help CHAPTER, such as bursar help pay";

const AFTER_LONG_HELP: &str = "\
Environment:
  BURSAR_BASE_URL       base address of the service, without a version
  BURSAR_API_KEY        API key of the service; never an argument, never in a plain file
  BURSAR_PAYING_API_KEY separate API key for requests that change something; the other key only reads
  BURSAR_WALLET_SECRET  wallet secret, if the service requires one for changes
  BURSAR_PASSPHRASE     passphrase of the sealed file that `bursar key set --file` writes
  BURSAR_CONFIG_DIR     folder of config.toml
  BURSAR_DATA_DIR       folder for the data kept between runs, and for bursar.log
  NO_COLOR              set to any value: plain theme, unless a theme is chosen

Exit codes:
  0      success
  1      trouble: a failure, with the reason on standard error; for status, figures that may be
         old or missing; for doctor, something that is wrong
  2      invalid arguments
  3      somebody is needed: the status is complete, and something needs a person that nobody has
         acknowledged on page ! of the dashboard; or a payable is missing, part, over or unknown;
         or a proposal has too few approvals
  101    a fault in the program itself
  128+n  ended by signal n: 130 for Ctrl-C, 143 for TERM

Try it without any set-up: bursar demo
The manual, a chapter at a time: bursar help CHAPTER, such as bursar help pay; bursar help lists the chapters";

/// Options of every command.
#[derive(Debug, Default, clap::Args)]
#[command(next_help_heading = "Options of every command")]
struct GlobalOptions {
    /// Profile from config.toml to use
    #[arg(long, global = true, value_name = "NAME")]
    profile: Option<String>,
    /// Folder of config.toml
    #[arg(long, global = true, value_name = "DIR")]
    config_dir: Option<PathBuf>,
    /// Folder for the data kept between runs
    #[arg(long, global = true, value_name = "DIR")]
    data_dir: Option<PathBuf>,
    #[arg(long, global = true, value_enum, hide_possible_values = true, help = theme_help())]
    theme: Option<ThemeName>,
    /// Character set: unicode, ascii, or auto, which chooses by the terminal's name and the locale
    #[arg(long, global = true, value_enum, value_name = "SET", hide_possible_values = true)]
    glyphs: Option<GlyphSet>,
    /// Read-only: disable every action that changes something
    #[arg(long, global = true)]
    read_only: bool,
    /// Open the dashboard veiled: figures, names and addresses are hidden and paying is locked until p lifts the veil
    #[arg(long, global = true)]
    veil: bool,
    /// How much is logged: off, error, warn, info, debug or trace [default: warn]
    #[arg(long, global = true, value_enum, value_name = "LEVEL", hide_possible_values = true)]
    log_level: Option<LogLevel>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Open the dashboard on a sample business: offline, with throw-away data, no key and no set-up
    Demo(Box<DemoArguments>),
    /// Run the embedded wallet and transfer service alone, over HTTP on this machine
    Serve(Box<ServeArguments>),
    /// Offer the demo over SSH: each visitor gets the whole console, on a sample business of their own
    Ssh(Box<SshArguments>),
    /// Profiles, each a service with a name: add, list, show, use, address, remove
    #[command(subcommand)]
    Profile(ProfileCommand),
    /// API key and wallet secret of a profile: set, status, lock, remove
    #[command(subcommand)]
    Key(KeyCommand),
    /// Print a wallet's address to be paid to; withheld while two addresses are known and nobody has chosen one
    Address(AddressArguments),
    /// Known users, wallets and accounts: list, add, import
    #[command(subcommand)]
    Directory(DirectoryCommand),
    /// The address book of recipients: list, add, remove, import, export
    #[command(subcommand)]
    Book(BookCommand),
    /// Payments that another person must approve: list, show, verify, and the policy of approvals
    #[command(subcommand)]
    Approvals(ApprovalsCommand),
    /// Approve a payment that somebody else proposed, with your SSH key
    ///
    /// Shows the proposal and asks at a terminal for the amount and a part of the address; then your key signs.
    Approve(ApproveArguments),
    /// Refuse a payment that was proposed, which ends it
    ///
    /// Shows the proposal and asks at a terminal for the word “refuse”; then your key signs.
    Refuse(RefuseArguments),
    /// Check the set-up: everything that a support person would ask about
    Doctor(DoctorArguments),
    /// Back up, restore or verify the journal: the record of every order
    #[command(subcommand)]
    Journal(JournalCommand),
    /// Write transactions, balances, orders or every record of the journal to standard output
    Export(ExportArguments),
    /// The receipt of an order or a transaction, or of every payment of a month: as text, JSON or a page to print
    Receipt(ReceiptArguments),
    /// A list of what is to be paid, from a CSV file, beside what was paid of it: owed, sent, confirmed, over, missing
    Payables(PayablesArguments),
    /// Report once, for scripts and cron: total, balances, orders, what needs you, and the age of each figure
    Status(StatusArguments),
    /// Run the watches of a profile without a screen: a command is run, or a URL posted to, when one changes its state
    Watch(WatchArguments),
    /// The statement of a month: opening balance, movements, fees and closing balance of each account and token
    Statement(StatementArguments),
    /// What the history adds up to: counterparties by volume, fees, gas runway, months
    #[command(subcommand)]
    Report(ReportCommand),
    /// Print signed webhooks as they come, and forward them
    Listen(ListenArguments),
    /// Print the completion script for a shell
    Completions {
        /// Shell to complete for
        shell: clap_complete::Shell,
    },
    /// Write the manual page, with every command and every chapter of the manual
    Man,
    /// Read a chapter of the manual, or the options of a command; without a word, list both
    Help {
        /// A chapter, such as pay, or a command, such as key set
        #[arg(value_name = "CHAPTER|COMMAND")]
        topic: Vec<String>,
    },
}

fn theme_help() -> String {
    let coloured = ThemeName::ALL.into_iter().filter(|(_, theme)| theme.toml_text().is_some());
    let words: Vec<&str> = coloured.map(|(word, _)| word).collect();
    format!("Colour theme: {}, or {} for no colour", words.join(", "), ThemeName::Plain.config_name())
}

impl ValueEnum for ThemeName {
    fn value_variants<'a>() -> &'a [Self] {
        static THEMES: LazyLock<[ThemeName; ThemeName::ALL.len()]> =
            LazyLock::new(|| ThemeName::ALL.map(|(_, theme)| theme));
        &*THEMES
    }

    fn to_possible_value(&self) -> Option<clap::builder::PossibleValue> {
        Some(clap::builder::PossibleValue::new(self.config_name()))
    }
}

impl ValueEnum for GlyphSet {
    fn value_variants<'a>() -> &'a [Self] {
        &[Self::Auto, Self::Unicode, Self::Ascii]
    }

    fn to_possible_value(&self) -> Option<clap::builder::PossibleValue> {
        Self::ALL.iter().find(|(_, set)| set == self).map(|(word, _)| clap::builder::PossibleValue::new(*word))
    }
}

impl Arguments {
    /// Parses a command line; the first word is the program's name.
    pub fn from_args(arguments: impl IntoIterator<Item = OsString>) -> Result<Self, clap::Error> {
        let arguments: Vec<OsString> = arguments.into_iter().collect();
        // A dashboard, usually started without arguments, must open quickly, and building the parser takes a while.
        if arguments.len() == 1 {
            return Ok(Self::default());
        }
        let matches = Self::command().try_get_matches_from(arguments)?;
        let parsed_arguments = Self::from_arg_matches(&matches).map_err(|error| error.format(&mut Self::command()))?;
        let combination = match &parsed_arguments.command {
            Some(Command::Export(arguments)) => arguments.check_combination(),
            Some(Command::Demo(arguments)) => arguments.check_combination(parsed_arguments.global.read_only),
            Some(Command::Ssh(arguments)) => arguments.check_combination(parsed_arguments.global.read_only),
            Some(Command::Help { topic }) => help::check_topic(topic, Self::command()),
            _ => Ok(()),
        };
        let checked = option_checks::check_global_options(&matches).and(combination);
        checked.map_err(|message| Self::command().error(ErrorKind::ArgumentConflict, message))?;
        Ok(parsed_arguments)
    }

    pub fn run(self, environment: Environment) -> anyhow::Result<Exit> {
        let GlobalOptions { profile, config_dir, data_dir, theme, glyphs, read_only, veil, log_level } = self.global;
        let overrides = Overrides { profile, config_dir, data_dir, theme, glyphs, read_only };
        let context = CommandContext { overrides, environment, veil, log_level };
        // A service for many users keeps freed memory, which it needs again at once.
        if matches!(self.command, None | Some(Command::Demo(_))) {
            bursar_heap::keep_little();
        }
        match self.command {
            None => dashboard::run(&context),
            Some(Command::Demo(arguments)) => demo::run(&context, &arguments),
            Some(Command::Serve(arguments)) => serve::run(&context, &arguments),
            Some(Command::Ssh(arguments)) => ssh::run(&context, &arguments),
            Some(Command::Profile(command)) => profile::run(&context, command),
            Some(Command::Key(command)) => key::run(&context, &command),
            Some(Command::Address(arguments)) => deposit_address::run(&context, &arguments),
            Some(Command::Directory(command)) => directory::run(&context, &command),
            Some(Command::Book(command)) => book::run(&context, command),
            Some(Command::Approvals(command)) => approvals::run(&context, command),
            Some(Command::Approve(arguments)) => approvals::approve(&context, &arguments),
            Some(Command::Refuse(arguments)) => approvals::refuse(&context, &arguments),
            Some(Command::Doctor(arguments)) => doctor::run(&context, &arguments),
            Some(Command::Export(arguments)) => export::run(&context, &arguments),
            Some(Command::Receipt(arguments)) => receipt::run(&context, &arguments),
            Some(Command::Payables(arguments)) => payables::run(&context, &arguments),
            Some(Command::Status(arguments)) => status::run(&context, &arguments),
            Some(Command::Report(command)) => report::run(&context, &command),
            Some(Command::Watch(arguments)) => watch::run(&context, &arguments),
            Some(Command::Statement(arguments)) => statement::run(&context, &arguments),
            Some(Command::Listen(arguments)) => listen::run(&context, &arguments),
            Some(Command::Completions { shell }) => shell::print_completions(shell),
            Some(Command::Man) => shell::print_manual(),
            Some(Command::Help { topic }) => help::run(&topic, Self::command()).map(|()| Exit::Normally),
            Some(Command::Journal(command)) => journal::run(&context, &command),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse_error(line: &str) -> String {
        let words = line.split_whitespace().map(OsString::from);
        Arguments::from_args(words).unwrap_err().to_string()
    }

    #[test]
    fn the_command_line_holds_together() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn no_word_is_read_as_it_would_be_if_it_were_read() {
        let [at_once, parsed_arguments] =
            [Arguments::from_args(["bursar".into()]), Arguments::try_parse_from(["bursar"])]
                .map(|arguments| arguments.unwrap());
        assert_eq!(format!("{at_once:?}"), format!("{parsed_arguments:?}"));
    }

    #[test]
    fn wrong_values_are_refused_with_what_would_be_right() {
        for (line, expected) in [
            ("bursar demo --pace 0", "from 0.1 to 100"),
            ("bursar demo --pace 101", "from 0.1 to 100"),
            ("bursar demo --pace 1,5", "from 0.1 to 100"),
            ("bursar demo --pace NaN", "from 0.1 to 100"),
            ("bursar demo --transactions 5000001", "from 0 to 5000000"),
            ("bursar demo --transactions -1", "unexpected argument '-1'"),
            ("bursar demo --scene storm", "calm, busy, incident, poisoning"),
            ("bursar demo --scene calm --transactions 99", "100 to 5000 transactions"),
            ("bursar demo --scene calm --transactions 5001", "100 to 5000 transactions"),
            ("bursar ssh --scene calm --transactions 5001", "100 to 5000 transactions"),
            ("bursar demo --scene incident --read-only", "leave out --read-only"),
            ("bursar ssh --scene incident --read-only", "leave out --read-only"),
            ("bursar ssh --watchers 0", "from 1 to 1000"),
            ("bursar demo --seed x", "a whole number, 0 or more"),
            ("bursar demo --scene incident --fault hang", "cannot be used with"),
            ("bursar serve", "--data <DIR>"),
            ("bursar serve --data d --public", "--tls-cert"),
            ("bursar serve --data d --tls-cert c", "--tls-key"),
            ("bursar serve --data d --block-time 0", "500ms"),
            ("bursar serve --data d --webhook http://example.com/", "https"),
            ("bursar serve --data d --rate-limit 0", "a whole number, 1 or more"),
            ("bursar serve --data d --listen 127.0.0.1", "127.0.0.1:8460"),
            ("bursar serve --data d --listen 127.0.0.1:99999", "127.0.0.1:8460"),
            ("bursar serve --data d --listen example.com:80", "127.0.0.1:8460"),
            ("bursar ssh --listen 2222", "127.0.0.1:2222"),
            ("bursar ssh --open", "--public"),
            ("bursar ssh --visitors 0", "from 1 to 1000"),
            ("bursar ssh --per-address 0", "from 1 to 1000"),
            ("bursar ssh --profile live", "`bursar ssh` does not follow --profile; leave it out"),
            ("bursar --read-only key set", "`bursar key set` does not follow --read-only; leave it out"),
            ("bursar ssh --idle 1s", "from 10s to 24h"),
            ("bursar --theme blue", "dark, light, high-contrast, colour-blind, colour-blind-light, plain"),
            ("bursar --glyphs latin", "auto, unicode, ascii"),
            ("bursar export balances --filter usdc", "--filter selects transactions"),
            ("bursar --log-level loud", "warn"),
            ("bursar dmo", "'demo'"),
            ("bursar help demmo", "start, watch, pay, approvals, look-back"),
            ("bursar help key sett", "no chapter and no command"),
        ] {
            let message = parse_error(line);
            assert!(message.contains(expected), "{line}: {message}");
        }
    }

    #[test]
    fn a_signal_is_told_as_shells_tell_it() {
        assert_eq!(Exit::Normally.code(), 0);
        assert_eq!([Exit::WithTrouble, Exit::NeedsPerson].map(Exit::code), [1, 3]);
        assert_eq!(Exit::BySignal(2).code(), 130);
        assert_eq!(Exit::BySignal(15).code(), 143);
    }
}
