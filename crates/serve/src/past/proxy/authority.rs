//! A local authority for TLS: made on first use, kept where the person says, and good for nothing but this proxy.

use hashbrown::HashMap;
use rcgen::{
    BasicConstraints, CertificateParams, DnType, ExtendedKeyUsagePurpose, IsCa, Issuer, KeyPair, KeyUsagePurpose,
    SanType, date_time_ymd,
};
use rustls::{
    ServerConfig,
    crypto::aws_lc_rs,
    pki_types::{CertificateDer, PrivatePkcs8KeyDer},
    server::{ClientHello, ResolvesServerCert},
    sign::CertifiedKey,
};
use std::{
    fmt, fs, io,
    io::Write as _,
    os::unix::fs::OpenOptionsExt,
    path::Path,
    sync::{Arc, Mutex, PoisonError},
};
use tintype_vocab::{Span, Time};

const CERTIFICATE: &str = "authority.pem";
const KEY: &str = "authority-key.pem";
/// Under this name people find it among the authorities of their browser.
const NAME: &str = "Tintype local authority";
/// Certificates that are held; one costs a tenth of a millisecond to make anew.
const HELD_MAX: usize = 10_000;
/// Some browsers trust no certificate that is valid for longer than this.
const VALID: Span = Span::from_days(397);
/// Clocks differ.
const BEFORE: Span = Span::from_days(2);

/// Signs for any host, for as long as it is asked by the person whose it is.
pub(super) struct Authority {
    issuer: Issuer<'static, KeyPair>,
    /// What people add to their browser.
    pub(super) certificate: String,
    now: Time,
    held: Mutex<HashMap<String, Arc<CertifiedKey>>>,
}

impl fmt::Debug for Authority {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Authority").finish_non_exhaustive()
    }
}

impl Authority {
    /// Opens the authority of a directory, or makes it.
    pub(super) fn open(directory: &Path, now: Time) -> io::Result<Authority> {
        let (certificate, key) = (directory.join(CERTIFICATE), directory.join(KEY));
        let (certificate, key) = match (fs::read_to_string(&certificate), fs::read_to_string(&key)) {
            (Ok(certificate), Ok(key)) => (certificate, KeyPair::from_pem(&key).map_err(io::Error::other)?),
            (Err(missing), _) | (_, Err(missing)) if missing.kind() == io::ErrorKind::NotFound => {
                made(directory, &certificate, &key)?
            }
            (Err(error), _) | (_, Err(error)) => return Err(error),
        };
        let issuer = Issuer::new(own_params(), key);
        Ok(Authority { issuer, certificate, now, held: Mutex::default() })
    }

    /// How to speak TLS as `host`; a client that says a name itself is answered under that one.
    pub(super) fn server(self: &Arc<Authority>, host: &str) -> io::Result<ServerConfig> {
        let mut config = ServerConfig::builder_with_provider(Arc::new(aws_lc_rs::default_provider()))
            .with_safe_default_protocol_versions()
            .map_err(io::Error::other)?
            .with_no_client_auth()
            .with_cert_resolver(Arc::new(ByName { authority: self.clone(), host: host.to_owned() }));
        config.alpn_protocols = vec![b"http/1.1".to_vec()];
        Ok(config)
    }

    fn certified(&self, host: &str) -> Option<Arc<CertifiedKey>> {
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = held.get(host) {
            return Some(known.clone());
        }
        let made = Arc::new(self.certify(host)?);
        if held.len() >= HELD_MAX {
            held.clear();
        }
        held.insert(host.to_owned(), made.clone());
        Some(made)
    }

    fn certify(&self, host: &str) -> Option<CertifiedKey> {
        let mut params = CertificateParams::new(Vec::new()).ok()?;
        let address = host.trim_matches(['[', ']']).parse();
        params.subject_alt_names = vec![match address {
            Ok(address) => SanType::IpAddress(address),
            Err(_) => SanType::DnsName(host.try_into().ok()?),
        }];
        params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
        (params.not_before, params.not_after) = (date(self.now - BEFORE), date(self.now - BEFORE + VALID));
        params.use_authority_key_identifier_extension = true;
        let key = KeyPair::generate().ok()?;
        let certificate = params.signed_by(&key, &self.issuer).ok()?;
        let own = CertificateDer::from(certificate.der().to_vec());
        let key = aws_lc_rs::sign::any_ecdsa_type(&PrivatePkcs8KeyDer::from(key.serialize_der()).into()).ok()?;
        Some(CertifiedKey::new(vec![own], key))
    }
}

#[derive(Debug)]
struct ByName {
    authority: Arc<Authority>,
    host: String,
}

impl ResolvesServerCert for ByName {
    fn resolve(&self, hello: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        self.authority.certified(hello.server_name().unwrap_or(&self.host))
    }
}

/// Always the same, so that a key alone is enough to sign with.
fn own_params() -> CertificateParams {
    let mut params = CertificateParams::default();
    params.distinguished_name.push(DnType::CommonName, NAME);
    params.is_ca = IsCa::Ca(BasicConstraints::Constrained(0));
    params.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::CrlSign];
    (params.not_before, params.not_after) = (date_time_ymd(2020, 1, 1), date_time_ymd(2049, 12, 31));
    params
}

/// The key is written first: a certificate without it would be trusted and useless.
fn made(directory: &Path, certificate: &Path, key: &Path) -> io::Result<(String, KeyPair)> {
    fs::create_dir_all(directory)?;
    let pair = KeyPair::generate().map_err(io::Error::other)?;
    let text = own_params().self_signed(&pair).map_err(io::Error::other)?.pem();
    let mut file = fs::File::options().write(true).create(true).truncate(true).mode(0o600).open(key)?;
    file.write_all(pair.serialize_pem().as_bytes())?;
    fs::write(certificate, &text)?;
    Ok((text, pair))
}

fn date(time: Time) -> time::OffsetDateTime {
    time::OffsetDateTime::from_unix_timestamp(time.as_secs()).unwrap_or(time::OffsetDateTime::UNIX_EPOCH)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn an_authority_is_made_once_and_its_key_is_nobody_elses() {
        let directory = tempfile::tempdir().unwrap();
        let (place, now) = (directory.path().join("a"), Time::from_secs(1_800_000_000));
        let first = Authority::open(&place, now).unwrap();
        let again = Authority::open(&place, now).unwrap();
        assert_eq!(first.certificate, again.certificate);
        assert_eq!(fs::metadata(place.join(KEY)).unwrap().permissions().mode() & 0o777, 0o600);
        let (one, two) = (first.certified("a.example").unwrap(), first.certified("a.example").unwrap());
        assert!(Arc::ptr_eq(&one, &two), "made once");
        assert!(again.certified("127.0.0.1").is_some() && again.certified("ü.example").is_none());
    }
}
