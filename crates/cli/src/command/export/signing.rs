//! Signing a package, and having the signature time-stamped.

use crate::failure::usage;
use anyhow::Context;
use clap::Args;
use std::{io, path::PathBuf};
use tintype_archive::{PackageKey, SignedData, time_stamp};
use tintype_live::stamping;
use url::Url;

/// How a package is signed.
#[derive(Debug, Args)]
pub(super) struct SigningOptions {
    /// Sign the package with a key that is made for it and then forgotten: proves that nothing was changed since
    #[arg(long)]
    sign: bool,
    /// Sign it with this key, as openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-384 writes it
    #[arg(long, value_name = "FILE")]
    key: Option<PathBuf>,
    /// Sign it and have this authority say when (RFC 3161), such as http://timestamp.example.com/
    #[arg(long, value_name = "URL", value_parser = parse_authority)]
    time_stamp: Option<Url>,
}

fn parse_authority(text: &str) -> Result<Url, String> {
    let url = Url::parse(text).ok().filter(|url| url.scheme() == "http" && url.has_host());
    url.ok_or_else(|| {
        "write an address that begins with http://; the answer is signed, so https adds nothing".to_owned()
    })
}

/// What signs.
#[derive(Debug)]
pub(super) struct PackageSigning {
    key: PackageKey,
    authority: Option<Url>,
    /// Whom the time stamp is of, once it is there.
    pub(super) stamped: Option<String>,
}

impl SigningOptions {
    pub(super) fn is_asked_for(&self) -> bool {
        self.sign || self.key.is_some() || self.time_stamp.is_some()
    }

    /// Nothing if nobody asked for a signature.
    pub(super) fn open(&self) -> anyhow::Result<Option<PackageSigning>> {
        if !self.is_asked_for() {
            return Ok(None);
        }
        let key = match &self.key {
            None => made()?,
            Some(path) => {
                let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
                PackageKey::from_pem(&text).ok_or_else(|| {
                    usage(
                        format!("{} holds no private key on the curve P-384", path.display()),
                        "make one: openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-384 -out key.pem",
                    )
                })?
            }
        };
        Ok(Some(PackageSigning { key, authority: self.time_stamp.clone(), stamped: None }))
    }
}

/// A new key. The few numbers that are none come up once in 2^190 times.
fn made() -> anyhow::Result<PackageKey> {
    loop {
        let mut bytes = [0; 48];
        getrandom::fill(&mut bytes).map_err(|error| anyhow::anyhow!("cannot make a key: {error}"))?;
        if let Some(key) = PackageKey::from_bytes(&bytes) {
            return Ok(key);
        }
    }
}

impl PackageSigning {
    pub(super) fn sign(&mut self, hash: &str, date: &str, software: &str) -> io::Result<SignedData> {
        let mut signed = self.key.sign(hash, date, software);
        if let Some(authority) = &self.authority {
            let failed =
                |error: &dyn std::fmt::Display| io::Error::other(format!("no time stamp by {authority}: {error}"));
            let mut nonce = [0; 8];
            getrandom::fill(&mut nonce).map_err(|error| failed(&error))?;
            let query = time_stamp::query(signed.signature.as_bytes(), u64::from_be_bytes(nonce));
            let answer = stamping::ask(authority, query).map_err(|error| failed(&error))?;
            let stamp = signed.stamp(&answer).map_err(|error| failed(&error))?;
            self.stamped = Some(format!("{} by {}", stamp.time, stamp.by));
        }
        Ok(signed)
    }
}
