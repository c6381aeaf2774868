//! A service whose certificate a private authority signed: it is believed when the profile names that authority, and
//! nobody else is then believed.

use std::sync::Arc;

use bursar::api::{Certificates, Connection, Limits, Reader, Route, WireNames};
use bursar::domain::{Direction, Failure, FailureReason, Redaction};
use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, DnType, IsCa, KeyPair};
use rustls::ServerConfig;
use rustls::pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;

const EMPTY_PAGE: &str = r#"{"success":true,"data":[],"totalPage":0,"pageNo":1,"pageLimit":100}"#;

/// An authority of its own.
fn authority(name: &str) -> CertifiedIssuer<'static, KeyPair> {
    let mut params = CertificateParams::new(Vec::new()).unwrap();
    params.distinguished_name.push(DnType::CommonName, name);
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    CertifiedIssuer::self_signed(params, KeyPair::generate().unwrap()).unwrap()
}

/// A service on this machine with a certificate for `name`, signed by an authority. It answers every request with an
/// empty page and counts them. Returns its port.
async fn serve(authority: &CertifiedIssuer<'static, KeyPair>, name: &str) -> u16 {
    let key = KeyPair::generate().unwrap();
    let certificate = CertificateParams::new([name.to_owned()]).unwrap().signed_by(&key, authority).unwrap();
    let private = PrivateKeyDer::from(PrivatePkcs8KeyDer::from(key.serialize_der()));
    let config = ServerConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![certificate.der().clone()], private)
        .unwrap();
    let acceptor = TlsAcceptor::from(Arc::new(config));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            // A client that does not believe the certificate ends the handshake.
            let Ok(mut stream) = acceptor.accept(stream).await else { continue };
            let mut head = [0; 4096];
            let _whatever_was_asked = stream.read(&mut head).await;
            let answer = format!(
                "HTTP/1.1 200 OK\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{EMPTY_PAGE}",
                EMPTY_PAGE.len()
            );
            let _client_may_be_gone = stream.write_all(answer.as_bytes()).await;
            let _client_may_be_gone = stream.shutdown().await;
        }
    });
    port
}

async fn ask(port: u16, certificates: Option<&str>) -> Result<usize, Failure> {
    let certificates = certificates.map(|pem| Certificates::from_pem(pem.as_bytes()).unwrap());
    let reader = Reader::new(Connection {
        base_url: format!("https://localhost:{port}"),
        api_key: "sk_test_4f9a1c".into(),
        redaction: Redaction::default(),
        limits: Limits::default(),
        wire_names: WireNames::default(),
        wallet_secret: None,
        route: Route { certificates, proxy: None },
    })
    .unwrap();
    reader.fetch_transactions(&Direction::Incoming, 1, 100).await.map(|page| page.items.len())
}

#[tokio::test]
async fn the_authority_that_the_profile_names_is_believed_and_no_other() {
    let (authority_of_ours, another, namesake) = (authority("ours"), authority("another"), authority("ours"));
    let port = serve(&authority_of_ours, "localhost").await;
    assert_eq!(ask(port, Some(&authority_of_ours.pem())).await, Ok(0));
    assert_eq!(ask(port, Some(&format!("{}{}", another.pem(), authority_of_ours.pem()))).await, Ok(0));
    for other in [Some(another.pem()), Some(namesake.pem()), None] {
        let failure = ask(port, other.as_deref()).await.unwrap_err();
        assert_eq!(failure.reason, FailureReason::Unreachable);
        assert!(failure.detail.contains("ca_file"), "{failure}");
    }
}

#[tokio::test]
async fn the_right_authority_does_not_make_up_for_the_wrong_name() {
    let authority_of_ours = authority("ours");
    let port = serve(&authority_of_ours, "api.example.com").await;
    let failure = ask(port, Some(&authority_of_ours.pem())).await.unwrap_err();
    assert_eq!(failure.reason, FailureReason::Unreachable);
    assert!(failure.detail.contains("not valid for name") && !failure.detail.contains("ca_file"), "{failure}");
}
