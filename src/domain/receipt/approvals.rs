//! Who proposed an order, and who approved it.

use super::ReceiptSection;
use super::field::{field, optional_time};
use crate::domain::Order;
use crate::domain::approval::StatementKind;

/// `None` for an order that nobody had to approve. The times are those of the records in the journal.
pub(super) fn approval_section(order: &Order) -> Option<ReceiptSection> {
    let statements = &order.approval.as_ref()?.statements;
    let signed_by = |kind| {
        let signed = statements.iter().filter(|(_, statement)| statement.kind == kind);
        let people: Vec<String> = signed
            .map(|(at, statement)| format!("{}, {}", statement.principal, optional_time(Some(*at)).unwrap_or_default()))
            .collect();
        (!people.is_empty()).then(|| people.join("; "))
    };
    Some(ReceiptSection {
        title: "Approvals",
        fields: vec![
            field("proposed_by", "Proposed by", signed_by(StatementKind::Propose)),
            field("approved_by", "Approved by", signed_by(StatementKind::Approve)),
            field("refused_by", "Refused by", signed_by(StatementKind::Refuse)),
        ],
    })
}
