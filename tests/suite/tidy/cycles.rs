//! Import cycles: files that reach each other by the paths that they name.

use std::collections::{HashMap, HashSet};

use super::source::{NamedPath, Source};

/// The most files that may reach each other. It may only fall.
const LARGEST: usize = 8;

#[test]
fn no_import_cycle_grows() {
    let sources = Source::all();
    let cycle = largest_cycle(&sources);
    assert!(cycle.len() <= LARGEST, "{} files import each other, at most {LARGEST} may: {cycle:#?}", cycle.len());
    assert_eq!(cycle.len(), LARGEST, "the largest cycle is smaller now: lower LARGEST in tests/suite/tidy/cycles.rs");
}

#[test]
fn a_cycle_is_seen_through_modules_and_names_in_between() {
    let ring = [
        ("src/a.rs", "mod x;\nuse crate::b::B;\npub struct A;"),
        ("src/a/x.rs", "pub struct X;"),
        ("src/b.rs", "use crate::c::{self, C};\nfn f() { c::f() }"),
        ("src/c.rs", "fn f() { super::a::A }"),
        ("src/d.rs", "use crate::a::A;\n#[cfg(test)]\nmod tests {\n    use crate::e::E;\n}"),
        ("src/e.rs", "use crate::d::D;"),
    ];
    assert_eq!(cycle_of(&ring), ["src/a.rs", "src/b.rs", "src/c.rs"]);
    assert_eq!(cycle_of(&ring[1..]), [""; 0]);
}

#[test]
fn a_name_is_imported_from_the_file_that_defines_it() {
    // The facade takes `X` from its child and hands it on; the child's sibling reaches the child alone.
    let facade = [
        ("src/a.rs", "mod x;\nmod y;\npub use x::{X as Z, f};\nuse y::Y;\nfn g(y: Y) { x::f() }"),
        ("src/a/x.rs", "pub struct X;\npub fn f() {}"),
        ("src/a/y.rs", "use super::Z;\nuse crate::a;\nfn h() { a::f(); Z::new() }\npub struct Y;"),
    ];
    assert_eq!(cycle_of(&facade), [""; 0]);
    // What the facade itself makes of the name is an import as any other.
    let speaking = [
        ("src/a.rs", "mod x;\npub(crate) use x::X;\npub struct A(X);"),
        ("src/a/x.rs", "use super::A;\npub struct X;"),
    ];
    assert_eq!(cycle_of(&speaking), ["src/a.rs", "src/a/x.rs"]);
    let silent = [("src/a.rs", "mod x;\npub(crate) use x::X;\npub struct A;"), speaking[1]];
    assert_eq!(cycle_of(&silent), [""; 0]);
    // A module is no import until something in it is named.
    let through = [
        ("src/a.rs", "pub mod x;\npub struct A;"),
        ("src/a/x.rs", "use super::A;\nuse crate::b;\nfn f() { b::y::g() }"),
        ("src/b.rs", "pub mod y;\nuse crate::a::x;\nfn h() { x::f() }"),
        ("src/b/y.rs", "pub fn g() {}"),
    ];
    assert_eq!(cycle_of(&through), [""; 0]);
    let into = [through[0], ("src/a/x.rs", "use crate::b as c;\nfn f() { c::h() }"), through[2], through[3]];
    assert_eq!(cycle_of(&into), ["src/a/x.rs", "src/b.rs"]);
}

fn cycle_of(files: &[(&str, &str)]) -> Vec<String> {
    let sources: Vec<Source> = files.iter().map(|(path, text)| Source::new(path, text)).collect();
    largest_cycle(&sources).into_iter().map(str::to_owned).collect()
}

