//! The templates of an address book.

use super::AddressBook;
use crate::domain::Timestamp;
use crate::domain::filter::fold_case;
use crate::domain::template::{Template, TemplateId};

impl AddressBook {
    pub fn templates(&self) -> &[Template] {
        &self.templates
    }

    pub fn template(&self, id: TemplateId) -> Option<&Template> {
        self.templates.iter().find(|template| template.id == id)
    }

    pub fn template_named(&self, name: &str) -> Option<&Template> {
        self.templates.iter().find(|template| fold_case(template.name.trim()) == fold_case(name.trim()))
    }

    /// An identifier for a new template.
    pub fn new_template_id(&self, now: Timestamp) -> TemplateId {
        let newest = self.templates.iter().map(|template| template.id.0).max();
        TemplateId(newest.map_or(now.millis(), |newest| now.millis().max(newest.saturating_add(1))))
    }

    pub(super) fn apply_template(&mut self, template: Template) {
        match self.templates.iter_mut().find(|existing| existing.id == template.id) {
            Some(existing) => *existing = template,
            None => self.templates.push(template),
        }
    }

    pub(super) fn remove_template(&mut self, id: TemplateId) {
        self.templates.retain(|template| template.id != id);
    }
}
