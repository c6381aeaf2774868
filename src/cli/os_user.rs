//! The user and machine of this console, as the journal records them with every record.

use uuid::Uuid;

use crate::config::Environment;
use crate::domain::Text;
use crate::domain::order::ConsoleIdentity;

/// This run of the program: user, machine, and a random identifier.
pub(super) fn console_identity(environment: &Environment) -> ConsoleIdentity {
    let host = rustix::system::uname().nodename().to_string_lossy().into_owned();
    ConsoleIdentity { user: Text::clean(&user_name(environment)), host: Text::clean(&host), run: Uuid::new_v4() }
}

/// The user's name. The environment comes last, since anybody can set its variables.
fn user_name(environment: &Environment) -> String {
    let id = rustix::process::getuid().as_raw();
    let passwd_name = std::fs::read_to_string("/etc/passwd").ok().and_then(|users| name_in_passwd(id, &users));
    let environment_name = || ["LOGNAME", "USER"].iter().find_map(|variable| environment.text(variable).ok().flatten());
    passwd_name.or_else(environment_name).unwrap_or_else(|| format!("uid {id}"))
}

/// The name of a user in a file like `/etc/passwd`.
fn name_in_passwd(id: u32, users: &str) -> Option<String> {
    users.lines().find_map(|line| {
        let mut fields = line.split(':');
        let name = fields.next()?;
        (fields.nth(1)?.parse() == Ok(id)).then(|| name.to_owned())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_user_is_named_by_the_system_and_else_by_the_environment_or_number() {
        let users = "root:x:0:0:root:/root:/bin/sh\nbroken\nada:x:1000:100:Ada:/home/ada:/bin/sh\n";
        assert_eq!(name_in_passwd(1000, users).as_deref(), Some("ada"));
        assert_eq!(name_in_passwd(0, users).as_deref(), Some("root"));
        assert_eq!(name_in_passwd(100, users), None);
        let console = console_identity(&Environment::default());
        assert!(!console.user.is_empty() && !console.host.is_empty());
    }
}
