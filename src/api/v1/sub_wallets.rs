//! Sub-wallets: users as version 1 knows them, and what they hold.

use crate::api::Reader;
use crate::api::envelope::Payload;
use crate::api::fields::Fields;
use crate::api::paging::RowReader;
use crate::api::v2::users::MOST_PAGES;
use crate::domain::history::Page;
use crate::domain::v1::{Asset, SubWallet};
use crate::domain::{Failure, PagedList, Reason, Text, User, UserId};

impl Reader {
    /// One sub-wallet. Its identifier is that of the user whom it stands for.
    pub async fn sub_wallet(&self, id: &UserId) -> Result<SubWallet, Failure> {
        let body = self.get("/v1/sub-wallet", &[("subWalletId", id.as_str())]).await?;
        let found = Payload::parse(&body)?.page_or_object(parse_sub_wallet)?.items;
        let other = || Failure::from_read(Reason::NotUnderstood, "the answer is about another sub-wallet");
        found.into_iter().find(|found| found.user.id == *id).ok_or_else(other)
    }

    /// A page of the optional list of sub-wallets, counted from 1.
    pub async fn fetch_sub_wallets(&self, page_no: u64, limit: u64) -> Result<Page<SubWallet>, Failure> {
        let body = self.get_page(&self.wire.list_sub_wallets, &[], page_no, limit).await?;
        Payload::parse(&body)?.page(parse_sub_wallet)
    }

    /// What a sub-wallet holds, coin by coin, on all chains together.
    pub async fn fetch_sub_wallet_assets(&self, id: &UserId) -> Result<PagedList<Asset>, Failure> {
        self.read_unpaged_list("/v1/sub-wallet/assets", &[("subWalletId", id.as_str())], asset_rows()).await
    }
}

/// How lists of assets are read; coins are known by their symbols.
pub(super) fn asset_rows() -> RowReader<Asset, Text> {
    RowReader {
        parse_row: |entry| parse_asset(&Fields::from_raw(entry)?),
        row_key: |asset| asset.coin.clone(),
        max_pages: MOST_PAGES,
    }
}

/// Reads one; none without an identifier.
pub(in crate::api) fn parse_sub_wallet(fields: &Fields<'_>) -> Option<SubWallet> {
    Some(SubWallet {
        user: User {
            id: fields.id("id", UserId::read)?,
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

/// Reads one; none without a coin. How many fraction digits a coin has is not told: it has those that are shown.
pub(in crate::api) fn parse_asset(fields: &Fields<'_>) -> Option<Asset> {
    Some(Asset {
        coin: fields.text("coin")?,
        balance: fields.amount("balance", None),
        frozen: fields.amount("frozen", None),
        updated_at: fields.time("updatedAt"),
    })
}
