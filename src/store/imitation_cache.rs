//! Caches which tokens imitate listed ones: comparing how words look is slow, and the rows of a window name few tokens.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use rusqlite::Connection;

use super::StoreError;
use super::mutex::lock_mutex;
use super::token_list::{read_tokens, token_list_id};
use crate::domain::imitation::TokenCandidate;
use crate::domain::{Text, Token, TokenKey};

/// The most cached judgements: anybody can create tokens and send them.
const MAX_JUDGEMENTS: usize = 2_048;

/// What a judgement depends on, beside the list: token, symbol, name and fraction digits.
type ImitationKey = (TokenKey, Text, Option<Text>, Option<u8>);

pub(super) struct ImitationCache {
    token_list_id: Option<i64>,
    tokens: Vec<Token>,
    judgements: Mutex<HashMap<ImitationKey, bool>>,
}

impl ImitationCache {
    pub(super) fn token_list_id(&self) -> Option<i64> {
        self.token_list_id
    }

    pub(super) fn is_imitation(&self, candidate: &TokenCandidate<'_>) -> bool {
        let look = (candidate.token.clone(), candidate.symbol.clone(), candidate.name.cloned(), candidate.decimals);
        if let Some(judgement) = lock_mutex(&self.judgements).get(&look) {
            return *judgement;
        }
        let imitates = candidate.imitates(&self.tokens);
        let mut judged = lock_mutex(&self.judgements);
        if judged.len() >= MAX_JUDGEMENTS {
            judged.clear();
        }
        judged.insert(look, imitates);
        imitates
    }
    /// The one for the token list in the connection's snapshot.
    pub(super) fn current(cache: &Mutex<Option<Arc<Self>>>, connection: &Connection) -> Result<Arc<Self>, StoreError> {
        let list = token_list_id(connection)?;
        if let Some(current) = &*lock_mutex(cache)
            && current.token_list_id == list
        {
            return Ok(Arc::clone(current));
        }
        let tokens = read_tokens(connection)?;
        let current = Arc::new(Self { token_list_id: list, tokens, judgements: Mutex::default() });
        *lock_mutex(cache) = Some(Arc::clone(&current));
        Ok(current)
    }
}
