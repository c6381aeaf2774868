//! Retired words: phrases that the glossary replaced, and names that say nothing of the thing.

use serde::Deserialize;

use super::source::Source;

#[derive(Deserialize)]
struct Glossary {
    word: Vec<Word>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Word {
    name: String,
    meaning: String,
    #[serde(default)]
    instead_of: Vec<String>,
}

/// Participles and pronouns that are no names for types and modules.
const NO_NAMES: &[&str] = &[
    "told", "said", "says", "held", "kept", "known", "found", "asked", "looked", "wanted", "made", "given", "seen",
    "left", "who", "between", "ahead", "back", "again", "place", "turn", "words", "stay", "deed", "desk",
];

/// Names that say how a value came and not what it is, also of fields and variables.
const NO_NAMES_OF_VALUES: &[&str] = &["told", "said", "held", "teller"];

#[test]
fn the_program_prints_no_retired_phrase() {
    let glossary = glossary();
    let retired: Vec<(&str, &Word)> = glossary
        .word
        .iter()
        .flat_map(|word| word.instead_of.iter().map(move |phrase| (phrase.as_str(), word)))
        .collect();
    let mut offences = Vec::new();
    for source in Source::all().iter().filter(|source| source.path.starts_with("src/")) {
        for (number, line) in literals(source).lines().enumerate() {
            for (phrase, word) in retired.iter().filter(|(phrase, _)| contains(line, phrase)) {
                offences.push(format!("{}:{}: “{phrase}”: the word is “{}”", source.path, number + 1, word.name));
            }
        }
    }
    assert!(offences.is_empty(), "\n{}\n", offences.join("\n"));
}

#[test]
fn no_type_and_no_module_is_named_by_a_participle() {
    let mut offences = Vec::new();
    for source in Source::all().iter().filter(|source| source.path.starts_with("src/")) {
        for (number, line) in source.shipped().lines().enumerate() {
            let mut tokens = line.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|word| !word.is_empty());
            while let Some(word) = tokens.next() {
                let type_name =
                    matches!(word, "struct" | "enum" | "trait" | "type" | "mod").then(|| tokens.next()).flatten();
                if let Some(name) = type_name.filter(|name| NO_NAMES.contains(&name.to_lowercase().as_str())) {
                    offences.push(format!("{}:{}: {word} {name}", source.path, number + 1));
                }
            }
        }
    }
    assert!(offences.is_empty(), "\n{}\n", offences.join("\n"));
}

#[test]
fn no_value_is_named_by_how_it_came() {
    let mut offences = Vec::new();
    for source in Source::all().iter().filter(|source| source.path.starts_with("src/")) {
        for (number, line) in source.shipped().lines().enumerate() {
            let mut names = line.split(|c: char| !(c.is_alphanumeric() || c == '_'));
            if let Some(name) = names.find(|name| NO_NAMES_OF_VALUES.contains(name)) {
                offences.push(format!("{}:{}: {name}", source.path, number + 1));
            }
        }
    }
    assert!(offences.is_empty(), "\n{}\n", offences.join("\n"));
}

#[test]
fn the_glossary_has_each_word_once_in_order_and_sees_its_phrases() {
    let glossary = glossary();
    assert!(glossary.word.is_sorted_by(|one, other| one.name < other.name), "words stand in alphabetical order");
    assert!(glossary.word.iter().all(|word| !word.meaning.is_empty() && !word.meaning.ends_with('.')));
    let source = Source::new("src/app.rs", "fn anew() { say(\"Start anew\") } // anew\nmod tests {}");
    assert_eq!(literals(&source).lines().next().map(str::trim), Some("\"Start anew\""));
    assert!(
        contains("“Start Anew” empties", "start anew") && !contains("renewal", "anew") && !contains("amend", "mend")
    );
}

fn glossary() -> Glossary {
    toml::from_str(include_str!("../../../assets/glossary.toml")).unwrap()
}

/// The literals of a file's shipped code, each on its line.
fn literals(source: &Source) -> String {
    let shipped = source.shipped().chars().count();
    let of_literal = |(code, spoken): (char, char)| if code == ' ' || code == '\n' { spoken } else { ' ' };
    source.code.chars().zip(source.spoken.chars()).take(shipped).map(of_literal).collect()
}

/// Whether a text has a phrase, not as a part of longer words.
fn contains(text: &str, phrase: &str) -> bool {
    let text = text.to_lowercase();
    text.match_indices(phrase).any(|(at, _)| {
        !text[..at].ends_with(char::is_alphanumeric) && !text[at + phrase.len()..].starts_with(char::is_alphanumeric)
    })
}
