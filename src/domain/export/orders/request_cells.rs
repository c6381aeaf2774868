//! The cells of an order's request.

use crate::domain::Order;
use crate::domain::draft::{DraftField, FieldKind};
use crate::domain::export::cells::{Cell, optional_cell};

/// The cells of what a request states, by the names of their columns. Those of a recipient are set for a batch alone.
#[derive(Default)]
pub struct RequestCells {
    pub(super) wallet: Cell,
    pub(super) wallet_name: Cell,
    pub(super) wallet_address: Cell,
    pub(super) account: Cell,
    pub(super) user: Cell,
    pub(super) blockchain: Cell,
    pub(super) token: Cell,
    pub(super) contract: Cell,
    pub(super) amount: Cell,
    pub(super) amount_raw: Cell,
    pub(super) decimals: Cell,
    pub(super) to: Cell,
    pub(super) ref_id: Cell,
    pub(super) note: Cell,
    pub(super) metadata: Cell,
    pub(super) queue: Cell,
    pub(super) memo: Cell,
    pub(super) fee_at_most: Cell,
    pub(super) name: Cell,
    pub(super) email: Cell,
    pub(super) auto_sweep: Cell,
    pub(super) recipient: Cell,
    pub(super) label: Cell,
    pub(super) recipient_reference: Cell,
    pub(super) recipient_status: Cell,
    pub(super) batch_file: Cell,
    pub(super) batch_file_sha256: Cell,
}

pub(super) fn request_cells(order: &Order) -> RequestCells {
    let mut cells = RequestCells::default();
    if let Some(sender) = &order.drafted.sender {
        cells.wallet_name = optional_cell(sender.name.as_ref());
        cells.wallet_address = optional_cell(sender.address.as_ref());
        cells.account = optional_cell(sender.account.as_ref());
        cells.user = optional_cell(sender.user.as_ref());
        cells.contract = optional_cell(sender.token.contract.as_ref());
        cells.amount_raw = Some(sender.amount.raw().to_string());
        cells.decimals = Some(sender.amount.decimals().to_string());
    }
    for DraftField { kind, value } in order.drafted.draft.fields() {
        if value.is_some()
            && let Some(cell) = cells.cell_of_field(kind)
        {
            *cell = value;
        }
    }
    cells
}

impl RequestCells {
    /// The cell of a field; `None` where a field has none.
    fn cell_of_field(&mut self, kind: FieldKind) -> Option<&mut Cell> {
        Some(match kind {
            FieldKind::Account => &mut self.account,
            FieldKind::AccountName | FieldKind::UserName | FieldKind::WalletName => &mut self.name,
            FieldKind::Amount => &mut self.amount,
            FieldKind::AutoSweep => &mut self.auto_sweep,
            FieldKind::Blockchain => &mut self.blockchain,
            FieldKind::Email => &mut self.email,
            FieldKind::MaximumFee => &mut self.fee_at_most,
            FieldKind::Memo => &mut self.memo,
            FieldKind::Metadata => &mut self.metadata,
            FieldKind::Note => &mut self.note,
            FieldKind::Owner | FieldKind::SubWallet | FieldKind::User => &mut self.user,
            FieldKind::Queue => &mut self.queue,
            FieldKind::Recipient => &mut self.to,
            FieldKind::Reference => &mut self.ref_id,
            FieldKind::Token => &mut self.token,
            FieldKind::Wallet => &mut self.wallet,
            // The token bought has a column of its own, and recipients and files of batches have rows of their own.
            FieldKind::BatchFile
            | FieldKind::BoughtToken
            | FieldKind::CanTrade
            | FieldKind::IsActive
            | FieldKind::Recipients => return None,
        })
    }
}
