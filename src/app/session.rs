//! What outlives pages: the payment lock, the veil, absence, watches, events, appearance and profile.

pub mod absence;
pub(super) mod appearance;
pub mod attention;
pub(super) mod banner;
pub mod events;
pub mod lock;
pub mod profile_switch;
pub mod veil;
pub mod views;
pub mod visit;
pub mod watches;
