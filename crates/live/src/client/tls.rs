//! TLS: what we trust, what we offer, what we remember of a handshake.

use super::{fetch_error::FetchError, settings::ClientError, settings::ClientSettings, transport::Transport};
use rustls::{
    AlertDescription, CertificateError, ClientConfig, ClientConnection, DigitallySignedStruct, Error, RootCertStore,
    SignatureScheme,
    client::{
        Resumption, WebPkiServerVerifier,
        danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier},
    },
    crypto::{CryptoProvider, aws_lc_rs},
    pki_types::{CertificateDer, ServerName, UnixTime},
};
use std::{
    io,
    sync::{Arc, Mutex, PoisonError},
};
use tintype_vocab::{CertificateFault, Failure};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;

/// Both offers share one set of roots.
#[derive(Debug)]
pub(super) struct Tls {
    only_http1: Arc<ClientConfig>,
    with_http2: Arc<ClientConfig>,
    verifier: Arc<WebPkiServerVerifier>,
    accept_invalid: bool,
}

/// What the archive remembers of a handshake.
#[derive(Clone, Debug)]
pub(super) struct Handshake {
    /// `tls/1.3`.
    pub(super) version: &'static str,
    pub(super) cipher_suite: Option<String>,
    pub(super) http2: bool,
    /// What was wrong with a certificate that was accepted all the same.
    pub(super) note: Option<String>,
}

/// Why there is no TLS.
#[derive(Debug)]
pub(super) enum TlsError {
    /// The server wants a protocol we did not offer.
    WantsOtherProtocol,
    Other(FetchError),
}

impl Tls {
    pub(super) fn new(settings: &ClientSettings) -> Result<Tls, ClientError> {
        let provider = Arc::new(aws_lc_rs::default_provider());
        let roots = Arc::new(roots(settings)?);
        let verifier = WebPkiServerVerifier::builder_with_provider(roots, provider.clone())
            .build()
            .map_err(|error| ClientError::Root(error.to_string()))?;
        let config = |protocols: &[&[u8]]| config(&provider, &verifier, protocols);
        Ok(Tls {
            only_http1: config(&[b"http/1.1"]),
            with_http2: config(&[b"h2", b"http/1.1"]),
            accept_invalid: settings.accept_invalid_certificates,
            verifier,
        })
    }

    pub(super) async fn connect(
        &self,
        tcp: TcpStream,
        host: &str,
        offer_http2: bool,
    ) -> Result<(Transport, Handshake), TlsError> {
        let name = ServerName::try_from(host.trim_end_matches('.').to_owned())
            .map_err(|error| TlsError::Other(FetchError::new(Failure::BadUrl, error)))?;
        let mut config = if offer_http2 { self.with_http2.clone() } else { self.only_http1.clone() };
        let complaint = Complaint::default();
        if self.accept_invalid {
            config = self.tolerant(&config, &complaint);
        }
        let stream = TlsConnector::from(config).connect(name, tcp).await.map_err(explain)?;
        let handshake = Handshake::of(stream.get_ref().1, complaint.take());
        Ok((Transport::Tls(Box::new(stream)), handshake))
    }

    /// A configuration for one connection that writes down what is wrong instead of refusing. No session is resumed,
    /// or the certificate would not be looked at again.
    fn tolerant(&self, config: &ClientConfig, complaint: &Complaint) -> Arc<ClientConfig> {
        let mut config = config.clone();
        config.resumption = Resumption::disabled();
        let verifier = Tolerant { strict: self.verifier.clone(), complaint: complaint.clone() };
        config.dangerous().set_certificate_verifier(Arc::new(verifier));
        Arc::new(config)
    }
}

fn roots(settings: &ClientSettings) -> Result<RootCertStore, ClientError> {
    let mut roots = RootCertStore { roots: webpki_roots::TLS_SERVER_ROOTS.to_vec() };
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    for root in &settings.trusted_roots {
        roots.add(CertificateDer::from(root.clone())).map_err(|error| ClientError::Root(error.to_string()))?;
    }
    Ok(roots)
}

