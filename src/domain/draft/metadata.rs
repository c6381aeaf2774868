//! What a profile adds to the requests of payments.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::domain::Text;

/// Names and values that the service keeps with a payment: the `metadata` of its request.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Metadata(Vec<(Text, Text)>);

/// What a profile adds to the requests of version 2.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RequestDefaults {
    pub metadata: Metadata,
    /// Whether the service is to queue batches; `None` leaves that to the service.
    pub queue: Option<bool>,
}

impl Metadata {
    pub const MAX_MEMBERS: usize = 16;
    /// Characters of a name, and of a value.
    pub const MAX_CHARS: usize = 200;

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn iter(&self) -> impl Iterator<Item = (&Text, &Text)> {
        self.0.iter().map(|(name, value)| (name, value))
    }
}

impl FromIterator<(Text, Text)> for Metadata {
    fn from_iter<I: IntoIterator<Item = (Text, Text)>>(members: I) -> Self {
        Self(members.into_iter().collect())
    }
}

/// As in `cost centre=7, department=treasury`.
impl fmt::Display for Metadata {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, (name, value)) in self.iter().enumerate() {
            let separator = if index == 0 { "" } else { ", " };
            write!(f, "{separator}{name}={value}")?;
        }
        Ok(())
    }
}
