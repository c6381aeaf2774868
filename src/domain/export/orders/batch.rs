//! One row for each recipient of a batch.

use super::request_cells::{RequestCells, request_cells};
use super::{ORDER_COLUMNS, order_cells};
use crate::domain::address_names::AddressNames;
use crate::domain::draft::Recipient;
use crate::domain::export::cells::{Cell, optional_cell};
use crate::domain::{Amount, Draft, Order, Timestamp};

/// The rows of an order, at least one: for a batch one for each recipient, with that recipient's amount.
pub fn recipient_rows(order: &Order, now: Timestamp, names: &AddressNames) -> Vec<[Cell; ORDER_COLUMNS.len()]> {
    let Draft::Batch(batch) = &order.drafted.draft else {
        return vec![order_cells(order, now, request_cells(order), names)];
    };
    let decimals = order.drafted.sender.as_ref().map(|sender| sender.amount.decimals());
    let parts = order.recipient_reports();
    let line = |(index, to): (usize, &Recipient)| {
        let amount = decimals.and_then(|decimals| Amount::parse(&to.amount, decimals).ok());
        let observed = u32::try_from(index).ok().and_then(|index| parts.get(&index));
        let cells = RequestCells {
            amount: Some(to.amount.to_string()),
            amount_raw: amount.map(|amount| amount.raw().to_string()),
            to: Some(to.address.to_string()),
            recipient: Some(format!("{} of {}", index + 1, batch.to.len())),
            label: optional_cell(to.label.as_ref()),
            recipient_reference: optional_cell(to.reference.as_ref()),
            recipient_status: optional_cell(observed.and_then(|status_of| status_of.status.as_ref())),
            batch_file: optional_cell(batch.file.as_ref().map(|file| &file.name)),
            batch_file_sha256: optional_cell(batch.file.as_ref().map(|file| &file.sha256)),
            ..request_cells(order)
        };
        order_cells(order, now, cells, names)
    };
    batch.to.iter().enumerate().map(line).collect()
}
