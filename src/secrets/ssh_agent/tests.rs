use ssh_key::private::Ed25519Keypair;
use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream, duplex};

use super::*;
use crate::domain::approval::{PrivateKey, Touch};

const NAMESPACE: &str = "approve@bursar";
const FAILURE: u8 = 5;
const REQUEST_IDENTITIES: u8 = 11;
const IDENTITIES_ANSWER: u8 = 12;
const SIGN_RESPONSE: u8 = 14;

fn framed(part: &[u8]) -> Vec<u8> {
    [&u32::try_from(part.len()).unwrap().to_be_bytes(), part].concat()
}

/// An agent with one key, which answers a request to sign with this message.
async fn run_agent(mut stream: DuplexStream, key: Vec<u8>, answer: Vec<u8>) {
    while let Ok(length) = stream.read_u32().await {
        let mut request = vec![0; usize::try_from(length).unwrap()];
        stream.read_exact(&mut request).await.unwrap();
        let response = if request[0] == REQUEST_IDENTITIES {
            [&[IDENTITIES_ANSWER, 0, 0, 0, 1][..], &framed(&key), &framed(b"a comment")].concat()
        } else {
            answer.clone()
        };
        stream.write_all(&framed(&response)).await.unwrap();
    }
}

/// The connection to an agent with this key, which answers a request to sign with this message.
fn agent_of(key: &PublicKey, answer: Vec<u8>) -> Agent {
    let (client_end, agent_end) = duplex(65_536);
    tokio::spawn(run_agent(agent_end, key.to_ssh().to_bytes().unwrap(), answer));
    Agent(AgentClient::connect(client_end).dynamic())
}

fn private_key(seed: u8) -> PrivateKey {
    Ed25519Keypair::from_seed(&[seed; 32]).into()
}

fn public_key(seed: u8) -> PublicKey {
    PublicKey::from_ssh(private_key(seed).public_key()).unwrap()
}

fn sign_response(name: &str, signature: &[u8], trailer: &[u8]) -> Vec<u8> {
    let blob = [&framed(name.as_bytes())[..], &framed(signature), trailer].concat();
    [&[SIGN_RESPONSE][..], &framed(&blob)].concat()
}

fn raw_signature<K: ssh_key::SigningKey>(key: &K, data: &[u8]) -> ssh_key::Signature {
    key.try_sign(data).unwrap()
}

#[tokio::test]
async fn an_agent_lists_its_keys_and_signs() {
    let data = signed_data(NAMESPACE, b"file");
    let signature = raw_signature(&private_key(1), &data);
    let mut agent = agent_of(&public_key(1), sign_response("ssh-ed25519", signature.as_bytes(), b""));
    assert_eq!(agent.keys().await.unwrap(), [(public_key(1), "a comment".to_owned())]);
    let armoured = agent.sign(&public_key(1), NAMESPACE, b"file").await.unwrap();
    assert_eq!(verify(b"file", NAMESPACE, &armoured).unwrap().key, public_key(1));
    // For another file, the same answer is no signature.
    let fault = agent.sign(&public_key(1), NAMESPACE, b"another").await.unwrap_err();
    assert!(matches!(fault, AgentFault::Signature(SignatureFault::Mismatch)), "{fault}");
}

/// As OpenSSH's PROTOCOL.u2f says.
#[tokio::test]
async fn flags_and_counter_of_a_security_key_come_through_the_agent() {
    use sha2::{Digest, Sha256};
    let inner = *private_key(2).public_key().key_data().ed25519().unwrap();
    let key = ssh_key::public::KeyData::SkEd25519(ssh_key::public::SkEd25519::new(inner, "ssh:"));
    let key = PublicKey::from_ssh(&key.into()).unwrap();
    let trailer = [5, 0, 0, 0, 9];
    let data = signed_data(NAMESPACE, b"file");
    let data = [&Sha256::digest("ssh:")[..], &trailer, &Sha256::digest(&data)].concat();
    let signature = raw_signature(&private_key(2), &data);
    let answer = sign_response("sk-ssh-ed25519@openssh.com", signature.as_bytes(), &trailer);
    let armoured = agent_of(&key, answer).sign(&key, NAMESPACE, b"file").await.unwrap();
    assert_eq!(verify(b"file", NAMESPACE, &armoured).unwrap().touch, Touch::Verified);
}

#[tokio::test]
async fn a_refusal_and_a_key_that_is_not_there_are_said_in_words() {
    let mut agent = agent_of(&public_key(1), vec![FAILURE]);
    let fault = agent.sign(&public_key(1), NAMESPACE, b"file").await.unwrap_err();
    assert!(fault.to_string().contains("added for certain hosts only"), "{fault}");
    let fault = agent.sign(&public_key(3), NAMESPACE, b"file").await.unwrap_err();
    let expected =
        format!("the SSH agent does not have the key {}; add it with “ssh-add”", public_key(3).fingerprint());
    assert_eq!(fault.to_string(), expected);
}

#[tokio::test]
async fn an_agent_that_ends_or_talks_nonsense_is_an_error() {
    for answer in [vec![], vec![SIGN_RESPONSE], vec![99, 1, 2]] {
        let mut agent = agent_of(&public_key(1), answer.clone());
        let fault = agent.sign(&public_key(1), NAMESPACE, b"file").await.unwrap_err();
        assert!(matches!(fault, AgentFault::Unreachable(_)), "{answer:?}: {fault}");
    }
}

#[test]
fn a_socket_of_a_forwarded_agent_is_recognised_by_its_name() {
    for (socket, is_forwarded) in [
        ("/tmp/ssh-Zt0WvJkq3a/agent.41", true),
        ("/home/anna/.ssh/agent/s.kJ3Qz.sshd.bM9x", true),
        ("/home/anna/.ssh/agent/s.kJ3Qz.agent.bM9x", false),
        ("/run/user/1000/keyring/ssh", false),
        ("/run/user/1000/openssh_agent", false),
        ("agent.41", false),
    ] {
        assert_eq!(is_socket_of_sshd(Path::new(socket)), is_forwarded, "{socket}");
    }
}

#[tokio::test(start_paused = true)]
async fn an_agent_that_hangs_is_given_up() {
    let (client_end, _agent_end) = duplex(65_536);
    let mut agent = Agent(AgentClient::connect(client_end).dynamic());
    let fault = agent.keys().await.unwrap_err();
    assert!(fault.to_string().starts_with("the SSH agent did not answer within 10 seconds"), "{fault}");
    let fault = agent.sign(&public_key(1), NAMESPACE, b"file").await.unwrap_err();
    assert!(matches!(fault, AgentFault::Silent(_)), "{fault}");
}
