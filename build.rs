//! Has the linker lay side by side what a console runs while somebody watches.
//!
//! The system takes in 64 KiB of code around each function that is run. Service, host and console are one program: where the
//! 4 MiB that a console runs lie scattered over its 21, that comes to 17 of them. `.config/console.ld` names those functions;
//! `.ci/layout` writes it.

use std::env::var;

/// Whose linker, the one that comes with the compiler, is known to read the list as it is meant. Any other platform's
/// console runs as well and takes more memory.
const TARGET: &str = "x86_64-unknown-linux-gnu";

fn main() {
    const LIST: &str = ".config/console.ld";
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed={LIST}");
    let is = |name: &str, value: &str| var(name).is_ok_and(|told| told == value);
    let other_linker =
        var("RUSTC_LINKER").is_ok() || var("CARGO_ENCODED_RUSTFLAGS").is_ok_and(|flags| flags.contains("link"));
    // A debug build is linked often, and nobody counts its memory.
    if is("PROFILE", "release") && is("TARGET", TARGET) && !other_linker {
        let root = var("CARGO_MANIFEST_DIR").unwrap_or_default();
        println!("cargo::rustc-link-arg-bins=-Xlinker");
        println!("cargo::rustc-link-arg-bins=--script={root}/{LIST}");
    }
}
