use std::convert::Infallible;
use std::time::Duration;

use sha2::{Digest, Sha256};
use ssh_key::private::{EcdsaKeypair, Ed25519Keypair};
use ssh_key::public::{EcdsaPublicKey, KeyData, SkEcdsaSha2NistP256, SkEd25519};
use ssh_key::rand_core::{TryCryptoRng, TryRng};
use ssh_key::{EcdsaCurve, Signature, SigningKey};
use uuid::Uuid;

use super::*;
use crate::domain::{Amount, Network, OrderId, Text, Timestamp};

mod fuzzed;
mod gate;
mod headers;
mod histories;
mod mutations;
mod proposals;
mod quorums;
mod rules;
mod signatures;
mod signers;

const HOUR: Duration = Duration::from_hours(1);
const DAY: Duration = Duration::from_hours(24);

/// 2026-11-23T10:00:00Z.
const NOW: Timestamp = Timestamp::from_millis(1_795_428_000_000);

/// The same numbers for the same seed (splitmix64).
struct Seeded(u64);

impl Seeded {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, limit: usize) -> usize {
        usize::try_from(self.next() % u64::try_from(limit).unwrap()).unwrap()
    }

    fn one_in(&mut self, count: usize) -> bool {
        self.below(count) == 0
    }
}

impl TryRng for Seeded {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        Ok(u32::try_from(self.next() >> 32).unwrap())
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        Ok(self.next())
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        bytes.fill_with(|| self.next().to_le_bytes()[0]);
        Ok(())
    }
}

impl TryCryptoRng for Seeded {}

/// A key in memory, or a stand-in for a security key that states these flags.
#[derive(Clone)]
enum Signer {
    Software(Box<PrivateKey>),
    SecurityKey { inner: Box<PrivateKey>, application: &'static str, flags: u8 },
}

impl Signer {
    fn ed25519(seed: u8) -> Self {
        Self::Software(Box::new(Ed25519Keypair::from_seed(&[seed; 32]).into()))
    }

    fn ecdsa(seed: u64, curve: EcdsaCurve) -> Self {
        Self::Software(Box::new(EcdsaKeypair::random(&mut Seeded(seed), curve).unwrap().into()))
    }

    fn security_key(seed: u8, flags: u8) -> Self {
        let inner = Box::new(Ed25519Keypair::from_seed(&[seed; 32]).into());
        Self::SecurityKey { inner, application: "ssh:", flags }
    }

    fn ecdsa_security_key(seed: u64, flags: u8) -> Self {
        let keypair = EcdsaKeypair::random(&mut Seeded(seed), EcdsaCurve::NistP256).unwrap();
        Self::SecurityKey { inner: Box::new(keypair.into()), application: "ssh:", flags }
    }

    fn public(&self) -> PublicKey {
        let key = match self {
            Self::Software(key) => key.public_key().clone(),
            Self::SecurityKey { inner, application, .. } => {
                let inner = inner.public_key().key_data();
                match (inner.ed25519(), inner.ecdsa()) {
                    (Some(key), _) => KeyData::from(SkEd25519::new(*key, *application)).into(),
                    (_, Some(EcdsaPublicKey::NistP256(point))) => {
                        KeyData::from(SkEcdsaSha2NistP256::new(*point, *application)).into()
                    }
                    other => panic!("no security key has {other:?}"),
                }
            }
        };
        PublicKey::from_ssh(&key).unwrap()
    }

    fn sign(&self, namespace: &str, file: &[u8]) -> String {
        match self {
            Self::Software(key) => sign_with(key, namespace, file).unwrap(),
            Self::SecurityKey { flags, .. } => self.sign_with_flags(*flags, *flags, namespace, file),
        }
    }

    /// As OpenSSH's PROTOCOL.u2f says, with perhaps other flags stated than signed.
    fn sign_with_flags(&self, signed: u8, stated_flags: u8, namespace: &str, file: &[u8]) -> String {
        let Self::SecurityKey { inner, application, .. } = self else { panic!("this is no security key") };
        let counter = 7_u32.to_be_bytes();
        let mut data = Sha256::digest(application).to_vec();
        data.push(signed);
        data.extend(counter);
        data.extend(Sha256::digest(signed_data(namespace, file)));
        let signature = raw_signature(inner.as_ref(), &data);
        let mut blob = Vec::new();
        for part in [self.public().algorithm_name().as_bytes(), signature.as_bytes()] {
            blob.extend(u32::try_from(part.len()).unwrap().to_be_bytes());
            blob.extend(part);
        }
        blob.push(stated_flags);
        blob.extend(counter);
        armour_agent_signature(&self.public(), namespace, &blob).unwrap()
    }

    fn state(&self, kind: StatementKind, principal: &str, file: &str) -> SignedStatement {
        SignedStatement {
            kind,
            signature: self.sign(kind.namespace(), file.as_bytes()),
            principal: principal.into(),
            key: self.public().fingerprint().as_str().into(),
            reason: None,
        }
    }
}

fn raw_signature<K: SigningKey>(key: &K, data: &[u8]) -> Signature {
    key.try_sign(data).unwrap()
}

fn usdc(text: &str) -> Amount {
    Amount::parse(text, 6).unwrap()
}

fn rule(needs: u8) -> ApprovalRule {
    ApprovalRule {
        token: "USDC".into(),
        chain: None,
        above: Some(usdc("10000")),
        always: false,
        needs,
        touch: Touch::None,
        within: DAY,
    }
}

/// `allowed_signers` of these people.
fn allowed(people: &[(&str, &Signer)]) -> String {
    let lines: Vec<String> = people.iter().map(|(name, signer)| format!("{name} {}\n", signer.public())).collect();
    lines.concat()
}

fn policy(rules: Vec<ApprovalRule>, allowed: &str, revoked: &str) -> ApprovalPolicy {
    ApprovalPolicy { rules, signers: Signers::parse(allowed, revoked).unwrap() }
}

fn proposal(policy: &ApprovalPolicy) -> Proposal {
    Proposal {
        order: OrderId(Uuid::from_u128(3)),
        record_hash: [0xab; 32],
        base_url: "https://api.example.com".into(),
        environment: Some(Network::Mainnet),
        method: "POST".into(),
        path: "/v2/transactions/withdraw".into(),
        made_at: NOW,
        expires: NOW.plus(DAY),
        rule: "USDC above 10,000: 1 approval within 24 hours".into(),
        policy_hash: policy.hash(),
        maker: "anna".into(),
        body: r#"{"amount":"25000","token":"USDC"}"#.into(),
    }
}

fn requirement(needs: u8, touch: Touch) -> Requirement {
    Requirement { rule: "USDC above 10,000".into(), needs, touch, within: DAY }
}

fn names(quorum: &Quorum) -> Vec<&str> {
    quorum.approvals.iter().map(|approval| approval.principal.as_str()).collect()
}
