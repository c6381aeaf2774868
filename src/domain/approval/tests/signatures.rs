use super::*;

const NAMESPACE: &str = "approve@bursar";
const FILE: &[u8] = b"what is signed";

fn all_signers() -> Vec<Signer> {
    let curves = [EcdsaCurve::NistP256, EcdsaCurve::NistP384, EcdsaCurve::NistP521];
    let ecdsa = curves.into_iter().map(|curve| Signer::ecdsa(1, curve));
    [Signer::ed25519(1)].into_iter().chain(security_keys()).chain(ecdsa).collect()
}

fn security_keys() -> [Signer; 2] {
    [Signer::security_key(3, 0), Signer::ecdsa_security_key(3, 0)]
}

#[test]
fn each_kind_of_key_signs_a_file_for_one_purpose() {
    let names = all_signers().into_iter().map(|signer| {
        let signature = signer.sign(NAMESPACE, FILE);
        assert_eq!(verify(FILE, NAMESPACE, &signature), Ok(Verified { key: signer.public(), touch: Touch::None }));
        assert_eq!(verify(b"another file", NAMESPACE, &signature), Err(SignatureFault::Mismatch));
        let (expected, actual) = ("refuse@bursar".into(), NAMESPACE.into());
        assert_eq!(verify(FILE, "refuse@bursar", &signature), Err(SignatureFault::Namespace { expected, actual }));
        assert_eq!(PublicKey::parse_openssh(&signer.public().to_string()), Ok(signer.public()));
        signer.public().algorithm_name()
    });
    let expected = [
        "ssh-ed25519",
        "sk-ssh-ed25519@openssh.com",
        "sk-ecdsa-sha2-nistp256@openssh.com",
        "ecdsa-sha2-nistp256",
        "ecdsa-sha2-nistp384",
        "ecdsa-sha2-nistp521",
    ];
    assert_eq!(names.collect::<Vec<_>>(), expected);
}

/// The flag for presence is 1, for verification 4; the others are reserved or of the protocol.
#[test]
fn each_bit_of_the_flags_counts_by_itself() {
    for flags in 0..=u8::MAX {
        let expected = match flags & 5 {
            5 => Touch::Verified,
            1 => Touch::Present,
            _ => Touch::None,
        };
        for key in security_keys() {
            let signature = key.sign_with_flags(flags, flags, NAMESPACE, FILE);
            assert_eq!(verify(FILE, NAMESPACE, &signature).unwrap().touch, expected, "{flags:#04x}");
        }
    }
}

#[test]
fn flags_that_were_not_signed_do_not_count() {
    for key in security_keys() {
        for bit in 0..8 {
            let signature = key.sign_with_flags(0, 1 << bit, NAMESPACE, FILE);
            assert_eq!(verify(FILE, NAMESPACE, &signature), Err(SignatureFault::Mismatch), "bit {bit}");
        }
    }
}

#[test]
fn an_application_is_part_of_a_security_key() {
    let Signer::SecurityKey { inner, flags, .. } = Signer::security_key(3, 1) else { unreachable!() };
    let other = Signer::SecurityKey { inner, application: "ssh:other", flags };
    assert!(verify(FILE, NAMESPACE, &other.sign(NAMESPACE, FILE)).is_ok());
    assert_ne!(other.public(), Signer::security_key(3, 1).public());
    assert_ne!(other.public().fingerprint(), Signer::security_key(3, 1).public().fingerprint());
}

#[test]
fn an_armour_has_one_spelling_but_for_its_line_ends() {
    let signature = Signer::ed25519(1).sign(NAMESPACE, FILE);
    let is_accepted = |text: &str| verify(FILE, NAMESPACE, text).is_ok();
    for spelling in [signature.replace('\n', "\r\n"), signature.trim_end().to_owned(), signature.clone() + "\n"] {
        assert!(is_accepted(&spelling), "{spelling}");
    }
    let lines: Vec<&str> = signature.lines().collect();
    let joined = format!("{}\n{}\n{}\n", lines[0], lines[1..lines.len() - 1].concat(), lines[lines.len() - 1]);
    for other in [
        format!("Hello\n{signature}"),
        format!("{signature}Hello\n"),
        format!("{signature}{signature}"),
        format!(" {signature}"),
        format!("\n{signature}"),
        signature.replacen('\n', "\nComment: x\n", 1),
        signature.replacen('\n', "\n\n", 1),
        joined,
        String::new(),
        "x".repeat(100_000),
    ] {
        assert!(!is_accepted(&other), "{other}");
    }
}

