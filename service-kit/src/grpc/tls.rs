//! Mutual TLS between services: each shows a certificate, and believes those of one authority.
//!
//! The files may change while the process runs: new connections use what they hold then, those that are open stay. A file
//! that cannot be used changes nothing. Not here: who may call what; tokens tell callers apart on top of it.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use der::asn1::{AnyRef, GeneralizedTime, UtcTime};
use der::{Decode as _, ErrorKind, Reader as _, SliceReader, Tag, Tagged as _};
use tokio::sync::watch;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::{self, PemObject as _};
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::rustls::server::{VerifierBuilderError, WebPkiClientVerifier};
use tokio_rustls::rustls::{self, RootCertStore, ServerConfig};
use tonic::transport::{Certificate, ClientTlsConfig, Identity};

use crate::config::{ConfigFault, Validate};

/// The protocol that gRPC is spoken in.
const ALPN_H2: &[u8] = b"h2";

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
    /// When a file cannot be read or used, or one is not named.
    pub fn load(&self) -> Result<Option<Tls>, ConfigFault> {
        let Some(files) = self.read()? else { return Ok(None) };
        Tls::from_files(files)
            .map(Some)
            .map_err(|fault| ConfigFault::new("--tls-cert", crate::fault::Chain(&fault).to_string()))
    }

    /// What the files hold now; nothing when none is named.
    pub(super) fn read(&self) -> Result<Option<PemFiles>, ConfigFault> {
        match (&self.tls_cert, &self.tls_key, &self.tls_ca) {
            (None, None, None) => Ok(None),
            (Some(cert), Some(key), Some(ca)) => Ok(Some(PemFiles {
                cert: read("--tls-cert", cert)?,
                key: read("--tls-key", key)?,
                authority: read("--tls-ca", ca)?,
            })),
            _ => Err(ConfigFault::new("--tls-cert", "is needed together with --tls-key and --tls-ca, or none of them")),
        }
    }
}

fn read(setting: &str, path: &Path) -> Result<Vec<u8>, ConfigFault> {
    std::fs::read(path).map_err(|error| ConfigFault::new(setting, format!("{}: {error}", path.display())))
}

/// The three files as they were read.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct PemFiles {
    cert: Vec<u8>,
    key: Vec<u8>,
    authority: Vec<u8>,
}

