//! The limits of an in-memory database.

/// In bytes. Pages are small, since each table and index has at least one, and there may be many small databases.
pub const PAGE_BYTES: u32 = 1024;

/// 64 MiB, many times what a visitor's data take. Beyond it the database reports a full disk.
pub const MAX_PAGES: u32 = 64 * 1024;
