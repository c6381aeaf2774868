//! TLS certificate and private key of the service.

use std::path::PathBuf;
use std::sync::Arc;

use rustls::ServerConfig;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::TlsAcceptor;

use super::error::ServiceError;

/// Paths of certificate and key, both PEM.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TlsFiles {
    /// The certificate, followed by its intermediate certificates.
    pub certificate: PathBuf,
    pub key: PathBuf,
}

impl TlsFiles {
    /// Reads both files and checks that they belong together.
    pub(super) fn load_acceptor(&self) -> Result<TlsAcceptor, ServiceError> {
        let wrong = |path: &PathBuf, problem: String| ServiceError::Tls { path: path.clone(), problem };
        let certificates = CertificateDer::pem_file_iter(&self.certificate)
            .and_then(Iterator::collect::<Result<Vec<_>, _>>)
            .map_err(|error| wrong(&self.certificate, error.to_string()))?;
        if certificates.is_empty() {
            return Err(wrong(&self.certificate, "it contains no certificate; it must be in PEM form".into()));
        }
        self.refuse_shared_key()?;
        let key = PrivateKeyDer::from_pem_file(&self.key).map_err(|error| wrong(&self.key, error.to_string()))?;
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let mut config = ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .and_then(|builder| builder.with_no_client_auth().with_single_cert(certificates, key))
            .map_err(|error| wrong(&self.key, format!("it cannot be used with that certificate: {error}")))?;
        config.alpn_protocols = vec![b"http/1.1".to_vec()];
        Ok(TlsAcceptor::from(Arc::new(config)))
    }

    /// Rejects a key file that other users of this machine may read or change: with the key they could impersonate the
    /// service.
    #[cfg(unix)]
    fn refuse_shared_key(&self) -> Result<(), ServiceError> {
        use std::os::unix::fs::PermissionsExt;
        let wrong = |problem: String| ServiceError::Tls { path: self.key.clone(), problem };
        let about = std::fs::metadata(&self.key).map_err(|error| wrong(error.to_string()))?;
        if about.permissions().mode() & 0o077 != 0 {
            let path = self.key.display();
            let message =
                format!("others on this machine may read or change it; run `chmod 600 {path}` and start again");
            return Err(wrong(message));
        }
        Ok(())
    }

    #[cfg(not(unix))]
    fn refuse_shared_key(&self) -> Result<(), ServiceError> {
        Ok(())
    }
}
