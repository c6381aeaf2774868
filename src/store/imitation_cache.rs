//! Caches which tokens imitate listed ones: comparing how words look is slow, and the rows of a window name few tokens.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use rusqlite::Connection;

use super::{Store, StoreError, lock_mutex, tokens};
use crate::domain::imitation::TokenCandidate;
use crate::domain::{Text, Token, TokenKey};

/// The most cached judgements: anybody can create tokens and send them.
const MAX_JUDGEMENTS: usize = 2_048;

/// What a judgement depends on, beside the list: token, symbol, name and fraction digits.
type ImitationKey = (TokenKey, Text, Option<Text>, Option<u8>);

pub(super) struct ImitationCache {
    token_list_id: Option<i64>,
    listed: Vec<Token>,
    judgements: Mutex<HashMap<ImitationKey, bool>>,
}

impl ImitationCache {
    pub(super) fn token_list_id(&self) -> Option<i64> {
        self.token_list_id
    }

    pub(super) fn is_imitation(&self, candidate: &TokenCandidate<'_>) -> bool {
        let look = (candidate.token.clone(), candidate.symbol.clone(), candidate.name.cloned(), candidate.decimals);
        if let Some(known) = lock_mutex(&self.judgements).get(&look) {
            return *known;
        }
        let imitates = candidate.imitates(&self.listed);
        let mut judged = lock_mutex(&self.judgements);
        if judged.len() >= MAX_JUDGEMENTS {
            judged.clear();
        }
        judged.insert(look, imitates);
        imitates
    }
}

impl Store {
    pub(super) fn imitation_cache(&self, connection: &Connection) -> Result<Arc<ImitationCache>, StoreError> {
        let list = tokens::token_list_id(connection)?;
        if let Some(judge) = &*lock_mutex(&self.inner.imitation_cache)
            && judge.token_list_id == list
        {
            return Ok(Arc::clone(judge));
        }
        let judge = Arc::new(ImitationCache {
            token_list_id: list,
            listed: tokens::read_tokens(connection)?,
            judgements: Mutex::default(),
        });
        *lock_mutex(&self.inner.imitation_cache) = Some(Arc::clone(&judge));
        Ok(judge)
    }
}
