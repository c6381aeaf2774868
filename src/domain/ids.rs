//! Identifiers, each of its own type so that one is never taken for another.

use std::fmt;

use super::Text;

macro_rules! id {
    ($(#[$about:meta])* $name:ident) => {
        $(#[$about])*
        #[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(Text);

        impl $name {
            /// Reads an identifier from outside.
            pub fn read(raw: &str) -> Self {
                Self(Text::clean(raw))
            }

            /// The identifier as the service spells it.
            pub fn as_str(&self) -> &str {
                self.0.as_str()
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(self.as_str())
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{}({})", stringify!($name), self.as_str())
            }
        }
    };
}

id! {
    /// A workspace: the business as the service knows it.
    WorkspaceId
}
id! {
    /// An account: a container of wallets.
    AccountId
}
id! {
    /// A user, who in version 1 was called a sub-wallet.
    UserId
}
id! {
    /// A wallet on one blockchain.
    WalletId
}
id! {
    /// A transaction.
    TransactionId
}
