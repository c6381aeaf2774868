//! The sandbox of version 1: what is held and paid into where activity is simulated.

use serde_json::value::RawValue;

use super::records::told;
use super::sub_wallets::asset_rows;
use crate::api::Reader;
use crate::api::fields::Fields;
use crate::api::paging::Rows;
use crate::domain::v1::{Asset, WalletAddress, same, same_chain};
use crate::domain::{Failure, Listed, Text, UserId};

/// Beyond so many pages a list of addresses is a mistake.
const MOST_PAGES: u64 = 50;

impl Reader {
    /// What a sub-wallet of the sandbox holds, or all of them together; of one coin or of all.
    pub async fn sandbox_assets(
        &self,
        sub_wallet: Option<&UserId>,
        coin: Option<&Text>,
    ) -> Result<Listed<Asset>, Failure> {
        let query = told(&[
            (&self.wire.filter_sub_wallet, sub_wallet.map(UserId::as_str)),
            (&self.wire.filter_coin, coin.map(Text::as_str)),
        ]);
        self.listed("/v1/sandbox/sub-wallet/assets", &query, asset_rows(), |row| same(coin, Some(&row.coin))).await
    }

    /// What the Prime Wallet of the sandbox holds, of one coin or of all.
    pub async fn sandbox_prime_assets(&self, coin: Option<&Text>) -> Result<Listed<Asset>, Failure> {
        let query = told(&[(&self.wire.filter_coin, coin.map(Text::as_str))]);
        self.listed("/v1/sandbox/wallet/assets", &query, asset_rows(), |row| same(coin, Some(&row.coin))).await
    }

    /// The addresses of the sandbox, for one coin or all, on one chain or all.
    pub async fn sandbox_addresses(
        &self,
        coin: Option<&Text>,
        chain: Option<&Text>,
    ) -> Result<Listed<WalletAddress>, Failure> {
        let query = told(&[
            (&self.wire.filter_coin, coin.map(Text::as_str)),
            (&self.wire.filter_chain, chain.map(Text::as_str)),
        ]);
        // One address takes every coin of its chain, and an EVM address every chain: only together they are one entry.
        let key = |row: &WalletAddress| (row.chain.clone(), row.coin.clone(), row.address.clone(), row.tag.clone());
        let rows = Rows { read: |entry: &RawValue| address(&Fields::of(entry)?), key, pages: MOST_PAGES };
        let keeps = |row: &WalletAddress| same(coin, row.coin.as_ref()) && same_chain(chain, row.chain.as_ref());
        self.listed("/v1/sandbox/wallet/address/list", &query, rows, keeps).await
    }
}

/// Reads one; none without an address.
pub(in crate::api) fn address(fields: &Fields<'_>) -> Option<WalletAddress> {
    Some(WalletAddress {
        coin: fields.text("coin"),
        chain: fields.text("chain"),
        network: fields.text("network"),
        address: fields.text("address")?,
        tag: fields.text("tag"),
        wallet: fields.id("walletId", UserId::read),
        created_at: fields.time("createdAt"),
    })
}
