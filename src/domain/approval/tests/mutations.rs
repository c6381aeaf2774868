//! Changed files and changed signatures: none is accepted.

use super::*;

const NAMESPACE: &str = "approve@bursar";

struct Signed {
    file: String,
    signature: String,
}

fn signed_files() -> Vec<Signed> {
    let file = proposal(&ApprovalPolicy::default()).to_file();
    let curves = [EcdsaCurve::NistP256, EcdsaCurve::NistP384, EcdsaCurve::NistP521];
    let mut signers = vec![Signer::ed25519(1), Signer::security_key(2, 5), Signer::ecdsa_security_key(2, 5)];
    signers.extend(curves.map(|curve| Signer::ecdsa(1, curve)));
    let sign = |signer: Signer| Signed { signature: signer.sign(NAMESPACE, file.as_bytes()), file: file.clone() };
    signers.into_iter().map(sign).collect()
}

/// One to three bytes replaced, inserted, removed or exchanged.
fn mutate(random: &mut Seeded, text: &str) -> Vec<u8> {
    let mut bytes = text.as_bytes().to_vec();
    for _ in 0..=random.below(3) {
        let (at, other) = (random.below(bytes.len()), random.below(bytes.len()));
        let byte = match random.below(4) {
            0 => u8::try_from(random.below(256)).unwrap(),
            1 => bytes[at] ^ (1 << random.below(8)),
            _ => bytes[other],
        };
        match random.below(4) {
            0 => bytes.insert(at, byte),
            1 => _ = bytes.remove(at),
            2 => bytes.swap(at, other),
            _ => bytes[at] = byte,
        }
    }
    bytes
}

/// Line ends may differ, and may be more or fewer at the end.
fn is_same_armour(one: &str, other: &str) -> bool {
    let normal = |text: &str| text.replace("\r\n", "\n").trim_end_matches('\n').to_owned();
    normal(one) == normal(other)
}

/// How many mutations were tried. Of a file, what still reads as a proposal has another meaning, and no signature.
fn run(seed: u64, mutations: usize) -> usize {
    let (mut random, signed, mut tried) = (Seeded(seed), signed_files(), 0);
    for Signed { file, signature } in &signed {
        assert!(verify(file.as_bytes(), NAMESPACE, signature).is_ok());
    }
    while tried < mutations {
        // Ed25519 is verified fastest, so most are its.
        let Signed { file, signature } =
            &signed[if random.one_in(20) { random.below(signed.len()) } else { random.below(2) }];
        if random.one_in(2) {
            let changed = mutate(&mut random, file);
            if changed == file.as_bytes() {
                continue;
            }
            assert!(verify(&changed, NAMESPACE, signature).is_err(), "seed {seed}: {}", changed.escape_ascii());
            if let Ok(other) = Proposal::parse_bytes(&changed) {
                assert_eq!(other.to_file().as_bytes(), changed, "seed {seed}");
                assert_ne!(Ok(other), Proposal::parse(file), "seed {seed}");
            }
        } else {
            let changed = String::from_utf8_lossy(&mutate(&mut random, signature)).into_owned();
            if is_same_armour(&changed, signature) {
                continue;
            }
            assert!(verify(file.as_bytes(), NAMESPACE, &changed).is_err(), "seed {seed}: {changed}");
        }
        tried += 1;
    }
    tried
}

#[test]
fn none_of_five_hundred_changed_files_and_signatures_is_accepted() {
    assert_eq!(run(7, 500), 500);
}

/// `BURSAR_MUTATIONS` says how many.
#[test]
#[ignore = "campaign: a million mutations take minutes"]
fn none_of_very_many_changed_files_and_signatures_is_accepted() {
    let setting = std::env::var("BURSAR_MUTATIONS").ok().and_then(|text| text.parse().ok());
    let count = setting.unwrap_or(20_000);
    assert_eq!(run(8, count), count);
}

#[test]
fn each_change_of_one_character_of_a_signature_is_refused() {
    let signed = &signed_files()[0];
    for at in 0..signed.signature.len() {
        for new in ['A', '/', '=', ' '] {
            let changed = format!("{}{new}{}", &signed.signature[..at], &signed.signature[at + 1..]);
            if !is_same_armour(&changed, &signed.signature) {
                assert!(verify(signed.file.as_bytes(), NAMESPACE, &changed).is_err(), "{changed}");
            }
        }
    }
}
