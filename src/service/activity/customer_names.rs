//! Invented people and companies. Any likeness is chance.

use crate::service::rng::Rng;

const FIRST: [&str; 40] = [
    "Amara", "Anselm", "Beatrix", "Bodhi", "Calla", "Cosmo", "Dagny", "Davit", "Elowen", "Emeka", "Farah", "Florian",
    "Greta", "Hadi", "Ilse", "Ioan", "Jonna", "Kaito", "Keziah", "Lars", "Leila", "Maren", "Mateo", "Nadia", "Nils",
    "Odile", "Oskar", "Petra", "Quinn", "Rafael", "Rosalind", "Samir", "Sigrid", "Tadeo", "Tilda", "Ulla", "Viktor",
    "Wanda", "Yusuf", "Zora",
];

const LAST: [&str; 40] = [
    "Abara",
    "Albrecht",
    "Bexley",
    "Castellan",
    "Corvin",
    "Dalgaard",
    "Devereux",
    "Eklund",
    "Fairwater",
    "Ferro",
    "Galanis",
    "Grieve",
    "Hallow",
    "Hartono",
    "Ibarra",
    "Jansson",
    "Kestrel",
    "Kovač",
    "Lindqvist",
    "Loxley",
    "Marchetti",
    "Mbeki",
    "Nakata",
    "Norwood",
    "Okonjo",
    "Ostrander",
    "Pemberly",
    "Quiroga",
    "Ravn",
    "Rosenthal",
    "Sandoval",
    "Silvestri",
    "Tamura",
    "Thorne",
    "Ulveson",
    "Valcourt",
    "Whitlock",
    "Yamin",
    "Zabala",
    "Zeller",
];

const WHAT: [&str; 20] = [
    "Amberline",
    "Bluefin",
    "Cobalt Quay",
    "Driftwood",
    "Eastgate",
    "Fairlead",
    "Gannet",
    "Halyard",
    "Ironbark",
    "Juniper",
    "Kittiwake",
    "Lanternfish",
    "Mooring",
    "Northlight",
    "Oystercatcher",
    "Pinnace",
    "Quayside",
    "Redshank",
    "Saltmarsh",
    "Tidewater",
];

const KIND: [&str; 8] = ["Imports", "Provisions", "Outfitters", "Marine", "Studios", "Foods", "Logistics", "Crafts"];

/// A customer: the name that is shown, and one for an address of mail.
#[derive(Debug, Clone)]
pub(super) struct CustomerName {
    pub(super) display_name: String,
    pub(super) mail: String,
}

/// The `n`-th customer; every fourth or so is a company. From the four-thousandth on, names come back.
pub(super) fn customer(dice: &mut Rng, n: u64) -> CustomerName {
    fn one(from: &'static [&'static str], index: u64) -> &'static str {
        from.get(usize::try_from(index % from.len() as u64).unwrap_or(0)).copied().unwrap_or_default()
    }
    let (shown, local) = if dice.one_in(4) {
        let (what, kind) = (one(&WHAT, dice.draw()), one(&KIND, dice.draw()));
        (format!("{what} {kind}"), format!("accounts.{what}.{kind}"))
    } else {
        let (first, last) = (one(&FIRST, n.wrapping_mul(7) + dice.below(3)), one(&LAST, dice.draw()));
        (format!("{first} {last}"), format!("{first}.{last}"))
    };
    let plain = |c: char| if c.is_ascii_alphanumeric() || c == '.' { c.to_ascii_lowercase() } else { 'c' };
    let local: String = local.chars().filter(|c| *c != ' ').map(plain).collect();
    CustomerName { display_name: shown, mail: format!("{local}.{n}@customers.example") }
}
