//! What is said to the servers a person named in that person's name: headers, cookies, passwords.

use crate::{failure::usage, settings::KnownSetting};
use anyhow::Context;
use clap::Args;
use std::{io::Read, path::PathBuf};
use tintype_live::Credentials;

const COOKIE_FILE_MAX: u64 = 4 << 20;

/// Options whose values are nobody else's business.
const SECRET: [&str; 4] = ["--user", "--bearer", "--cookie", "--header"];

/// Said to the very scheme, host and port of the URLs you name and to nobody else; not written to WARC files or logs
#[derive(Debug, Args)]
pub(crate) struct Access {
    /// A header for the servers you name, such as 'Accept-Language: de'; may be given several times
    #[arg(long = "header", value_name = "NAME: VALUE", help_heading = "Access")]
    headers: Vec<String>,
    /// Cookies for the servers you name, such as 'session=1; lang=de'; or in TINTYPE_COOKIE
    #[arg(long, value_name = "NAME=VALUE", help_heading = "Access")]
    cookie: Vec<String>,
    /// Cookies from a file as browsers' extensions, curl and wget write it; those of the servers you name
    #[arg(long, value_name = "FILE", help_heading = "Access")]
    cookies: Option<PathBuf>,
    /// Log in with basic authentication; or in TINTYPE_USER, where no list of processes shows it
    #[arg(long, value_name = "NAME:PASSWORD", conflicts_with = "bearer", help_heading = "Access")]
    user: Option<String>,
    /// Log in with a token; or in TINTYPE_BEARER
    #[arg(long, value_name = "TOKEN", help_heading = "Access")]
    bearer: Option<String>,
    /// Write what of this was said to the WARC files as well; by default no header or cookie of yours gets there
    #[arg(long, help_heading = "Access")]
    record_credentials: bool,
}

fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

impl Access {
    /// For the servers of these URLs. `named`: a person named them in this command, so no other server can be meant.
    pub(crate) fn credentials(&self, urls: &[String], named: bool) -> anyhow::Result<Credentials> {
        let see = |error: tintype_live::CredentialsError| usage(error, "see tintype capture --help, under Access");
        let mut credentials = Credentials::new(urls.iter().map(String::as_str));
        if self.is_empty() {
            return Ok(credentials);
        }
        if !named && urls.len() > 1 {
            let problem = "it is not clear which server the headers, cookies or passwords are for";
            return Err(usage(problem, "name its URL: tintype capture https://example.com/ --user NAME:PASSWORD"));
        }
        for header in &self.headers {
            let name = header.split(':').next().unwrap_or_default();
            let malformed = || usage(format!("{} is no header", name.trim()), "write --header 'Name: value'");
            let (name, value) = header.split_once(':').ok_or_else(malformed)?;
            credentials.add_header(name, value).map_err(see)?;
        }
        for cookie in self.cookie.iter().chain(&variable("TINTYPE_COOKIE")) {
            credentials.add_cookies(cookie).map_err(see)?;
        }
        if let Some(path) = &self.cookies {
            let mut text = String::new();
            let file = std::fs::File::open(path).and_then(|file| file.take(COOKIE_FILE_MAX).read_to_string(&mut text));
            file.with_context(|| format!("cannot read cookies from {}", path.display()))?;
            credentials.add_cookie_file(&text).map_err(see)?;
        }
        match (self.user(), self.bearer()) {
            (Some(user), _) if !user.contains(':') => {
                return Err(usage("a user needs a password", "write --user NAME:PASSWORD, or put it in TINTYPE_USER"));
            }
            (Some(user), _) => credentials.add_user(&user).map_err(see)?,
            (None, Some(token)) => credentials.add_bearer(&token).map_err(see)?,
            (None, None) => {}
        }
        if self.record_credentials {
            credentials.record();
        }
        Ok(credentials)
    }

    fn user(&self) -> Option<String> {
        self.user.clone().or_else(|| variable("TINTYPE_USER").filter(|_| self.bearer.is_none()))
    }

    fn bearer(&self) -> Option<String> {
        self.bearer.clone().or_else(|| variable("TINTYPE_BEARER"))
    }

    fn is_empty(&self) -> bool {
        let cookies = self.cookie.is_empty() && self.cookies.is_none() && variable("TINTYPE_COOKIE").is_none();
        self.headers.is_empty() && cookies && self.user().is_none() && self.bearer().is_none()
    }

    /// That there are some, never which.
    pub(crate) fn told(&self) -> Option<KnownSetting> {
        let archived = if self.record_credentials { "archived" } else { "not archived" };
        (!self.is_empty()).then(|| KnownSetting::of("credentials", Some(archived), None, ""))
    }
}

/// What was typed, without what is secret in it.
pub(crate) fn without_secrets(words: impl Iterator<Item = String>) -> String {
    let mut is_next = false;
    let hide = |word: String| {
        let hidden = std::mem::replace(&mut is_next, SECRET.contains(&word.as_str()));
        let is_secret = |name: &str| SECRET.contains(&name);
        match word.split_once('=') {
            _ if hidden => "…".to_owned(),
            Some((name, _)) if is_secret(name) => format!("{name}=…"),
            _ => word,
        }
    };
    words.map(hide).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_left_out_of_what_was_typed() {
        let words = "tintype capture e.com --user me:secret --header=A:secret --cookie secret --bearer secret --quiet";
        let said = without_secrets(words.split(' ').map(str::to_owned));
        assert_eq!(said, "tintype capture e.com --user … --header=… --cookie … --bearer … --quiet");
    }
}
