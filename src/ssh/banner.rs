//! The banner shown before authentication.

use super::{Access, Role, ServedRoles};
use crate::domain::Text;

/// Most lines of a banner.
const LONGEST: usize = 20;

/// Most characters of a line.
const WIDEST: usize = 200;

/// Who is who under the names of desks.
const DESKS: &str = "Two people who both log in as desk, or both as desk2 or the like, share the data of that desk:\r\n\
                     the first is the maker of payments, the second the checker. As demo you have both keys.\r\n";

/// Why a text cannot be a banner: it would not be shown in full.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BannerFault {
    /// The number of lines.
    #[error("the banner has {0} lines; at most {LONGEST} are allowed")]
    Long(usize),
    /// The number of the line, from 1.
    #[error("line {0} of the banner is longer than {WIDEST} characters; break it into several")]
    Wide(usize),
}

/// The banner of a host without one of its own.
///
/// It states who is admitted: clients show no reason when they are refused.
pub(super) fn default_banner(access: &Access, roles: ServedRoles) -> String {
    let login_request =
        access.requirement_text().map_or(String::new(), |requirement| format!("This host admits {requirement}.\r\n"));
    let desks = if roles.desk { DESKS } else { "" };
    format!(
        "bursar: a treasury console to try out, on sample data that is yours alone and gone when you leave.\r\n\
         Log in as {}.\r\n{desks}{login_request}",
        Role::names(roles)
    )
}

/// A banner that is safe to send to any terminal.
pub(super) fn sanitise_banner(text: &str) -> Result<String, BannerFault> {
    let lines: Vec<_> = text.trim_end().lines().map(str::trim_end).collect();
    if lines.len() > LONGEST {
        return Err(BannerFault::Long(lines.len()));
    }
    if let Some(wide) = lines.iter().position(|line| line.chars().count() > WIDEST) {
        return Err(BannerFault::Wide(wide + 1));
    }
    Ok(lines.iter().flat_map(|line| [Text::clean(line).as_str().to_owned(), "\r\n".to_owned()]).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_banner_moves_no_cursor() {
        assert_eq!(sanitise_banner("one\n\x1b[2Jtwo  \n\n").unwrap(), "one\r\n\u{fffd}[2Jtwo\r\n");
        let usual = |presenter, desk| default_banner(&Access::everybody(), ServedRoles { presenter, desk });
        assert!(usual(false, false).contains("demo") && !usual(false, false).contains("watch"));
        assert!(usual(true, false).contains("watch") && !usual(true, false).contains("admits"));
        assert!(usual(false, true).contains("demo or desk") && !usual(true, false).contains("desk"));
        assert!(usual(false, true).lines().all(|line| line.chars().count() <= 100));
    }

    #[test]
    fn a_banner_says_who_is_let_in_where_not_everybody_is() {
        let access = Access::with_keys_or_passphrase(None, Some(&"correct horse".into())).unwrap();
        assert!(
            default_banner(&access, ServedRoles::default()).ends_with("admits those who know the pass-phrase.\r\n"),
            "{}",
            default_banner(&access, ServedRoles::default())
        );
    }

    #[test]
    fn a_banner_of_which_not_all_would_be_shown_is_refused() {
        assert_eq!(sanitise_banner(&"line\n".repeat(20)).unwrap().lines().count(), 20);
        let fault = |text: &str| sanitise_banner(text).unwrap_err().to_string();
        assert_eq!(fault(&"line\n".repeat(21)), "the banner has 21 lines; at most 20 are allowed");
        assert!(sanitise_banner(&"é".repeat(200)).is_ok());
        let wide = format!("one\n{}", "é".repeat(201));
        assert_eq!(fault(&wide), "line 2 of the banner is longer than 200 characters; break it into several");
    }
}
