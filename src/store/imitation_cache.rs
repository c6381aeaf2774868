//! Caches which tokens imitate listed ones: comparing how words look is slow, and the rows of a window name few tokens.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use rusqlite::Connection;

use super::{Store, StoreError, lock, tokens};
use crate::domain::imitation::Candidate;
use crate::domain::{Text, Token, TokenKey};

/// The most cached judgements: anybody can create tokens and send them.
const MOST: usize = 2_048;

/// What a judgement depends on, beside the list: token, symbol, name and fraction digits.
type ImitationKey = (TokenKey, Text, Option<Text>, Option<u8>);

pub(super) struct ImitationCache {
    list: Option<i64>,
    listed: Vec<Token>,
    judged: Mutex<HashMap<ImitationKey, bool>>,
}

impl ImitationCache {
    pub(super) fn suspects(&self, candidate: &Candidate<'_>) -> bool {
        let look = (candidate.token.clone(), candidate.symbol.clone(), candidate.name.cloned(), candidate.decimals);
        if let Some(known) = lock(&self.judged).get(&look) {
            return *known;
        }
        let imitates = candidate.imitates(&self.listed);
        let mut judged = lock(&self.judged);
        if judged.len() >= MOST {
            judged.clear();
        }
        judged.insert(look, imitates);
        imitates
    }
}

impl Store {
    pub(super) fn for_token_list(&self, connection: &Connection) -> Result<Arc<ImitationCache>, StoreError> {
        let list = tokens::list(connection)?;
        if let Some(judge) = &*lock(&self.inner.judge)
            && judge.list == list
        {
            return Ok(Arc::clone(judge));
        }
        let judge = Arc::new(ImitationCache { list, listed: tokens::read(connection)?, judged: Mutex::default() });
        *lock(&self.inner.judge) = Some(Arc::clone(&judge));
        Ok(judge)
    }
}
