//! The sandbox of version 1: assets and deposit addresses of simulated activity.

use serde_json::value::RawValue;

use super::records::present_params;
use super::sub_wallets::asset_rows;
use crate::api::Reader;
use crate::api::fields::Fields;
use crate::api::paging::RowReader;
use crate::domain::v1::{AssetBalance, WalletAddress, may_be_same_chain, may_be_same_text};
use crate::domain::{Failure, PagedList, Text, UserId};

/// A list of addresses with more pages than this is an error.
const MAX_ADDRESS_PAGES: u64 = 50;

impl Reader {
    /// Assets of one sandbox sub-wallet, or of all together; of one coin or of all.
    pub async fn fetch_sandbox_assets(
        &self,
        sub_wallet: Option<&UserId>,
        coin: Option<&Text>,
    ) -> Result<PagedList<AssetBalance>, Failure> {
        let query = present_params(&[
            (&self.wire_names.filter_sub_wallet, sub_wallet.map(UserId::as_str)),
            (&self.wire_names.filter_coin, coin.map(Text::as_str)),
        ]);
        self.read_list("/v1/sandbox/sub-wallet/assets", &query, asset_rows(), |row| {
            may_be_same_text(coin, Some(&row.coin))
        })
        .await
    }

    /// Assets of the sandbox's Prime Wallet, of one coin or of all.
    pub async fn fetch_sandbox_prime_assets(&self, coin: Option<&Text>) -> Result<PagedList<AssetBalance>, Failure> {
        let query = present_params(&[(&self.wire_names.filter_coin, coin.map(Text::as_str))]);
        self.read_list("/v1/sandbox/wallet/assets", &query, asset_rows(), |row| may_be_same_text(coin, Some(&row.coin)))
            .await
    }

    /// The addresses of the sandbox, for one coin or all, on one chain or all.
    pub async fn fetch_sandbox_addresses(
        &self,
        coin: Option<&Text>,
        chain: Option<&Text>,
    ) -> Result<PagedList<WalletAddress>, Failure> {
        let query = present_params(&[
            (&self.wire_names.filter_coin, coin.map(Text::as_str)),
            (&self.wire_names.filter_chain, chain.map(Text::as_str)),
        ]);
        // One address serves every coin of its chain, and an EVM address every chain: only the combination is unique.
        let key = |row: &WalletAddress| (row.chain.clone(), row.coin.clone(), row.address.clone(), row.tag.clone());
        let rows = RowReader {
            parse_row: |entry: &RawValue| parse_address(&Fields::from_raw(entry)?),
            row_key: key,
            pages: 1..=MAX_ADDRESS_PAGES,
        };
        let keeps = |row: &WalletAddress| {
            may_be_same_text(coin, row.coin.as_ref()) && may_be_same_chain(chain, row.chain.as_ref())
        };
        self.read_list("/v1/sandbox/wallet/address/list", &query, rows, keeps).await
    }
}

/// `None` without an address.
pub(in crate::api) fn parse_address(fields: &Fields<'_>) -> Option<WalletAddress> {
    Some(WalletAddress {
        coin: fields.text("coin"),
        chain: fields.text("chain"),
        network: fields.text("network"),
        address: fields.text("address")?,
        tag: fields.text("tag"),
        wallet: fields.id("walletId", UserId::from_text),
        created_at: fields.time("createdAt"),
    })
}
