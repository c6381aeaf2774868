//! Where a pane is on the screen, and what is drawn around it.

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Size {
    pub width: u16,
    pub height: u16,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Area {
    pub x: u16,
    pub y: u16,
    pub width: u16,
    pub height: u16,
}

impl Area {
    pub const fn new(x: u16, y: u16, width: u16, height: u16) -> Self {
        Self { x, y, width, height }
    }

    #[must_use]
    pub fn without_top(self, rows: u16) -> Self {
        let rows = rows.min(self.height);
        Self { y: self.y + rows, height: self.height - rows, ..self }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Chrome {
    /// A box around the pane.
    Boxed {
        /// Whether it shares its upper edge with the box above.
        hangs: bool,
    },
    /// A rule with the title above the pane, over the full width.
    Ruled,
}
