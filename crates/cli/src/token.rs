//! The token that lets a browser change something: made once, in a file that only its owner can read.

use anyhow::Context;
use std::{
    fs::{self, File},
    io::{ErrorKind, Read, Write},
    path::{Path, PathBuf},
};

const FILE: &str = "token";
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
        fs::write(&made.file, "short\n").unwrap();
        assert!(Token::of(&own).unwrap().is_new, "what anybody could guess is replaced");
    }
}
