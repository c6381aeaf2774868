//! The journal from outside: processes that are killed, processes side by side, and the commands.

mod commands;
mod killed;
mod processes;
mod sample;
