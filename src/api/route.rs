//! The route to a service: trusted certificates, and the proxy.

use reqwest::{Certificate, ClientBuilder, Proxy, Url};
use rustls::RootCertStore;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;

use crate::domain::Text;

/// By default direct, with the machine's own certificates trusted.
#[derive(Debug, Clone, Default)]
pub struct Route {
    /// The only certificates to trust.
    pub certificates: Option<Certificates>,
    /// The proxy. It comes from the profile only: the environment is ignored.
    pub proxy: Option<ProxyAddress>,
}

/// Certificates of authorities. Where they are given, no other authority is trusted: an operator with an own authority
/// does not want any other one to be able to impersonate their service.
#[derive(Debug, Clone)]
pub struct Certificates(Vec<Certificate>);

/// Why bytes are no certificates. The message follows the name of a file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CertificateFault {
    /// A folder, a device, or a file far too long.
    #[error("is not a certificate file; name a PEM file of the authority that signs the service's certificate")]
    NoFile,
    #[error("is empty; it should hold the certificate of the authority, from -----BEGIN CERTIFICATE----- on")]
    Empty,
    #[error("contains no certificate in PEM form, which begins with -----BEGIN CERTIFICATE-----")]
    NoPem,
    #[error("contains a private key, which does not belong here; give only the certificate")]
    PrivateKey,
    #[error("contains a certificate that cannot be read (number {0}); copy it again")]
    Unreadable(usize),
}

impl Certificates {
    /// Parses certificates in PEM form, at least one.
    pub fn from_pem(pem: &[u8]) -> Result<Self, CertificateFault> {
        if pem.trim_ascii().is_empty() {
            return Err(CertificateFault::Empty);
        }
        if memchr::memmem::find(pem, b"PRIVATE KEY-----").is_some() {
            return Err(CertificateFault::PrivateKey);
        }
        let mut certificates = Vec::new();
        for (index, der) in CertificateDer::pem_slice_iter(pem).enumerate() {
            let unreadable = CertificateFault::Unreadable(index + 1);
            let der = der.map_err(|_| unreadable.clone())?;
            // A certificate that cannot be an authority is detected here, not by the first request.
            RootCertStore::empty().add(der.clone()).map_err(|_| unreadable.clone())?;
            certificates.push(Certificate::from_der(&der).map_err(|_| unreadable)?);
        }
        if certificates.is_empty() { Err(CertificateFault::NoPem) } else { Ok(Self(certificates)) }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProxyAddress(Url);

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ProxyFault {
    #[error("“{0}” is not the address of a proxy; write it like http://proxy.example.com:3128")]
    Form(Text),
    /// A user name or password, which are secrets.
    #[error("the address of the proxy contains a user name or password, which do not belong in a file; remove them")]
    Credentials,
}

impl ProxyAddress {
    /// Parses an address of the form `http://host:port`. Only the proxy's name and port are sent in the clear: requests
    /// to the service are encrypted through it.
    pub fn parse(text: &str) -> Result<Self, ProxyFault> {
        let form = || ProxyFault::Form(Text::clean(text));
        let url = Url::parse(text.trim()).map_err(|_| form())?;
        if !url.username().is_empty() || url.password().is_some() {
            return Err(ProxyFault::Credentials);
        }
        let bare = url.path() == "/" && url.query().is_none() && url.fragment().is_none();
        let sound = matches!(url.scheme(), "http" | "https") && url.has_host() && bare;
        if sound { Ok(Self(url)) } else { Err(form()) }
    }

    pub fn as_str(&self) -> &str {
        self.0.as_str().trim_end_matches('/')
    }
}

impl Route {
    /// Applies the route to a client. Without encryption no certificate is needed, so a machine without any works, and
    /// a service on this machine is reached directly.
    pub(super) fn apply(&self, builder: ClientBuilder, is_plain: bool) -> reqwest::Result<ClientBuilder> {
        let builder = builder.no_proxy();
        if is_plain {
            return Ok(builder.tls_certs_only(std::iter::empty::<Certificate>()));
        }
        let builder = match &self.proxy {
            Some(ProxyAddress(url)) => builder.proxy(Proxy::all(url.clone())?),
            None => builder,
        };
        Ok(match &self.certificates {
            Some(Certificates(certificates)) => builder.tls_certs_only(certificates.clone()),
            None => builder,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_proxy_is_an_address_without_a_password() {
        let good = ProxyAddress::parse(" http://proxy.example.com:3128/ ").unwrap();
        assert_eq!(good.as_str(), "http://proxy.example.com:3128");
        for wrong in ["", "proxy.example.com:3128", "socks5://proxy.example.com", "http://", "http://a/b", "http://a?b"]
        {
            assert!(matches!(ProxyAddress::parse(wrong), Err(ProxyFault::Form(_))), "{wrong}");
        }
        let secret = ProxyAddress::parse("http://me:secret@proxy.example.com:3128").unwrap_err();
        assert_eq!(secret, ProxyFault::Credentials);
    }

    #[test]
    fn what_is_no_certificate_is_told_apart() {
        let read = |text: &str| Certificates::from_pem(text.as_bytes()).map(|certificates| certificates.0.len());
        assert_eq!(read(" \n"), Err(CertificateFault::Empty));
        assert_eq!(read("ssh-ed25519 AAAA"), Err(CertificateFault::NoPem));
        let key = "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n";
        assert_eq!(read(key), Err(CertificateFault::PrivateKey));
        let hollow = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n";
        assert_eq!(read(hollow), Err(CertificateFault::Unreadable(1)));
        assert_eq!(read("-----BEGIN CERTIFICATE-----\nAAAA\n"), Err(CertificateFault::Unreadable(1)));

        let authority = rcgen::generate_simple_self_signed(["authority.example.com".to_owned()]).unwrap().cert.pem();
        assert_eq!(read(&authority), Ok(1));
        assert_eq!(read(&authority.replace('\n', "\r\n")), Ok(1));
        assert_eq!(read(&format!("{authority}{authority}")), Ok(2));
        assert_eq!(read(&format!("{authority}{hollow}")), Err(CertificateFault::Unreadable(2)));
    }
}
