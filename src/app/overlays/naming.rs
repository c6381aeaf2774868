//! “Name this…”: a name for the selected address, wallet, account or user, kept in the journal as the address book is.

mod run;
pub mod view;

use tui_input::Input;

use crate::app::request_id::RequestId;
use crate::domain::Text;
use crate::domain::book::LabelSubject;
pub(in crate::app) use run::{apply_record_result, handle_key, open, paste, refusal};

/// The line in which a name is typed.
#[derive(Debug, Clone)]
pub struct NamePrompt {
    pub subject: LabelSubject,
    /// The name that the subject was given before.
    pub name: Option<Text>,
    pub input: Input,
    /// Why the name was not recorded.
    pub message: Option<String>,
    /// The request that records the name.
    pub recording: Option<RequestId>,
}
