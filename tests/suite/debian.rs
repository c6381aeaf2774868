//! The Debian package, made of this checkout by its own script.

use std::path::Path;
use std::process::Command;

#[test]
#[ignore = "needs cargo-deb"]
fn the_package_has_the_program_its_page_its_completions_and_the_manual() {
    let folder = tempfile::tempdir().unwrap();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let packaging = Command::new(root.join(".ci/package")).args(["dev".as_ref(), folder.path()]).output().unwrap();
    assert!(packaging.status.success(), "{}", String::from_utf8_lossy(&packaging.stderr));
    let package = std::fs::read_dir(folder.path()).unwrap().next().unwrap().unwrap().path();
    let contents = Command::new("dpkg-deb").arg("--contents").arg(&package).output().unwrap();
    let contents = String::from_utf8(contents.stdout).unwrap();
    for file in [
        "usr/bin/bursar",
        "usr/share/man/man1/bursar.1.gz",
        "usr/share/bash-completion/completions/bursar",
        "usr/share/zsh/vendor-completions/_bursar",
        "usr/share/fish/vendor_completions.d/bursar.fish",
        "usr/share/doc/bursar/copyright",
        "usr/share/doc/bursar/manual/pay.md",
    ] {
        assert!(contents.contains(file), "no {file} in\n{contents}");
    }
}