fn config(
    provider: &Arc<CryptoProvider>,
    verifier: &Arc<WebPkiServerVerifier>,
    protocols: &[&[u8]],
) -> Arc<ClientConfig> {
    let mut config = ClientConfig::builder_with_provider(provider.clone())
        .with_safe_default_protocol_versions()
        .expect("the provider knows TLS 1.2 and 1.3")
        .dangerous()
        .with_custom_certificate_verifier(verifier.clone())
        .with_no_client_auth();
    config.alpn_protocols = protocols.iter().map(|protocol| protocol.to_vec()).collect();
    Arc::new(config)
}

fn explain(error: io::Error) -> TlsError {
    let inner = error.get_ref().and_then(|inner| inner.downcast_ref::<Error>());
    match inner {
        Some(Error::AlertReceived(AlertDescription::NoApplicationProtocol) | Error::NoApplicationProtocol) => {
            TlsError::WantsOtherProtocol
        }
        Some(Error::InvalidCertificate(wrong)) => {
            TlsError::Other(FetchError::new(Failure::Certificate(fault(wrong)), in_plain_words(wrong)))
        }
        Some(other) => TlsError::Other(FetchError::new(Failure::Tls, other)),
        None => TlsError::Other(FetchError::new(Failure::Tls, error)),
    }
}

fn in_plain_words(wrong: &CertificateError) -> String {
    match fault(wrong) {
        CertificateFault::Invalid => format!("certificate invalid: {wrong}"),
        fault => fault.to_string(),
    }
}

fn fault(wrong: &CertificateError) -> CertificateFault {
    match wrong {
        CertificateError::Expired | CertificateError::ExpiredContext { .. } => CertificateFault::Expired,
        CertificateError::NotValidYet | CertificateError::NotValidYetContext { .. } => CertificateFault::NotYetValid,
        CertificateError::UnknownIssuer => CertificateFault::UnknownIssuer,
        CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. } => {
            CertificateFault::OtherName
        }
        CertificateError::Revoked => CertificateFault::Revoked,
        // What `openssl req -x509` makes: an authority of its own that vouches for itself. The verifier has no better word.
        CertificateError::Other(other) if format!("{other:?}").contains("CaUsedAsEndEntity") => {
            CertificateFault::UnknownIssuer
        }
        _ => CertificateFault::Invalid,
    }
}

impl Handshake {
    fn of(connection: &ClientConnection, note: Option<String>) -> Handshake {
        let version = match connection.protocol_version() {
            Some(rustls::ProtocolVersion::TLSv1_2) => "tls/1.2",
            _ => "tls/1.3",
        };
        let cipher_suite = connection.negotiated_cipher_suite().map(|suite| registered_name(suite.suite()));
        Handshake { version, cipher_suite, http2: connection.alpn_protocol() == Some(b"h2"), note }
    }
}

/// rustls marks the suites of TLS 1.3 in their names; the registry, and WARC, do not.
fn registered_name(suite: rustls::CipherSuite) -> String {
    format!("{suite:?}").replace("TLS13_", "TLS_")
}

/// What was wrong with the certificate of one handshake.
#[derive(Clone, Debug, Default)]
struct Complaint(Arc<Mutex<Option<String>>>);

impl Complaint {
    fn put(&self, text: String) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(text);
    }

    fn take(&self) -> Option<String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

/// Accepts any certificate the other side can prove to hold, and writes down what is wrong with it.
#[derive(Debug)]
struct Tolerant {
    strict: Arc<WebPkiServerVerifier>,
    complaint: Complaint,
}

impl ServerCertVerifier for Tolerant {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        server_name: &ServerName<'_>,
        ocsp_response: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        match self.strict.verify_server_cert(end_entity, intermediates, server_name, ocsp_response, now) {
            Err(Error::InvalidCertificate(wrong)) => self.complaint.put(in_plain_words(&wrong)),
            Err(other) => self.complaint.put(other.to_string()),
            Ok(_) => {}
        }
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.strict.verify_tls12_signature(message, cert, dss)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.strict.verify_tls13_signature(message, cert, dss)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.strict.supported_verify_schemes()
    }
}
