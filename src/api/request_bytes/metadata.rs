//! The metadata of a payment: an object of texts.

use super::{BodyWriter, DecodeError, MemberReader};
use crate::domain::Text;
use crate::domain::draft::Metadata;

impl BodyWriter {
    /// Empty metadata is left out.
    pub(super) fn metadata(&mut self, metadata: &Metadata) {
        if metadata.is_empty() {
            return;
        }
        let mut object = Self::new();
        for (name, value) in metadata.iter() {
            object.text(name, Some(value));
        }
        self.write_member("metadata", &object.finish());
    }
}

impl MemberReader<'_> {
    pub(super) fn metadata(&mut self) -> Result<Metadata, DecodeError> {
        let Some(raw) = self.take_member("metadata") else { return Ok(Metadata::default()) };
        let mut members = MemberReader::parse(raw.get()).map_err(|_no_object| DecodeError::Value("metadata".into()))?;
        let names: Vec<String> = members.0.iter().map(|(name, _)| name.clone()).collect();
        let member = |name: &String| {
            let shown = Text::clean(name);
            if shown.as_str() != name {
                return Err(DecodeError::Value("metadata".into()));
            }
            Ok((shown, members.required(name)?))
        };
        names.iter().map(member).collect()
    }
}
