//! Tests from outside: what the program says and does, over real sockets and real processes.

#![expect(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

mod canned;
mod cli;
mod transport;
mod wire;
