//! Approvals and OpenSSH: what either signs, the other verifies.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use sha2::{Digest, Sha256};
use ssh_key::private::Ed25519Keypair;
use ssh_key::public::{EcdsaPublicKey, KeyData, SkEcdsaSha2NistP256, SkEd25519};
use ssh_key::{Signature, SigningKey};
use tempfile::TempDir;

use bursar::domain::Timestamp;
use bursar::domain::approval::{PrivateKey, PublicKey, Signers, Touch, armour_agent_signature, signed_data, verify};
use bursar::secrets::ssh_agent::{Agent, AgentFault};
use bursar::secrets::ssh_key_file::{self, KeyFile};

const NAMESPACE: &str = "approve@bursar";
const FILE: &str = "bursar-proposal 1\nmaker: anna\n\n{\"amount\":\"25000\"}";
/// Type and bits.
const KINDS: [(&str, &str); 4] = [("ed25519", "256"), ("ecdsa", "256"), ("ecdsa", "384"), ("ecdsa", "521")];
/// 2026-11-23T10:00:00Z.
const NOW: Timestamp = Timestamp::from_millis(1_795_428_000_000);

/// A folder with a key of anna's and a file to sign.
struct Desk {
    folder: TempDir,
    key: PathBuf,
}

impl Desk {
    fn new(kind: &str, bits: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let key = folder.path().join("id");
        run(Command::new("ssh-keygen").args(["-q", "-N", "", "-C", "anna", "-t", kind, "-b", bits, "-f"]).arg(&key));
        fs::write(folder.path().join("proposal"), FILE).unwrap();
        Self { folder, key }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn public_text(&self) -> String {
        fs::read_to_string(self.key.with_extension("pub")).unwrap()
    }

    fn public_key(&self) -> PublicKey {
        PublicKey::parse_openssh(&self.public_text()).unwrap()
    }

    /// As `ssh-keygen -Y sign` writes it.
    fn openssh_signature(&self) -> String {
        let signature = self.path("proposal.sig");
        let _absent_at_first = fs::remove_file(&signature);
        let mut keygen = Command::new("ssh-keygen");
        run(keygen.args(["-q", "-Y", "sign", "-n", NAMESPACE, "-f"]).arg(&self.key).arg(self.path("proposal")));
        fs::read_to_string(signature).unwrap()
    }

    /// Whether `ssh-keygen -Y verify` accepts a signature of anna's over a file.
    fn openssh_accepts(&self, options: &str, signature: &str, file: &str, revoked: Option<&str>) -> bool {
        fs::write(self.path("allowed"), format!("anna {options}{}", self.public_text())).unwrap();
        fs::write(self.path("signature"), signature).unwrap();
        let mut keygen = Command::new("ssh-keygen");
        keygen.args(["-Y", "verify", "-I", "anna", "-n", NAMESPACE, "-O", "verify-time=20261123100000Z", "-f"]);
        keygen.arg(self.path("allowed")).arg("-s").arg(self.path("signature"));
        if let Some(revoked) = revoked {
            fs::write(self.path("revoked"), revoked).unwrap();
            keygen.arg("-r").arg(self.path("revoked"));
        }
        let mut child =
            keygen.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("ssh-keygen");
        let _a_refusal_may_come_first = child.stdin.take().unwrap().write_all(file.as_bytes());
        child.wait().unwrap().success()
    }

    fn we_accept(&self, options: &str, signature: &str, file: &str, revoked: Option<&str>) -> bool {
        let Ok(signature_key) = verify(file.as_bytes(), NAMESPACE, signature) else { return false };
        let allowed = format!("anna {options}{}", self.public_text());
        let Ok(signers) = Signers::parse(&allowed, revoked.unwrap_or_default()) else { return false };
        signers.principal(&signature_key.key, NAMESPACE, NOW).is_ok_and(|person| *person == *"anna")
    }
}

fn run(command: &mut Command) {
    let output = command.output().expect("the Debian package openssh-client");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
#[ignore = "needs ssh-keygen"]
fn what_either_signs_both_accept_for_the_same_file_people_and_time() {
    for (kind, bits) in KINDS {
        let desk = Desk::new(kind, bits);
        let KeyFile::Private(key) = ssh_key_file::read_key_file(&desk.key).unwrap() else {
            panic!("it is not encrypted")
        };
        let signature_of_ours = ssh_key_file::sign(&key, NAMESPACE, FILE.as_bytes()).unwrap();
        let other = FILE.replace("25000", "25001");
        let revoked = desk.public_text();
        let stranger = Desk::new(kind, bits).public_text();
        for signature in [signature_of_ours, desk.openssh_signature()] {
            let cases = [
                ("", FILE, None, true),
                ("", &*other, None, false),
                ("", FILE, Some(&*revoked), false),
                ("", FILE, Some(&*stranger), true),
                ("namespaces=\"git,approve@bursar\" ", FILE, None, true),
                ("namespaces=\"git\" ", FILE, None, false),
                ("valid-after=\"20261123Z\",valid-before=\"202611231001Z\" ", FILE, None, true),
                ("valid-after=\"20261123100001Z\" ", FILE, None, false),
                ("valid-before=\"20261123095959Z\" ", FILE, None, false),
                ("valid-before=20271123 ", FILE, None, false),
                ("cert-authority ", FILE, None, false),
            ];
            for (options, file, revoked, expected) in cases {
                let verdicts = (
                    desk.openssh_accepts(options, &signature, file, revoked),
                    desk.we_accept(options, &signature, file, revoked),
                );
                assert_eq!(verdicts, (expected, expected), "{kind} {bits}: {options}{file} {revoked:?}\n{signature}");
            }
        }
    }
}

#[test]
#[ignore = "needs ssh-keygen"]
fn a_fingerprint_reads_as_ssh_keygen_prints_it_and_an_rsa_key_is_refused() {
    for (kind, bits) in KINDS {
        let desk = Desk::new(kind, bits);
        let output = Command::new("ssh-keygen").arg("-lf").arg(desk.key.with_extension("pub")).output().unwrap();
        let output = String::from_utf8(output.stdout).unwrap();
        assert_eq!(output.split(' ').nth(1), Some(&*desk.public_key().fingerprint()), "{output}");
    }
    let desk = Desk::new("rsa", "3072");
    let fault = verify(FILE.as_bytes(), NAMESPACE, &desk.openssh_signature()).unwrap_err();
    assert!(fault.to_string().starts_with("RSA keys are not accepted"), "{fault}");
    let fault = ssh_key_file::read_key_file(&desk.key).unwrap_err();
    assert!(fault.to_string().starts_with("RSA keys are not accepted"), "{fault}");
}

fn raw_signature<K: SigningKey>(key: &K, data: &[u8]) -> Signature {
    key.try_sign(data).unwrap()
}

/// What a security key has of each kind, and the public key that it shows.
fn security_keys() -> [(PrivateKey, KeyData); 2] {
    let inner = PrivateKey::from(Ed25519Keypair::from_seed(&[1; 32]));
    let public = SkEd25519::new(*inner.public_key().key_data().ed25519().unwrap(), "ssh:").into();
    let desk = Desk::new("ecdsa", "256");
    let KeyFile::Private(ecdsa) = ssh_key_file::read_key_file(&desk.key).unwrap() else {
        panic!("it is not encrypted")
    };
    let Some(EcdsaPublicKey::NistP256(point)) = ecdsa.public_key().key_data().ecdsa().copied() else { unreachable!() };
    [(inner, public), (*ecdsa, SkEcdsaSha2NistP256::new(point, "ssh:").into())]
}

/// Signed as OpenSSH's PROTOCOL.u2f says, by a stand-in for a security key.
#[test]
#[ignore = "needs ssh-keygen"]
fn the_signature_of_a_security_key_is_accepted_by_both() {
    for (inner, public) in security_keys() {
        let key = PublicKey::from_ssh(&public.into()).unwrap();
        let desk = Desk::new("ed25519", "256");
        fs::write(desk.key.with_extension("pub"), key.to_string()).unwrap();
        let verdicts = |blob: &[u8]| {
            let armoured = armour_agent_signature(&key, NAMESPACE, blob).unwrap();
            (desk.openssh_accepts("", &armoured, FILE, None), desk.we_accept("", &armoured, FILE, None))
        };
        for flags in 0..=u8::MAX {
            let trailer = [flags, 0, 0, 0, 7];
            let hash = Sha256::digest(signed_data(NAMESPACE, FILE.as_bytes()));
            let data = [&Sha256::digest("ssh:")[..], &trailer, &hash].concat();
            let mut blob = Vec::new();
            for part in [key.algorithm_name().as_bytes(), raw_signature(&inner, &data).as_bytes()] {
                blob.extend(u32::try_from(part.len()).unwrap().to_be_bytes());
                blob.extend(part);
            }
            blob.extend(trailer);
            assert_eq!(verdicts(&blob), (true, true), "{} {flags}", key.algorithm_name());
            let touch = match flags & 5 {
                5 => Touch::Verified,
                1 => Touch::Present,
                _ => Touch::None,
            };
            assert_eq!(
                verify(FILE.as_bytes(), NAMESPACE, &armour_agent_signature(&key, NAMESPACE, &blob).unwrap())
                    .unwrap()
                    .touch,
                touch
            );
            // Neither accepts flags that were not signed.
            let at = blob.len() - trailer.len();
            blob[at] ^= 1;
            assert_eq!(verdicts(&blob), (false, false), "{} {flags}", key.algorithm_name());
        }
    }
}

/// A process that is ended with the test.
struct AgentProcess(Child);

impl AgentProcess {
    /// An agent at this socket, in the foreground.
    fn start(socket: &Path) -> Self {
        let mut agent = Command::new("ssh-agent");
        let mut child = agent.arg("-D").arg("-a").arg(socket).stdout(Stdio::piped()).spawn().expect("ssh-agent");
        // It prints the name of its socket once it listens.
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        assert!(line.contains("SSH_AUTH_SOCK"), "{line}");
        Self(child)
    }
}

impl Drop for AgentProcess {
    fn drop(&mut self) {
        let _ended_already = self.0.kill();
        let _ended_already = self.0.wait();
    }
}

async fn sign_at(socket: &Path, key: &PublicKey) -> Result<String, AgentFault> {
    Agent::connect_at(socket).await?.sign(key, NAMESPACE, FILE.as_bytes()).await
}

async fn keys_at(socket: &Path) -> Result<Vec<(PublicKey, String)>, AgentFault> {
    Agent::connect_at(socket).await?.keys().await
}

#[test]
#[ignore = "needs ssh-keygen"]
fn what_an_ssh_agent_signs_for_us_ssh_keygen_accepts() {
    let folder = tempfile::tempdir().unwrap();
    let socket = folder.path().join("agent");
    let _agent = AgentProcess::start(&socket);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let mut keys = Vec::new();
    for (kind, bits) in KINDS {
        let desk = Desk::new(kind, bits);
        let sign = || runtime.block_on(sign_at(&socket, &desk.public_key()));
        let fault = sign().unwrap_err();
        assert!(matches!(fault, AgentFault::NoKey { .. }), "{fault}");
        run(Command::new("ssh-add").arg("-q").arg(&desk.key).env("SSH_AUTH_SOCK", &socket));
        let signature = sign().unwrap();
        assert!(desk.openssh_accepts("", &signature, FILE, None) && desk.we_accept("", &signature, FILE, None));
        assert!(!desk.openssh_accepts("", &signature, "another file", None));
        keys.push((desk.public_key(), "anna".to_owned()));
    }
    assert_eq!(runtime.block_on(keys_at(&socket)).unwrap(), keys);
}
