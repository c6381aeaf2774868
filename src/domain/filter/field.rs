//! The fields that a word of a filter may name.

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FilterField {
    /// Symbol, name or contract.
    Token,
    Chain,
    Status,
    Direction,
    /// The sender's address; or since when.
    From,
    /// The recipient's address; or until when.
    To,
    /// The other side: its address or several, separated by commas, or the beginning of a word of its name.
    Counterparty,
    Hash,
    Reference,
    Note,
    Id,
    /// The wallet's identifier, name or address.
    Wallet,
    /// The user's identifier or name.
    User,
    /// The account's identifier or name.
    Account,
    Amount,
    /// Day and time of day; or a period.
    Date,
    SubType,
    Key,
    /// The identifier shared by the rows of one movement.
    Group,
    /// The worth, by the quotes.
    Value,
    Age,
    /// Whether the row moves money between own wallets.
    Internal,
    /// Whether the row came or changed since the last visit.
    New,
}

/// The fields' names as they are typed, the most used first.
pub const FIELD_NAMES: &[(&str, FilterField)] = &[
    ("dir", FilterField::Direction),
    ("token", FilterField::Token),
    ("chain", FilterField::Chain),
    ("status", FilterField::Status),
    ("from", FilterField::From),
    ("to", FilterField::To),
    ("counterparty", FilterField::Counterparty),
    ("amount", FilterField::Amount),
    ("date", FilterField::Date),
    ("type", FilterField::SubType),
    ("wallet", FilterField::Wallet),
    ("account", FilterField::Account),
    ("user", FilterField::User),
    ("hash", FilterField::Hash),
    ("ref", FilterField::Reference),
    ("note", FilterField::Note),
    ("id", FilterField::Id),
    ("key", FilterField::Key),
    ("group", FilterField::Group),
    ("value", FilterField::Value),
    ("age", FilterField::Age),
    ("internal", FilterField::Internal),
    ("new", FilterField::New),
];
