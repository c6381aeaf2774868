//! What differs from run to run, and what stands in its place in snapshots and pictures.

use bursar::domain::Draft;

use super::Session;

impl Session {
    /// Keys and references of orders, which are drawn at random.
    pub(in super::super) fn identifiers(&self) -> Vec<String> {
        let of_order = |order: bursar::domain::Order| {
            let key = order.drafted.request.key.map(|key| key.to_string());
            let reference = match &order.drafted.draft {
                Draft::Withdraw(paid) => paid.ref_id.clone(),
                draft => draft.exchange().and_then(|exchange| exchange.reference.cloned()),
            };
            [key, reference.map(|reference| reference.to_string())].into_iter().flatten()
        };
        self.recorded().into_iter().flat_map(of_order).collect()
    }
}

/// A text with a part replaced by another one of the same length, also where a line end stands within it.
pub(in super::super) fn replace_across_lines(screen: &str, part: &str, placeholder: &str) -> String {
    let mut lines: Vec<String> = screen.lines().map(|line| line.replace(part, placeholder)).collect();
    for index in 1..lines.len() {
        let (above, below) = (lines[index - 1].clone(), lines[index].clone());
        let indent = below.len() - below.trim_start().len();
        let cut =
            (1..part.len()).find(|cut| above.ends_with(&part[..*cut]) && below.trim_start().starts_with(&part[*cut..]));
        if let Some(cut) = cut {
            lines[index - 1] = format!("{}{}", &above[..above.len() - cut], &placeholder[..cut]);
            let rest = &below[indent + part.len() - cut..];
            lines[index] = format!("{}{}{rest}", &below[..indent], &placeholder[cut..]);
        }
    }
    lines.join("\n") + "\n"
}
