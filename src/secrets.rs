//! Secrets: where they are stored, and how they are read, written and wiped.
//!
//! A profile has an API key and perhaps a wallet secret, perhaps a separate key for paying; its listener may have a
//! secret, too. A [`Vault`] stores those of one profile: in the keyring of the operating system, in a file under a
//! passphrase, or in the environment. All come from the same storage, so that the key of one is never combined with the
//! wallet secret of another, and all belong to a profile *and* a base address: editing the address in the configuration
//! does not send the key to another host.
//!
//! Rules for every secret here:
//!
//! - Nothing displays it: not `Debug`, not an error that refuses it.
//! - It is wrapped at once and wiped when it is dropped. Libraries may make copies of their own.
//! - It is redacted from every answer of a service. The vault's redaction recognises each secret by a hash; for that, a
//!   vault reads all of them at its first use, and drops at once those not needed yet.
//! - It is never an argument, never in a plain file and never in a log. [`disable_core_dumps`] keeps it out of core
//!   dumps.
//! - The program starts no other program. Code that starts one must give it an environment without the variables in
//!   [`SECRET_VARIABLES`].
//!
//! Reading a keyring blocks for as long as a person takes to unlock it, up to the vault's time-out. Do it on a thread
//! that may block.

mod fault;
mod key;
mod keyring;
mod lock_hash;
mod owner;
pub mod private_file;
mod process;
mod sealed;
pub mod ssh_agent;
pub mod ssh_key_file;
mod vault;

pub use fault::{FallbackVariables, KeyStoreFault};
pub use key::{ApiKey, KeyFault, ListenerSecret, Passphrase, SecretFlaw, SecretKind, WalletSecret};
pub use keyring::Keyring;
pub use lock_hash::LockHash;
pub use owner::Owner;
pub use process::{core_dumps_are_off, disable_core_dumps};
pub use sealed::{PassphraseHashCost, SealedFault, SealedFile};
pub use vault::{KeyStorage, KeyStoreContent, Keys, Vault};

/// The environment variables with secrets: API keys, wallet secret, and the passphrase of the sealed file.
pub const SECRET_VARIABLES: [&str; 4] =
    ["BURSAR_API_KEY", "BURSAR_PAYING_API_KEY", "BURSAR_WALLET_SECRET", "BURSAR_PASSPHRASE"];
