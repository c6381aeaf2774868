//! What the program was started with.

use std::time::Duration;

use crate::app::lock::LockSettings;
use crate::app::prices::PriceSettings;
use crate::app::profile_switch::OtherProfile;
use crate::app::veil::Veil;
use crate::domain::{Appearance, Text, Zone};

/// Whose treasury this is, as the header says it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Identity {
    /// The name of the business or the profile.
    pub name: Text,
    /// The profile, as the journal names it.
    pub profile: Text,
    /// `mainnet`, `testnet` or another word; absent when the profile does not say.
    pub environment: Option<Text>,
    /// Whether this is the demo, with its embedded service.
    pub demo: bool,
    /// What goes wrong on purpose with the demo's service, in one word.
    pub fault: Option<Text>,
    /// Where the service is.
    pub base_url: Text,
}

/// Why a console only reads that was told to.
pub const READ_ONLY_BY_OPTION: &str = "set by --read-only or by the profile";

/// Why a console only reads that is lent so.
pub const READ_ONLY_BY_HOST: &str = "set by its host";

/// Why a console only reads whose configuration others may write, before what mends that.
pub const CONFIGURATION_OF_OTHERS: &str = "others may write to the configuration";

/// Whether a console that only reads for this reason has a journal to look at.
pub fn shows_orders(why: &str) -> bool {
    is_read_only_by_choice(why) || why.starts_with(CONFIGURATION_OF_OTHERS)
}

/// Whether a console only reads because somebody wants it to, and nothing is amiss.
pub fn is_read_only_by_choice(why: &str) -> bool {
    [READ_ONLY_BY_OPTION, READ_ONLY_BY_HOST].contains(&why)
}

/// What the program was started with.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Whose treasury this is.
    pub identity: Identity,
    /// How often what is on screen is read.
    pub period: Duration,
    /// Whether to ask for the lists that the specification does not document.
    pub probe_lists: bool,
    /// Whether version 1 is asked for what it tells of users.
    pub v1: bool,
    /// Whether version 2 is asked for what moves money; version 1 is, where it is not.
    pub v2: bool,
    /// After how long without a key somebody is taken to have looked away.
    pub idle_limit: Duration,
    /// By which clock times are shown.
    pub zone: Zone,
    /// How the screen looks to start with.
    pub looks: Appearance,
    /// Other profiles that may be opened from here.
    pub profiles: Vec<OtherProfile>,
    /// Why this console is read-only, if it does; [`is_read_only_by_choice`] where nothing is amiss.
    pub read_only: Option<Text>,
    /// What is wanted of prices.
    pub prices: PriceSettings,
    /// Whether the screen is veiled to start with, and the key of its stand-ins.
    pub veil: Veil,
    /// When paying is locked, and what unlocks it.
    pub lock: LockSettings,
    /// A number of this console's own, by which its pauses differ from those of consoles that lost the service with it.
    pub seed: u64,
}
