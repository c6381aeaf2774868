//! Settings for tests of the screen.

use super::{ProfileIdentity, Settings};
use crate::app::data::prices::PriceSettings;
use crate::domain::{Appearance, ServicePreferences, Text};

impl Settings {
    /// Settings for tests to which the particulars do not matter.
    pub(in crate::app) fn sample() -> Self {
        let identity = ProfileIdentity {
            name: Text::clean("x"),
            profile: Text::clean("harbour"),
            environment: None,
            demo: true,
            fault: None,
            demo_role: None,
            base_url: Text::clean("https://api.example.com"),
        };
        Self {
            identity,
            preferences: ServicePreferences { probe_lists: false, ..ServicePreferences::default() },
            zone: crate::domain::Zone::default(),
            appearance: Appearance::default(),
            profiles: Vec::new(),
            read_only: None,
            prices: PriceSettings::default(),
            veil: crate::app::session::veil::Veil::default(),
            lock: crate::app::session::lock::LockSettings::default(),
            seed: 0,
        }
    }
}
