//! The one table of keys: footer, help and README follow it.

mod command;
mod key_name;
mod search_words;

pub use command::{Command, Context};
pub use key_name::key_name;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use crate::app::orders::OrderAction;

#[derive(Debug)]
pub struct Binding {
    pub context: Context,
    /// The footer names the first one.
    pub keys: &'static [KeyEvent],
    pub command: Command,
    /// One or two words, for the footer.
    pub short: &'static str,
    /// A sentence without its full stop, for the help.
    pub long: &'static str,
    pub footer: bool,
}

const fn plain(code: KeyCode) -> KeyEvent {
    KeyEvent::new(code, KeyModifiers::NONE)
}

const fn char(character: char) -> KeyEvent {
    plain(KeyCode::Char(character))
}

pub const fn ctrl(character: char) -> KeyEvent {
    KeyEvent::new(KeyCode::Char(character), KeyModifiers::CONTROL)
}

const fn binding(
    context: Context,
    keys: &'static [KeyEvent],
    command: Command,
    footer: bool,
    short: &'static str,
    long: &'static str,
) -> Binding {
    Binding { context, keys, command, short, long, footer }
}

/// Every key, in the order of the help.
pub const KEY_BINDINGS: &[Binding] = &[
    binding(Context::Everywhere, &[char('?')], Command::Help, true, "help", "show or close this help"),
    binding(
        Context::Everywhere,
        &[char(':')],
        Command::Palette,
        true,
        "palette",
        "find an action by name; an unavailable action shows why",
    ),
    binding(Context::Everywhere, &[char('1')], Command::Page(0), false, "overview", "Overview"),
    binding(Context::Everywhere, &[char('2')], Command::Page(1), false, "users", "Users"),
    binding(Context::Everywhere, &[char('3')], Command::Page(2), false, "transactions", "Transactions"),
    binding(Context::Everywhere, &[char('4')], Command::Page(3), false, "orders", "Orders"),
    binding(Context::Everywhere, &[char('5')], Command::Page(4), false, "markets", "Markets"),
    binding(Context::Everywhere, &[char('6')], Command::Page(5), false, "events", "Events"),
    binding(Context::Everywhere, &[char('7')], Command::Page(6), false, "address book", "Book"),
    binding(
        Context::Everywhere,
        &[plain(KeyCode::Tab), plain(KeyCode::Right)],
        Command::NextPane,
        true,
        "pane",
        "go to the next pane",
    ),
    binding(
        Context::Everywhere,
        &[plain(KeyCode::BackTab), plain(KeyCode::Left)],
        Command::PreviousPane,
        false,
        "pane",
        "go to the previous pane",
    ),
    binding(
        Context::Everywhere,
        &[char('/')],
        Command::Filter,
        true,
        "filter",
        "filter the list while you type; Enter keeps the filter, Esc clears it",
    ),
    binding(
        Context::Orders,
        &[char('c')],
        Command::Order(OrderAction::CheckAgain),
        true,
        "check",
        "check the history now for open orders",
    ),
    binding(
        Context::Orders,
        &[char('S')],
        Command::Order(OrderAction::SendAgain),
        true,
        "resend",
        "resend the same request: same bytes, same idempotency key; asks first",
    ),
    binding(
        Context::Orders,
        &[char('X')],
        Command::Order(OrderAction::Abandon),
        true,
        "give up",
        "give up an order that was not sent; asks first",
    ),
    binding(
        Context::Orders,
        &[char('W')],
        Command::Order(OrderAction::WriteOff),
        true,
        "write off",
        "close an order whose outcome stays unknown, with a reason; asks first",
    ),
    binding(
        Context::Orders,
        &[char('R')],
        Command::Order(OrderAction::SendRest),
        true,
        "pay rest",
        "after a test payment: pay the same address from the same wallet; only the amount is asked for",
    ),
    binding(
        Context::Everywhere,
        &[char('w')],
        Command::Withdraw,
        true,
        "withdraw",
        "pay from a wallet: a form, then a review",
    ),
    binding(
        Context::Everywhere,
        &[char('b')],
        Command::Batch,
        true,
        "batch",
        "pay several recipients from one wallet in one request: a CSV file, a paste or typed rows, then a review",
    ),
    binding(
        Context::Everywhere,
        &[char('s')],
        Command::Swap,
        true,
        "swap",
        "swap one coin of a wallet for another: a form with a live quote, then a review",
    ),
    binding(
        Context::Everywhere,
        &[char('m')],
        Command::WithdrawV1,
        false,
        "withdraw v1",
        "pay through version 1, which carries a memo or tag but has no idempotency key: a form, then a review",
    ),
    binding(
        Context::Everywhere,
        &[char('n')],
        Command::New,
        true,
        "new",
        "create an account, a wallet or a user; with version 1 a sub-wallet or an address; on the Book page an entry",
    ),
    binding(
        Context::Everywhere,
        &[char('e')],
        Command::Change,
        false,
        "edit",
        "change the selected wallet (name, owner, in use, auto-sweep), user, or entry of the address book",
    ),
    binding(
        Context::Everywhere,
        &[char('i')],
        Command::Import,
        false,
        "import",
        "import users, wallets and accounts by identifier: typed, or from a file; on the Book page an address book",
    ),
    binding(
        Context::Book,
        &[char('D')],
        Command::Remove,
        true,
        "remove",
        "remove the selected entry from the address book; asks for its name",
    ),
    binding(
        Context::Everywhere,
        &[char('I')],
        Command::Details,
        false,
        "details",
        "show its wallet or account in full",
    ),
    binding(Context::Lists, &[plain(KeyCode::Enter)], Command::Open, true, "open", "open what is selected"),
    binding(
        Context::Everywhere,
        &[plain(KeyCode::Esc)],
        Command::Back,
        true,
        "back",
        "go back one level: close, clear the filter, clear the selection; never quits",
    ),
    binding(Context::Lists, &[char('j'), plain(KeyCode::Down)], Command::Down, false, "down", "one row down"),
    binding(Context::Lists, &[char('k'), plain(KeyCode::Up)], Command::Up, false, "up", "one row up"),
    binding(Context::Lists, &[ctrl('d')], Command::HalfDown, false, "half down", "half a page down"),
    binding(Context::Lists, &[ctrl('u')], Command::HalfUp, false, "half up", "half a page up"),
    binding(Context::Lists, &[plain(KeyCode::PageDown)], Command::PageDown, false, "page down", "a page down"),
    binding(Context::Lists, &[plain(KeyCode::PageUp)], Command::PageUp, false, "page up", "a page up"),
    binding(
        Context::Lists,
        &[char('g'), plain(KeyCode::Home)],
        Command::First,
        false,
        "first",
        "to the first row; a list of transactions follows new arrivals again",
    ),
    binding(Context::Lists, &[char('G'), plain(KeyCode::End)], Command::Last, false, "last", "to the last row"),
    binding(
        Context::Transactions,
        &[char('o')],
        Command::Sort,
        true,
        "sort",
        "sort by time, newest or oldest first; by amount, largest or smallest first; in the service's order; balances by value or token, orders by urgency or age, the Book in four ways",
    ),
    binding(
        Context::Transactions,
        &[char('f')],
        Command::FilterMenu,
        true,
        "fields",
        "choose filters from a menu: direction, status, time, kind, token and chain",
    ),
    binding(
        Context::Everywhere,
        &[char('V')],
        Command::Views,
        false,
        "views",
        "open a view of the transactions by its number, or save, rename and remove one",
    ),
    binding(
        Context::Transactions,
        &[char(' ')],
        Command::Mark,
        true,
        "mark",
        "mark a transaction, to copy or export it with others; Esc clears all marks",
    ),
    binding(
        Context::Lists,
        &[char('x')],
        Command::Export,
        true,
        "export",
        "export all that the list shows, or the marked transactions, to a new CSV or JSON file; press again to stop",
    ),
    binding(
        Context::Transactions,
        &[char('v')],
        Command::Raw,
        true,
        "raw",
        "with a transaction open: show its JSON as the service sends it",
    ),
    binding(
        Context::Lists,
        &[char('y')],
        Command::Copy,
        true,
        "copy",
        "copy an identifier, an address, a hash or an explorer link to the terminal's clipboard",
    ),
    binding(Context::Lists, &[char('N')], Command::Name, false, "name", "name the selected address, wallet or account"),
    binding(
        Context::Balances,
        &[char('O')],
        Command::Group,
        true,
        "group",
        "sum the balances of the Overview by token, by chain, by account, by wallet, and by token and chain again",
    ),
    binding(
        Context::Balances,
        &[char('h')],
        Command::Hidden,
        true,
        "hidden",
        "show or hide imitation tokens; on the Orders page, orders that were given up",
    ),
    binding(
        Context::Overview,
        &[char('a')],
        Command::Receive,
        true,
        "receive",
        "show the selected wallet's address in full, in groups and as a QR code",
    ),
    binding(
        Context::Receive,
        &[char('d')],
        Command::Simulate,
        true,
        "deposit",
        "have a test service simulate a deposit to this address: a form, then a review; never in production",
    ),
    binding(
        Context::Everywhere,
        &[char(']')],
        Command::NextChange,
        false,
        "next change",
        "to the next transaction that arrived or changed while you were away, newest first",
    ),
    binding(
        Context::Everywhere,
        &[char('[')],
        Command::PreviousChange,
        false,
        "prev change",
        "to the previous transaction that arrived or changed while you were away",
    ),
    binding(
        Context::Charts,
        &[char('t')],
        Command::Chart,
        true,
        "chart",
        "show the selected balance, or the flows of the selected transaction's token, as a chart; press t again for the other",
    ),
    binding(Context::Everywhere, &[char('z')], Command::Zoom, true, "zoom", "give the whole page to one pane"),
    binding(
        Context::Everywhere,
        &[char('r')],
        Command::Refresh,
        true,
        "refresh",
        "refresh everything now; also after a rejected API key",
    ),
    binding(
        Context::Everywhere,
        &[char('P')],
        Command::Pause,
        false,
        "pause",
        "pause or resume the initial sync of a long history",
    ),
    binding(
        Context::Everywhere,
        &[char('p')],
        Command::Veil,
        true,
        "veil",
        "hide figures, names and addresses, and lock paying meanwhile; press again to lift the veil",
    ),
    binding(
        Context::Everywhere,
        &[char('L')],
        Command::Lock,
        true,
        "lock",
        "lock paying now, while monitoring continues; press again to unlock",
    ),
    binding(
        Context::Everywhere,
        &[char('T')],
        Command::Theme,
        false,
        "theme",
        "the next theme; the palette lists them all",
    ),
    binding(
        Context::Everywhere,
        &[ctrl('z')],
        Command::Suspend,
        false,
        "suspend",
        "suspend the program to the shell (fg resumes it)",
    ),
    binding(
        Context::Everywhere,
        &[char('q'), ctrl('c')],
        Command::Quit,
        true,
        "quit",
        "quit; asks once while an order or a review is open",
    ),
];

/// The command of a key, wherever the focus is; a mode without use for a command refuses or ignores it.
pub fn command_of_key(key: KeyEvent) -> Option<Command> {
    KEY_BINDINGS.iter().find(|binding| binding.keys.contains(&key)).map(|binding| binding.command)
}

#[cfg(test)]
mod tests;
