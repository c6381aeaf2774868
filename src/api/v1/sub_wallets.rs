//! Sub-wallets: the users of version 1, and their assets.

use crate::api::Reader;
use crate::api::envelope::Payload;
use crate::api::fields::Fields;
use crate::api::paging::RowReader;
use crate::api::v2::users::MAX_BALANCE_PAGES;
use crate::domain::history::Page;
use crate::domain::v1::{AssetBalance, SubWallet};
use crate::domain::{Failure, FailureReason, PagedList, Text, User, UserId};

impl Reader {
    /// One sub-wallet; its identifier is that of its user.
    pub async fn fetch_sub_wallet(&self, id: &UserId) -> Result<SubWallet, Failure> {
        let body = self.get("/v1/sub-wallet", &[("subWalletId", id.as_str())]).await?;
        let sub_wallets = Payload::parse(&body)?.page_or_object(parse_sub_wallet)?.items;
        let other = || Failure::from_read(FailureReason::NotUnderstood, "the answer is about another sub-wallet");
        sub_wallets.into_iter().find(|sub_wallet| sub_wallet.user.id == *id).ok_or_else(other)
    }

    /// A page of the optional list of sub-wallets, counted from 1.
    pub async fn fetch_sub_wallets(&self, page_no: u64, limit: u64) -> Result<Page<SubWallet>, Failure> {
        let body = self.get_page(&self.wire_names.list_sub_wallets, &[], page_no, limit).await?;
        Payload::parse(&body)?.page(parse_sub_wallet)
    }

    /// A sub-wallet's balance by coin, on all chains together.
    pub async fn fetch_sub_wallet_assets(&self, id: &UserId) -> Result<PagedList<AssetBalance>, Failure> {
        self.read_unpaged_list("/v1/sub-wallet/assets", &[("subWalletId", id.as_str())], asset_rows()).await
    }
}

/// Coins are identified by their symbols.
pub(super) fn asset_rows() -> RowReader<AssetBalance, Text> {
    RowReader {
        parse_row: |entry| parse_asset(&Fields::from_raw(entry)?),
        row_key: |asset| asset.coin.clone(),
        pages: 1..=MAX_BALANCE_PAGES,
    }
}

/// `None` without an identifier.
pub(in crate::api) fn parse_sub_wallet(fields: &Fields<'_>) -> Option<SubWallet> {
    Some(SubWallet {
        user: User {
            id: fields.id("id", UserId::from_text)?,
            display_name: fields.text("name"),
            ref_id: fields.text("clientUserId"),
            email: fields.text("email"),
            is_active: fields.flag("isActive"),
            created_at: fields.time("createdAt"),
        },
        can_trade: fields.flag("canTrade"),
        language: fields.text("language"),
    })
}

/// `None` without a coin. The fraction digits of a coin are not reported: the displayed ones count.
pub(in crate::api) fn parse_asset(fields: &Fields<'_>) -> Option<AssetBalance> {
    Some(AssetBalance {
        coin: fields.text("coin")?,
        balance: fields.amount("balance", None),
        frozen: fields.amount("frozen", None),
        updated_at: fields.time("updatedAt"),
    })
}
