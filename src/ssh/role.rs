//! Roles of visitors, by login name.

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// Gets a workspace of their own.
    Visitor,
    /// Gets a workspace, and shows it to all spectators.
    Presenter,
    /// Watches while a presenter presents.
    Spectator,
}

impl Role {
    /// Every role with its login name.
    pub const ALL: [(&'static str, Self); 3] =
        [("demo", Self::Visitor), ("present", Self::Presenter), ("watch", Self::Spectator)];

    pub fn from_login(name: &str) -> Option<Self> {
        Self::ALL.iter().find(|(known, _)| *known == name).map(|(_, role)| *role)
    }

    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(_, role)| *role == self).map_or("", |(name, _)| name)
    }

    /// Presenters and spectators are served only where somebody may present.
    pub fn is_served(self, somebody_may_present: bool) -> bool {
        self == Self::Visitor || somebody_may_present
    }

    /// The login names of such a host, as part of a sentence.
    pub fn names(somebody_may_present: bool) -> String {
        let served = Self::ALL.iter().filter(|(_, role)| role.is_served(somebody_may_present));
        let names: Vec<_> = served.map(|(name, _)| *name).collect();
        match names.split_last() {
            Some((last, [])) => (*last).to_owned(),
            Some((last, others)) => format!("{} or {last}", others.join(", ")),
            None => String::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_says_who_one_is_and_any_other_is_nobody() {
        for (name, role) in Role::ALL {
            assert_eq!(Role::from_login(name), Some(role));
            assert_eq!(role.name(), name);
            assert!(Role::names(true).contains(name));
        }
        assert_eq!(Role::names(true), "demo, present or watch");
        assert_eq!(Role::names(false), "demo");
        for nobody in ["", "root", "Demo", "demo ", "demo\u{200b}"] {
            assert_eq!(Role::from_login(nobody), None, "{nobody:?}");
        }
    }
}
