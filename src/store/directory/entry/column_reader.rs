//! Reads the columns of an entry's row.

use rusqlite::Row;
use rusqlite::types::FromSql;

use super::SOURCES_BY_RANK;
use crate::domain::entry_source::EntrySource;
use crate::domain::{Text, Timestamp};

/// Reads one column after the other: to find a column by its name takes longer than to read it.
pub(in crate::store::directory) struct ColumnReader<'a> {
    row: &'a Row<'a>,
    next: usize,
}

impl<'a> ColumnReader<'a> {
    pub(super) fn new(row: &'a Row<'a>) -> Self {
        Self { row, next: 0 }
    }

    fn advance(&mut self) -> usize {
        self.next += 1;
        self.next - 1
    }

    pub(super) fn next_value<T: FromSql>(&mut self) -> rusqlite::Result<T> {
        let column = self.advance();
        self.row.get(column)
    }

    /// As it is written in the cache.
    pub(super) fn next_word(&mut self) -> rusqlite::Result<Option<&'a str>> {
        let column = self.advance();
        Ok(self.row.get_ref(column)?.as_str_or_null()?)
    }

    pub(super) fn next_text(&mut self) -> rusqlite::Result<Option<Text>> {
        Ok(self.next_word()?.map(Text::clean))
    }

    pub(super) fn next_time(&mut self) -> rusqlite::Result<Option<Timestamp>> {
        Ok(self.next_value::<Option<i64>>()?.map(Timestamp::from_millis))
    }

    pub(super) fn next_source(&mut self) -> rusqlite::Result<EntrySource> {
        let rank: i64 = self.next_value()?;
        let source = usize::try_from(rank).ok().and_then(|rank| SOURCES_BY_RANK.get(rank));
        Ok(source.copied().unwrap_or(EntrySource::History))
    }
}
