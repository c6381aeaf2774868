//! Secrets: where they are kept, and how they are read, written and let go.
//!
//! A profile has an API key and perhaps a wallet secret, perhaps a second key under which alone it pays, and its
//! listener may have a secret, too. A [`Vault`] is the place where those of one profile are kept:
//! the keyring of the operating system, a file under a passphrase, or the environment. Both come from the same place,
//! so that a key of one never travels with the wallet secret of another, and both belong to a profile *and* a base
//! address: whoever edits the address in the configuration has not thereby sent the key to another host.
//!
//! What holds of every secret here:
//!
//! - It is shown by nothing: not by `Debug`, not by an error that refuses it.
//! - It is wrapped at once and wiped when it is let go. Copies that libraries make on the way are theirs.
//! - What a service repeats of it is taken out of every answer. The vault's redaction knows each secret by a hash; so that it
//!   does, a vault reads all of them when it is first asked, and lets go at once of what is not wanted yet.
//! - It is never an argument, never in a plain file and never in a log. [`disable_core_dumps`] keeps it out of core dumps.
//! - The program starts no other program. Whoever makes it start one gives that one an environment of its own, without
//!   the variables that [`VARIABLES`] names.
//!
//! Asking a keyring blocks: for as long as a person takes to unlock it, within the patience that the vault has. Ask on
//! a thread that may wait.

mod fault;
mod key;
mod keyring;
mod lock;
mod owner;
pub mod private_file;
mod process;
mod sealed;
mod vault;

pub use fault::{FallbackVariables, Fault};
pub use key::{ApiKey, KeyFault, ListenerSecret, Passphrase, SecretFlaw, SecretKind, WalletSecret};
pub use keyring::Keyring;
pub use lock::LockHash;
pub use owner::Owner;
pub use process::{core_dumps_are_off, disable_core_dumps};
pub use sealed::{Cost, SealedFault, SealedFile};
pub use vault::{KeyStorage, KeyStoreContent, Keys, Vault};

/// The variables of the environment that hold secrets: API key, wallet secret, and the passphrase of the sealed file.
pub const VARIABLES: [&str; 4] =
    ["BURSAR_API_KEY", "BURSAR_PAYING_API_KEY", "BURSAR_WALLET_SECRET", "BURSAR_PASSPHRASE"];
