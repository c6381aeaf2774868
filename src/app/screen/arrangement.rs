//! Where the parts of a page stand.

use super::breakpoints::DETAIL_MIN_WIDTH;
use super::{Area, Chrome, Pane};

/// Where the parts of a page stand in the rows between the tabs and the footer.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Arrangement {
    pub panes: Vec<PaneArea>,
    /// The total, on the Overview.
    pub total: Option<Area>,
    /// What needs a person, on the Overview, while anything does.
    pub attention: Option<Area>,
    /// One row that names the panes, where only one of them is shown.
    pub pane_bar: Option<Area>,
    /// The selected row in full, beside or below its list.
    pub detail: Option<Area>,
}

impl Arrangement {
    /// One pane over the whole area.
    pub fn whole(pane: Pane, area: Area) -> Self {
        Self { panes: vec![PaneArea { pane, area, chrome: Chrome::Ruled }], ..Self::default() }
    }

    /// One pane, below the row that names all panes of the page.
    pub fn below_pane_bar(pane: Pane, area: Area) -> Self {
        Self { pane_bar: Some(Area { height: 1, ..area }), ..Self::whole(pane, area.without_top(1)) }
    }

    /// A list with the details of its selected row beside it, where they have room.
    pub fn list_and_detail(pane: Pane, area: Area) -> Self {
        if area.width < DETAIL_MIN_WIDTH {
            return Self::whole(pane, area);
        }
        let (list, beside) = list_and_detail(area);
        Self { detail: Some(beside), ..Self::whole(pane, list) }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PaneArea {
    pub pane: Pane,
    pub area: Area,
    pub chrome: Chrome,
}

impl PaneArea {
    /// The area inside of the frame.
    pub fn content(&self) -> Area {
        let area = self.area;
        match self.chrome {
            Chrome::Boxed { .. } => Area::new(
                area.x + 1,
                area.y + 1,
                area.width.saturating_sub(2),
                // The lower edge is drawn by this box, or by the one below that shares it.
                area.height.saturating_sub(2),
            ),
            Chrome::Ruled => area.without_top(1),
        }
    }

    /// How many rows of the list are visible, without its heads.
    pub fn visible_rows(&self) -> u16 {
        let height = self.content().height;
        height.saturating_sub(head_rows(self.pane, height))
    }
}

/// A list of fewer rows has no column heads.
pub const MIN_HEIGHT_WITH_HEADS: u16 = 4;

/// The rows above the list of a pane: column heads, and the row of all accounts or wallets.
fn head_rows(pane: Pane, height: u16) -> u16 {
    let has_heads = height >= MIN_HEIGHT_WITH_HEADS && !matches!(pane, Pane::User | Pane::Watches);
    u16::from(has_heads) + u16::from(matches!(pane, Pane::Accounts | Pane::Wallets))
}

const LIST_WIDTH: u16 = 137;

/// A list with all of its columns, and the details of its selected row beside it.
pub fn list_and_detail(body: Area) -> (Area, Area) {
    let beside = (body.width - LIST_WIDTH).clamp(60, 84);
    let list = Area { width: body.width - beside, ..body };
    (list, Area { x: body.x + list.width, width: beside, ..body })
}

/// Two boxes with a common edge.
pub fn two_stacked_boxes(
    x: u16,
    y: u16,
    width: u16,
    height: u16,
    upper: u16,
    above: Pane,
    below: Pane,
) -> [PaneArea; 2] {
    [
        PaneArea { pane: above, area: Area::new(x, y, width, upper), chrome: Chrome::Boxed { hangs: false } },
        PaneArea {
            pane: below,
            area: Area::new(x, y + upper - 1, width, height - upper + 1),
            chrome: Chrome::Boxed { hangs: true },
        },
    ]
}
