//! Settings that are fixed at the start.

use std::time::Duration;

use crate::app::data::prices::PriceSettings;
use crate::app::session::lock::LockSettings;
use crate::app::session::profile_switch::OtherProfile;
use crate::app::session::veil::Veil;
use crate::domain::{Appearance, Text, Zone};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Identity {
    /// The name of the business or the profile.
    pub name: Text,
    /// The profile's name in the journal.
    pub profile: Text,
    /// `mainnet`, `testnet` or another word; `None` if the profile does not set it.
    pub environment: Option<Text>,
    /// Whether this is the demo, with its embedded service.
    pub demo: bool,
    /// The simulated fault of the demo's service, in one word.
    pub fault: Option<Text>,
    /// Who of two people this console plays in a demo that they share, in one word.
    pub demo_role: Option<Text>,
    pub base_url: Text,
}

/// A console that is read-only by its own settings.
pub const READ_ONLY_BY_OPTION: &str = "set by --read-only or by the profile";

/// A console that its host lends read-only.
pub const READ_ONLY_BY_HOST: &str = "set by its host";

/// A console whose configuration others can write to; the remedy follows.
pub const CONFIGURATION_WRITABLE_BY_OTHERS: &str = "others may write to the configuration";

/// Whether a console that is read-only for this reason can read a journal.
pub fn can_read_journal(why: &str) -> bool {
    is_read_only_by_choice(why) || why.starts_with(CONFIGURATION_WRITABLE_BY_OTHERS)
}

/// Whether a console is read-only by choice, and nothing is wrong.
pub fn is_read_only_by_choice(why: &str) -> bool {
    [READ_ONLY_BY_OPTION, READ_ONLY_BY_HOST].contains(&why)
}

#[derive(Debug, Clone)]
pub struct Settings {
    pub identity: Identity,
    /// The poll period of what is on screen.
    pub period: Duration,
    /// Whether to request the lists that the specification does not document.
    pub probe_lists: bool,
    /// Whether version 1 is used for data of users.
    pub v1: bool,
    /// Whether version 2 is used for payments; otherwise version 1 is.
    pub v2: bool,
    /// Idle time after which the operator counts as away.
    pub idle_limit: Duration,
    /// The time zone of times on screen.
    pub zone: Zone,
    pub appearance: Appearance,
    pub profiles: Vec<OtherProfile>,
    /// Why this console is read-only; [`is_read_only_by_choice`] where nothing is wrong.
    pub read_only: Option<Text>,
    pub prices: PriceSettings,
    /// Whether the screen starts veiled, and the key of its stand-ins.
    pub veil: Veil,
    pub lock: LockSettings,
    /// Random per console, so that its retries are jittered apart from other consoles that lost the service with it.
    pub seed: u64,
}
