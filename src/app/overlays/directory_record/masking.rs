//! A record with masked values.

use super::{DirectoryRecord, Subject};
use crate::app::session::veil::Veil;

impl Veil {
    pub(in crate::app) fn mask_directory_record(&self, record: &DirectoryRecord) -> DirectoryRecord {
        let DirectoryRecord { subject, holdings, recent, folded } = record;
        let subject = match subject {
            Subject::Account { account, wallets: _ } => {
                Subject::Account { account: self.mask_sourced(account, Self::mask_account), wallets: 0 }
            }
            Subject::Wallet { wallet, account_name, user_name } => Subject::Wallet {
                wallet: self.mask_sourced(wallet, Self::mask_wallet),
                account_name: self.mask_optional_name("account", account_name.as_ref()),
                user_name: self.mask_optional_name("user", user_name.as_ref()),
            },
        };
        DirectoryRecord {
            subject,
            holdings: holdings.iter().map(Self::mask_holding).collect(),
            recent: recent.iter().map(|row| self.mask_row(row)).collect(),
            folded: *folded,
        }
    }
}
