//! Import cycles: files that reach each other by the paths that they name.

use std::collections::{HashMap, HashSet};

use super::source::Source;

/// The most files that may reach each other. It may only fall.
const LARGEST: usize = 111;

#[test]
fn no_import_cycle_grows() {
    let sources = Source::all();
    let cycle = largest_cycle(&sources);
    assert!(cycle.len() <= LARGEST, "{} files import each other, at most {LARGEST} may: {cycle:#?}", cycle.len());
    assert_eq!(cycle.len(), LARGEST, "the largest cycle is smaller now: lower LARGEST in tests/suite/tidy/cycles.rs");
}

#[test]
fn a_cycle_is_seen_through_modules_and_names_in_between() {
    let source = |(path, text): &(&str, &str)| Source::new(path, text);
    let ring = [
        ("src/a.rs", "mod x;\npub use x::X;\nuse crate::b::B;"),
        ("src/a/x.rs", "pub struct X;"),
        ("src/b.rs", "use crate::c::{self, C};"),
        ("src/c.rs", "fn f() { super::a::X }"),
        ("src/d.rs", "use crate::a::X;\n#[cfg(test)]\nmod tests {\n    use crate::e::E;\n}"),
        ("src/e.rs", "use crate::d::D;"),
    ];
    let ring: Vec<Source> = ring.iter().map(source).collect();
    assert_eq!(largest_cycle(&ring), ["src/a.rs", "src/b.rs", "src/c.rs"]);
    assert_eq!(largest_cycle(&ring[1..]), Vec::<&str>::new());
}

/// The largest set of product files each of which reaches all others.
fn largest_cycle(sources: &[Source]) -> Vec<&str> {
    let shipped: Vec<&Source> =
        sources.iter().filter(|source| source.path.starts_with("src/") && !source.shipped().is_empty()).collect();
    let modules: HashMap<Vec<String>, usize> =
        shipped.iter().enumerate().map(|(at, source)| (source.module(), at)).collect();
    let imports: Vec<HashSet<usize>> =
        shipped.iter().enumerate().map(|(at, source)| imports(source, at, &modules)).collect();
    let reaches: Vec<HashSet<usize>> = (0..shipped.len()).map(|from| reached_from(from, &imports)).collect();
    let with =
        |at: usize| -> Vec<usize> { reaches[at].iter().copied().filter(|to| reaches[*to].contains(&at)).collect() };
    let mut largest = (0..shipped.len()).map(with).max_by_key(Vec::len).unwrap_or_default();
    largest.sort_unstable();
    largest.into_iter().map(|at| shipped[at].path.as_str()).collect()
}

/// The files whose modules a file names: of each path the longest part that is a module.
fn imports(source: &Source, own: usize, modules: &HashMap<Vec<String>, usize>) -> HashSet<usize> {
    let home = source.module();
    let named = source.named().into_iter().filter_map(|named| {
        let path: Vec<String> = match named.parts.split_first() {
            Some((first, rest)) if first == "crate" => rest.to_vec(),
            // A child module of the file.
            _ => home.iter().chain(&named.parts).cloned().collect(),
        };
        let shortest = if named.parts[0] == "crate" { 1 } else { home.len() + 1 };
        (shortest..=path.len()).rev().find_map(|length| modules.get(&path[..length]).copied())
    });
    named.filter(|to| *to != own).collect()
}

fn reached_from(from: usize, imports: &[HashSet<usize>]) -> HashSet<usize> {
    let (mut reached, mut open) = (HashSet::new(), vec![from]);
    while let Some(at) = open.pop() {
        open.extend(imports[at].iter().copied().filter(|to| reached.insert(*to)));
    }
    reached
}
