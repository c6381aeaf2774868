//! The memos and tags that a chain accepts with a payment.

use super::Family;

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum MemoError {
    #[error("a destination tag is a whole number from 0 to 4294967295, digits only")]
    Tag,
    #[error("a memo on {chain} has {longest} bytes at most; this has {length}")]
    Long { chain: &'static str, longest: usize, length: usize },
}

/// The most bytes of a text memo on Stellar (`MEMO_TEXT` of its protocol).
const STELLAR_MAX_BYTES: usize = 28;
/// The most bytes of a memo on Cosmos SDK chains, unless a chain sets another maximum (`MaxMemoCharacters`).
const COSMOS_MAX_BYTES: usize = 256;
/// The most bytes of a TON comment that fit into one cell: 127, of which four mark it as a comment.
const TON_MAX_BYTES: usize = 123;

/// Checks a memo for a family of chains. Where the family is unknown, or its chains have no memos, any memo passes
/// here, and the guard decides.
pub fn check_memo(family: Option<Family>, memo: &str) -> Result<(), MemoError> {
    let up_to = |chain, longest| {
        if memo.len() > longest { Err(MemoError::Long { chain, longest, length: memo.len() }) } else { Ok(()) }
    };
    match family {
        Some(Family::Xrp) => {
            // As the ledger counts: no sign, no blank, and only one spelling of each tag.
            let plain = memo.bytes().all(|byte| byte.is_ascii_digit()) && (memo == "0" || !memo.starts_with('0'));
            if plain && memo.parse::<u32>().is_ok() { Ok(()) } else { Err(MemoError::Tag) }
        }
        Some(Family::Stellar) => up_to("Stellar", STELLAR_MAX_BYTES),
        Some(Family::Ton) => up_to("TON", TON_MAX_BYTES),
        Some(Family::Cosmos(_)) => up_to("this chain", COSMOS_MAX_BYTES),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case(Family::Xrp, "0", true)]
    #[case(Family::Xrp, "4294967295", true)]
    #[case(Family::Xrp, "4294967296", false)]
    #[case(Family::Xrp, "-1", false)]
    #[case(Family::Xrp, "+1", false)]
    #[case(Family::Xrp, "007", false)]
    #[case(Family::Xrp, "12a", false)]
    #[case(Family::Stellar, "invoice 2041", true)]
    #[case(Family::Stellar, "ääääääääääääää", true)]
    #[case(Family::Stellar, "äääääääääääääää", false)]
    #[case(Family::Evm, "anything", true)]
    fn a_memo_fits_its_chain(#[case] family: Family, #[case] memo: &str, #[case] fits: bool) {
        assert_eq!(check_memo(Some(family), memo).is_ok(), fits);
    }

    #[test]
    fn what_is_too_long_says_how_long_it_may_be() {
        let long = "x".repeat(257);
        let fault = check_memo(Some(Family::Cosmos("cosmos")), &long).unwrap_err();
        assert_eq!(fault.to_string(), "a memo on this chain has 256 bytes at most; this has 257");
        assert!(
            check_memo(Some(Family::Ton), &long[..123]).is_ok() && check_memo(Some(Family::Ton), &long[..124]).is_err()
        );
        assert!(check_memo(None, &long).is_ok());
    }
}
