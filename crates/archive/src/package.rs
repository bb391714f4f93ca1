//! Checks WACZ packages and WARC files of anybody: what their own validators let pass included.

use crate::{Defect, Error, Finding, door};
use hashbrown::HashMap;
use std::{
    fs::File,
    io::{BufReader, Read, Seek, SeekFrom},
    path::Path,
};
use tintype_warc::{
    Reader, cdxj,
    index::Indexer,
    verify,
    wacz::{Package, Signer, TimeStamp},
    zip::Member,
    zipnum,
};

/// Defects beyond this many are not listed.
const FINDINGS_MAX: usize = 1000;
/// No index or list of pages is larger.
const MEMBER_MAX: usize = 1 << 30;

/// What checking a file gave.
#[derive(Debug, Default)]
pub struct CheckedFile {
    pub segments: u64,
    pub records: u64,
    pub index_lines: u64,
    /// Who signed the package, and who said when, if the signature holds.
    pub signed: Option<(Signer, Option<TimeStamp>)>,
    pub findings: Vec<Finding>,
}

/// Where records are, by file and offset: time and length as the records themselves say. Keys are for every tool to choose.
type Places = HashMap<(String, u64), (String, u64)>;

impl CheckedFile {
    /// Reads every byte of a WACZ package or a WARC file.
    pub fn read(path: &Path) -> Result<CheckedFile, Error> {
        let failed = || Error::io("read", path);
        let mut file = door::open_given(path).map_err(failed())?;
        let mut start = [0; 4];
        let read = file.read(&mut start).map_err(failed())?;
        file.seek(SeekFrom::Start(0)).map_err(failed())?;
        let mut checked = CheckedFile::default();
        if start[..read].starts_with(b"PK\x03\x04") {
            checked.package(path, file)?;
            return Ok(checked);
        }
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        checked.segment(&name, file).map_err(failed())?;
        match checked.records {
            0 => Err(Error::Unusable {
                path: path.to_owned(),
                reason: "is neither a WARC file nor a WACZ package".to_owned(),
            }),
            _ => Ok(checked),
        }
    }

    fn note(&mut self, file: &str, offset: Option<u64>, defect: Defect) {
        if self.findings.len() < FINDINGS_MAX {
            self.findings.push(Finding { file: file.to_owned(), offset, defect });
        }
    }

    fn segment(&mut self, name: &str, file: impl Read) -> std::io::Result<()> {
        // An original that is not in this file may be in another that the person did not name.
        let report = verify::check(Reader::new(file), &mut |_| true)?;
        self.segments += 1;
        self.records += report.records;
        for finding in report.findings.iter() {
            self.note(name, Some(finding.offset), Defect::Segment(finding.problem.clone()));
        }
        Ok(())
    }

    fn package(&mut self, path: &Path, file: File) -> Result<(), Error> {
        let refuse = |error: tintype_warc::zip::ZipError| {
            let reason = format!("is no WACZ package that can be read: {error}");
            Error::Unusable { path: path.to_owned(), reason }
        };
        let mut package = Package::open(BufReader::with_capacity(256 << 10, file)).map_err(refuse)?;
        for wrong in package.wrong_resources().map_err(refuse)? {
            self.note(&wrong, None, Defect::Package("is missing or does not have the listed SHA-256"));
        }
        if !package.has_right_digest().map_err(refuse)? {
            self.note(
                "datapackage-digest.json",
                None,
                Defect::Package("does not state the SHA-256 of datapackage.json"),
            );
        }
        self.signature(&mut package).map_err(refuse)?;
        let listed: Vec<String> =
            package.datapackage().map_err(refuse)?.resources.into_iter().map(|resource| resource.path).collect();
        let members: Vec<Member> = package.members().to_vec();
        let own = ["datapackage.json", "datapackage-digest.json"];
        for member in
            members.iter().filter(|member| !own.contains(&member.name.as_str()) && !member.name.ends_with('/'))
        {
            if !listed.contains(&member.name) {
                self.note(&member.name, None, Defect::Package("is in the package and not listed in datapackage.json"));
            }
        }
        let segments: Vec<Member> = package.segments().cloned().collect();
        let mut places = Places::new();
        for member in &segments {
            let name = member.name.rsplit('/').next().unwrap_or(&member.name).to_owned();
            if member.deflated {
                self.note(
                    &member.name,
                    None,
                    Defect::Package("is compressed once more, so replay in a browser cannot read single records"),
                );
            }
            self.segment(&member.name, package.stream(member).map_err(refuse)?).map_err(Error::io("read", path))?;
            gather(&name, package.stream(member).map_err(refuse)?, &mut places).map_err(Error::io("read", path))?;
        }
        if segments.is_empty() {
            self.note("archive/", None, Defect::Package("holds no WARC file"));
        }
        self.indexes(&mut package, &members, places).map_err(refuse)
    }

    fn signature(&mut self, package: &mut Package<BufReader<File>>) -> Result<(), tintype_warc::zip::ZipError> {
        let Some((signed, hash)) = package.signed()? else { return Ok(()) };
        match signed.check(&hash) {
            Ok(signer) => self.signed = Some(signer),
            Err(error) => self.note("datapackage-digest.json", None, Defect::Signature(error)),
        }
        Ok(())
    }

    /// Holds every line of the indexes against the records.
    fn indexes(
        &mut self,
        package: &mut Package<BufReader<File>>,
        members: &[Member],
        mut places: Places,
    ) -> Result<(), tintype_warc::zip::ZipError> {
        let is_index = |member: &&Member| {
            let ends = [".cdx", ".cdxj", ".cdx.gz", ".cdxj.gz"];
            member.name.starts_with("indexes/") && ends.iter().any(|end| member.name.ends_with(end))
        };
        for member in members.iter().filter(is_index) {
            let bytes = package.read(member, MEMBER_MAX)?;
            let Some(text) = plain_text(&bytes) else {
                self.note(&member.name, None, Defect::Package("cannot be unpacked"));
                continue;
            };
            for line in text.lines().filter_map(|line| cdxj::Line::parse(line).ok()) {
                self.index_lines += 1;
                let file = line.filename.as_deref().and_then(|name| name.rsplit('/').next()).unwrap_or_default();
                let place = places.remove(&(file.to_owned(), line.offset.unwrap_or(u64::MAX)));
                let stated = (line.timestamp.clone(), line.length.unwrap_or_default());
                if place.as_ref() != Some(&stated) {
                    self.note(&member.name, line.offset, Defect::Package("has a line that no record answers to"));
                }
            }
        }
        if self.index_lines > 0 && !places.is_empty() {
            self.note("indexes/", None, Defect::Package("lacks lines of records that are there"));
        }
        Ok(())
    }
}

fn gather(name: &str, file: impl Read, places: &mut Places) -> std::io::Result<()> {
    let (mut reader, mut indexer) = (Reader::new(file), Indexer::new(name));
    while let Some(mut record) = reader.next()? {
        let mut text = String::new();
        if indexer.line(&mut record, &mut text)?
            && let Ok(line) = cdxj::Line::parse(text.trim_end())
        {
            let place = (name.to_owned(), line.offset.unwrap_or_default());
            places.insert(place, (line.timestamp, line.length.unwrap_or_default()));
        }
    }
    Ok(())
}

/// The text of an index, compressed in members or not.
fn plain_text(bytes: &[u8]) -> Option<String> {
    match bytes.starts_with(&[0x1f, 0x8b]) {
        true => zipnum::inflate_blocks(bytes),
        false => String::from_utf8(bytes.to_vec()).ok(),
    }
}
