//! What a row has in a column.

use std::borrow::Cow;
use std::ops::Deref;

use compact_str::CompactString;
use ratatui::style::Style;

use crate::ui::figure::Figure;

/// What a row has in a column.
#[derive(Debug, Clone)]
pub struct Cell<'a> {
    pub(super) content: Content<'a>,
    pub(super) style: Style,
    /// The last of the columns over which the text extends.
    pub(super) to: Option<usize>,
    pub(super) is_left: bool,
}

#[derive(Debug, Clone)]
pub(super) enum Content<'a> {
    /// Cut at its end.
    Text(CellText<'a>),
    /// Cut in its middle.
    Name(CellText<'a>),
    /// Whole or shortened; the mark stands before it.
    Address {
        mark: &'static str,
        whole: CellText<'a>,
        short: CompactString,
    },
    /// With the shortened address behind it where there is room.
    Party {
        name: CellText<'a>,
        short: CompactString,
    },
    Amount(Option<Figure>),
}

/// A text of a cell. All cells of a list exist at a time, some hundreds, and few of their texts need the heap.
#[derive(Debug, Clone)]
pub enum CellText<'a> {
    Borrowed(&'a str),
    Owned(CompactString),
}

impl Deref for CellText<'_> {
    type Target = str;

    fn deref(&self) -> &str {
        match self {
            Self::Borrowed(text) => text,
            Self::Owned(text) => text,
        }
    }
}

impl<'a> From<&'a str> for CellText<'a> {
    fn from(text: &'a str) -> Self {
        Self::Borrowed(text)
    }
}

impl From<String> for CellText<'_> {
    fn from(text: String) -> Self {
        Self::Owned(text.into())
    }
}

impl From<CompactString> for CellText<'_> {
    fn from(text: CompactString) -> Self {
        Self::Owned(text)
    }
}

impl<'a> From<Cow<'a, str>> for CellText<'a> {
    fn from(text: Cow<'a, str>) -> Self {
        match text {
            Cow::Borrowed(text) => text.into(),
            Cow::Owned(text) => text.into(),
        }
    }
}

impl<'a> Cell<'a> {
    const fn new(content: Content<'a>, style: Style) -> Self {
        Self { content, style, to: None, is_left: false }
    }

    pub fn text(text: impl Into<CellText<'a>>, style: Style) -> Self {
        Self::new(Content::Text(text.into()), style)
    }

    pub fn blank() -> Self {
        Self::text("", Style::new())
    }

    /// Names that are alike differ at their ends.
    pub fn name(text: impl Into<CellText<'a>>, style: Style) -> Self {
        Self::new(Content::Name(text.into()), style)
    }

    pub fn address(
        mark: &'static str,
        whole: impl Into<CellText<'a>>,
        short: impl Into<CompactString>,
        style: Style,
    ) -> Self {
        Self::new(Content::Address { mark, whole: whole.into(), short: short.into() }, style)
    }

    pub fn party(name: impl Into<CellText<'a>>, short: impl Into<CompactString>, style: Style) -> Self {
        Self::new(Content::Party { name: name.into(), short: short.into() }, style)
    }

    /// An amount, or the dash of an unknown one.
    pub fn amount(figure: Option<Figure>, style: Style) -> Self {
        Self::new(Content::Amount(figure), style)
    }

    /// A text at the left edge of its column, whatever the column's other cells do.
    pub fn left(text: impl Into<CellText<'a>>, style: Style) -> Self {
        Self { is_left: true, ..Self::text(text, style) }
    }

    /// Extends the text over the columns up to this one.
    #[must_use]
    pub fn extend_to(self, column: usize) -> Self {
        Self { to: Some(column), ..self }
    }
}
