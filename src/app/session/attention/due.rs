//! Templates whose day has come: they are due until they are paid or skipped.

use chrono::NaiveDate;

use crate::app::orders::recipients_text;
use crate::domain::address_names::AddressFormatter;
use crate::domain::attention::{Acknowledgements, AttentionId, AttentionItem, AttentionKind, AttentionTarget};
use crate::domain::order::PaidDues;
use crate::domain::template::{Template, day_start, local_date};
use crate::domain::{Draft, Timestamp, Zone};

/// What is known of the due dates of templates.
#[derive(Debug, Clone, Copy)]
pub struct DueSources<'a> {
    pub templates: &'a [Template],
    pub paid: &'a PaidDues,
    /// A due date that somebody acknowledged is skipped.
    pub acknowledgements: &'a Acknowledgements,
    pub zone: &'a Zone,
}

/// One item for each template with open due dates: the oldest of them, and how many follow it. The next takes its place
/// once it is paid or skipped. The last date stays listed where it was skipped, so that skipping can be withdrawn.
pub fn due_items(sources: &DueSources<'_>, parties: &AddressFormatter<'_>, now: Timestamp) -> Vec<AttentionItem> {
    let Some(today) = local_date(sources.zone, now) else { return Vec::new() };
    let mut items = Vec::new();
    for template in sources.templates {
        let mut unpaid = template.due_dates(today);
        let last = unpaid.last().copied();
        unpaid.retain(|due| !sources.paid.contains(template.id, *due));
        let is_skipped = |due: &NaiveDate| {
            let id = AttentionId::new(AttentionKind::DuePayment, &due_payment_mark(template, *due));
            sources.acknowledgements.find(&id).is_some()
        };
        let (skipped, open): (Vec<NaiveDate>, Vec<NaiveDate>) = unpaid.into_iter().partition(is_skipped);
        let mut add = |due: NaiveDate, later: usize| {
            let later = match later {
                0 => String::new(),
                1 => "; 1 later date is open too".to_owned(),
                _ => format!("; {later} later dates are open too"),
            };
            let subject = format!("{}, due {due}: {}{later}", template.name, template_payment_text(template, parties));
            let target = AttentionTarget::Due { template: template.id, due };
            let since = day_start(sources.zone, due);
            let mark = due_payment_mark(template, due);
            items.push(AttentionItem::new(AttentionKind::DuePayment, &mark, since, subject, target));
        };
        if let Some((oldest, later)) = open.split_first() {
            add(*oldest, later.len());
        }
        if let Some(due) = skipped.last().filter(|due| Some(**due) == last) {
            add(*due, 0);
        }
    }
    items
}

fn due_payment_mark(template: &Template, due: NaiveDate) -> String {
    format!("{} {due}", template.id.0)
}

/// How much goes to whom, such as `25 USDC to Ada`.
pub(in crate::app) fn template_payment_text(template: &Template, parties: &AddressFormatter<'_>) -> String {
    let Template { draft, sender, .. } = template;
    let Some(pays) = draft.payment_details() else { return String::new() };
    let to = match (draft, draft.only_recipient()) {
        (Draft::Batch(batch), _) => recipients_text(batch, parties),
        (_, Some(to)) => parties.format(to, pays.blockchain),
        (_, None) => "—".to_owned(),
    };
    format!("{} {} to {to}", sender.amount.format_grouped(), pays.token)
}
