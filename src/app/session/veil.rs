//! The veil: hides figures, names, addresses and identifiers from onlookers, while monitoring continues.
//!
//! Views know nothing of it. While the veil is on, they draw the result of `mask_model` instead of the model: a model
//! that starts blank and receives only stand-ins. So a field without a stand-in, such as a new one, does not reach the
//! screen at all. A second net covers the finished frame: only digits in times and public names pass
//! (`view::hide_figures`).
//!
//! ```text
//!   Model ──mask_model──▶ Model of stand-ins ──view──▶ frame ──hide_figures──▶ terminal
//! ```
//!
//! While the veil is on nothing is paid, copied, exported or imported: a command other than a
//! motion is refused unless its row in `assets/keys.toml` sets `under_veil`.

mod mask;
mod orders;
mod stand_in;
mod stand_ins_of_records;
pub(in crate::app) mod view;
mod withhold;

pub(in crate::app) use mask::mask_model;
pub use stand_in::VeilKey;
pub use withhold::WITHHELD_MESSAGE;
pub(in crate::app) use withhold::{NoticeGuard, allows_command, filter_effects, toggle_veil};

pub const VEILED_MESSAGE: &str = "the veil is on; p lifts it";

/// Whether the screen is veiled, and the key of its stand-ins.
#[derive(Debug, Clone, Default)]
pub struct Veil {
    on: bool,
    key: VeilKey,
}

impl Veil {
    pub fn new(on: bool, key: VeilKey) -> Self {
        Self { on, key }
    }

    pub fn is_on(&self) -> bool {
        self.on
    }
}
