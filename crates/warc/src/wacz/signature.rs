//! Signatures of packages (WACZ Auth 0.1): by a key of nobody in particular, or by the key of a domain's certificate.

use super::{
    public_key::{Certified, Hashing, certificate, first_of_pem},
    time_stamp::{self, TimeStamp, TimeStampError},
};
use data_encoding::{BASE64, HEXLOWER};
use p384::{
    SecretKey,
    ecdsa::{
        Signature, SigningKey, VerifyingKey,
        signature::hazmat::{PrehashSigner, PrehashVerifier},
    },
    pkcs8::{DecodePrivateKey, DecodePublicKey, EncodePublicKey},
};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

/// The version of WACZ Auth that is written.
pub const AUTH_VERSION: &str = "0.1.0";

/// What is signed about a package, and by whom: `signedData` in `datapackage-digest.json`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct SignedData {
    /// Of `datapackage.json`, as `sha256:` and hexadecimal.
    pub hash: String,
    pub created: String,
    pub software: String,
    pub version: String,
    pub signature: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub public_key: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub domain: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub domain_cert: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time_signature: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timestamp_cert: Option<String>,
}

/// A key to sign packages with.
pub struct PackageKey(SigningKey);

impl std::fmt::Debug for PackageKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("PackageKey")
    }
}

impl PackageKey {
    /// A key made of bytes that are as good as random; nothing for the few that are none.
    pub fn from_bytes(bytes: &[u8; 48]) -> Option<PackageKey> {
        Some(PackageKey(SecretKey::from_slice(bytes).ok()?.into()))
    }

    /// A key on the curve P-384, as `openssl genpkey` writes it.
    pub fn from_pem(text: &str) -> Option<PackageKey> {
        Some(PackageKey(SecretKey::from_pkcs8_pem(text).ok()?.into()))
    }

    /// Signs the digest of a package.
    pub fn sign(&self, hash: &str, created: &str, software: &str) -> SignedData {
        let signed: Result<Signature, _> = self.0.sign_prehash(&Sha256::digest(hash.as_bytes()));
        let signed = signed.expect("a digest of 32 bytes can be signed");
        let key = self.0.verifying_key().to_public_key_der().expect("a public key can be written");
        SignedData {
            hash: hash.to_owned(),
            created: created.to_owned(),
            software: software.to_owned(),
            version: AUTH_VERSION.to_owned(),
            signature: BASE64.encode(&signed.to_bytes()),
            public_key: Some(BASE64.encode(key.as_bytes())),
            ..SignedData::default()
        }
    }
}

/// Who signed a package.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Signer {
    /// The SHA-256 of the key, for comparison with one that is known.
    Key(String),
    /// The name in a certificate. Whether its authority is to be trusted is for the reader to say.
    Domain(String),
}

/// Why a signature does not hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SignatureError {
    #[error("is signed for another datapackage.json")]
    OtherPackage,
    #[error("is signed with a key that cannot be read")]
    NoKey,
    #[error("has a wrong signature")]
    Wrong,
    #[error("names another domain than its certificate")]
    OtherDomain,
    #[error("has a time stamp that does not hold: {0}")]
    Stamp(#[from] TimeStampError),
}

impl SignedData {
    /// Takes in an authority's answer, if it is a time stamp of this signature.
    pub fn stamp(&mut self, answer: &[u8]) -> Result<TimeStamp, TimeStampError> {
        let stamp = time_stamp::read(answer, self.signature.as_bytes())?;
        self.time_signature = Some(BASE64.encode(answer));
        self.timestamp_cert = Some(stamp.certificates.clone());
        Ok(stamp)
    }

    /// Holds the signature against the digest of the package.
    pub fn check(&self, hash: &str) -> Result<(Signer, Option<TimeStamp>), SignatureError> {
        if !self.hash.eq_ignore_ascii_case(hash) {
            return Err(SignatureError::OtherPackage);
        }
        let signature = BASE64.decode(self.signature.as_bytes()).map_err(|_| SignatureError::Wrong)?;
        let signer = match (&self.public_key, &self.domain_cert) {
            (Some(key), _) => by_key(key, &self.hash, &signature)?,
            (None, Some(chain)) => self.by_domain(chain, &signature)?,
            (None, None) => return Err(SignatureError::NoKey),
        };
        let stamp = self.time_signature.as_deref().map(|stamp| {
            let answer = BASE64.decode(stamp.as_bytes()).map_err(|_| TimeStampError::Malformed)?;
            time_stamp::read(&answer, self.signature.as_bytes())
        });
        Ok((signer, stamp.transpose()?))
    }

    fn by_domain(&self, chain: &str, signature: &[u8]) -> Result<Signer, SignatureError> {
        let bytes = first_of_pem(chain).ok_or(SignatureError::NoKey)?;
        let certified = certificate(&bytes).and_then(Certified::read).ok_or(SignatureError::NoKey)?;
        if !certified.has_signed(Hashing::Sha256, self.hash.as_bytes(), signature) {
            return Err(SignatureError::Wrong);
        }
        match self.domain.as_deref() == Some(certified.name.as_str()) {
            true => Ok(Signer::Domain(certified.name)),
            false => Err(SignatureError::OtherDomain),
        }
    }
}

fn by_key(key: &str, hash: &str, signature: &[u8]) -> Result<Signer, SignatureError> {
    let der = BASE64.decode(key.as_bytes()).map_err(|_| SignatureError::NoKey)?;
    let known = VerifyingKey::from_public_key_der(&der).map_err(|_| SignatureError::NoKey)?;
    let signature = Signature::from_slice(signature).or_else(|_| Signature::from_der(signature));
    let holds =
        signature.is_ok_and(|signature| known.verify_prehash(&Sha256::digest(hash.as_bytes()), &signature).is_ok());
    match holds {
        true => Ok(Signer::Key(HEXLOWER.encode(&Sha256::digest(&der)))),
        false => Err(SignatureError::Wrong),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signature_holds_for_its_package_and_for_no_other() {
        let key = PackageKey::from_bytes(&[7; 48]).unwrap();
        let signed = key.sign("sha256:ab", "2026-11-18T00:00:00Z", "tintype");
        assert!(matches!(signed.check("sha256:AB"), Ok((Signer::Key(_), None))));
        assert_eq!(signed.check("sha256:cd").unwrap_err(), SignatureError::OtherPackage);
        let other = SignedData { hash: "sha256:cd".into(), ..signed.clone() };
        assert_eq!(other.check("sha256:cd").unwrap_err(), SignatureError::Wrong);
        let keyless = SignedData { public_key: None, ..signed.clone() };
        assert_eq!(keyless.check("sha256:ab").unwrap_err(), SignatureError::NoKey);
        let stamped = SignedData { time_signature: Some("AAAA".into()), ..signed };
        assert!(matches!(stamped.check("sha256:ab"), Err(SignatureError::Stamp(_))));
        assert!(PackageKey::from_bytes(&[0; 48]).is_none());
    }
}
