//! Names to addresses.

use hickory_resolver::TokioResolver;
use std::{
    collections::HashMap,
    net::IpAddr,
    sync::{Mutex, OnceLock, PoisonError},
    time::{Duration, Instant},
};

/// A name that could not be resolved is not looked up again for this long: every try may cost seconds.
const FAILURE_KEPT: Duration = Duration::from_secs(60);
/// How long a name server may take, and how often it is asked: one that is silent costs this much per name.
const QUESTION_TIMEOUT: Duration = Duration::from_secs(3);
const QUESTION_TRIES: usize = 2;
/// Names that could not be resolved and are remembered.
const FAILURES_MAX: usize = 10_000;

/// One resolver for the life of a client: its cache honours the time to live of every answer.
#[derive(Default)]
pub(super) struct Names {
    /// Made at the first question; nothing inside when the system's resolver settings cannot be read.
    resolver: OnceLock<Option<TokioResolver>>,
    failures: Mutex<HashMap<String, (Instant, NameError)>>,
}

/// Why a name has no address.
#[derive(Clone, Debug)]
pub(super) struct NameError {
    /// Who should know says so; otherwise it could not be found out.
    pub(super) is_certain: bool,
    pub(super) note: String,
}

impl std::fmt::Debug for Names {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Names")
    }
}

impl Names {
    /// The addresses of a name, IPv4 first: where IPv6 does not work it often fails slowly.
    pub(super) async fn addresses(&self, name: &str) -> Result<Vec<IpAddr>, NameError> {
        let failures = || self.failures.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, error)) = failures().get(name).filter(|(at, _)| at.elapsed() < FAILURE_KEPT) {
            return Err(error.clone());
        }
        let found = self.look_up(name).await;
        match &found {
            Err(error) if failures().len() < FAILURES_MAX => {
                failures().insert(name.to_owned(), (Instant::now(), error.clone()));
            }
            Err(_) => {}
            Ok(_) => drop(failures().remove(name)),
        }
        found
    }

    #[cfg(test)]
    fn with_failure(name: &str, at: Instant) -> Names {
        let error = NameError { is_certain: true, note: "as before".to_owned() };
        Names { failures: Mutex::new([(name.to_owned(), (at, error))].into()), resolver: OnceLock::from(None) }
    }

    async fn look_up(&self, name: &str) -> Result<Vec<IpAddr>, NameError> {
        let uncertain = |error: &dyn std::error::Error| NameError {
            is_certain: false,
            note: format!("{name} could not be looked up: {error}"),
        };
        let mut addresses: Vec<IpAddr> = match self.resolver.get_or_init(system_resolver) {
            Some(resolver) => match resolver.lookup_ip(name).await {
                Ok(found) => found.iter().collect(),
                Err(error) if error.is_no_records_found() => {
                    return Err(NameError { is_certain: true, note: format!("no address is known for {name}") });
                }
                Err(error) => return Err(uncertain(&error)),
            },
            None => {
                let found = tokio::net::lookup_host((name, 0)).await.map_err(|error| uncertain(&error))?;
                found.map(|socket| socket.ip()).collect()
            }
        };
        addresses.sort_by_key(IpAddr::is_ipv6);
        addresses.dedup();
        Ok(addresses)
    }
}

fn system_resolver() -> Option<TokioResolver> {
    let mut builder = TokioResolver::builder_tokio().ok()?;
    let options = builder.options_mut();
    (options.timeout, options.attempts) = (QUESTION_TIMEOUT, QUESTION_TRIES);
    builder.build().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_name_that_could_not_be_resolved_is_not_looked_up_again_for_a_while() {
        let names = Names::with_failure("localhost", Instant::now());
        assert_eq!(names.addresses("localhost").await.unwrap_err().note, "as before");
        let long_ago = Instant::now().checked_sub(FAILURE_KEPT).unwrap();
        let names = Names::with_failure("localhost", long_ago);
        assert!(names.addresses("localhost").await.unwrap().iter().all(IpAddr::is_loopback));
        assert!(names.failures.lock().unwrap().is_empty());
    }
}
