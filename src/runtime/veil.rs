//! Creates the veil of a console.

use uuid::Uuid;

use crate::app::session::veil::{Veil, VeilKey};

/// The veil's key is new each time, and stored nowhere.
pub fn new_veil(on: bool) -> Veil {
    let mut key = [0; 32];
    for half in key.chunks_exact_mut(16) {
        half.copy_from_slice(Uuid::new_v4().as_bytes());
    }
    Veil::new(on, VeilKey::new(key))
}
