//! Stand-ins of the service's data. Every field is listed, so that a new one does not compile until handled here.

use super::Veil;
use super::stand_in::STAND_IN_MARK;
use crate::app::pages::users::DepositAddress;
use crate::domain::attention::AttentionId;
use crate::domain::entry_source::Sourced;
use crate::domain::history::{HistoryRow, Scope};
use crate::domain::v1::{AssetBalance, Movement, SubWallet, Transfer};
use crate::domain::{
    Account, AccountAddress, AccountId, Failure, FailureReason, Holding, PagedList, Text, Transaction, TransactionId,
    User, UserId, UserStats, Wallet, WalletId,
};

impl Veil {
    pub(in crate::app) fn mask_account_id(&self, id: &AccountId) -> AccountId {
        AccountId::from_text(&self.mask_id(id.as_str()))
    }

    pub(in crate::app) fn mask_wallet_id(&self, id: &WalletId) -> WalletId {
        WalletId::from_text(&self.mask_id(id.as_str()))
    }

    pub(in crate::app) fn mask_user_id(&self, id: &UserId) -> UserId {
        UserId::from_text(&self.mask_id(id.as_str()))
    }

    pub(in crate::app) fn mask_transaction_id(&self, id: &TransactionId) -> TransactionId {
        TransactionId::from_text(&self.mask_id(id.as_str()))
    }

    pub(in crate::app) fn mask_attention_id(&self, id: &AttentionId) -> AttentionId {
        AttentionId::from_text(&self.mask_id(id.as_str()))
    }

    pub(in crate::app) fn mask_scope(&self, scope: &Scope) -> Scope {
        match scope {
            Scope::All => Scope::All,
            Scope::Account(id) => Scope::Account(self.mask_account_id(id)),
            Scope::Wallet(id) => Scope::Wallet(self.mask_wallet_id(id)),
            Scope::User(id) => Scope::User(self.mask_user_id(id)),
        }
    }

    /// The kind of a failure, without the texts of the service or the system.
    pub(in crate::app) fn mask_failure(failure: &Failure) -> Failure {
        let Failure { may_have_happened, reason, detail } = failure;
        let has_local_detail = matches!(reason, FailureReason::Local) && !detail.is_empty();
        let detail = if has_local_detail { Text::clean(super::WITHHELD_MESSAGE) } else { Text::default() };
        Failure { may_have_happened: *may_have_happened, reason: reason.clone(), detail }
    }

    pub(in crate::app) fn mask_sourced<T>(&self, sourced: &Sourced<T>, entry: impl Fn(&Self, &T) -> T) -> Sourced<T> {
        let Sourced { entry: of, source, imported_fields, conflicting_addresses: _ } = sourced;
        Sourced {
            entry: entry(self, of),
            source: *source,
            imported_fields: *imported_fields,
            conflicting_addresses: Vec::new(),
        }
    }

    pub(in crate::app) fn mask_account(&self, account: &Account) -> Account {
        let Account { id, name, kind, state, network, evm_details, solana_details, created_at, updated_at } = account;
        let mask_details = |details: &Option<AccountAddress>| {
            details.as_ref().map(|AccountAddress { address, ref_id }| AccountAddress {
                address: self.mask_optional_address(address.as_ref()),
                ref_id: self.mask_optional_name("ref", ref_id.as_ref()),
            })
        };
        Account {
            id: self.mask_account_id(id),
            name: self.mask_optional_name("account", name.as_ref()),
            kind: kind.clone(),
            state: state.clone(),
            network: network.clone(),
            evm_details: mask_details(evm_details),
            solana_details: mask_details(solana_details),
            created_at: *created_at,
            updated_at: *updated_at,
        }
    }

    pub(in crate::app) fn mask_wallet(&self, wallet: &Wallet) -> Wallet {
        let Wallet {
            id,
            name,
            address,
            blockchain,
            protocol,
            network,
            is_evm_compatible,
            kind,
            intent,
            custody_type,
            decimals,
            state,
            gasless_withdraw,
            auto_sweep,
            user,
            account,
            ref_id,
            created_at,
            updated_at,
        } = wallet;
        Wallet {
            id: self.mask_wallet_id(id),
            name: self.mask_optional_name("wallet", name.as_ref()),
            address: self.mask_optional_address(address.as_ref()),
            blockchain: blockchain.clone(),
            protocol: protocol.clone(),
            network: network.clone(),
            is_evm_compatible: *is_evm_compatible,
            kind: kind.clone(),
            intent: intent.clone(),
            custody_type: custody_type.clone(),
            decimals: *decimals,
            state: state.clone(),
            gasless_withdraw: *gasless_withdraw,
            auto_sweep: *auto_sweep,
            user: user.as_ref().map(|id| self.mask_user_id(id)),
            account: account.as_ref().map(|id| self.mask_account_id(id)),
            ref_id: self.mask_optional_name("ref", ref_id.as_ref()),
            created_at: *created_at,
            updated_at: *updated_at,
        }
    }

