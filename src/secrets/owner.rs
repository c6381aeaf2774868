//! Whose secrets: a profile at a base address.

use std::fmt;

use sha2::{Digest, Sha256};

/// A profile at a base address. Secrets belong to both, so that neither an edited address nor another profile of the
/// same service gets them by accident.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Owner {
    /// The profile's name.
    pub profile: String,
    /// The base address, as [`BaseUrl`](crate::api::BaseUrl) shows it.
    pub base_url: String,
}

impl Owner {
    /// The name of a sealed file: readable at its start, and different for every profile and address.
    pub fn file_name(&self) -> String {
        let mut digits = hex::encode(self.digest());
        digits.truncate(16);
        format!("{}-{digits}.sealed", self.profile)
    }

    /// What a sealed file is bound to.
    pub(super) fn digest(&self) -> [u8; 32] {
        let mut hash = Sha256::new();
        hash.update("bursar owner of keys");
        hash.update([0]);
        hash.update(&self.profile);
        hash.update([0]);
        hash.update(&self.base_url);
        hash.finalize().into()
    }
}

impl fmt::Display for Owner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at {}", self.profile, self.base_url)
    }
}
