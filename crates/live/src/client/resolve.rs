//! Names to addresses.

use hickory_resolver::TokioResolver;
use std::{net::IpAddr, sync::OnceLock};

/// One resolver for the life of a client: its cache honours the time to live of every answer.
#[derive(Default)]
pub(super) struct Names {
    /// Made at the first question; nothing inside when the system's resolver settings cannot be read.
    resolver: OnceLock<Option<TokioResolver>>,
}

impl std::fmt::Debug for Names {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Names")
    }
}

impl Names {
    /// The addresses of a name, IPv4 first: where IPv6 does not work it often fails slowly.
    pub(super) async fn addresses(&self, name: &str) -> Result<Vec<IpAddr>, String> {
        let mut addresses: Vec<IpAddr> = match self.resolver.get_or_init(system_resolver) {
            Some(resolver) => match resolver.lookup_ip(name).await {
                Ok(found) => found.iter().collect(),
                Err(error) if error.is_no_records_found() => return Err(format!("no address is known for {name}")),
                Err(error) => return Err(error.to_string()),
            },
            None => {
                let found = tokio::net::lookup_host((name, 0)).await.map_err(|error| error.to_string())?;
                found.map(|socket| socket.ip()).collect()
            }
        };
        addresses.sort_by_key(IpAddr::is_ipv6);
        addresses.dedup();
        Ok(addresses)
    }
}

fn system_resolver() -> Option<TokioResolver> {
    TokioResolver::builder_tokio().ok()?.build().ok()
}
