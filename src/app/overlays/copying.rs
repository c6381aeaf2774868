//! The copy menu (`y`): identifiers of the selected or marked rows, by name.

pub(in crate::app) mod copy;
pub(in crate::app) mod items;

use super::menu::MenuItem;
use crate::app::request_id::RequestId;

/// The name of an item with several addresses; their count follows.
const COUNTERPARTIES_ITEM_NAME: &str = "Counterparty addresses";

/// The most bytes that are copied at once: a terminal may truncate or drop more.
pub const MAX_CLIPBOARD_BYTES: usize = 50_000;

/// The address that was chosen in the copy menu: it is compared with known addresses before it leaves the console.
#[derive(Debug, Clone, Default)]
pub struct CopyState {
    /// Of the query for known addresses.
    pub request_id: RequestId,
    chosen_item: Option<MenuItem>,
    /// The value for which a look-alike warning is shown; choosing it again copies it.
    warned_value: Option<String>,
}
