use std::fmt;
use std::str::FromStr;

/// Each operation needs exactly one permission.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Permission {
    /// Read everything of the workspace.
    Read,
    /// Create and change users, accounts, wallets and addresses.
    Wallet,
    /// Send withdrawals, single and in batches.
    Withdrawal,
    Trading,
}

impl Permission {
    pub const ALL: [Self; 4] = [Self::Read, Self::Wallet, Self::Withdrawal, Self::Trading];

    pub fn name(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Wallet => "wallet",
            Self::Withdrawal => "withdrawal",
            Self::Trading => "trading",
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0} is not a permission; write one of read, wallet, withdrawal, trading")]
pub struct UnknownPermission(String);

impl FromStr for Permission {
    type Err = UnknownPermission;

    fn from_str(word: &str) -> Result<Self, UnknownPermission> {
        Self::ALL.into_iter().find(|other| other.name() == word).ok_or_else(|| UnknownPermission(word.to_owned()))
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Permissions(u8);

impl Permissions {
    pub fn all() -> Self {
        Permission::ALL.into_iter().collect()
    }

    pub fn contains(self, permission: Permission) -> bool {
        self.0 & permission_bit(permission) != 0
    }
}

fn permission_bit(permission: Permission) -> u8 {
    1 << permission as u8
}

impl FromIterator<Permission> for Permissions {
    fn from_iter<I: IntoIterator<Item = Permission>>(permissions: I) -> Self {
        Self(permissions.into_iter().fold(0, |bits, permission| bits | permission_bit(permission)))
    }
}

impl fmt::Display for Permissions {
    /// Comma-separated, as the register stores them.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words: Vec<_> =
            Permission::ALL.into_iter().filter(|permission| self.contains(*permission)).map(Permission::name).collect();
        f.write_str(&words.join(","))
    }
}

impl FromStr for Permissions {
    type Err = UnknownPermission;

    fn from_str(text: &str) -> Result<Self, UnknownPermission> {
        text.split(',').filter(|word| !word.is_empty()).map(str::parse).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn permissions_are_written_and_read_as_words() {
        let permissions: Permissions = "withdrawal,read".parse().unwrap();
        assert_eq!(permissions.to_string(), "read,withdrawal");
        assert!(permissions.contains(Permission::Read) && !permissions.contains(Permission::Trading));
        assert_eq!(Permissions::all().to_string().parse(), Ok(Permissions::all()));
        assert!("read,pay".parse::<Permissions>().unwrap_err().to_string().contains("withdrawal"));
        assert!(Permission::ALL.iter().all(|one| !"".parse::<Permissions>().unwrap().contains(*one)));
    }
}
