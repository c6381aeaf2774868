//! README, the manual and the pages for contributors say what the program does: their keys, scenes, links, commands, settings
//! and proofs are checked against it.
//!
//! `.ci/draw` writes the chapter of the keys.

mod commands;
mod links;

use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use bursar::app::overlays::help::key_reference;
use bursar::config::{Config, Environment, Overrides};
use bursar::manual::Chapter;
use bursar::manual::layout::lay_out;
use bursar::manual::markdown::{Block, Emphasis, parse};
use bursar::service::Scene;
use bursar::ui::glyphs::ascii_fallback;

/// Code of the manual stands whole on a screen of 80 columns.
const CODE_COLUMNS: usize = 76;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_owned()
}

/// Every page of prose: its path and its text.
fn pages() -> Vec<(String, String)> {
    let chapters = Chapter::ALL.map(|chapter| format!("assets/manual/{}.md", chapter.name()));
    let others = ["README.md", "SECURITY.md", "CONTRIBUTING.md"].map(str::to_owned);
    let read_page = |path: String| {
        let text = fs::read_to_string(root().join(&path)).unwrap();
        (path, text)
    };
    others.into_iter().chain(chapters).map(read_page).collect()
}

fn page(name: &str) -> String {
    fs::read_to_string(root().join(name)).unwrap()
}

#[test]
fn readme_is_read_in_one_sitting() {
    let lines = page("README.md").lines().count();
    assert!(lines <= 200, "README has {lines} lines; what is too much belongs into assets/manual");
}

#[test]
fn readme_lists_every_chapter() {
    for chapter in Chapter::ALL {
        let (title, name) = (chapter.title(), chapter.name());
        let row = format!("| [{title}](assets/manual/{name}.md) | {} |", chapter.subject());
        assert!(page("README.md").contains(&row), "put this into the table of README:\n\n{row}");
    }
}

#[test]
fn the_manual_has_every_scene_in_the_words_of_the_help() {
    for scene in Scene::ALL {
        let row = format!("| `{}` | {} |", scene.name(), scene.description());
        assert!(Chapter::Present.text().contains(&row), "put this into the table of present.md:\n\n{row}");
    }
}

#[test]
fn the_manual_has_every_key_and_every_mark_in_the_words_of_the_help() {
    let mut chapter = String::from(
        "# Keys\n\n`?` shows these on the screen, those of the place where you are first; `:` finds every action by its name.\n",
    );
    let cell = |text: &str| text.replace('|', "\\|");
    for (title, pairs) in key_reference() {
        let head = if title == "Marks" { "| Mark | What it means |" } else { "| Key | What it does |" };
        let head = if title == "Filter" { "| Filter | What it finds |" } else { head };
        write!(chapter, "\n## {title}\n\n{head}\n|---|---|\n").unwrap();
        for (name, explanation) in pairs {
            let name = cell(&name).replace("  ", "` `");
            writeln!(chapter, "| `{name}` | {} |", cell(&explanation)).unwrap();
        }
    }
    let file = root().join("assets/manual/keys.md");
    if std::env::var_os("BURSAR_WRITE").is_some() {
        fs::write(&file, &chapter).unwrap();
    }
    assert!(
        fs::read_to_string(&file).unwrap() == chapter,
        "assets/manual/keys.md has other keys than the program; write it anew with\n\n    \
         .ci/draw\n"
    );
}

#[test]
fn a_chapter_is_set_in_what_a_terminal_can_show() {
    for chapter in Chapter::ALL {
        let name = chapter.name();
        let blocks = parse(chapter.text());
        let Some(Block::Heading(1, title)) = blocks.first() else { panic!("{name} has no title") };
        assert_eq!(title[0].text, chapter.title());
        let strange = chapter.text().chars().find(|sign| !sign.is_ascii() && ascii_fallback(*sign).is_none());
        assert_eq!(strange, None, "{name} has a sign without a stand-in in src/ui/glyphs.rs");
        for block in &blocks {
            if let Block::Code(code) = block {
                for line in code {
                    assert!(line.chars().count() <= CODE_COLUMNS, "{name} has code that is too wide: {line}");
                }
            }
        }
        // Nothing is lost on the way to a narrow screen.
        let letters = |columns: u16| -> String {
            let lines = lay_out(&blocks, columns).into_iter().flat_map(|line| line.spans);
            lines.filter(|span| span.emphasis != Emphasis::Code).map(|span| span.text.replace(' ', "")).collect()
        };
        assert_eq!(letters(38), letters(100), "{name}");
        for line in lay_out(&blocks, 78) {
            assert!(line.text().chars().count() <= 80, "{name}: {}", line.text());
        }
    }
}

#[test]
fn the_settings_of_the_manual_are_a_configuration() {
    let code = |block| if let Block::Code(lines) = block { Some(lines.join("\n") + "\n") } else { None };
    let blocks = parse(Chapter::Configuration.text()).into_iter().filter_map(code);
    let toml: String = blocks.filter(|text| text.contains(" = ")).collect();
    let home = tempfile::tempdir().unwrap();
    fs::write(home.path().join("config.toml"), &toml).unwrap();
    let overrides = Overrides { config_dir: Some(home.path().to_owned()), ..Overrides::default() };
    let config = Config::resolve(overrides, &Environment::default()).unwrap();
    assert_eq!(config.invalid_profiles, [], "{toml}");
    config.profile().unwrap();
}

#[test]
fn every_threat_has_a_proof_that_exists() {
    let tests = test_names();
    let security = page("SECURITY.md");
    let rows: Vec<&str> = security.lines().filter(|line| line.starts_with("| ") && line.ends_with("` |")).collect();
    assert!(rows.len() > 20, "{rows:?}");
    for row in rows {
        let proof = row.trim_end_matches("` |").rsplit('`').next().unwrap();
        assert!(tests.contains(proof) || proof.starts_with("cargo "), "no test is called {proof}");
    }
}

/// The names of all tests, and the modules of the suite.
fn test_names() -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    let mut folders = vec![root().join("src"), root().join("tests/suite")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = fs::read_to_string(&path).unwrap();
                let functions = text.lines().filter_map(|line| line.trim().split_once("fn ")).map(|(_, rest)| rest);
                names.extend(functions.filter_map(|rest| rest.split_once(['(', '<'])).map(|(name, _)| name.to_owned()));
                names.insert(path.file_stem().unwrap().to_str().unwrap().to_owned());
            }
        }
    }
    names
}

#[test]
fn the_help_on_screen_reads_the_same_chapter() {
    let mut session = super::harness::Session::open();
    session.keys("?");
    session.sees("Help · Keys");
    session.sees("Enter chapter Watch");
    session.keys("Enter");
    session.sees("Help · Watch");
    let chapter = lay_out(&parse(Chapter::Watch.text()), 100);
    for line in chapter.iter().take(20) {
        session.sees(line.text().trim());
    }
    session.keys("Tab");
    session.sees("Help · Pay");
    session.sees("One payment");
    session.keys("BackTab BackTab");
    session.sees("Help · Start");
    session.keys("Esc");
    session.sees("Help · Keys");
    session.keys("Esc");
    session.sees_no("Help ·");
    session.keys("4 ? Enter");
    session.sees("Help · Pay");
}
