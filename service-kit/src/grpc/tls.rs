//! Mutual TLS between services: each shows a certificate, and believes those of one authority.
//!
//! Not here: who may call what; tokens tell callers apart on top of it.

use std::path::{Path, PathBuf};

use tonic::transport::{Certificate, ClientTlsConfig, Identity, ServerTlsConfig};

use crate::config::{ConfigFault, Validate};

/// The certificate of a service and the authority that it believes. All three or none.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct TlsArgs {
    /// Certificate of this service (PEM); with it, services speak mutual TLS
    #[arg(long, env = "FARSIDE_TLS_CERT")]
    pub tls_cert: Option<PathBuf>,
    /// Private key of the certificate (PEM)
    #[arg(long, env = "FARSIDE_TLS_KEY")]
    pub tls_key: Option<PathBuf>,
    /// Authority of the other services' certificates (PEM)
    #[arg(long, env = "FARSIDE_TLS_CA")]
    pub tls_ca: Option<PathBuf>,
}

impl Validate for TlsArgs {
    fn validate(&self) -> Result<(), ConfigFault> {
        self.load().map(drop)
    }
}

impl TlsArgs {
    /// Reads the files; nothing when none is named.
    ///
    /// # Errors
    ///
    /// When a file cannot be read, or one is not named.
    pub fn load(&self) -> Result<Option<Tls>, ConfigFault> {
        match (&self.tls_cert, &self.tls_key, &self.tls_ca) {
            (None, None, None) => Ok(None),
            (Some(cert), Some(key), Some(ca)) => {
                Ok(Some(Tls::new(read("--tls-cert", cert)?, read("--tls-key", key)?, read("--tls-ca", ca)?)))
            }
            _ => Err(ConfigFault::new("--tls-cert", "is needed together with --tls-key and --tls-ca, or none of them")),
        }
    }
}

fn read(setting: &str, path: &Path) -> Result<Vec<u8>, ConfigFault> {
    std::fs::read(path).map_err(|error| ConfigFault::new(setting, format!("{}: {error}", path.display())))
}

/// The certificate of a service and the authority that it believes.
#[derive(Clone)]
pub struct Tls {
    identity: Identity,
    authority: Certificate,
}

impl std::fmt::Debug for Tls {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Tls").finish_non_exhaustive()
    }
}

impl Tls {
    /// From PEM texts: certificate, its key, the authority's certificate.
    #[must_use]
    pub fn new(cert: impl AsRef<[u8]>, key: impl AsRef<[u8]>, authority: impl AsRef<[u8]>) -> Self {
        Self { identity: Identity::from_pem(cert, key), authority: Certificate::from_pem(authority) }
    }

    /// A server shows its certificate and asks every caller for one.
    pub(super) fn for_server(&self) -> ServerTlsConfig {
        ServerTlsConfig::new().identity(self.identity.clone()).client_ca_root(self.authority.clone())
    }

    /// A client shows its certificate and asks the server for one that names the host.
    pub(super) fn for_client(&self) -> ClientTlsConfig {
        ClientTlsConfig::new().identity(self.identity.clone()).ca_certificate(self.authority.clone())
    }
}
