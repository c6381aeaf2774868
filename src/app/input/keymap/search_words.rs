//! The words by which people look for a command, beside its name.

use super::Command;
use crate::app::orders::OrderAction;

const SEARCH_WORDS: &[(Command, &[&str])] = &[
    (Command::Page(0), &["total", "balances", "value", "worth", "treasury", "cash", "position", "home"]),
    (Command::Page(1), &["customers", "sub-wallets", "clients"]),
    (Command::Page(2), &["history", "payments", "ledger", "movements", "search"]),
    (Command::Page(3), &["sent", "approvals", "outgoing payments", "unresolved", "audit"]),
    (Command::Page(4), &["prices", "quotes", "rates", "tokens", "coins", "price moves"]),
    (Command::Page(5), &["alarms", "warnings", "watches", "notifications", "log", "webhooks"]),
    (Command::Page(7), &["alert", "stuck", "needs", "attention", "to do", "failed", "problems", "watches"]),
    (Command::Page(6), &["contacts", "beneficiaries", "recipients", "addresses", "allow-list", "names"]),
    (Command::Group, &["by token", "by chain", "by account", "by wallet", "subtotal", "breakdown", "allocation"]),
    (Command::Chart, &["graph", "trend", "90 days", "development", "flows", "over time"]),
    (Command::Reports, &["report"]),
    (Command::ListChanges, &["since last time", "while away", "arrivals", "unseen"]),
    (Command::Export, &["csv", "json", "spreadsheet", "excel", "download", "save to a file"]),
    (Command::Filter, &["search", "find", "query", "look for"]),
    (Command::FilterMenu, &["filter menu", "narrow"]),
    (Command::Views, &["saved filters", "searches", "favourites", "bookmarks"]),
    (Command::Withdraw, &["pay", "send", "transfer", "payment", "payout"]),
    (Command::Batch, &["payroll", "mass payment", "bulk"]),
    (Command::Swap, &["exchange", "convert", "trade", "buy", "sell"]),
    (Command::Receive, &["deposit address", "qr", "invoice", "get paid"]),
    (Command::Order(OrderAction::CheckAgain), &["reconcile", "look again"]),
    (Command::Veil, &["privacy", "hide", "blur", "screen share", "mask"]),
    (Command::Lock, &["passphrase", "unlock", "secure"]),
    (Command::Refresh, &["reload", "update", "sync"]),
    (Command::Theme, &["colours", "colors", "dark", "light"]),
    (Command::Help, &["keys", "manual", "shortcuts", "documentation"]),
    (Command::Quit, &["exit", "leave", "close"]),
    (Command::NextChange, &["what changed", "news"]),
];

impl Command {
    pub fn search_words(self) -> &'static [&'static str] {
        SEARCH_WORDS.iter().find(|(command, _)| *command == self).map_or(&[], |(_, words)| words)
    }
}
