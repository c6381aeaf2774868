//! README says what the program does: its table of keys is made from the one table of keys.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use bursar::app::input::keymap::{self, Command, KEY_BINDINGS};
use bursar::service::Scene;

#[test]
fn readme_tells_every_scene_in_the_words_of_the_help() {
    let readme = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md")).unwrap();
    for scene in Scene::ALL {
        let row = format!("| `{}` | {} |", scene.name(), scene.description());
        assert!(readme.contains(&row), "put this into the table of README:\n\n{row}");
    }
}

#[test]
fn readme_lists_every_key() {
    let mut table = String::from("| Key | What it does |\n|---|---|\n");
    for binding in KEY_BINDINGS {
        let keys: Vec<String> = binding.keys.iter().map(|key| format!("`{}`", keymap::key_name(*key))).collect();
        let words = match binding.command {
            Command::Page(_) => format!("the {} page", binding.long),
            _ => binding.long.to_owned(),
        };
        writeln!(table, "| {} | {words} |", keys.join(" ")).unwrap();
    }
    let readme = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md")).unwrap();
    let (_, rest) = readme.split_once("<!-- keys -->\n").expect("README marks where its keys begin");
    let (listed, _) = rest.split_once("<!-- /keys -->").expect("README marks where its keys end");
    assert_eq!(listed.trim(), table.trim(), "put this between the marks of README:\n\n{table}");
}
