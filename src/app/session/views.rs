//! The views of the transactions that this console knows: shipped ones, and those that an operator saved.

use std::borrow::Cow;

use crate::domain::Text;
use crate::domain::history::Sort;
use crate::domain::saved_view::{SHIPPED_VIEWS, SavedView, ViewChange, apply_view_change, is_same_name};

/// The saved views.
#[derive(Debug, Clone, Default)]
pub struct SavedViews(Vec<SavedView>);

/// A view as the menu and the palette list it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedView {
    pub name: Cow<'static, str>,
    pub filter: Cow<'static, str>,
    pub sort: Sort,
    /// Further words by which the palette finds it.
    pub search_words: &'static [&'static str],
    /// What it means that no transaction is in it.
    pub if_empty: Cow<'static, str>,
    pub is_saved: bool,
}

impl SavedViews {
    pub fn new(views: Vec<SavedView>) -> Self {
        Self(views)
    }

    pub fn apply_change(&mut self, change: &ViewChange) {
        apply_view_change(&mut self.0, change);
    }

    pub fn has(&self, name: &str) -> bool {
        self.0.iter().any(|view| is_same_name(&view.name, name))
    }

    /// The shipped views that no saved one replaces, then the saved ones.
    pub fn list(&self) -> Vec<ListedView> {
        let shipped = SHIPPED_VIEWS.iter().filter(|view| !self.has(view.name)).map(|view| ListedView {
            name: view.name.into(),
            filter: view.filter.into(),
            sort: view.sort,
            search_words: view.search_words,
            if_empty: view.if_empty.into(),
            is_saved: false,
        });
        let saved = self.0.iter().map(|view| ListedView {
            name: view.name.to_string().into(),
            filter: view.filter.clone().into(),
            sort: view.sort,
            search_words: &[],
            if_empty: format!("No transaction is in “{}”.", view.name).into(),
            is_saved: true,
        });
        shipped.chain(saved).collect()
    }

    /// The view that shows this filter in this order.
    pub fn shown_view(&self, filter: &str, sort: Sort) -> Option<ListedView> {
        self.list().into_iter().rev().find(|view| view.filter == filter && view.sort == sort)
    }

    /// The name of the view that shows this filter in this order.
    pub fn name_of(&self, filter: &str, sort: Sort) -> Option<Text> {
        self.shown_view(filter, sort).map(|view| Text::clean(&view.name))
    }
}
