//! What a field offers and says, by what the console knows.

use super::{FormState, operation_fields};
use crate::app::forms::field::{self, FieldId};
use crate::app::forms::lookups::{FieldChoice, Picked};
use crate::app::forms::{follow_up, swap};
use crate::app::model::Model;
use crate::app::orders;
use crate::app::pages::Tone;
use crate::domain::draft::Operation;

impl FormState {
    pub fn choices(&self, model: &Model) -> Vec<FieldChoice> {
        match (self.focused_field().filter(|slot| !follow_up::is_fixed_field(self, *slot)), &self.pasted_lines) {
            (None, _) => Vec::new(),
            (Some(FieldId::Recipient), Some(pasted)) => vec![FieldChoice {
                text: String::new(),
                name: format!("{} lines", field::count_nonblank_lines(pasted)),
                detail: "Enter makes a batch of them, Esc discards them".into(),
                picked: Picked::Batch,
            }],
            (Some(slot), _) => operation_fields::field_choices(model, self, slot),
        }
    }

    /// The hint on a field while it has no error.
    pub fn hint(&self, model: &Model, slot: FieldId) -> Option<(String, Tone)> {
        if self.is_awaiting_lookup() && self.focused_field() == Some(slot) {
            return Some(("looking up; what you type meanwhile is kept".into(), Tone::Dim));
        }
        let hint = operation_fields::field_hint(model, self, slot);
        if self.offers_first_choice(slot) {
            return hint.map(|(text, tone)| (format!("{text}; Enter takes the first"), tone));
        }
        hint
    }

    /// What the operation does not guarantee, if that is less than other operations do.
    pub fn caveat(&self) -> Option<&'static str> {
        if self.operation == Operation::Payment { Some(orders::V1_WARNING) } else { swap::disclaimer(self.operation) }
    }
}