/// Why certificates cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum TlsFault {
    /// A file is not PEM, or holds something else.
    #[error("the {0} cannot be read")]
    Pem(&'static str, #[source] pem::Error),
    /// A file holds nothing.
    #[error("the {0} is empty")]
    Empty(&'static str),
    /// The certificate is none.
    #[error("the certificate is not one")]
    Certificate,
    /// The authority cannot be believed.
    #[error("the authority cannot be used")]
    Authority(#[source] VerifierBuilderError),
    /// Certificate, key and authority do not go together.
    #[error("certificate and key do not go together")]
    Together(#[from] rustls::Error),
}

/// The certificate of a service and the authority that it believes, as they are now. Clones share it.
#[derive(Clone)]
pub struct Tls {
    current: Arc<watch::Sender<Arc<Material>>>,
}

/// What one state of the files makes.
struct Material {
    files: PemFiles,
    server: Arc<ServerConfig>,
    not_after_s: i64,
}

impl std::fmt::Debug for Tls {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Tls").finish_non_exhaustive()
    }
}

impl Tls {
    /// From PEM texts: certificate, its key, the authority's certificate.
    ///
    /// # Errors
    ///
    /// When they cannot be used.
    pub fn new(
        cert: impl Into<Vec<u8>>,
        key: impl Into<Vec<u8>>,
        authority: impl Into<Vec<u8>>,
    ) -> Result<Self, TlsFault> {
        Self::from_files(PemFiles { cert: cert.into(), key: key.into(), authority: authority.into() })
    }

    fn from_files(files: PemFiles) -> Result<Self, TlsFault> {
        Ok(Self { current: Arc::new(watch::Sender::new(Arc::new(Material::of(files)?))) })
    }

    /// Uses other files from now on; when they cannot be used, nothing changes.
    pub(super) fn replace(&self, files: PemFiles) -> Result<(), TlsFault> {
        self.current.send_replace(Arc::new(Material::of(files)?));
        Ok(())
    }

    /// Whether these files are the ones in use.
    pub(super) fn uses(&self, files: &PemFiles) -> bool {
        self.current.borrow().files == *files
    }

    /// Says when the certificate in use ends, in seconds since 1970.
    #[must_use]
    pub fn not_after_s(&self) -> i64 {
        self.current.borrow().not_after_s
    }

    /// Waits for the next change after this call.
    pub(super) fn changed(&self) -> impl Future<Output = ()> + Send + use<> {
        let mut changes = self.current.subscribe();
        async move {
            // The sender lives as long as any clone, one of which the caller holds.
            let _ = changes.changed().await;
        }
    }

    /// A server shows its certificate and asks every caller for one.
    pub(super) fn acceptor(&self) -> TlsAcceptor {
        TlsAcceptor::from(Arc::clone(&self.current.borrow().server))
    }

    /// A client shows its certificate and asks the server for one that names the host.
    pub(super) fn for_client(&self) -> ClientTlsConfig {
        let material = self.current.borrow();
        let PemFiles { cert, key, authority } = &material.files;
        ClientTlsConfig::new().identity(Identity::from_pem(cert, key)).ca_certificate(Certificate::from_pem(authority))
    }
}

impl Material {
    fn of(files: PemFiles) -> Result<Self, TlsFault> {
        let chain = certificates("certificate", &files.cert)?;
        let key = PrivateKeyDer::from_pem_slice(&files.key).map_err(|error| TlsFault::Pem("key", error))?;
        let not_after_s = not_after_s(chain.first().ok_or(TlsFault::Empty("certificate"))?)?;
        let provider = Arc::new(ring::default_provider());
        let verifier =
            WebPkiClientVerifier::builder_with_provider(Arc::new(roots(&files.authority)?), Arc::clone(&provider));
        let mut server = ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()?
            .with_client_cert_verifier(verifier.build().map_err(TlsFault::Authority)?)
            .with_single_cert(chain, key)?;
        server.alpn_protocols.push(ALPN_H2.to_vec());
        Ok(Self { files, server: Arc::new(server), not_after_s })
    }
}

fn certificates(what: &'static str, text: &[u8]) -> Result<Vec<CertificateDer<'static>>, TlsFault> {
    let read = CertificateDer::pem_slice_iter(text).collect::<Result<Vec<_>, _>>();
    let found = read.map_err(|error| TlsFault::Pem(what, error))?;
    if found.is_empty() { Err(TlsFault::Empty(what)) } else { Ok(found) }
}

fn roots(authority: &[u8]) -> Result<RootCertStore, TlsFault> {
    let mut roots = RootCertStore::empty();
    for certificate in certificates("authority", authority)? {
        roots.add(certificate)?;
    }
    Ok(roots)
}

/// When a certificate ends (RFC 5280, 4.1): of its first part, the third sequence holds the two times.
fn not_after_s(certificate: &[u8]) -> Result<i64, TlsFault> {
    let times = AnyRef::from_der(certificate).and_then(parts).and_then(|certificate| {
        let about = parts(*certificate.first().ok_or(ErrorKind::Failed)?)?;
        let validity = about.into_iter().filter(|part| part.tag() == Tag::Sequence).nth(2);
        parts(validity.ok_or(ErrorKind::Failed)?)
    });
    let not_after = times.ok().and_then(|times| seconds(*times.get(1)?));
    not_after.ok_or(TlsFault::Certificate)
}

/// What a sequence consists of.
fn parts(sequence: AnyRef<'_>) -> der::Result<Vec<AnyRef<'_>>> {
    let (mut reader, mut parts) = (SliceReader::new(sequence.value())?, Vec::new());
    while !reader.is_finished() {
        parts.push(AnyRef::decode(&mut reader)?);
    }
    Ok(parts)
}

/// Seconds since 1970 of either form of time; years before 2050 have two digits.
fn seconds(time: AnyRef<'_>) -> Option<i64> {
    let since = match time.tag() {
        Tag::UtcTime => time.decode_as::<UtcTime>().ok()?.to_unix_duration(),
        _ => time.decode_as::<GeneralizedTime>().ok()?.to_unix_duration(),
    };
    i64::try_from(since.as_secs()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn self_signed(year: i32) -> (String, String) {
        let key = rcgen::KeyPair::generate().unwrap();
        let mut params = rcgen::CertificateParams::new(vec!["localhost".to_owned()]).unwrap();
        params.not_after = rcgen::date_time_ymd(year, 1, 2);
        (params.self_signed(&key).unwrap().pem(), key.serialize_pem())
    }

    #[test]
    fn the_end_of_a_certificate_is_read_in_both_forms_of_time() {
        for (year, not_after_s) in [(2033, 1_988_236_800), (2062, 2_903_385_600)] {
            let (cert, key) = self_signed(year);
            assert_eq!(Tls::new(cert.clone(), key, cert).unwrap().not_after_s(), not_after_s, "{year}");
        }
    }

    #[test]
    fn what_cannot_be_used_is_refused() {
        let ((cert, key), (other, _)) = (self_signed(2033), self_signed(2034));
        assert!(matches!(Tls::new(other.clone(), key.clone(), other), Err(TlsFault::Together(_))));
        assert!(matches!(Tls::new("", key.clone(), cert.clone()), Err(TlsFault::Empty("certificate"))));
        assert!(matches!(Tls::new(cert.clone(), "no key", cert.clone()), Err(TlsFault::Pem("key", _))));
        assert!(matches!(Tls::new(cert, key, ""), Err(TlsFault::Empty("authority"))));
    }
}