/// The largest set of product files each of which reaches all others.
fn largest_cycle(sources: &[Source]) -> Vec<&str> {
    let shipped: Vec<&Source> =
        sources.iter().filter(|source| source.path.starts_with("src/") && !source.shipped().is_empty()).collect();
    let paths_by_file: Vec<Vec<NamedPath>> = shipped.iter().map(|source| source.named_paths()).collect();
    let names = Names::of(&shipped, &paths_by_file);
    let imports: Vec<HashSet<usize>> = shipped
        .iter()
        .zip(&paths_by_file)
        .enumerate()
        .map(|(at, (source, paths))| names.imports(at, source, paths))
        .collect();
    let reaches: Vec<HashSet<usize>> = (0..shipped.len()).map(|from| reached_from(from, &imports)).collect();
    let with =
        |at: usize| -> Vec<usize> { reaches[at].iter().copied().filter(|to| reaches[*to].contains(&at)).collect() };
    let mut largest = (0..shipped.len()).map(with).max_by_key(Vec::len).unwrap_or_default();
    largest.sort_unstable();
    largest.into_iter().map(|at| shipped[at].path.as_str()).collect()
}

/// What paths lead to.
struct Names {
    /// The file of each module.
    modules: HashMap<Vec<String>, usize>,
    /// The names that each file imports, with the paths that they stand for.
    imported: Vec<HashMap<String, Vec<String>>>,
}

impl Names {
    fn of(sources: &[&Source], paths_by_file: &[Vec<NamedPath>]) -> Self {
        let modules = sources.iter().enumerate().map(|(at, source)| (source.module(), at)).collect();
        let mut names = Self { modules, imported: vec![HashMap::new(); sources.len()] };
        for (at, source) in sources.iter().enumerate() {
            let home = source.module();
            let imported = paths_by_file[at].iter().filter_map(|path| {
                let import = path.import.as_ref()?;
                Some((import.name.clone(), names.whole_path(&path.parts, &home, None)?))
            });
            names.imported[at] = imported.collect();
        }
        names
    }

    /// The files that a file imports: those that define what its paths lead to. A module imported as such leads nowhere
    /// yet, and a name that is only handed on is no import.
    fn imports(&self, own: usize, source: &Source, paths: &[NamedPath]) -> HashSet<usize> {
        let home = source.module();
        let paths = paths.iter().filter(|path| {
            path.import.as_ref().is_none_or(|import| !import.is_public || source.speaks_of(&import.name))
        });
        let files = paths.filter_map(|named_path| {
            let path = self.whole_path(&named_path.parts, &home, Some(&self.imported[own]))?;
            self.file(&path).filter(|_| named_path.import.is_none() || !self.modules.contains_key(&path))
        });
        files.filter(|to| *to != own).collect()
    }

    /// A path of a file as the parts below `crate`; `None` if it is not one of ours.
    fn whole_path(
        &self,
        parts: &[String],
        home: &[String],
        imported: Option<&HashMap<String, Vec<String>>>,
    ) -> Option<Vec<String>> {
        let parts = parts.strip_suffix(&["self".to_owned()]).unwrap_or(parts);
        let (first, rest) = parts.split_first()?;
        let child: Vec<String> = home.iter().chain([first]).cloned().collect();
        let start = if first == "crate" {
            &[][..]
        } else if let Some(path) = imported.and_then(|imported| imported.get(first)) {
            path
        } else if self.modules.contains_key(&child) {
            &child
        } else {
            return None;
        };
        Some(start.iter().chain(rest).cloned().collect())
    }

    /// The file that defines what a path leads to, through the files that hand it on.
    fn file(&self, path: &[String]) -> Option<usize> {
        let (module, at) =
            (1..=path.len()).rev().find_map(|length| self.modules.get(&path[..length]).map(|at| (length, *at)))?;
        let Some((name, rest)) = path[module..].split_first() else { return Some(at) };
        match self.imported[at].get(name) {
            Some(origin) if !path.starts_with(origin) => {
                self.file(&origin.iter().chain(rest).cloned().collect::<Vec<_>>())
            }
            _ => Some(at),
        }
    }
}

fn reached_from(from: usize, imports: &[HashSet<usize>]) -> HashSet<usize> {
    let (mut visited, mut open) = (HashSet::new(), vec![from]);
    while let Some(at) = open.pop() {
        open.extend(imports[at].iter().copied().filter(|to| visited.insert(*to)));
    }
    visited
}
