//! Roles of visitors, by login name.

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// Gets a workspace of their own.
    Visitor,
    /// Shares the workspace of a desk with a second visitor of the same login name.
    Desk,
    /// Gets a workspace, and shows it to all spectators.
    Presenter,
    /// Watches while a presenter presents.
    Spectator,
}

/// What a host serves besides visitors with a workspace of their own.
#[derive(Debug, Clone, Copy, Default)]
pub struct ServedRoles {
    /// Whether somebody may present.
    pub presenter: bool,
    /// Whether two visitors may share a workspace.
    pub desk: bool,
}

/// The longest name of a desk.
const MAX_DESK_NAME: usize = 32;

impl Role {
    /// Every role with its login name; that of a desk may go on in letters, digits and hyphens.
    pub const ALL: [(&'static str, Self); 4] =
        [("demo", Self::Visitor), ("desk", Self::Desk), ("present", Self::Presenter), ("watch", Self::Spectator)];

    pub fn from_login(name: &str) -> Option<Self> {
        let (_, role) = Self::ALL.iter().find(|(role_name, role)| match role {
            Self::Desk => is_desk_name(role_name, name),
            Self::Visitor | Self::Presenter | Self::Spectator => *role_name == name,
        })?;
        Some(*role)
    }

    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(_, role)| *role == self).map_or("", |(name, _)| name)
    }

    /// Whether limits count it as a visitor.
    pub(super) fn is_visitor(self) -> bool {
        matches!(self, Self::Visitor | Self::Desk)
    }

    pub fn is_served(self, roles: ServedRoles) -> bool {
        match self {
            Self::Visitor => true,
            Self::Desk => roles.desk,
            Self::Presenter | Self::Spectator => roles.presenter,
        }
    }

    /// The login names of such a host, as part of a sentence.
    pub fn names(roles: ServedRoles) -> String {
        let served = Self::ALL.iter().filter(|(_, role)| role.is_served(roles));
        let names: Vec<_> = served.map(|(name, _)| *name).collect();
        match names.split_last() {
            Some((last, [])) => (*last).to_owned(),
            Some((last, others)) => format!("{} or {last}", others.join(", ")),
            None => String::new(),
        }
    }
}

fn is_desk_name(stem: &str, name: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    name.len() <= MAX_DESK_NAME && name.strip_prefix(stem).is_some_and(|rest| rest.bytes().all(is_plain))
}

#[cfg(test)]
mod tests {
    use super::*;

    const EVERY: ServedRoles = ServedRoles { presenter: true, desk: true };

    #[test]
    fn a_name_says_who_one_is_and_any_other_is_nobody() {
        for (name, role) in Role::ALL {
            assert_eq!(Role::from_login(name), Some(role));
            assert_eq!(role.name(), name);
            assert!(Role::names(EVERY).contains(name));
        }
        assert_eq!(Role::names(ServedRoles { desk: false, ..EVERY }), "demo, present or watch");
        assert_eq!(Role::names(ServedRoles { presenter: false, ..EVERY }), "demo or desk");
        assert_eq!(Role::names(ServedRoles::default()), "demo");
        let longest = format!("desk{}", "x".repeat(MAX_DESK_NAME - 4));
        for desk in ["desk", "desk1", "desk-lisbon-2", &longest] {
            assert_eq!(Role::from_login(desk), Some(Role::Desk));
        }
        let longer = format!("{longest}x");
        for nobody in
            ["", "root", "Demo", "demo ", "demo\u{200b}", "des", "Desk1", "desk 1", "desk_1", "deské", &longer]
        {
            assert_eq!(Role::from_login(nobody), None, "{nobody:?}");
        }
    }
}
