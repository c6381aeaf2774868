//! The `bursar` program: parse arguments, choose the mode, print the last error.

fn main() {}
