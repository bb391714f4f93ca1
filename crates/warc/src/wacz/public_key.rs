//! Keys of certificates, and signatures by them.

use super::der::{BIT_STRING, Item, Items, OID, SEQUENCE};
use aws_lc_rs::signature::{self as known, UnparsedPublicKey, VerificationAlgorithm};

const RSA: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x01];
const P256: &[u8] = &[0x2a, 0x86, 0x48, 0xce, 0x3d, 0x03, 0x01, 0x07];
const P384: &[u8] = &[0x2b, 0x81, 0x04, 0x00, 0x22];
const COMMON_NAME: &[u8] = &[0x55, 0x04, 0x03];

/// How the bytes that were signed are summed up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Hashing {
    Sha256,
    Sha384,
    Sha512,
}

/// The subject of a certificate and its key.
#[derive(Clone, Debug)]
pub(super) struct Certified<'a> {
    pub(super) name: String,
    algorithm: &'a [u8],
    key: &'a [u8],
}

impl<'a> Certified<'a> {
    /// Reads an X.509 certificate.
    pub(super) fn read(certificate: Item<'a>) -> Option<Certified<'a>> {
        let mut fields = certificate.items().read(SEQUENCE)?.items();
        fields.read_if(0xa0);
        // Serial number, algorithm, issuer, validity.
        let subject = fields.nth(4)?;
        let (algorithm, key) = parts(fields.read(SEQUENCE)?)?;
        Some(Certified { name: common_name(subject).unwrap_or_default(), algorithm, key })
    }

    /// Whether a signature in DER, or of RSA, is of these bytes and by this key.
    pub(super) fn has_signed(&self, hashing: Hashing, bytes: &[u8], signature: &[u8]) -> bool {
        let algorithm: Option<&'static dyn VerificationAlgorithm> = match (self.algorithm, hashing) {
            (RSA, Hashing::Sha256) => Some(&known::RSA_PKCS1_2048_8192_SHA256),
            (RSA, Hashing::Sha384) => Some(&known::RSA_PKCS1_2048_8192_SHA384),
            (RSA, Hashing::Sha512) => Some(&known::RSA_PKCS1_2048_8192_SHA512),
            (P256, Hashing::Sha256) => Some(&known::ECDSA_P256_SHA256_ASN1),
            (P256, Hashing::Sha384) => Some(&known::ECDSA_P256_SHA384_ASN1),
            (P384, Hashing::Sha256) => Some(&known::ECDSA_P384_SHA256_ASN1),
            (P384, Hashing::Sha384) => Some(&known::ECDSA_P384_SHA384_ASN1),
            _ => None,
        };
        algorithm.is_some_and(|algorithm| UnparsedPublicKey::new(algorithm, self.key).verify(bytes, signature).is_ok())
    }
}

/// Curve, or kind if it has none, and key of a `SubjectPublicKeyInfo`.
fn parts(info: Item<'_>) -> Option<(&[u8], &[u8])> {
    let mut fields = info.items();
    let mut algorithm = fields.read(SEQUENCE)?.items();
    let kind = algorithm.read(OID)?.body;
    let curve = algorithm.read_if(OID).map(|curve| curve.body);
    let key = fields.read(BIT_STRING)?.body.strip_prefix(&[0])?;
    Some((curve.unwrap_or(kind), key))
}

fn common_name(name: Item<'_>) -> Option<String> {
    name.items().find_map(|set| {
        let mut pair = set.items().next()?.items();
        let is_it = pair.read(OID)?.body == COMMON_NAME;
        let value = pair.next()?;
        is_it.then(|| String::from_utf8_lossy(value.body).into_owned())
    })
}

/// The bytes of the first certificate of a text, as PEM has them.
pub(super) fn first_of_pem(text: &str) -> Option<Vec<u8>> {
    let (_, rest) = text.split_once("-----BEGIN CERTIFICATE-----")?;
    let (body, _) = rest.split_once("-----END CERTIFICATE-----")?;
    let body: String = body.split_whitespace().collect();
    data_encoding::BASE64.decode(body.as_bytes()).ok()
}

pub(super) fn to_pem(certificate: &[u8]) -> String {
    let body = data_encoding::BASE64.encode(certificate);
    let lines: Vec<&str> =
        body.as_bytes().chunks(64).map(|line| std::str::from_utf8(line).unwrap_or_default()).collect();
    format!("-----BEGIN CERTIFICATE-----\n{}\n-----END CERTIFICATE-----\n", lines.join("\n"))
}

/// All of a text, if it is one certificate.
pub(super) fn certificate(bytes: &[u8]) -> Option<Item<'_>> {
    Items(bytes).read(SEQUENCE)
}
