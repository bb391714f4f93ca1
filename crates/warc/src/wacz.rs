//! WACZ packages: segments, index and pages of a capture in one ZIP file, listed with digests in `datapackage.json`.

mod der;
mod public_key;
mod signature;
pub mod time_stamp;

use crate::zip::{self, Member, ZipError};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
pub use signature::{AUTH_VERSION, PackageKey, SignatureError, SignedData, Signer};
use std::io::{self, Read, Seek, Write};
pub use time_stamp::TimeStamp;
use tintype_vocab::Time;

/// The version of the format that is written.
pub const WACZ_VERSION: &str = "1.1.1";
/// The largest `datapackage.json` that is read.
pub const DATAPACKAGE_BYTES_MAX: usize = 64 << 20;

const DATAPACKAGE: &str = "datapackage.json";
const DATAPACKAGE_DIGEST: &str = "datapackage-digest.json";

/// One file of a package as `datapackage.json` lists it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Resource {
    #[serde(default)]
    pub name: String,
    pub path: String,
    /// `sha256:` and hexadecimal.
    #[serde(default)]
    pub hash: String,
    #[serde(default)]
    pub bytes: u64,
}

/// What a package says about itself. Fields of other tools are passed over.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Datapackage {
    #[serde(default)]
    pub profile: String,
    #[serde(default)]
    pub resources: Vec<Resource>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub created: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub software: Option<String>,
    #[serde(default)]
    pub wacz_version: String,
}

/// A line of `pages/pages.jsonl`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct WaczPage {
    #[serde(default)]
    pub id: String,
    pub url: String,
    /// RFC 3339.
    pub ts: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// What a reader of the page reads, for search.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

/// The text of `pages/pages.jsonl`.
pub fn pages_jsonl<'a>(pages: impl IntoIterator<Item = &'a WaczPage>) -> String {
    let mut text =
        "{\"format\": \"json-pages-1.0\", \"id\": \"pages\", \"title\": \"All Pages\", \"hasText\": true}\n".to_owned();
    for page in pages {
        text.push_str(&serde_json::to_string(page).expect("text fields serialise"));
        text.push('\n');
    }
    text
}

/// The pages listed in the text of a `pages.jsonl`; lines that are none are left out.
pub fn parse_pages(text: &str) -> Vec<WaczPage> {
    text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
}

/// A package opened for reading.
#[derive(Debug)]
pub struct Package<R> {
    file: R,
    members: Vec<Member>,
}

impl<R: Read + Seek> Package<R> {
    pub fn open(mut file: R) -> Result<Package<R>, ZipError> {
        let members = zip::directory(&mut file)?;
        Ok(Package { file, members })
    }

    pub fn members(&self) -> &[Member] {
        &self.members
    }

    /// The members that are segments.
    pub fn segments(&self) -> impl Iterator<Item = &Member> {
        const ENDINGS: [&str; 3] = [".warc", ".warc.gz", ".warc.zst"];
        self.members
            .iter()
            .filter(|m| m.name.starts_with("archive/") && ENDINGS.iter().any(|end| m.name.ends_with(end)))
    }

    pub fn member(&self, name: &str) -> Option<Member> {
        self.members.iter().find(|member| member.name == name).cloned()
    }

    /// Where a member's bytes lie in the file: start and stored length.
    pub fn range(&mut self, member: &Member) -> Result<(u64, u64), ZipError> {
        Ok((member.data_start(&mut self.file)?, member.stored))
    }

    /// A member as a stream: a segment read this way goes straight into a [`crate::Reader`].
    pub fn stream(&mut self, member: &Member) -> Result<Box<dyn Read + '_>, ZipError> {
        member.open(&mut self.file)
    }

    /// A whole member of at most `limit` bytes.
    pub fn read(&mut self, member: &Member, limit: usize) -> Result<Vec<u8>, ZipError> {
        member.read(&mut self.file, limit)
    }

    pub fn datapackage(&mut self) -> Result<Datapackage, ZipError> {
        let member = self.member(DATAPACKAGE).ok_or(ZipError::Malformed("no datapackage.json"))?;
        let bytes = self.read(&member, DATAPACKAGE_BYTES_MAX)?;
        serde_json::from_slice(&bytes).map_err(|_| ZipError::Malformed("datapackage.json is not readable"))
    }

    /// Whether `datapackage-digest.json` states the digest of `datapackage.json`. A package need not have one.
    pub fn has_right_digest(&mut self) -> Result<bool, ZipError> {
        let (Some(package), Some(digest)) = (self.member(DATAPACKAGE), self.member(DATAPACKAGE_DIGEST)) else {
            return Ok(true);
        };
        let stated = self.read(&digest, DATAPACKAGE_BYTES_MAX)?;
        let stated: serde_json::Value = serde_json::from_slice(&stated).unwrap_or_default();
        let (hash, _) = sha256_of(&mut *self.stream(&package)?)?;
        Ok(stated["hash"].as_str().is_some_and(|stated| stated.eq_ignore_ascii_case(&hash)))
    }

    /// What is signed about the package, if anything, and the digest it has to be of.
    pub fn signed(&mut self) -> Result<Option<(SignedData, String)>, ZipError> {
        let (Some(package), Some(digest)) = (self.member(DATAPACKAGE), self.member(DATAPACKAGE_DIGEST)) else {
            return Ok(None);
        };
        let stated = self.read(&digest, DATAPACKAGE_BYTES_MAX)?;
        let stated: serde_json::Value = serde_json::from_slice(&stated).unwrap_or_default();
        let Some(signed) = stated.get("signedData").filter(|signed| !signed.is_null()) else { return Ok(None) };
        let signed = serde_json::from_value(signed.clone());
        let signed =
            signed.map_err(|_| ZipError::Malformed("signedData of datapackage-digest.json is not readable"))?;
        let (hash, _) = sha256_of(&mut *self.stream(&package)?)?;
        Ok(Some((signed, hash)))
    }

    /// The paths whose bytes are missing or do not have the listed SHA-256.
    pub fn wrong_resources(&mut self) -> Result<Vec<String>, ZipError> {
        let mut wrong = Vec::new();
        for resource in self.datapackage()?.resources {
            let right = match self.member(&resource.path) {
                Some(member) => resource.hash.eq_ignore_ascii_case(&sha256_of(&mut *self.stream(&member)?)?.0),
                None => false,
            };
            if !right {
                wrong.push(resource.path);
            }
        }
        Ok(wrong)
    }
}

