//! The line that is typed in a menu: the name of a view or of a template, or how often a template repeats.

use crossterm::event::KeyEvent;
use tui_input::{Input, InputRequest};

use crate::app::input::input_line;
use crate::domain::saved_view::MAX_VIEW_NAME;
use crate::domain::template::TemplateId;
use crate::domain::text::is_forbidden_in_text;
use crate::domain::{Draft, OrderId, Sender, Text};

#[derive(Debug, Clone)]
pub struct MenuLine {
    pub input: Input,
    pub purpose: MenuLinePurpose,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MenuLinePurpose {
    /// The name of the view on screen.
    SaveView,
    /// Another name of the view with this name.
    RenameView(Text),
    /// The name of a template of this payment.
    SaveTemplate(Box<(Draft, Sender)>),
    RenameTemplate(TemplateId),
    /// When a template is due; nothing for never.
    RepeatTemplate(TemplateId),
    /// Why a proposal is refused.
    RefuseProposal(OrderId),
}

impl MenuLine {
    pub(in crate::app) fn new(text: &str, purpose: MenuLinePurpose) -> Self {
        Self { input: Input::new(text.to_owned()), purpose }
    }

    pub(in crate::app) fn handle_key(&mut self, key: KeyEvent) {
        if let Some(request) = input_line::input_edit_of_key(key) {
            self.edit(request);
        }
    }

    pub(in crate::app) fn edit(&mut self, request: InputRequest) {
        let is_full = self.input.value().chars().count() >= MAX_VIEW_NAME;
        if !matches!(request, InputRequest::InsertChar(c) if is_full || is_forbidden_in_text(c)) {
            self.input.handle(request);
        }
    }
}
