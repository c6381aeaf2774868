//! What this console is, shows and may reach.

use super::ProfileIdentity;
use crate::app::session::profile_switch::OtherProfile;
use crate::domain::{Appearance, ClipboardRoute, ReadOnlyReason, ServicePreferences, Text, Zone};

#[derive(Debug)]
pub struct ConsoleInfo {
    pub identity: ProfileIdentity,
    pub preferences: ServicePreferences,
    pub zone: Zone,
    pub appearance: Appearance,
    pub profiles: Vec<OtherProfile>,
    /// Why this console is read-only; `None` if it is not.
    pub read_only: Option<ReadOnlyReason>,
    /// Whether this is a visit: the console runs on another machine, whose files are out of the visitor's reach.
    pub is_visit: bool,
    /// Whether another console uses the cache of this service, so that this one has a cache of its own.
    pub has_own_cache: bool,
    /// Whether webhooks are configured but cannot be received.
    pub is_webhook_down: bool,
    /// Distinguishes the API key that reads from others; empty if the key is unknown.
    pub key_mark: Text,
    /// Whether changes use another API key than reads.
    pub has_separate_keys: bool,
    /// The carrier of copied text to the clipboard.
    pub clipboard: ClipboardRoute,
}

impl ConsoleInfo {
    /// The console as it starts: what its host and its keys allow is reported later.
    pub(super) fn new(
        identity: ProfileIdentity,
        preferences: ServicePreferences,
        zone: Zone,
        appearance: Appearance,
        profiles: Vec<OtherProfile>,
        read_only: Option<ReadOnlyReason>,
    ) -> Self {
        Self {
            identity,
            preferences,
            zone,
            appearance,
            profiles,
            read_only,
            is_visit: false,
            has_own_cache: false,
            is_webhook_down: false,
            key_mark: Text::default(),
            has_separate_keys: false,
            clipboard: ClipboardRoute::default(),
        }
    }
}
