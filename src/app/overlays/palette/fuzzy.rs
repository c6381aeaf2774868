//! Fuzzy matching of actions: the typed letters in their order, others between them.

use std::borrow::Cow;

/// The score of an action, higher being better; `None` if a word of the query is in no text. A match in the name counts
/// more than one in the sentence, one at the start of a search word more, and the whole name most.
pub(super) fn score(query: &str, name: &str, search_words: &[Cow<'_, str>], sentence: &str) -> Option<u32> {
    let (name, sentence) = (name.to_lowercase(), sentence.to_lowercase());
    let search_words: Vec<String> = search_words.iter().map(|phrase| phrase.to_lowercase()).collect();
    let mut total = 0_u32;
    for word in query.to_lowercase().split_whitespace() {
        let name_weight = if word == name { 6 } else { 4 };
        let in_name = best_word_score(word, &name).map(|score| score.saturating_mul(name_weight));
        // In a sentence almost any few letters occur in some order, so there they must be adjacent.
        let in_sentence = if sentence.contains(word) { best_word_score(word, &sentence) } else { None };
        let in_words = search_words.iter().filter_map(|phrase| search_word_score(word, phrase)).max();
        total = total.saturating_add(in_name.max(in_sentence).max(in_words.map(|score| score.saturating_mul(5)))?);
    }
    Some(total)
}

/// The score of a word that begins a word of the text, plural or not; the very word counts more.
fn search_word_score(word: &str, phrase: &str) -> Option<u32> {
    let stem = word.strip_suffix('s').filter(|stem| stem.len() > 2).unwrap_or(word);
    let search_word =
        phrase.split(|letter: char| !letter.is_alphanumeric()).filter(|search_word| search_word.starts_with(stem));
    let score = |search_word: &str| {
        let letters: Vec<char> = stem.chars().chain(['…']).collect();
        Some(word_score_from(stem, &letters, 0)? + if search_word == word { 8 } else { 0 })
    };
    search_word.filter_map(score).max()
}

/// The best score of a word over all positions of its first letter.
fn best_word_score(word: &str, text: &str) -> Option<u32> {
    let letters: Vec<char> = text.chars().collect();
    let first = word.chars().next()?;
    let starts = letters.iter().enumerate().filter(|(_, letter)| **letter == first).map(|(index, _)| index);
    starts.filter_map(|start| word_score_from(word, &letters, start)).max()
}

/// The score of a word from the position `start`: adjacent letters and letters at the start of a word count more.
fn word_score_from(word: &str, letters: &[char], start: usize) -> Option<u32> {
    let mut at = start;
    let mut score = 0_u32;
    let mut before = None;
    for character in word.chars() {
        at += letters.get(at..)?.iter().position(|letter| *letter == character)?;
        let begins = at == 0 || letters.get(at - 1).is_some_and(|letter| !letter.is_alphanumeric());
        let follows = before.is_some_and(|before| before + 1 == at);
        score += 1 + if follows { 4 } else { 0 } + if begins { 3 } else { 0 };
        before = Some(at);
        at += 1;
    }
    // An exact match wins over a longer name.
    let whole = u32::from(word.chars().count() == letters.len());
    Some(score + 8 * whole)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::score as score_with_words;

    fn score(query: &str, name: &str, sentence: &str) -> Option<u32> {
        score_with_words(query, name, &[], sentence)
    }

    #[test]
    fn a_search_word_counts_as_the_name_does() {
        let fees = |query: &str| score_with_words(query, "view", &["Fees this month".into(), "cost".into()], "dir:out");
        assert!(fees("fee") > score("fee", "fee line", "x") && fees("fees") > fees("fee"));
        assert!(fees("costs this") > fees("cost") && fees("month fee").is_some());
        let withdrawals = score_with_words("withdraw", "view", &["Withdrawals since yesterday".into()], "dir:out");
        assert!(score("withdraw", "withdraw", "x") > withdrawals, "a command by its name");
        assert_eq!(fees("ost"), None, "a search word is known by its beginning");
    }

    #[test]
    fn names_count_more_than_sentences_and_whole_words_most() {
        assert!(
            score("users", "users", "Users") > score("users", "new", "make an account, a wallet or a user, of users")
        );
        assert!(score("order", "orders", "Orders") < score("order", "order", "newest first"));
        assert_eq!(score("xyz", "withdraw", "pay from a wallet"), None);
        assert_eq!(score("pya", "withdraw", "pay from a wallet"), None, "in a sentence letters stand together");
        assert!(score("", "withdraw", "pay").is_some(), "nothing typed matches everything");
        assert!(score("send again", "send again", "x").is_some());
        assert_eq!(score("send nowhere", "send again", "x"), None, "each word must match");
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn any_letters_of_a_name_in_their_order_find_it(name in "[a-z ]{1,20}", keep in prop::collection::vec(any::<bool>(), 20)) {
            let query: String = name.chars().zip(keep).filter(|(letter, keep)| *keep && *letter != ' ').map(|(letter, _)| letter).collect();
            prop_assert!(score(&query, &name, "").is_some());
        }
    }
}
