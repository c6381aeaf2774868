//! Settings that are fixed at the start.

use crate::app::data::prices::PriceSettings;
use crate::app::session::lock::LockSettings;
use crate::app::session::profile_switch::OtherProfile;
use crate::app::session::veil::Veil;
use crate::domain::{Appearance, Network, ReadOnlyReason, ServicePreferences, Text, Zone};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProfileIdentity {
    /// The name of the business or the profile.
    pub name: Text,
    /// The profile's name in the journal.
    pub profile: Text,
    /// `None` where the profile names none.
    pub environment: Option<Network>,
    /// Whether this is the demo, with its embedded service.
    pub demo: bool,
    /// The simulated fault of the demo's service, in one word.
    pub fault: Option<Text>,
    /// Who of two people this console plays in a demo that they share, in one word.
    pub demo_role: Option<Text>,
    pub base_url: Text,
}

#[derive(Debug, Clone)]
pub struct Settings {
    pub identity: ProfileIdentity,
    pub preferences: ServicePreferences,
    /// The time zone of times on screen.
    pub zone: Zone,
    pub appearance: Appearance,
    pub profiles: Vec<OtherProfile>,
    /// Why this console is read-only, if it is.
    pub read_only: Option<ReadOnlyReason>,
    pub prices: PriceSettings,
    /// Whether the screen starts veiled, and the key of its stand-ins.
    pub veil: Veil,
    pub lock: LockSettings,
    /// Random per console, so that its retries are jittered apart from other consoles that lost the service with it.
    pub seed: u64,
}
