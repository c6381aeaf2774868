/// The state of cycling through candidates with Tab.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CompletionState {
    /// The text as typed.
    pub(super) typed_text: String,
    /// The text with the candidate in it; any other text ends the cycle.
    pub(super) completed_text: String,
}
