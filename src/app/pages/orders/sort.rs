#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum OrderSort {
    /// Unresolved orders first, then open ones, then the others; newest first in each.
    #[default]
    Urgent,
    Newest,
}

impl OrderSort {
    pub fn label(self) -> &'static str {
        match self {
            Self::Urgent => "open first",
            Self::Newest => "newest first",
        }
    }
}
