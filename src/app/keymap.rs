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
        "find an action by its name; those that cannot be done now say why",
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
        "go to the pane before",
    ),
    row(
        Context::Everywhere,
        &[Key::char('/')],
        Command::Filter,
        true,
        "filter",
        "filter the list while you type; Enter keeps the filter, Esc drops it",
    ),
    row(
        Context::Orders,
        &[Key::char('c')],
        Command::Order(OrderAction::CheckAgain),
        true,
        "check",
        "read the history at once for orders that are open",
    ),
    row(
        Context::Orders,
        &[Key::char('S')],
        Command::Order(OrderAction::SendAgain),
        true,
        "send again",
        "send the same request again: same bytes, same key; asks first",
    ),
    row(
        Context::Orders,
        &[Key::char('X')],
        Command::Order(OrderAction::Abandon),
        true,
        "give up",
        "give up an order of which nothing was sent; asks first",
    ),
    row(
        Context::Orders,
        &[Key::char('W')],
        Command::Order(OrderAction::WriteOff),
        true,
        "write off",
        "close an order whose fate stays unknown, with a reason; asks first",
    ),
    row(
        Context::Orders,
        &[Key::char('R')],
        Command::Order(OrderAction::SendRest),
        true,
        "the rest",
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
        "pay several from one wallet by one request: a CSV file, a paste or rows that are typed, then a review",
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
        "pay by version 1, which carries a memo or tag and has a weaker promise: a form, then a review",
    ),
    row(
        Context::Everywhere,
        &[Key::char('n')],
        Command::New,
        true,
        "new",
        "make an account, a wallet, a user; by version 1 a sub-wallet or an address; on the Book page an entry",
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
        "bring in users, wallets and accounts by their identifiers: typed, or from a file; on the Book page a book",
    ),
    row(
        Context::Book,
        &[Key::char('D')],
        Command::Remove,
        true,
        "take out",
        "take the selected entry out of the address book; asks for its name",
    ),
    row(Context::Lists, &[Key::plain(KeyCode::Enter)], Command::Open, true, "open", "open what is selected"),
    row(
        Context::Everywhere,
        &[Key::plain(KeyCode::Esc)],
        Command::Back,
        true,
        "back",
        "go back one level: close, drop the filter, drop the selection; never quits",
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
        "to the first row; a list of transactions follows what arrives again",
    ),
    row(Context::Lists, &[Key::char('G'), Key::plain(KeyCode::End)], Command::Last, false, "last", "to the last row"),
    row(
        Context::Transactions,
        &[Key::char('o')],
        Command::Sort,
        true,
        "order",
        "by time, newest or oldest first; largest, smallest; the service's order; balances by value or token, orders by urgency or age, the Book by four",
    ),
    row(
        Context::Transactions,
        &[Key::char('f')],
        Command::FilterMenu,
        true,
        "fields",
        "choose direction, status, time, kind, token and chain of a filter from a menu",
    ),
    row(
        Context::Transactions,
        &[Key::char(' ')],
        Command::Mark,
        true,
        "mark",
        "mark a transaction, to copy or export it with others; Esc drops all marks",
    ),
    row(
        Context::Lists,
        &[Key::char('x')],
        Command::Export,
        true,
        "export",
        "write all that the list shows, or the marked transactions, to a new file as CSV or JSON; again: stop",
    ),
    row(
        Context::Transactions,
        &[Key::char('v')],
        Command::Raw,
        true,
        "raw",
        "with a transaction open: read its JSON as the service writes it",
    ),
    row(
        Context::Lists,
        &[Key::char('y')],
        Command::Copy,
        true,
        "copy",
        "copy an identifier, an address, a hash or an explorer's page to the terminal's clipboard",
    ),
    row(
        Context::Balances,
        &[Key::char('h')],
        Command::Hidden,
        true,
        "hidden",
        "show or hide tokens that imitate others; on the Orders page what was given up",
    ),
    row(
        Context::Overview,
        &[Key::char('a')],
        Command::Receive,
        true,
        "receive",
        "show the selected wallet's address, whole, in groups and to be scanned",
    ),
    row(
        Context::Receive,
        &[Key::char('d')],
        Command::Simulate,
        true,
        "deposit",
        "have a test service pretend a deposit there: a form, then a review; never in production",
    ),
    row(
        Context::Everywhere,
        &[Key::char(']')],
        Command::NextChange,
        false,
        "next change",
        "to the next transaction that came or changed while you looked away, the newest first",
    ),
    row(Context::Everywhere, &[Key::char('[')], Command::PreviousChange, false, "last change", "to the one before"),
    row(
        Context::Charts,
        &[Key::char('t')],
        Command::Chart,
        true,
        "chart",
        "show the selected balance, or the flows of the selected transaction's token, as a chart; t again shows the other",
    ),
    row(Context::Everywhere, &[Key::char('z')], Command::Zoom, true, "zoom", "give the whole page to one pane"),
    row(
        Context::Everywhere,
        &[Key::char('r')],
        Command::Refresh,
        true,
        "refresh",
        "read everything again now; also after a rejected key",
    ),
    row(
        Context::Everywhere,
        &[Key::char('P')],
        Command::Pause,
        false,
        "pause",
        "have the first read of a long history wait, or go on where it was",
    ),
    row(
        Context::Everywhere,
        &[Key::char('p')],
        Command::Veil,
        true,
        "veil",
        "hide figures, names and addresses, and lock paying meanwhile; again: lift the veil",
    ),
    row(
        Context::Everywhere,
        &[Key::char('L')],
        Command::Lock,
        true,
        "lock",
        "lock paying now, while watching goes on; again: unlock it",
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
        "stop the program as a job of the shell (fg brings it back)",
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
