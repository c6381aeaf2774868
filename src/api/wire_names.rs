//! Every name on the wire that the specification leaves out. Nothing else spells them.

/// Names that the specification does not show, each an assumption that a profile can correct.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WireNames {
    /// Query parameter of paged lists: which page, counted from 1.
    pub page_no: String,
    /// Query parameter of paged lists: how many entries a page may have.
    pub page_limit: String,
    /// Query parameter of the user statistics: whose. Without it they are those of the workspace.
    pub stats_user_id: String,
    /// Path of the optional list of accounts.
    pub list_accounts: String,
    /// Path of the optional list of wallets.
    pub list_wallets: String,
    /// Path of the optional list of users.
    pub list_users: String,
    /// Field of a transaction: when it was made.
    pub created_at: String,
}

impl Default for WireNames {
    fn default() -> Self {
        Self {
            page_no: "pageNo".into(),
            page_limit: "pageLimit".into(),
            stats_user_id: "userId".into(),
            list_accounts: "/v2/accounts".into(),
            list_wallets: "/v2/wallets".into(),
            list_users: "/v2/users".into(),
            created_at: "createdAt".into(),
        }
    }
}

impl WireNames {
    /// Every name by the key that corrects it in a profile, and whether it is a path.
    pub fn slots(&mut self) -> [(&'static str, bool, &mut String); 7] {
        [
            ("page_no", false, &mut self.page_no),
            ("page_limit", false, &mut self.page_limit),
            ("stats_user_id", false, &mut self.stats_user_id),
            ("list_accounts", true, &mut self.list_accounts),
            ("list_wallets", true, &mut self.list_wallets),
            ("list_users", true, &mut self.list_users),
            ("created_at", false, &mut self.created_at),
        ]
    }
}
