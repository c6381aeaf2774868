//! The journal from outside: processes that are killed, processes side by side, and the commands.

mod commands;
mod crash_recovery;
mod processes;
mod sample_orders;
