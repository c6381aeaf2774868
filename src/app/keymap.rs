//! The one table of keys: footer, help and README follow it.

mod command;

pub use command::{Command, Context};

use super::key::{Key, KeyCode};
use super::orders::OrderAction;

/// One row of the table.
#[derive(Debug)]
pub struct Binding {
    /// Where it works.
    pub context: Context,
    /// The keys, the first one being the one that the footer names.
    pub keys: &'static [Key],
    /// What they mean.
    pub command: Command,
    /// One or two words, for the footer.
    pub short: &'static str,
    /// A sentence without its point, for the help.
    pub long: &'static str,
    /// Whether the footer names it.
    pub footer: bool,
}

const fn row(
    context: Context,
    keys: &'static [Key],
    command: Command,
    footer: bool,
    short: &'static str,
    long: &'static str,
) -> Binding {
    Binding { context, keys, command, short, long, footer }
}

/// Every key, in the order in which the help shows them.
pub const KEYS: &[Binding] = &[
    row(Context::Everywhere, &[Key::char('?')], Command::Help, true, "help", "show or close this help"),
    row(
        Context::Everywhere,
        &[Key::char(':')],
        Command::Palette,
        true,
        "palette",
        "find an action by name; an unavailable action shows why",
    ),
    row(Context::Everywhere, &[Key::char('1')], Command::Page(0), false, "overview", "Overview"),
    row(Context::Everywhere, &[Key::char('2')], Command::Page(1), false, "users", "Users"),
    row(Context::Everywhere, &[Key::char('3')], Command::Page(2), false, "transactions", "Transactions"),
    row(Context::Everywhere, &[Key::char('4')], Command::Page(3), false, "orders", "Orders"),
    row(Context::Everywhere, &[Key::char('5')], Command::Page(4), false, "markets", "Markets"),
    row(Context::Everywhere, &[Key::char('6')], Command::Page(5), false, "events", "Events"),
    row(Context::Everywhere, &[Key::char('7')], Command::Page(6), false, "address book", "Book"),
    row(
        Context::Everywhere,
        &[Key::plain(KeyCode::Tab), Key::plain(KeyCode::Right)],
        Command::NextPane,
        true,
        "pane",
        "go to the next pane",
    ),
    row(
        Context::Everywhere,
        &[Key::plain(KeyCode::BackTab), Key::plain(KeyCode::Left)],
        Command::PreviousPane,
        false,
        "pane",
        "go to the previous pane",
    ),
    row(
        Context::Everywhere,
        &[Key::char('/')],
        Command::Filter,
        true,
        "filter",
        "filter the list while you type; Enter keeps the filter, Esc clears it",
    ),
    row(
        Context::Orders,
        &[Key::char('c')],
        Command::Order(OrderAction::CheckAgain),
        true,
        "check",
        "check the history now for open orders",
    ),
    row(
        Context::Orders,
        &[Key::char('S')],
        Command::Order(OrderAction::SendAgain),
        true,
        "resend",
        "resend the same request: same bytes, same idempotency key; asks first",
    ),
    row(
        Context::Orders,
        &[Key::char('X')],
        Command::Order(OrderAction::Abandon),
        true,
        "give up",
        "give up an order that was not sent; asks first",
    ),
    row(
        Context::Orders,
        &[Key::char('W')],
        Command::Order(OrderAction::WriteOff),
        true,
        "write off",
        "close an order whose outcome stays unknown, with a reason; asks first",
    ),
    row(
        Context::Orders,
        &[Key::char('R')],
        Command::Order(OrderAction::SendRest),
        true,
        "pay rest",
        "after a test payment: pay the same address from the same wallet; only the amount is asked for",
    ),
    row(
        Context::Everywhere,
        &[Key::char('w')],
        Command::Withdraw,
        true,
        "withdraw",
        "pay from a wallet: a form, then a review",
    ),
    row(
        Context::Everywhere,
        &[Key::char('b')],
        Command::Batch,
        true,
        "batch",
        "pay several recipients from one wallet in one request: a CSV file, a paste or typed rows, then a review",
    ),
    row(
        Context::Everywhere,
        &[Key::char('s')],
        Command::Swap,
        true,
        "swap",
        "swap one coin of a wallet for another: a form with a live quote, then a review",
    ),
    row(
        Context::Everywhere,
        &[Key::char('m')],
        Command::WithdrawV1,
        false,
        "withdraw v1",
        "pay through version 1, which carries a memo or tag but has no idempotency key: a form, then a review",
    ),
    row(
        Context::Everywhere,
        &[Key::char('n')],
        Command::New,
        true,
        "new",
        "create an account, a wallet or a user; with version 1 a sub-wallet or an address; on the Book page an entry",
    ),
    row(
        Context::Everywhere,
        &[Key::char('e')],
        Command::Change,
        false,
        "edit",
        "change the selected wallet (name, owner, in use, auto-sweep), user, or entry of the address book",
    ),
    row(
        Context::Everywhere,
        &[Key::char('i')],
        Command::Import,
        false,
        "import",
        "import users, wallets and accounts by identifier: typed, or from a file; on the Book page an address book",
    ),
    row(
        Context::Book,
        &[Key::char('D')],
        Command::Remove,
        true,
        "remove",
        "remove the selected entry from the address book; asks for its name",
    ),
    row(Context::Lists, &[Key::plain(KeyCode::Enter)], Command::Open, true, "open", "open what is selected"),
    row(
        Context::Everywhere,
        &[Key::plain(KeyCode::Esc)],
        Command::Back,
        true,
        "back",
        "go back one level: close, clear the filter, clear the selection; never quits",
    ),
    row(Context::Lists, &[Key::char('j'), Key::plain(KeyCode::Down)], Command::Down, false, "down", "one row down"),
    row(Context::Lists, &[Key::char('k'), Key::plain(KeyCode::Up)], Command::Up, false, "up", "one row up"),
    row(Context::Lists, &[Key::ctrl('d')], Command::HalfDown, false, "half down", "half a page down"),
    row(Context::Lists, &[Key::ctrl('u')], Command::HalfUp, false, "half up", "half a page up"),
    row(Context::Lists, &[Key::plain(KeyCode::PageDown)], Command::PageDown, false, "page down", "a page down"),
    row(Context::Lists, &[Key::plain(KeyCode::PageUp)], Command::PageUp, false, "page up", "a page up"),
    row(
        Context::Lists,
        &[Key::char('g'), Key::plain(KeyCode::Home)],
        Command::First,
        false,
        "first",
        "to the first row; a list of transactions follows new arrivals again",
    ),
    row(Context::Lists, &[Key::char('G'), Key::plain(KeyCode::End)], Command::Last, false, "last", "to the last row"),
    row(
        Context::Transactions,
        &[Key::char('o')],
        Command::Sort,
        true,
        "sort",
        "sort by time, newest or oldest first; by amount, largest or smallest first; in the service's order; balances by value or token, orders by urgency or age, the Book in four ways",
    ),
    row(
        Context::Transactions,
        &[Key::char('f')],
        Command::FilterMenu,
        true,
        "fields",
        "choose filters from a menu: direction, status, time, kind, token and chain",
    ),
    row(
        Context::Transactions,
        &[Key::char(' ')],
        Command::Mark,
        true,
        "mark",
        "mark a transaction, to copy or export it with others; Esc clears all marks",
    ),
    row(
        Context::Lists,
        &[Key::char('x')],
        Command::Export,
        true,
        "export",
        "export all that the list shows, or the marked transactions, to a new CSV or JSON file; press again to stop",
    ),
    row(
        Context::Transactions,
        &[Key::char('v')],
        Command::Raw,
        true,
        "raw",
        "with a transaction open: show its JSON as the service sends it",
    ),
    row(
        Context::Lists,
        &[Key::char('y')],
        Command::Copy,
        true,
        "copy",
        "copy an identifier, an address, a hash or an explorer link to the terminal's clipboard",
    ),
    row(
        Context::Balances,
        &[Key::char('h')],
        Command::Hidden,
        true,
        "hidden",
        "show or hide imitation tokens; on the Orders page, orders that were given up",
    ),
    row(
        Context::Overview,
        &[Key::char('a')],
        Command::Receive,
        true,
        "receive",
        "show the selected wallet's address in full, in groups and as a QR code",
    ),
    row(
        Context::Receive,
        &[Key::char('d')],
        Command::Simulate,
        true,
        "deposit",
        "have a test service simulate a deposit to this address: a form, then a review; never in production",
    ),
    row(
        Context::Everywhere,
        &[Key::char(']')],
        Command::NextChange,
        false,
        "next change",
        "to the next transaction that arrived or changed while you were away, newest first",
    ),
    row(
        Context::Everywhere,
        &[Key::char('[')],
        Command::PreviousChange,
        false,
        "prev change",
        "to the previous transaction that arrived or changed while you were away",
    ),
    row(
        Context::Charts,
        &[Key::char('t')],
        Command::Chart,
        true,
        "chart",
        "show the selected balance, or the flows of the selected transaction's token, as a chart; press t again for the other",
    ),
    row(Context::Everywhere, &[Key::char('z')], Command::Zoom, true, "zoom", "give the whole page to one pane"),
    row(
        Context::Everywhere,
        &[Key::char('r')],
        Command::Refresh,
        true,
        "refresh",
        "refresh everything now; also after a rejected API key",
    ),
    row(
        Context::Everywhere,
        &[Key::char('P')],
        Command::Pause,
        false,
        "pause",
        "pause or resume the initial sync of a long history",
    ),
    row(
        Context::Everywhere,
        &[Key::char('p')],
        Command::Veil,
        true,
        "veil",
        "hide figures, names and addresses, and lock paying meanwhile; press again to lift the veil",
    ),
    row(
        Context::Everywhere,
        &[Key::char('L')],
        Command::Lock,
        true,
        "lock",
        "lock paying now, while monitoring continues; press again to unlock",
    ),
    row(
        Context::Everywhere,
        &[Key::char('T')],
        Command::Theme,
        false,
        "theme",
        "the next theme; the palette lists them all",
    ),
    row(
        Context::Everywhere,
        &[Key::ctrl('z')],
        Command::Suspend,
        false,
        "suspend",
        "suspend the program to the shell (fg resumes it)",
    ),
    row(
        Context::Everywhere,
        &[Key::char('q'), Key::ctrl('c')],
        Command::Quit,
        true,
        "quit",
        "quit; asks once while an order or a review is open",
    ),
];

