//! Open enumerations: the words we understand, and any other word as it came.

/// Declares an enumeration of known words plus `Other`, which keeps an unknown word as it came.
///
/// The specification lists few of the values that its fields may take, so every enumeration read from the service is
/// open: an unknown word is shown, never rejected and never guessed to mean something.
macro_rules! open_enum {
    ($(#[$about:meta])* $name:ident { $($(#[$doc:meta])* $variant:ident = $word:literal),+ $(,)? }) => {
        $(#[$about])*
        #[derive(Debug, Clone, PartialEq, Eq, Hash)]
        pub enum $name {
            $($(#[$doc])* $variant,)+
            /// A word that this program does not know, as it came.
            Other($crate::domain::Text),
        }

        impl $name {
            /// Every word that is understood, in the order of its declaration.
            pub const KNOWN: &'static [&'static str] = &[$($word),+];

            /// Reads a word; upper and lower case are one.
            pub fn read(word: &str) -> Self {
                $(if word.eq_ignore_ascii_case($word) { return Self::$variant; })+
                Self::Other($crate::domain::Text::clean(word))
            }

            /// The word, as the service spells it.
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
