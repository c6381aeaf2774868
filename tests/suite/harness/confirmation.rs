//! What is to be typed to confirm a review, read off the review as a person reads it.

/// The column at which the facts of a review stand, behind their labels.
const FACTS_AT: usize = 13;

/// How the prompts begin that name no group of an address.
const PROMPTS: [&str; 8] = [
    "the amount, in digits",
    "the amount sold, in digits",
    "the total, in digits",
    "the number of recipients",
    "the recipient",
    "the address of new ",
    "the memo or tag",
    "the words “",
];

const GROUP: &str = " group of four of ";

/// What each prompt of a review wants typed, the first one first. `review` is all that scrolling through it shows.
pub(super) fn expected_entries(review: &str) -> Vec<String> {
    let (facts, prompts) = split_prompts(review);
    prompts.iter().map(|prompt| expected_entry(&facts, prompt)).collect()
}

/// The lines of facts, and the prompts under the last rule. A review that cannot be sent has none.
fn split_prompts(review: &str) -> (Vec<&str>, Vec<&str>) {
    let lines: Vec<&str> = review.lines().collect();
    let rule = lines.iter().rposition(|line| line.starts_with('─')).unwrap_or(lines.len());
    let prompts = lines.iter().skip(rule + 1).map(|line| line.trim_start_matches(['▌', '>', ' ']).trim_end());
    let is_prompt = |line: &&str| PROMPTS.iter().any(|prompt| line.starts_with(prompt)) || line.contains(GROUP);
    (lines[..rule].to_vec(), prompts.filter(is_prompt).collect())
}

fn expected_entry(facts: &[&str], prompt: &str) -> String {
    if let Some((_, quoted)) = prompt.split_once("the words “") {
        return quoted.split('”').next().unwrap().to_owned();
    }
    let number = |label: &str| fact(facts, label).split(' ').next().unwrap().replace(',', "");
    match prompt {
        _ if prompt.starts_with("the amount, in digits") => number("Amount"),
        _ if prompt.starts_with("the amount sold, in digits") => number("Sell"),
        _ if prompt.starts_with("the total, in digits") => number("Total"),
        _ if prompt.starts_with("the number of recipients") => number("To"),
        _ if prompt.starts_with("the memo or tag") => fact(facts, "Memo"),
        _ => {
            let recipient = prompt.rsplit_once(" of ").map_or("the recipient", |(_, recipient)| recipient);
            let label = match recipient.strip_prefix("new ") {
                Some(nth) => format!("New {}", nth.split(' ').next().unwrap()),
                None => "To".into(),
            };
            let address = fact(facts, &label);
            let nth: Option<usize> = prompt.strip_prefix("the ").and_then(|rest| {
                let (ordinal, _) = rest.split_once(" group of four")?;
                ordinal.trim_end_matches(char::is_alphabetic).parse().ok()
            });
            let Some(nth) = nth else { return address };
            let mut groups = address.split_whitespace().filter(|group| *group != "0x");
            groups.nth(nth - 1).unwrap_or_else(|| panic!("no group {nth} in {address}")).to_owned()
        }
    }
}

/// A fact by its label, with the lines that go on with it.
fn fact(facts: &[&str], label: &str) -> String {
    let cut = |line: &str| -> (String, String) {
        (line.chars().take(FACTS_AT).collect::<String>(), line.chars().skip(FACTS_AT).collect::<String>())
    };
    let mut lines = facts
        .iter()
        .map(|line| cut(line))
        .skip_while(|(name, _)| name.trim().trim_end_matches('†').trim_end() != label);
    let (_, first) = lines.next().unwrap_or_else(|| panic!("no {label} in\n{}", facts.join("\n")));
    let rest = lines.take_while(|(name, _)| name.trim().is_empty()).map(|(_, more)| more);
    std::iter::once(first).chain(rest).collect::<Vec<_>>().join(" ").trim().to_owned()
}
