//! The token in the form in which requests carry it.

use std::sync::Arc;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use http::HeaderValue;
use secrecy::{ExposeSecret, SecretString};

use crate::remote::http::error::Error;
use crate::remote::http::secrets::Secrets;

/// The headers with the token, and the forms in which a server may repeat it.
pub(super) struct Token {
    pub(super) bearer: HeaderValue,
    pub(super) basic: HeaderValue,
    pub(super) secrets: Arc<Secrets>,
}

impl Token {
    pub(super) fn new(secret: &SecretString) -> Result<Self, Error> {
        let token = secret.expose_secret().trim();
        if token.is_empty() || !token.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(Error::unreadable("the GitHub token is empty or has characters that no token has"));
        }
        let sensitive = |text: String| {
            let mut value = HeaderValue::try_from(text).expect("base64 and visible ASCII are header text");
            value.set_sensitive(true);
            value
        };
        Ok(Self {
            bearer: sensitive(format!("Bearer {token}")),
            basic: sensitive(format!("Basic {}", BASE64_STANDARD.encode(format!("x-access-token:{token}")))),
            secrets: Arc::new(Secrets::new(token)),
        })
    }
}
