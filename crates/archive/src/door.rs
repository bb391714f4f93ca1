//! The door to the files of a collection. A collection may come from a stranger: a name in it that is a link is not
//! followed out of it, and what is no plain file (a pipe, a device) is not opened, because reading it may never end.
//!
//! Everything in this room that opens a file does it here.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, Read},
    path::Path,
};

/// Opens a file of a collection for reading.
pub fn open_file(path: &Path) -> io::Result<File> {
    open(path, File::options().read(true))
}

/// Opens a file that a person named: links may lead to it, but it has to be a plain one.
pub fn open_given(path: &Path) -> io::Result<File> {
    if fs::metadata(path)?.is_file() { File::open(path) } else { Err(no_file("is no plain file")) }
}

/// Opens a file for writing at its end, making it if need be.
pub(crate) fn append(path: &Path) -> io::Result<File> {
    open(path, File::options().append(true).create(true))
}

/// Opens a file to write over what is there.
pub(crate) fn rewrite(path: &Path) -> io::Result<File> {
    open(path, File::options().read(true).write(true))
}

/// The same, making it if need be.
pub(crate) fn rewrite_or_make(path: &Path) -> io::Result<File> {
    open(path, File::options().read(true).write(true).create(true))
}

/// An empty file in the place of whatever has this name.
pub(crate) fn make_anew(path: &Path) -> io::Result<File> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => File::options().write(true).create_new(true).open(path),
    }
}

/// The bytes of a file, `max` of them at most.
pub(crate) fn read(path: &Path, max: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open_file(path)?.take(max).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The same of a file that should be text.
pub(crate) fn read_text(path: &Path, max: u64) -> io::Result<String> {
    let no_text = |_| io::Error::new(io::ErrorKind::InvalidData, "is no text");
    String::from_utf8(read(path, max)?).map_err(no_text)
}

/// The length of a plain file; an error for anything else.
pub(crate) fn len(path: &Path) -> io::Result<u64> {
    let found = fs::symlink_metadata(path)?;
    refuse_unless_plain(&found)?;
    Ok(found.len())
}

/// Whether a plain file has this name.
pub(crate) fn is_file(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|found| found.is_file())
}

/// Whether an open file is the one that has this name.
#[cfg(unix)]
pub(crate) fn is_same(file: &File, path: &Path) -> io::Result<bool> {
    use std::os::unix::fs::MetadataExt;
    let of = |found: fs::Metadata| (found.dev(), found.ino());
    match fs::symlink_metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        named => Ok(of(named?) == of(file.metadata()?)),
    }
}

#[cfg(not(unix))]
pub(crate) fn is_same(_: &File, path: &Path) -> io::Result<bool> {
    Ok(is_file(path))
}

/// Whether anything has this name, also what is not opened here.
pub(crate) fn is_taken(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok()
}

/// Refuses a directory that is something else. One that is not there will be made.
pub(crate) fn refuse_unless_directory(path: &Path) -> io::Result<()> {
    match fs::symlink_metadata(path) {
        Ok(found) if found.is_symlink() => Err(link()),
        Ok(found) if !found.is_dir() => Err(no_file("is no directory")),
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

fn open(path: &Path, options: &mut OpenOptions) -> io::Result<File> {
    match fs::symlink_metadata(path) {
        Ok(found) => refuse_unless_plain(&found)?,
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        Err(_) => {}
    }
    // What has taken the name since is refused as well.
    let file = unfollowed(options).open(path)?;
    refuse_unless_plain(&file.metadata()?)?;
    Ok(file)
}

#[cfg(unix)]
fn unfollowed(options: &mut OpenOptions) -> &mut OpenOptions {
    std::os::unix::fs::OpenOptionsExt::custom_flags(options, libc::O_NOFOLLOW | libc::O_NONBLOCK)
}

#[cfg(not(unix))]
fn unfollowed(options: &mut OpenOptions) -> &mut OpenOptions {
    options
}

fn refuse_unless_plain(found: &fs::Metadata) -> io::Result<()> {
    match found.file_type() {
        kind if kind.is_symlink() => Err(link()),
        kind if kind.is_dir() => Err(no_file("is a directory")),
        kind if !kind.is_file() => Err(no_file("is a pipe, a socket or a device")),
        _ => Ok(()),
    }
}

fn link() -> io::Error {
    no_file("is a link, and links in a collection are not followed")
}

fn no_file(why: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, why.to_owned())
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    #[test]
    fn links_and_directories_are_opened_by_none_and_stay_as_they_are() {
        let directory = tempfile::tempdir().unwrap();
        let (victim, link) = (directory.path().join("victim"), directory.path().join("link"));
        fs::write(&victim, "mine").unwrap();
        symlink(&victim, &link).unwrap();
        symlink(directory.path().join("nowhere"), directory.path().join("dangling")).unwrap();
        for name in ["link", "dangling", "."] {
            let path = directory.path().join(name);
            for opened in [open_file(&path), append(&path), rewrite(&path), rewrite_or_make(&path)] {
                assert!(opened.is_err(), "{name}");
            }
            assert!(len(&path).is_err() && !is_file(&path) && is_taken(&path), "{name}");
        }
        assert!(!directory.path().join("nowhere").exists());
        assert!(refuse_unless_directory(&link).is_err() && refuse_unless_directory(directory.path()).is_ok());
        assert_eq!(open_given(&link).unwrap().metadata().unwrap().len(), 4, "a person may name a link");
        drop(make_anew(&link).unwrap());
        assert_eq!((fs::read_to_string(&victim).unwrap(), len(&link).unwrap()), ("mine".to_owned(), 0));
    }
}
