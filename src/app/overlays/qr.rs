//! QR codes: a text as a square matrix of dark and light modules.

pub mod view;

#[cfg(test)]
mod tests;

use qrcode::{Color, EcLevel, QrCode};

/// Light modules around a code, without which readers do not find it (ISO/IEC 18004).
pub const QUIET_ZONE: u16 = 4;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QrMatrix {
    side: u16,
    dark: Vec<bool>,
}

impl QrMatrix {
    /// The smallest code for a text, with the best error correction at that size; `None` if the text is too long.
    pub fn encode(text: &str) -> Option<Self> {
        let smallest = QrCode::with_error_correction_level(text, EcLevel::L).ok()?;
        let robust = [EcLevel::H, EcLevel::Q, EcLevel::M].into_iter().find_map(|level| {
            let code = QrCode::with_error_correction_level(text, level).ok()?;
            (code.width() == smallest.width()).then_some(code)
        });
        let code = robust.unwrap_or(smallest);
        let side = u16::try_from(code.width()).ok()?;
        Some(Self { side, dark: code.to_colors().into_iter().map(|color| color == Color::Dark).collect() })
    }

    /// Modules on each side, with the quiet zone.
    pub fn side(&self) -> u16 {
        self.side + 2 * QUIET_ZONE
    }

    /// Whether a module is dark; the quiet zone and everything beyond are light.
    pub fn is_dark(&self, x: u16, y: u16) -> bool {
        let inside = |at: u16| at.checked_sub(QUIET_ZONE).filter(|at| *at < self.side);
        let (Some(x), Some(y)) = (inside(x), inside(y)) else { return false };
        let index = usize::from(y) * usize::from(self.side) + usize::from(x);
        self.dark.get(index).copied().unwrap_or(false)
    }
}
