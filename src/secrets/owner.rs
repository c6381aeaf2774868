//! The owner of secrets: a profile at a base address.

use std::fmt;

use sha2::{Digest, Sha256};

/// Secrets belong to both, so that neither an edited address nor another profile of the same service gets them by
/// accident.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Owner {
    pub profile: String,
    /// As [`BaseUrl`](crate::api::BaseUrl) displays it.
    pub base_url: String,
}

impl Owner {
    /// The name of a sealed file: begins with the profile, and differs for every profile and address.
    pub fn file_name(&self) -> String {
        let mut digits = hex::encode(self.digest());
        digits.truncate(16);
        format!("{}-{digits}.sealed", self.profile)
    }

    /// The hash in a sealed file's header.
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
