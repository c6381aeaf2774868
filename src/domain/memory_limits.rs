//! How much of this process's memory one database may take that lies there.

/// The size of its pages, in bytes. They are small: each table and index has one at least, and there may be many small
/// databases.
pub const PAGE_BYTES: u32 = 1024;

/// The most pages that it may have: 64 MiB, many times what a visitor's business takes. Beyond them it is full as a disk is.
pub const MAX_PAGES: u32 = 64 * 1024;