    pub(in crate::app) fn mask_user(&self, user: &User) -> User {
        let User { id, display_name, ref_id, email, is_active, created_at } = user;
        User {
            id: self.mask_user_id(id),
            display_name: self.mask_optional_name("user", display_name.as_ref()),
            ref_id: self.mask_optional_name("ref", ref_id.as_ref()),
            email: self.mask_optional_name("mail", email.as_ref()),
            is_active: *is_active,
            created_at: *created_at,
        }
    }

    /// Tokens are public; the amounts held are not.
    pub(in crate::app) fn mask_holding(holding: &Holding) -> Holding {
        let Holding { token, symbol, name, amount, basis, as_of, suspicious } = holding;
        Holding {
            token: token.clone(),
            symbol: symbol.clone(),
            name: name.clone(),
            amount: Self::mask_reported_amount(amount.as_ref()),
            basis: *basis,
            as_of: *as_of,
            suspicious: *suspicious,
        }
    }

    pub(in crate::app) fn mask_user_stats(stats: &UserStats) -> UserStats {
        let UserStats {
            deposits,
            deposits_in_30_days,
            transactions,
            transactions_in_30_days,
            withdraws,
            withdraws_in_30_days,
        } = stats;
        let count = |figure: &Option<u64>| figure.map(|_| 0);
        UserStats {
            deposits: count(deposits),
            deposits_in_30_days: count(deposits_in_30_days),
            transactions: count(transactions),
            transactions_in_30_days: count(transactions_in_30_days),
            withdraws: count(withdraws),
            withdraws_in_30_days: count(withdraws_in_30_days),
        }
    }

    pub(in crate::app) fn mask_row(&self, row: &HistoryRow) -> HistoryRow {
        let HistoryRow { seq, seen_at, time, transaction, wallet_name, suspicious, internal } = row;
        HistoryRow {
            seq: *seq,
            seen_at: *seen_at,
            time: *time,
            transaction: self.mask_transaction(transaction),
            wallet_name: self.mask_optional_name("wallet", wallet_name.as_ref()),
            suspicious: *suspicious,
            internal: *internal,
        }
    }

    fn mask_transaction(&self, transaction: &Transaction) -> Transaction {
        let Transaction {
            id,
            direction,
            sub_type,
            status,
            token,
            symbol,
            token_name,
            standard,
            amount,
            total_amount,
            total_fee,
            fee_token,
            fee_level,
            protocol,
            environment,
            network,
            from_address,
            to_address,
            tx_hash,
            confirmation,
            confirmed,
            confirmed_at,
            created_at,
            is_batch,
            ref_id,
            idempotency_key,
            note,
            trigger_origin,
            group,
            user,
            wallet,
            account,
            unreadable: _,
        } = transaction;
        Transaction {
            id: self.mask_transaction_id(id),
            direction: direction.clone(),
            sub_type: sub_type.clone(),
            status: status.clone(),
            token: token.clone(),
            symbol: symbol.clone(),
            token_name: token_name.clone(),
            standard: standard.clone(),
            amount: Self::mask_reported_amount(amount.as_ref()),
            total_amount: Self::mask_reported_amount(total_amount.as_ref()),
            total_fee: Self::mask_reported_amount(total_fee.as_ref()),
            fee_token: fee_token.clone(),
            fee_level: fee_level.clone(),
            protocol: protocol.clone(),
            environment: environment.clone(),
            network: network.clone(),
            from_address: self.mask_optional_address(from_address.as_ref()),
            to_address: self.mask_optional_address(to_address.as_ref()),
            tx_hash: self.mask_optional_address(tx_hash.as_ref()),
            confirmation: *confirmation,
            confirmed: *confirmed,
            confirmed_at: *confirmed_at,
            created_at: *created_at,
            is_batch: *is_batch,
            ref_id: self.mask_optional_name("ref", ref_id.as_ref()),
            idempotency_key: self.mask_optional_name("key", idempotency_key.as_ref()),
            note: self.mask_optional_name("note", note.as_ref()),
            trigger_origin: self.mask_optional_name("origin", trigger_origin.as_ref()),
            group: self.mask_optional_name("group", group.as_ref()),
            user: user.as_ref().map(|id| self.mask_user_id(id)),
            wallet: wallet.as_ref().map(|id| self.mask_wallet_id(id)),
            account: account.as_ref().map(|id| self.mask_account_id(id)),
            unreadable: Vec::new(),
        }
    }

