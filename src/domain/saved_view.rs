//! Views of the transactions by name: a filter and a sort order, shipped or saved in a profile.

use super::Text;
use super::filter::fold_case;
use super::history::Sort;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SavedView {
    pub name: Text,
    pub filter: String,
    pub sort: Sort,
}

/// A change of the saved views of a profile.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ViewChange {
    /// A view of the same name is replaced.
    Save(SavedView),
    Rename {
        from: Text,
        to: Text,
    },
    Remove(Text),
}

/// A view that every profile has. A saved view of the same name replaces it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ShippedView {
    pub name: &'static str,
    pub filter: &'static str,
    pub sort: Sort,
    /// Further words by which the palette finds it.
    pub search_words: &'static [&'static str],
    /// What it means that no transaction is in it.
    pub if_empty: &'static str,
}

/// In the order of the menu.
pub const SHIPPED_VIEWS: [ShippedView; 6] = [
    ShippedView {
        name: "Deposits since yesterday",
        filter: "dir:in type:deposit internal:no from:yesterday",
        sort: Sort::Newest,
        search_words: &["received", "incoming", "payments in", "money in", "credits"],
        if_empty: "No deposit has arrived since yesterday.",
    },
    ShippedView {
        name: "Pending longer than usual",
        filter: "status:pending age:>usual",
        sort: Sort::Oldest,
        search_words: &["stuck", "late", "delayed", "unconfirmed", "slow", "hanging"],
        if_empty: "No payment has been pending longer than usual for its chain.",
    },
    ShippedView {
        name: "Failed this week",
        filter: "status:failed this week",
        sort: Sort::Newest,
        search_words: &["failures", "errors", "rejected", "went wrong"],
        if_empty: "No transaction has failed this week.",
    },
    ShippedView {
        name: "Withdrawals since yesterday",
        filter: "dir:out type:withdraw internal:no from:yesterday",
        sort: Sort::Newest,
        search_words: &["sent", "paid", "outgoing", "payouts", "money out", "debits"],
        if_empty: "No withdrawal has been made since yesterday.",
    },
    ShippedView {
        name: "Largest this month",
        filter: "internal:no this month",
        sort: Sort::Largest,
        search_words: &["biggest", "top", "highest", "unusual"],
        if_empty: "Nothing has come in or gone out this month.",
    },
    ShippedView {
        name: "Fees this month",
        filter: "dir:out this month",
        sort: Sort::Newest,
        search_words: &["fee", "cost", "gas", "charges"],
        if_empty: "Nothing has gone out this month, and no fee was paid.",
    },
];

/// The most characters of a view's name.
pub const MAX_VIEW_NAME: usize = 40;

/// Why a text cannot be the name of a view.
pub fn view_name_fault(name: &str) -> Option<&'static str> {
    if name.trim().is_empty() {
        return Some("a view needs a name");
    }
    (name.chars().count() > MAX_VIEW_NAME).then_some("a view's name has 40 characters at most")
}

/// Whether two names are the same for a person.
pub fn is_same_name(one: &str, other: &str) -> bool {
    fold_case(one.trim()) == fold_case(other.trim())
}

/// The views with a change.
pub fn apply_view_change(views: &mut Vec<SavedView>, change: &ViewChange) {
    match change {
        ViewChange::Save(view) => match views.iter_mut().find(|saved| is_same_name(&saved.name, &view.name)) {
            Some(existing) => *existing = view.clone(),
            None => views.push(view.clone()),
        },
        ViewChange::Rename { from, to } => {
            if let Some(view) = views.iter_mut().find(|saved| is_same_name(&saved.name, from)) {
                view.name = to.clone();
            }
        }
        ViewChange::Remove(name) => views.retain(|saved| !is_same_name(&saved.name, name)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn view(name: &str, filter: &str) -> SavedView {
        SavedView { name: name.into(), filter: filter.into(), sort: Sort::Newest }
    }

    #[test]
    fn a_view_is_replaced_by_one_of_its_name_renamed_and_removed() {
        let mut views = Vec::new();
        apply_view_change(&mut views, &ViewChange::Save(view("Rent", "ref:rent")));
        apply_view_change(&mut views, &ViewChange::Save(view("Payroll", "note:payroll")));
        apply_view_change(&mut views, &ViewChange::Save(view(" RENT", "ref:rent dir:out")));
        assert_eq!(views, [view(" RENT", "ref:rent dir:out"), view("Payroll", "note:payroll")]);
        apply_view_change(&mut views, &ViewChange::Rename { from: "rent".into(), to: "Leases".into() });
        apply_view_change(&mut views, &ViewChange::Remove("payroll".into()));
        apply_view_change(&mut views, &ViewChange::Remove("nothing".into()));
        assert_eq!(views, [view("Leases", "ref:rent dir:out")]);
    }
}
