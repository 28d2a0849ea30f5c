use std::io::{BufReader, Write as _};
use std::net::TcpListener;
use std::sync::Arc;

use rustls::pki_types::PrivateKeyDer;
use rustls::{ServerConfig, ServerConnection, StreamOwned};

use crate::remote::tests::{Wire, reply, request};
use crate::remote::{Error, Remote, RemoteOptions};

/// Serves the answer over TLS: the base URL, and the certificate to trust.
fn start(answer: Vec<u8>) -> (String, Vec<u8>) {
    let _ = rustls::crypto::ring::default_provider().install_default();
    let made = rcgen::generate_simple_self_signed(["127.0.0.1".to_owned()]).unwrap();
    let key = PrivateKeyDer::Pkcs8(made.signing_key.serialize_der().into());
    let certificates = vec![made.cert.der().clone()];
    let config = ServerConfig::builder().with_no_client_auth().with_single_cert(certificates, key).unwrap();
    let (config, listener) = (Arc::new(config), TcpListener::bind("127.0.0.1:0").unwrap());
    let base = format!("https://{}", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let connection = ServerConnection::new(Arc::clone(&config)).unwrap();
            let mut stream = BufReader::new(StreamOwned::new(connection, stream));
            if request(&mut stream).is_some() {
                let stream = stream.get_mut();
                let _ = stream.write_all(&answer);
                stream.conn.send_close_notify();
                let _ = stream.flush();
            }
        }
    });
    (base, made.cert.pem().into_bytes())
}

fn remote(base: &str, ca_pem: Option<Vec<u8>>) -> Result<Remote, Error> {
    let mut options = Wire::always(Vec::new()).options();
    options.endpoints.web = base.to_owned();
    Remote::new(RemoteOptions { ca_pem, ..options })
}

#[tokio::test]
async fn the_extra_authority_is_trusted_and_no_stranger() {
    let (base, ca_pem) = start(reply(200, &[], "sums"));
    let known = remote(&base, Some(ca_pem)).unwrap();
    assert_eq!(&*known.sums_at("https://github.com/a").await.unwrap().value.text, "sums");
    let stranger = remote(&base, None).unwrap();
    let refused = stranger.sums_at("https://github.com/a").await;
    assert!(matches!(refused, Err(Error::Transport(text)) if text.contains("certificate")));
    for pem in ["", "nonsense", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"] {
        let made = remote(&base, Some(pem.into())).map(|_| ());
        let asked = match made {
            Ok(()) => {
                remote(&base, Some(pem.into())).unwrap().sums_at("https://github.com/a").await.map(|_| ())
            }
            Err(error) => Err(error),
        };
        assert!(asked.is_err(), "{pem}");
    }
}

#[tokio::test]
async fn nothing_falls_back_to_plain_http() {
    let plain = Wire::always(reply(200, &[], "sums"));
    let (base, ca_pem) = start(reply(302, &[("location", &plain.base)], ""));
    let refused = remote(&base, Some(ca_pem)).unwrap().sums_at("https://github.com/a").await;
    assert!(matches!(refused, Err(Error::Protocol(text)) if text.contains("plain http")));
    assert_eq!(plain.lines().len(), 0);
}
