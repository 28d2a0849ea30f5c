//! The HTTP clients: TLS, certificate roots, and one shared connection for each server.
//!
//! A client is made when its first request comes, since reading the system's certificates takes longer than a list of the
//! registry. Git, the web and the API have a client each: their limits add up to more streams than one HTTP/2 connection is
//! commonly given.

#![expect(clippy::disallowed_types, reason = "the one home of HTTP clients")]

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use reqwest::{Certificate, Client, Request, Response, Url};
use tokio::sync::Semaphore;

use crate::remote::http::error::RawError;
use crate::remote::http::exchange::without_query;
use crate::remote::http::far::Far;
use crate::remote::http::secrets::Secrets;
use crate::remote::http::wording;
use crate::settings::Lane;

/// The look-up of the name included. A name service that does not answer is given up by the system's library after five
/// seconds, and the next one is asked.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(7);
/// The longest wait for the connection that is being made first.
const OPENING: Duration = Duration::from_secs(1);
/// A user who is offline sees that within ten seconds, with time for a start: the requests that give a host up begin together
/// once the first one has had its turn.
const _: () = assert!(CONNECT_TIMEOUT.as_secs() + OPENING.as_secs() <= 8);
const SLOTS: usize = 3;

pub(super) struct Clients {
    slots: [OnceLock<Result<Client, RawError>>; SLOTS],
    extra_roots: Vec<Certificate>,
    direct: bool,
    system_roots: bool,
    doors: Mutex<HashMap<DoorKey, Arc<Door>>>,
}

/// The client's slot, host and port.
type DoorKey = (usize, String, u16);

/// Lets the first request to a server through alone: it makes the connection that the others then share. Without it
/// sixty waiting requests would make sixty connections before the first turns out to speak HTTP/2.
struct Door {
    claimed: AtomicBool,
    opened: Semaphore,
}

/// Opens the door when the first answer has come, or when no request waits for it any more.
struct Opening<'a>(&'a Door);

impl Drop for Opening<'_> {
    fn drop(&mut self) {
        self.0.opened.close();
    }
}

impl Clients {
    pub(super) fn new(ca_pem: Option<&[u8]>, far: &Far) -> Result<Self, RawError> {
        // The second installation of a provider fails, and is as good as the first.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let extra_roots = match ca_pem {
            None => Vec::new(),
            Some(pem) => match Certificate::from_pem_bundle(pem) {
                Ok(list) if !list.is_empty() => list,
                Ok(_) => return Err(RawError::protocol("there is no certificate in the CA file")),
                Err(error) => {
                    return Err(RawError::protocol(format!(
                        "the CA file is not PEM: {}",
                        wording::chain(&error)
                    )));
                }
            },
        };
        let loopback = far.is_loopback();
        let direct = loopback || far.is_partly_plain();
        // A plain world on this machine meets no certificate that the system would know.
        let system_roots = !(loopback && far.is_plain());
        let slots = [const { OnceLock::new() }; SLOTS];
        Ok(Self { slots, extra_roots, direct, system_roots, doors: Mutex::default() })
    }

    /// Sends one request and gives back its answer's head.
    pub(super) async fn send(
        &self,
        lane: Lane,
        request: Request,
        known: bool,
        secrets: Option<&Secrets>,
    ) -> Result<Response, RawError> {
        let slot = slot(lane);
        let client = self.slots[slot].get_or_init(|| self.build()).as_ref().map_err(Clone::clone)?;
        let key = if known { door_key(slot, request.url()) } else { None };
        let door = key.as_ref().map(|key| self.door(key));
        let _opening = match &door {
            Some(door) if !door.claimed.swap(true, Ordering::AcqRel) => Some(Opening(door)),
            Some(door) if !door.opened.is_closed() => {
                let _ = tokio::time::timeout(OPENING, door.opened.acquire()).await;
                None
            }
            _ => None,
        };
        let result = client.execute(request).await;
        if let (Err(_), Some(key)) = (&result, &key) {
            // The shared connection may be gone, so the next one is made through a new door.
            self.doors.lock().unwrap_or_else(PoisonError::into_inner).remove(key);
        }
        result.map_err(|error| {
            let of = error.url().map(without_query).unwrap_or_default();
            wording::from_reqwest(&error, &of, secrets)
        })
    }

    fn door(&self, key: &DoorKey) -> Arc<Door> {
        let mut doors = self.doors.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(door) = doors.get(key) {
            return Arc::clone(door);
        }
        let door = Arc::new(Door { claimed: AtomicBool::new(false), opened: Semaphore::new(0) });
        doors.insert(key.clone(), Arc::clone(&door));
        door
    }

    fn build(&self) -> Result<Client, RawError> {
        let builder = || {
            let builder = Client::builder()
                .redirect(reqwest::redirect::Policy::none())
                .referer(false)
                .connect_timeout(CONNECT_TIMEOUT)
                .pool_idle_timeout(Duration::from_secs(90))
                .http2_keep_alive_interval(Duration::from_secs(20))
                .http2_keep_alive_timeout(Duration::from_secs(20));
            if self.direct { builder.no_proxy() } else { builder }
        };
        let extra = || self.extra_roots.iter().cloned();
        let made = if self.system_roots {
            // A machine without any certificates can still ask over plain http, or with the extra ones alone.
            builder().tls_certs_merge(extra()).build().or_else(|_| builder().tls_certs_only(extra()).build())
        } else {
            builder().tls_certs_only(extra()).build()
        };
        made.map_err(|error| {
            RawError::Transport(format!("no HTTP client: {}", wording::chain(&error)).into())
        })
    }
}

fn door_key(slot: usize, url: &Url) -> Option<DoorKey> {
    Some((slot, url.host_str()?.to_owned(), url.port_or_known_default()?))
}

fn slot(lane: Lane) -> usize {
    match lane {
        Lane::Git => 0,
        Lane::Feed | Lane::Asset => 1,
        Lane::Api | Lane::Served => 2,
    }
}
