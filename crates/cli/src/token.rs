//! The token that lets a browser change something: made once, in a file that only its owner can read.

use anyhow::Context;
use std::{
    fs::{self, File},
    io::{ErrorKind, Read, Write},
    path::{Path, PathBuf},
};
use tintype_archive::PackageKey;

const FILE: &str = "token";
const KEY_FILE: &str = "signing-key";
/// No token is longer.
const LENGTH_MAX: u64 = 256;
/// So short a text in its place is none.
const LENGTH_MIN: usize = 20;

/// A token, the file it lies in, and whether it was made just now.
pub(crate) struct Token {
    pub(crate) text: String,
    pub(crate) file: PathBuf,
    pub(crate) is_new: bool,
}

impl Token {
    /// The one that lies in a directory of the person's own, or a new one.
    pub(crate) fn of(directory: &Path) -> anyhow::Result<Token> {
        let file = directory.join(FILE);
        match read(&file) {
            Ok(text) if text.len() >= LENGTH_MIN => return Ok(Token { text, file, is_new: false }),
            Ok(_) => {}
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) => return Err(error).with_context(|| format!("cannot read {}", file.display())),
        }
        let mut bytes = [0; 20];
        getrandom::fill(&mut bytes).map_err(|error| anyhow::anyhow!("cannot make a token: {error}"))?;
        let text = data_encoding::BASE32_NOPAD.encode(&bytes).to_lowercase();
        let write = || -> std::io::Result<()> {
            fs::create_dir_all(directory)?;
            owned(&file)?.write_all(format!("{text}\n").as_bytes())
        };
        write().with_context(|| format!("cannot write {}", file.display()))?;
        Ok(Token { text, file, is_new: true })
    }
}

/// The key of a person's own that certificates are signed with when they are printed: made once, beside the token.
pub(crate) fn signing_key(directory: &Path) -> anyhow::Result<PackageKey> {
    let file = directory.join(KEY_FILE);
    let known = read(&file).ok().and_then(|text| data_encoding::HEXLOWER.decode(text.as_bytes()).ok());
    let of_bytes = |bytes: Vec<u8>| PackageKey::from_bytes(&<[u8; 48]>::try_from(bytes).ok()?);
    if let Some(key) = known.and_then(of_bytes) {
        return Ok(key);
    }
    // The few numbers that are no key come up once in 2^190 times.
    let mut bytes = [0; 48];
    getrandom::fill(&mut bytes).map_err(|error| anyhow::anyhow!("cannot make a key: {error}"))?;
    let key = PackageKey::from_bytes(&bytes).context("cannot make a key")?;
    let write = || -> std::io::Result<()> {
        fs::create_dir_all(directory)?;
        owned(&file)?.write_all(format!("{}\n", data_encoding::HEXLOWER.encode(&bytes)).as_bytes())
    };
    write().with_context(|| format!("cannot write {}", file.display()))?;
    Ok(key)
}

fn read(file: &Path) -> std::io::Result<String> {
    let mut text = String::new();
    File::open(file)?.take(LENGTH_MAX).read_to_string(&mut text)?;
    Ok(text.trim().to_owned())
}

/// A new file that nobody else can read, from its first byte on.
fn owned(path: &Path) -> std::io::Result<File> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let mut options = File::options();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_made_once_and_nobody_else_can_read_it() {
        let directory = tempfile::tempdir().unwrap();
        let own = directory.path().join("share/tintype");
        let made = Token::of(&own).unwrap();
        assert!(made.is_new && made.text.len() == 32, "{}", made.text);
        let again = Token::of(&own).unwrap();
        assert_eq!((again.text.as_str(), again.is_new), (made.text.as_str(), false));
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            assert_eq!(fs::metadata(&made.file).unwrap().permissions().mode() & 0o777, 0o600);
        }
        let signed = || signing_key(&own).unwrap().sign("sha256:1", "", "").public_key;
        assert_eq!(signed(), signed(), "a key is made once");
        fs::write(&made.file, "short\n").unwrap();
        assert!(Token::of(&own).unwrap().is_new, "what anybody could guess is replaced");
    }
}
