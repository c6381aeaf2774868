//! The journal's JSON of a change of the address book.

use serde::{Deserialize, Serialize};

use super::label_body::LabelBody;
use super::template_body::TemplateBody;
use crate::domain::Text;
use crate::domain::book::{BookChange, Contact};
use crate::domain::template::TemplateId;

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum BookChangeBody {
    Entered {
        name: String,
        address: String,
        blockchain: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        tag: Option<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        note: Option<String>,
    },
    Removed {
        address: String,
        blockchain: String,
    },
    Label(LabelBody),
    Template(Box<TemplateBody>),
    TemplateRemoved {
        id: i64,
    },
}

impl From<&BookChange> for BookChangeBody {
    fn from(change: &BookChange) -> Self {
        match change {
            BookChange::Entered(Contact { name, address, blockchain, tag, note }) => Self::Entered {
                name: name.to_string(),
                address: address.to_string(),
                blockchain: blockchain.to_string(),
                tag: tag.as_ref().map(ToString::to_string),
                note: note.as_ref().map(ToString::to_string),
            },
            BookChange::Removed { address, blockchain } => {
                Self::Removed { address: address.to_string(), blockchain: blockchain.to_string() }
            }
            BookChange::Label { subject, name } => Self::Label(LabelBody::new(subject, name.as_ref())),
            BookChange::Template(template) => Self::Template(Box::new(template.as_ref().into())),
            BookChange::TemplateRemoved(TemplateId(id)) => Self::TemplateRemoved { id: *id },
        }
    }
}

impl BookChangeBody {
    /// `None` if this version does not understand it.
    pub(super) fn read(self) -> Option<BookChange> {
        let text = |written_text: String| Text::clean(&written_text);
        Some(match self {
            Self::Entered { name, address, blockchain, tag, note } => BookChange::Entered(Contact {
                name: text(name),
                address: text(address),
                blockchain: text(blockchain),
                tag: tag.map(text),
                note: note.map(text),
            }),
            Self::Removed { address, blockchain } => {
                BookChange::Removed { address: text(address), blockchain: text(blockchain) }
            }
            Self::Label(body) => body.into(),
            Self::Template(body) => BookChange::Template(Box::new(body.read()?)),
            Self::TemplateRemoved { id } => BookChange::TemplateRemoved(TemplateId(id)),
        })
    }
}
