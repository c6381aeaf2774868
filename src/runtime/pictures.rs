//! What the store works out for pictures.

use super::look_alikes::Gathered;
use crate::app::pictures::{Picture, Pictured};
use crate::domain::Timestamp;
use crate::domain::history::Scope;
use crate::store::{Cancel, Store, StoreError};

/// How many of the newest transactions are looked at for the confirmations with which they are settled.
const SETTLED_AMONG: u32 = 500;

/// Works a picture out. It may take a while, and is called where it holds up nobody.
pub(super) fn make(
    store: &Store,
    wanted: &Picture,
    gathered: &Gathered,
    now: Timestamp,
) -> Result<Pictured, StoreError> {
    let cancel = Cancel::new();
    match wanted {
        Picture::Worths(accounts) => {
            let held = accounts.iter().map(|id| Ok((id.clone(), store.holdings(&Scope::Account(id.clone()))?)));
            Ok(Pictured::Worths(held.collect::<Result<_, StoreError>>()?))
        }
        Picture::LookAlikes(compared) => Ok(Pictured::LookAlikes(gathered.judge(store, compared, now)?)),
        Picture::Settling => Ok(Pictured::Settling(store.settling(SETTLED_AMONG)?)),
        Picture::Week { scope, since } => Ok(Pictured::Week(store.past(scope, None, *since, &cancel)?)),
        Picture::Token { scope, token, since } => {
            let held = store.holdings(scope)?.into_iter().find(|holding| holding.token == *token);
            Ok(Pictured::Token(store.past(scope, Some(token), *since, &cancel)?, held))
        }
    }
}