#[test]
fn a_reserved_field_another_version_and_the_algorithm_of_another_key_are_refused() {
    let Signer::Software(key) = Signer::ed25519(1) else { unreachable!() };
    let envelope = ssh_key::SshSig::from_pem(sign_with(&key, NAMESPACE, FILE).unwrap()).unwrap();
    let with_signature = |signature: &Signature| {
        let (key, hash) = (envelope.public_key().clone(), envelope.hash_alg());
        let other = ssh_key::SshSig::new(key, NAMESPACE, hash, signature.clone()).unwrap();
        verify(FILE, NAMESPACE, &other.to_pem(ssh_key::LineEnding::LF).unwrap())
    };
    assert!(with_signature(envelope.signature()).is_ok());
    let other = ssh_key::Algorithm::new("x@example.com").unwrap();
    let renamed = Signature::new(other, envelope.signature_bytes()).unwrap();
    assert_eq!(with_signature(&renamed), Err(SignatureFault::OtherAlgorithm));

    let bytes = ssh_key::encoding::Encode::encode_vec(&envelope).unwrap();
    let to_pem = |bytes: &[u8]| {
        let lines: Vec<String> = data_encoding::BASE64
            .encode(bytes)
            .as_bytes()
            .chunks(70)
            .map(|line| String::from_utf8(line.to_vec()).unwrap())
            .collect();
        format!("-----BEGIN SSH SIGNATURE-----\n{}\n-----END SSH SIGNATURE-----\n", lines.join("\n"))
    };
    assert!(verify(FILE, NAMESPACE, &to_pem(&bytes)).is_ok());
    let mut old = bytes.clone();
    old[9] = 0;
    assert_eq!(verify(FILE, NAMESPACE, &to_pem(&old)), Err(SignatureFault::NotCanonical));
    let reserved = bytes.windows(14).position(|window| window == NAMESPACE.as_bytes()).unwrap() + 14;
    let mut used = bytes.clone();
    used.splice(reserved..reserved + 4, [0, 0, 0, 1, b'x']);
    assert_eq!(verify(FILE, NAMESPACE, &to_pem(&used)), Err(SignatureFault::NotCanonical));
    let longer = [&bytes[..], b"x"].concat();
    assert_eq!(verify(FILE, NAMESPACE, &to_pem(&longer)), Err(SignatureFault::Unreadable));
}

const RSA_KEY: &str = "ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAAAgQCikAhY+0PTGtBIRDDHmAjeq/3gA2Ps7+0Jct3SQhQEvjTJqUQ2Upp+Y521A8+a\
    hl33G+cKC/rhqtftEoYVMO1LdG7zMYMkrZt+dbsXZfWj2sGlemvgwICXeIr+3ACIHOzwFyIbEOr6owaVGGQG8aZKhLSJDEXNgSM+\
    iJPzAIXXcQ==";

#[test]
fn an_rsa_key_is_refused_in_words() {
    let fault = PublicKey::parse_openssh(RSA_KEY).unwrap_err();
    assert_eq!(fault.to_string(), "RSA keys are not accepted; create an Ed25519 key with “ssh-keygen -t ed25519”");
    for line in ["", "ssh-ed25519", "ssh-ed25519 AAAA", "hello world"] {
        assert_eq!(PublicKey::parse_openssh(line), Err(KeyFault::Unreadable), "{line}");
    }
}

#[test]
fn nothing_is_signed_for_no_purpose() {
    let Signer::Software(key) = Signer::ed25519(1) else { unreachable!() };
    assert_eq!(sign_with(&key, "", FILE), Err(SignatureFault::CannotSign));
    assert!(signed_data("", FILE).is_empty());
}
