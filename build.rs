//! What the linker is told of a release build, so that a console takes less memory.
//!
//! It lays side by side what a console runs while somebody watches. The system takes in 64 KiB of code around each function
//! that is run. Service, host and console are one program: where the 4 MiB that a console runs lie scattered over its 21,
//! that comes to 17 of them. `.config/console.ld` names those functions; `.ci/layout` writes it. `.config/constants.ld` sets
//! aside large constants that a console hardly reads, for the same reason.
//!
//! And it packs the list of the addresses that are put right at a start, 1 MiB of it, where this machine's C library reads it
//! packed. A program that is built so says on an older machine which version it wants.

use std::env::var;
use std::process::Command;

/// Whose linker, the one that comes with the compiler, is known to read these scripts as they are meant. Any other
/// platform's console runs as well and takes more memory.
const TARGET: &str = "x86_64-unknown-linux-gnu";

/// The first version of the GNU C library that reads packed addresses.
const PACKED_SINCE: [u32; 2] = [2, 36];

fn main() {
    const SCRIPTS: [&str; 2] = [".config/console.ld", ".config/constants.ld"];
    println!("cargo::rerun-if-changed=build.rs");
    for script in SCRIPTS {
        println!("cargo::rerun-if-changed={script}");
    }
    let is = |name: &str, value: &str| var(name).is_ok_and(|told| told == value);
    let other_linker =
        var("RUSTC_LINKER").is_ok() || var("CARGO_ENCODED_RUSTFLAGS").is_ok_and(|flags| flags.contains("link"));
    // A debug build is linked often, and nobody counts its memory.
    if is("PROFILE", "release") && is("TARGET", TARGET) && !other_linker {
        let root = var("CARGO_MANIFEST_DIR").unwrap_or_default();
        for script in SCRIPTS {
            println!("cargo::rustc-link-arg-bins=-Xlinker");
            println!("cargo::rustc-link-arg-bins=--script={root}/{script}");
        }
        if is("HOST", TARGET) && c_library().is_some_and(|version| version >= PACKED_SINCE) {
            println!("cargo::rustc-link-arg-bins=-Wl,-z,pack-relative-relocs");
        }
    }
}

/// The version of this machine's GNU C library, where that is what it has.
fn c_library() -> Option<[u32; 2]> {
    let told = Command::new("getconf").arg("GNU_LIBC_VERSION").output().ok()?.stdout;
    let told = String::from_utf8(told).ok()?;
    let (major, minor) = told.trim().strip_prefix("glibc ")?.split_once('.')?;
    Some([major.parse().ok()?, minor.parse().ok()?])
}
