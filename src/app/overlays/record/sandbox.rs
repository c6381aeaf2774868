//! The sandbox of version 1, shown as a text over the page. It is read on request only.

mod lines;
mod read;

use crate::app::request_id::RequestId;
use crate::domain::v1::{AssetBalance, WalletAddress};
use crate::domain::{Failure, PagedList, UserId};
pub use lines::sandbox_facts;
pub(in crate::app) use read::{apply_data, open_sandbox, refusal};

/// The content of the sandbox; each part may have failed by itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SandboxData {
    pub prime: Result<PagedList<AssetBalance>, Failure>,
    /// Holdings of one sub-wallet, or of all together.
    pub sub_wallets: Result<PagedList<AssetBalance>, Failure>,
    pub addresses: Result<PagedList<WalletAddress>, Failure>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sandbox {
    pub request_id: RequestId,
    /// `None` for all sub-wallets together.
    pub sub_wallet: Option<UserId>,
    /// `None` before the answer.
    pub data: Option<Box<SandboxData>>,
}
