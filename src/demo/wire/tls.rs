//! Certificates made at start, and a listener that speaks TLS with HTTP/2 offered.
//!
//! A certificate authority of the world's own signs one certificate for the loopback names; whoever is to trust the
//! world gets the authority's certificate. Keys live in memory only.

#![expect(clippy::disallowed_methods, reason = "tasks of the demo world: one accepts, one a handshake")]

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;

use axum::serve::Listener;
use rcgen::{BasicConstraints, CertificateParams, DnType, IsCa, Issuer, KeyPair, KeyUsagePurpose};
use rustls::ServerConfig;
use rustls::pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc;
use tokio::task::JoinSet;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::server::TlsStream;

/// What the servers need, and what a client needs to trust them.
#[derive(Clone)]
pub struct Identity {
    pub acceptor: TlsAcceptor,
    /// The authority's certificate.
    pub ca_pem: String,
}

/// Makes an authority and a certificate for `127.0.0.1`, `::1` and `localhost`.
///
/// # Errors
/// The key generator or the certificate encoder fails.
pub fn identity() -> io::Result<Identity> {
    let failed = |error: rcgen::Error| io::Error::other(format!("cannot make a certificate: {error}"));
    let authority_key = KeyPair::generate().map_err(failed)?;
    let mut authority = CertificateParams::new(Vec::<String>::new()).map_err(failed)?;
    authority.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    authority.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::CrlSign];
    authority.distinguished_name.push(DnType::CommonName, "bumpdesk demo world");
    let ca_pem = authority.self_signed(&authority_key).map_err(failed)?.pem();
    let issuer = Issuer::new(authority, authority_key);
    let key = KeyPair::generate().map_err(failed)?;
    let names = ["127.0.0.1", "::1", "localhost"].map(String::from);
    let certificate =
        CertificateParams::new(names).map_err(failed)?.signed_by(&key, &issuer).map_err(failed)?;
    let key = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(key.serialize_der()));
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let mut config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .and_then(|builder| {
            builder.with_no_client_auth().with_single_cert(vec![certificate.der().clone()], key)
        })
        .map_err(io::Error::other)?;
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    Ok(Identity { acceptor: TlsAcceptor::from(Arc::new(config)), ca_pem })
}

/// Hands out connections whose handshake is done, so that a slow client holds up nobody else.
pub struct TlsListener {
    ready: mpsc::Receiver<(TlsStream<TcpStream>, SocketAddr)>,
    address: SocketAddr,
    _accepting: JoinSet<()>,
}

impl TlsListener {
    /// Begins to accept.
    ///
    /// # Errors
    /// The listener has no address.
    pub fn new(listener: TcpListener, acceptor: TlsAcceptor) -> io::Result<Self> {
        let address = listener.local_addr()?;
        let (sender, ready) = mpsc::channel(64);
        let mut accepting = JoinSet::new();
        accepting.spawn(accept(listener, acceptor, sender));
        Ok(Self { ready, address, _accepting: accepting })
    }
}

async fn accept(
    listener: TcpListener,
    acceptor: TlsAcceptor,
    sender: mpsc::Sender<(TlsStream<TcpStream>, SocketAddr)>,
) {
    loop {
        let Ok((stream, address)) = listener.accept().await else {
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
            continue;
        };
        let _ = stream.set_nodelay(true);
        let (acceptor, sender) = (acceptor.clone(), sender.clone());
        tokio::spawn(async move {
            if let Ok(stream) = acceptor.accept(stream).await {
                let _ = sender.send((stream, address)).await;
            }
        });
    }
}

impl Listener for TlsListener {
    type Io = TlsStream<TcpStream>;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Self::Io, Self::Addr) {
        match self.ready.recv().await {
            Some(connection) => connection,
            None => std::future::pending().await,
        }
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        Ok(self.address)
    }
}
