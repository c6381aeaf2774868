//! Who acts: this run of the program and the person at it, as the journal names them.

use uuid::Uuid;

use crate::config::Environment;
use crate::domain::Text;
use crate::domain::intent::Console;

/// Who acts in this run.
pub(super) fn who(environment: &Environment) -> Console {
    let named = |name| environment.text(name).ok().flatten();
    // A service manager may start the program without either; the system's own number is then as good as a name.
    let user = named("USER").or_else(|| named("LOGNAME"));
    let user = user.unwrap_or_else(|| format!("user {}", rustix::process::getuid().as_raw()));
    let host = rustix::system::uname().nodename().to_string_lossy().into_owned();
    Console { user: Text::clean(&user), host: Text::clean(&host), run: Uuid::new_v4() }
}