/// What a key means, whatever has the focus; whoever has no use for a command says so or ignores it.
pub fn command(key: Key) -> Option<Command> {
    KEYS.iter().find(|binding| binding.keys.contains(&key)).map(|binding| binding.command)
}

/// How a key is written for people.
pub fn name(key: Key) -> String {
    let plain = match key.code {
        KeyCode::Char(' ') => "Space".to_owned(),
        KeyCode::Char(character) => character.to_string(),
        KeyCode::Enter => "Enter".to_owned(),
        KeyCode::Esc => "Esc".to_owned(),
        KeyCode::Tab => "Tab".to_owned(),
        KeyCode::BackTab => "Shift+Tab".to_owned(),
        KeyCode::Backspace => "Backspace".to_owned(),
        KeyCode::Delete => "Delete".to_owned(),
        KeyCode::Insert => "Insert".to_owned(),
        KeyCode::Up => "Up".to_owned(),
        KeyCode::Down => "Down".to_owned(),
        KeyCode::Left => "Left".to_owned(),
        KeyCode::Right => "Right".to_owned(),
        KeyCode::Home => "Home".to_owned(),
        KeyCode::End => "End".to_owned(),
        KeyCode::PageUp => "PgUp".to_owned(),
        KeyCode::PageDown => "PgDn".to_owned(),
        KeyCode::F(number) => format!("F{number}"),
    };
    match (key.ctrl, key.alt) {
        (false, false) => plain,
        (true, false) => format!("Ctrl+{plain}"),
        (false, true) => format!("Alt+{plain}"),
        (true, true) => format!("Ctrl+Alt+{plain}"),
    }
}

#[cfg(test)]
mod tests;
