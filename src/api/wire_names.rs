//! Every name on the wire that the specification leaves out. No other module spells them.

/// Names that the specification does not show, each an assumption that a profile can correct.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WireNames {
    /// Query parameter of paged lists: the page number, counted from 1.
    pub page_no: String,
    /// Query parameter of paged lists: the most entries of a page.
    pub page_limit: String,
    /// Query parameter of the user statistics: the user. Without it they are those of the workspace.
    pub stats_user_id: String,
    /// Path of the optional list of accounts; likewise the other `list_` names.
    pub list_accounts: String,
    pub list_wallets: String,
    pub list_users: String,
    pub list_sub_wallets: String,
    /// Query parameter of the lists of version 1, like all `filter_` names: the sub-wallet.
    pub filter_sub_wallet: String,
    pub filter_deposit: String,
    pub filter_transfer: String,
    pub filter_to_wallet: String,
    pub filter_hash: String,
    pub filter_from_address: String,
    pub filter_to_address: String,
    pub filter_chain: String,
    pub filter_coin: String,
    /// Query parameter of a quote, like all `quote_` names: the coin that is sold.
    pub quote_from_coin: String,
    pub quote_from_amount: String,
    pub quote_to_coin: String,
    /// Field of a transaction: its time of creation.
    pub created_at: String,
    /// Field of a withdrawal's request: the recipient. The specification shows `withdrawalAddress` in the request and
    /// states elsewhere that `toAddress` replaces it.
    pub withdrawal_address: String,
    /// Field of a swap's request by version 2, like all `swap_` names: the idempotency key. The specification does not
    /// show this request.
    pub swap_key: String,
    pub swap_wallet: String,
    pub swap_blockchain: String,
    pub swap_from_coin: String,
    pub swap_from_amount: String,
    pub swap_to_coin: String,
    /// The business's own reference.
    pub swap_ref_id: String,
    pub swap_note: String,
    /// Field of a swap's request by version 1, like all `instant_swap_` names: the sub-wallet. The specification does
    /// not show this request.
    pub instant_swap_wallet: String,
    pub instant_swap_from_coin: String,
    pub instant_swap_from_amount: String,
    pub instant_swap_to_coin: String,
    /// The business's own reference.
    pub instant_swap_ext_id: String,
    /// Paths, separated by blanks, below which a change carries `x-wallet-secret`. The specification states that some
    /// operations need it, but not which.
    pub wallet_secret_paths: String,
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
            list_sub_wallets: "/v1/sub-wallet/list".into(),
            filter_sub_wallet: "subWalletId".into(),
            filter_deposit: "depositId".into(),
            filter_transfer: "transferId".into(),
            filter_to_wallet: "toWalletId".into(),
            filter_hash: "hash".into(),
            filter_from_address: "fromAddress".into(),
            filter_to_address: "toAddress".into(),
            filter_chain: "chain".into(),
            filter_coin: "coin".into(),
            quote_from_coin: "fromCoin".into(),
            quote_from_amount: "fromAmount".into(),
            quote_to_coin: "toCoin".into(),
            created_at: "createdAt".into(),
            withdrawal_address: "withdrawalAddress".into(),
            swap_key: "idempotencyKey".into(),
            swap_wallet: "walletId".into(),
            swap_blockchain: "blockchain".into(),
            swap_from_coin: "fromCoin".into(),
            swap_from_amount: "fromAmount".into(),
            swap_to_coin: "toCoin".into(),
            swap_ref_id: "refId".into(),
            swap_note: "note".into(),
            instant_swap_wallet: "walletId".into(),
            instant_swap_from_coin: "fromCoin".into(),
            instant_swap_from_amount: "fromAmount".into(),
            instant_swap_to_coin: "toCoin".into(),
            instant_swap_ext_id: "extId".into(),
            wallet_secret_paths: "/v2/accounts /v2/wallets /v2/transactions /v2/swap".into(),
        }
    }
}

impl WireNames {
    /// Every name with the key that corrects it in a profile, and whether it is a path.
    pub fn profile_entries(&mut self) -> [(&'static str, bool, &mut String); 35] {
        [
            ("page_no", false, &mut self.page_no),
            ("page_limit", false, &mut self.page_limit),
            ("stats_user_id", false, &mut self.stats_user_id),
            ("list_accounts", true, &mut self.list_accounts),
            ("list_wallets", true, &mut self.list_wallets),
            ("list_users", true, &mut self.list_users),
            ("list_sub_wallets", true, &mut self.list_sub_wallets),
            ("filter_sub_wallet", false, &mut self.filter_sub_wallet),
            ("filter_deposit", false, &mut self.filter_deposit),
            ("filter_transfer", false, &mut self.filter_transfer),
            ("filter_to_wallet", false, &mut self.filter_to_wallet),
            ("filter_hash", false, &mut self.filter_hash),
            ("filter_from_address", false, &mut self.filter_from_address),
            ("filter_to_address", false, &mut self.filter_to_address),
            ("filter_chain", false, &mut self.filter_chain),
            ("filter_coin", false, &mut self.filter_coin),
            ("quote_from_coin", false, &mut self.quote_from_coin),
            ("quote_from_amount", false, &mut self.quote_from_amount),
            ("quote_to_coin", false, &mut self.quote_to_coin),
            ("created_at", false, &mut self.created_at),
            ("withdrawal_address", false, &mut self.withdrawal_address),
            ("swap_key", false, &mut self.swap_key),
            ("swap_wallet", false, &mut self.swap_wallet),
            ("swap_blockchain", false, &mut self.swap_blockchain),
            ("swap_from_coin", false, &mut self.swap_from_coin),
            ("swap_from_amount", false, &mut self.swap_from_amount),
            ("swap_to_coin", false, &mut self.swap_to_coin),
            ("swap_ref_id", false, &mut self.swap_ref_id),
            ("swap_note", false, &mut self.swap_note),
            ("instant_swap_wallet", false, &mut self.instant_swap_wallet),
            ("instant_swap_from_coin", false, &mut self.instant_swap_from_coin),
            ("instant_swap_from_amount", false, &mut self.instant_swap_from_amount),
            ("instant_swap_to_coin", false, &mut self.instant_swap_to_coin),
            ("instant_swap_ext_id", false, &mut self.instant_swap_ext_id),
            ("wallet_secret_paths", false, &mut self.wallet_secret_paths),
        ]
    }

    /// The names under which services are known to take the recipient of a withdrawal.
    pub(super) const RECIPIENT_NAMES: [&'static str; 2] = ["withdrawalAddress", "toAddress"];

    /// Whether a change at this path carries the wallet secret.
    pub(super) fn needs_wallet_secret(&self, path: &str) -> bool {
        self.wallet_secret_paths.split_ascii_whitespace().any(|above| {
            let below = path.strip_prefix(above.trim_end_matches('/'));
            below.is_some_and(|below| below.is_empty() || below.starts_with('/'))
        })
    }
}