    pub(in crate::app) fn mask_asset(asset: &AssetBalance) -> AssetBalance {
        let AssetBalance { coin, balance, frozen, updated_at } = asset;
        AssetBalance {
            coin: coin.clone(),
            balance: Self::mask_reported_amount(balance.as_ref()),
            frozen: Self::mask_reported_amount(frozen.as_ref()),
            updated_at: *updated_at,
        }
    }

    pub(in crate::app) fn mask_deposit(&self, deposit: &Movement) -> Movement {
        let Movement {
            id,
            workspace,
            destination,
            from_wallet,
            to_wallet,
            coin,
            chain,
            network,
            amount,
            status,
            network_fee,
            confirmation,
            created_at,
            updated_at,
            client_tx_id,
            from_address,
            to_address,
            hash,
            link,
            tag_memo,
            unreadable: _,
        } = deposit;
        Movement {
            id: self.mask_transaction_id(id),
            workspace: self.mask_optional_name("workspace", workspace.as_ref()),
            destination: destination.clone(),
            from_wallet: from_wallet.as_ref().map(|id| self.mask_user_id(id)),
            to_wallet: to_wallet.as_ref().map(|id| self.mask_user_id(id)),
            coin: coin.clone(),
            chain: chain.clone(),
            network: network.clone(),
            amount: Self::mask_reported_amount(amount.as_ref()),
            status: status.clone(),
            network_fee: Self::mask_reported_amount(network_fee.as_ref()),
            confirmation: *confirmation,
            created_at: *created_at,
            updated_at: *updated_at,
            client_tx_id: self.mask_optional_name("ref", client_tx_id.as_ref()),
            from_address: self.mask_optional_address(from_address.as_ref()),
            to_address: self.mask_optional_address(to_address.as_ref()),
            hash: self.mask_optional_address(hash.as_ref()),
            link: self.mask_optional_address(link.as_ref()),
            tag_memo: self.mask_optional_name("tag", tag_memo.as_ref()),
            unreadable: Vec::new(),
        }
    }

    pub(in crate::app) fn mask_transfer(&self, transfer: &Transfer) -> Transfer {
        let Transfer {
            id,
            workspace,
            client_tx_id,
            from_wallet,
            to_wallet,
            coin,
            amount,
            status,
            network_fee,
            tag_memo,
            confirmed,
            confirmed_at,
            created_at,
        } = transfer;
        Transfer {
            id: self.mask_transaction_id(id),
            workspace: self.mask_optional_name("workspace", workspace.as_ref()),
            client_tx_id: self.mask_optional_name("ref", client_tx_id.as_ref()),
            from_wallet: from_wallet.as_ref().map(|id| self.mask_user_id(id)),
            to_wallet: to_wallet.as_ref().map(|id| self.mask_user_id(id)),
            coin: coin.clone(),
            amount: Self::mask_reported_amount(amount.as_ref()),
            status: status.clone(),
            network_fee: Self::mask_reported_amount(network_fee.as_ref()),
            tag_memo: self.mask_optional_name("tag", tag_memo.as_ref()),
            confirmed: *confirmed,
            confirmed_at: *confirmed_at,
            created_at: *created_at,
        }
    }

    pub(in crate::app) fn mask_sub_wallet(&self, sub_wallet: &SubWallet) -> SubWallet {
        let SubWallet { user, can_trade, language } = sub_wallet;
        SubWallet { user: self.mask_user(user), can_trade: *can_trade, language: language.clone() }
    }

    pub(in crate::app) fn mask_deposit_address(&self, deposit_address: &DepositAddress) -> DepositAddress {
        let DepositAddress { chain, address, tag, coins, wallet, wallet_id, is_wallet_address } = deposit_address;
        DepositAddress {
            chain: chain.clone(),
            address: self.mask_address(address),
            tag: self.mask_optional_name("tag", tag.as_ref()),
            coins: coins.clone(),
            wallet: self.mask_optional_name("wallet", wallet.as_ref()),
            wallet_id: wallet_id.as_ref().map(|id| self.mask_wallet_id(id)),
            is_wallet_address: *is_wallet_address,
        }
    }

    pub(in crate::app) fn mask_paged_list<T>(&self, list: &PagedList<T>, row: impl Fn(&Self, &T) -> T) -> PagedList<T> {
        let PagedList { rows, unreadable, filtered_out, paging_ignored, has_more, repeated: _, pages: _ } = list;
        PagedList {
            rows: rows.iter().map(|of| row(self, of)).collect(),
            unreadable: (*unreadable).min(1),
            filtered_out: (*filtered_out).min(1),
            paging_ignored: *paging_ignored,
            repeated: 0,
            has_more: *has_more,
            // Nothing shows the page sizes.
            pages: Vec::new(),
        }
    }

    /// A filter from before the veil: that there is one, not its words.
    pub(in crate::app) fn mask_filter(filter: &str) -> String {
        if filter.is_empty() { String::new() } else { STAND_IN_MARK.to_owned() }
    }
}
