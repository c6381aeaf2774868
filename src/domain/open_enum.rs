//! Open enumerations: known words, and any other word as received.

/// Declares an enumeration of known words plus `Other`, which stores an unknown word as received.
///
/// The specification lists few of the values that its fields may take, so every enumeration read from the service is
/// open: an unknown word is shown, never rejected and never given a guessed meaning.
macro_rules! open_enum {
    ($(#[$about:meta])* $name:ident { $($(#[$doc:meta])* $variant:ident = $word:literal),+ $(,)? }) => {
        $(#[$about])*
        #[derive(Debug, Clone, PartialEq, Eq, Hash)]
        pub enum $name {
            $($(#[$doc])* $variant,)+
            /// A word that this program does not know, as received.
            Other($crate::domain::Text),
        }

        impl $name {
            /// Every known word, in the order of declaration.
            pub const KNOWN: &'static [&'static str] = &[$($word),+];

            /// Parses a word, ignoring case.
            pub fn from_word(word: &str) -> Self {
                $(if word.eq_ignore_ascii_case($word) { return Self::$variant; })+
                Self::Other($crate::domain::Text::clean(word))
            }

            pub fn word(&self) -> &str {
                match self {
                    $(Self::$variant => $word,)+
                    Self::Other(word) => word,
                }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.word())
            }
        }
    };
}

pub(crate) use open_enum;
