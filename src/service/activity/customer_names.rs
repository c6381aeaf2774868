use super::sample_names::SAMPLE_NAMES;
use crate::service::rng::Rng;

/// A customer's display name, and a mail address.
#[derive(Debug, Clone)]
pub(super) struct CustomerName {
    pub(super) display_name: String,
    pub(super) mail: String,
}

/// The `n`-th customer; about every fourth is a company. Display names may repeat; mail addresses contain `n`.
pub(super) fn sample_customer_name(rng: &mut Rng, n: u64) -> CustomerName {
    fn pick_by_index(from: &'static [String], index: u64) -> &'static str {
        from.get(usize::try_from(index % from.len() as u64).unwrap_or(0)).map_or("", String::as_str)
    }
    let names = &*SAMPLE_NAMES;
    let (display_name, local) = if rng.one_in(4) {
        let (name, kind) =
            (pick_by_index(&names.company_names, rng.draw()), pick_by_index(&names.company_kinds, rng.draw()));
        (format!("{name} {kind}"), format!("accounts.{name}.{kind}"))
    } else {
        let (first, last) = (
            pick_by_index(&names.first_names, n.wrapping_mul(7) + rng.below(3)),
            pick_by_index(&names.last_names, rng.draw()),
        );
        (format!("{first} {last}"), format!("{first}.{last}"))
    };
    let plain = |c: char| if c.is_ascii_alphanumeric() || c == '.' { c.to_ascii_lowercase() } else { 'c' };
    let local: String = local.chars().filter(|c| *c != ' ').map(plain).collect();
    CustomerName { display_name, mail: format!("{local}.{n}@customers.example") }
}
