//! The service alone, as `bursar serve` runs it: says where it is and how to call it, and serves until the end.

use std::fs::{self, OpenOptions};
use std::future::Future;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use secrecy::ExposeSecret;
use uuid::Uuid;

use super::{Credentials, NewKey, Options, Running, ServiceError, start};

/// What a service that stands alone is told.
#[derive(Debug, Clone)]
pub struct ServeOptions {
    /// How it is started.
    pub service: Options,
    /// Where to write address, key and secret for another program, once the service answers.
    pub ready_file: Option<PathBuf>,
}

/// Serves until `end`, and then ends what is under way.
pub async fn serve(
    options: ServeOptions,
    mut out: impl Write,
    end: impl Future<Output = ()>,
) -> Result<(), ServiceError> {
    if let Some(path) = &options.ready_file {
        check_ready_file(path)?;
    }
    let running = start(options.service.clone()).await?;
    if let Some(path) = &options.ready_file {
        // A file of an earlier run would tell whoever waits for it that this one is ready.
        let _none_before = fs::remove_file(path);
    }
    let served = async {
        announce(&running, &options, &mut out).await?;
        std::future::pending().await
    };
    let ended = tokio::select! {
        ended = served => ended,
        () = end => Ok(()),
    };
    let stopped = running.stop().await;
    ended.and(stopped)
}

/// Ends when the system asks this process to end: TERM or INT.
pub async fn asked_to_end() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let (Ok(mut term), Ok(mut interrupt)) = (signal(SignalKind::terminate()), signal(SignalKind::interrupt())) {
            tokio::select! {
                _ = term.recv() => {}
                _ = interrupt.recv() => {}
            }
            return;
        }
    }
    if tokio::signal::ctrl_c().await.is_err() {
        // Signals cannot be heard here; the process ends by being killed, which the ledger survives.
        std::future::pending::<()>().await;
    }
}

/// Says where the service is and how to call it. Keys are shown here and never again.
async fn announce(running: &Running, options: &ServeOptions, out: &mut impl Write) -> Result<(), ServiceError> {
    let show = |out: &mut dyn Write, text: &str| {
        out.write_all(text.as_bytes()).and_then(|()| out.flush()).map_err(ServiceError::Show)
    };
    show(out, &format!("listening on {}\n", running.base_url()))?;
    let mut credentials = running.credentials().cloned();
    match &credentials {
        Some(credentials) => show(out, &shown(credentials, "shown this once, kept as hashes"))?,
        None if options.ready_file.is_none() => {
            show(
                out,
                "the keys of this folder were shown when it was made and cannot be shown again; \
                 with a ready file a further one is made\n",
            )?;
        }
        None => {}
    }
    if let Some(secret) = running.signing_secret() {
        show(out, &format!("webhook secret {}\n               events are signed with it\n", secret.expose_secret()))?;
    }
    running.ready().await?;
    if let Some(path) = &options.ready_file {
        if credentials.is_none() {
            let further = running.further_key(NewKey::owner()).await?;
            show(out, &shown(&further, "a further key, since earlier ones cannot be shown again; those stay valid"))?;
            credentials = Some(further);
        }
        if let Some(credentials) = &credentials {
            write_ready_file(path, &credentials.ready_file(running.base_url(), running.signing_secret()))?;
        }
    }
    show(out, "ready\n")
}

fn shown(credentials: &Credentials, remark: &str) -> String {
    format!(
        "API key        {}\nwallet secret  {}\n               {remark}\n",
        credentials.api_key.expose_secret(),
        credentials.wallet_secret.expose_secret(),
    )
}

/// Refuses what cannot become a ready file before anything is started.
fn check_ready_file(path: &Path) -> Result<(), ServiceError> {
    let refuse = |problem: &str| Err(ServiceError::ReadyFile { path: path.into(), problem: problem.into() });
    match fs::symlink_metadata(path) {
        Ok(found) if found.is_file() => Ok(()),
        Ok(_) => refuse("something stands there that is not a regular file; name a new file, or a regular one"),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            if folder_of(path).is_dir() && path.file_name().is_some() {
                Ok(())
            } else {
                refuse("its folder does not exist; make the folder first")
            }
        }
        Err(error) => refuse(&error.to_string()),
    }
}

/// Writes the file beside its place and moves it there, so that whoever waits for it never reads half of it, and
/// nobody else reads it at all.
fn write_ready_file(path: &Path, content: &str) -> Result<(), ServiceError> {
    check_ready_file(path)?;
    let draft = folder_of(path).join(format!(".bursar-ready-{}", Uuid::new_v4().simple()));
    let written = || -> io::Result<()> {
        let mut open = OpenOptions::new();
        open.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut open, 0o600);
        let mut file = open.open(&draft)?;
        file.write_all(content.as_bytes())?;
        file.write_all(b"\n")?;
        file.sync_all()?;
        fs::rename(&draft, path)
    };
    written().map_err(|error| {
        let _gone_already = fs::remove_file(&draft);
        ServiceError::ReadyFile { path: path.into(), problem: error.to_string() }
    })
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}