fn sha256_of(content: &mut dyn Read) -> io::Result<(String, u64)> {
    let mut hashed = Hashed { inner: content, hash: Sha256::new() };
    let bytes = io::copy(&mut hashed, &mut io::sink())?;
    Ok((labelled(hashed.hash), bytes))
}

fn labelled(hash: Sha256) -> String {
    format!("sha256:{}", data_encoding::HEXLOWER.encode(&hash.finalize()))
}

struct Hashed<'a> {
    inner: &'a mut dyn Read,
    hash: Sha256,
}

impl Read for Hashed<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        self.hash.update(&buffer[..count]);
        Ok(count)
    }
}

/// Writes a package. Everything is stored, so that replay in a browser can fetch single records by range.
#[derive(Debug)]
pub struct Builder<W> {
    zip: zip::Writer<W>,
    resources: Vec<Resource>,
}

impl<W: Write + Seek> Builder<W> {
    pub fn new(out: W) -> Builder<W> {
        Builder { zip: zip::Writer::new(out), resources: Vec::new() }
    }

    /// Adds a file of exactly `len` bytes, e.g. `archive/x.warc.gz`, `indexes/index.cdx.gz`, `pages/pages.jsonl`.
    pub fn add(&mut self, path: &str, content: &mut dyn Read, len: u64) -> io::Result<()> {
        let mut hashed = Hashed { inner: content, hash: Sha256::new() };
        self.zip.add(path, &mut hashed, len)?;
        let name = path.rsplit('/').next().unwrap_or(path).to_lowercase();
        self.resources.push(Resource { name, path: path.to_owned(), hash: labelled(hashed.hash), bytes: len });
        Ok(())
    }

    /// Adds `datapackage.json` and its digest, and closes the package. `sign` is handed the digest, which is what a signature
    /// is made over, and the date of the package.
    pub fn finish(
        mut self,
        title: &str,
        created: Time,
        software: &str,
        sign: &mut dyn FnMut(&str, &str) -> io::Result<Option<SignedData>>,
    ) -> io::Result<W> {
        let date = created.to_rfc3339_secs();
        let package = Datapackage {
            profile: "data-package".into(),
            resources: std::mem::take(&mut self.resources),
            title: Some(title.to_owned()),
            created: Some(date.clone()),
            software: Some(software.to_owned()),
            wacz_version: WACZ_VERSION.into(),
        };
        let text = serde_json::to_vec_pretty(&package)?;
        let (hash, len) = sha256_of(&mut text.as_slice())?;
        self.zip.add(DATAPACKAGE, &mut text.as_slice(), len)?;
        let mut digest = serde_json::json!({ "path": DATAPACKAGE, "hash": hash });
        if let Some(signed) = sign(&hash, &date)? {
            digest["signedData"] = serde_json::to_value(signed)?;
        }
        let digest = serde_json::to_vec_pretty(&digest)?;
        self.zip.add(DATAPACKAGE_DIGEST, &mut digest.as_slice(), digest.len() as u64)?;
        self.zip.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Cursor;

    fn package() -> Vec<u8> {
        let mut builder = Builder::new(Cursor::new(Vec::new()));
        builder.add("archive/A.warc.gz", &mut &b"abc"[..], 3).unwrap();
        let page = WaczPage {
            id: "1".into(),
            url: "http://a/".into(),
            ts: "2026-11-15T21:55:03Z".into(),
            ..WaczPage::default()
        };
        let pages = pages_jsonl([&page]);
        assert_eq!(parse_pages(&pages), [page]);
        builder.add("pages/pages.jsonl", &mut pages.as_bytes(), pages.len() as u64).unwrap();
        let mut sign =
            |hash: &str, date: &str| Ok(PackageKey::from_bytes(&[1; 48]).map(|key| key.sign(hash, date, "t")));
        builder.finish("Title", Time::from_secs(0), "tintype", &mut sign).unwrap().into_inner()
    }

    #[test]
    fn a_package_reads_back_with_its_digests() {
        let mut package = Package::open(Cursor::new(package())).unwrap();
        assert_eq!(package.segments().map(|m| m.name.as_str()).collect::<Vec<_>>(), ["archive/A.warc.gz"]);
        let about = package.datapackage().unwrap();
        assert_eq!((about.resources[0].name.as_str(), about.resources[0].bytes), ("a.warc.gz", 3));
        assert_eq!(about.wacz_version, WACZ_VERSION);
        assert!(package.wrong_resources().unwrap().is_empty() && package.has_right_digest().unwrap());
        let (signed, hash) = package.signed().unwrap().unwrap();
        assert!(signed.check(&hash).is_ok() && Some(signed.created) == about.created);
    }

    #[test]
    fn a_changed_byte_is_named_by_its_path() {
        let mut bytes = package();
        let at = memchr::memmem::find(&bytes, b"gzabc").unwrap() + 2;
        bytes[at] = b'x';
        let mut package = Package::open(Cursor::new(bytes)).unwrap();
        assert_eq!(package.wrong_resources().unwrap(), ["archive/A.warc.gz"]);
    }
}
