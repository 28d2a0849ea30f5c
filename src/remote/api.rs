//! The one GitHub API client: octocrab on our own request path.
//!
//! Its service is a leaf that hands each request to `http`, so that budget, headers, redirects and the token rule hold here
//! too. Nothing in octocrab's stack retries, redirects or authenticates. `release` and `batch` stand on it.

use std::error::Error as StdError;
use std::future::ready;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use bytes::Bytes;
use http::Method;
use http::header::CONTENT_TYPE;
use http_body_util::{BodyExt as _, Full};
use octocrab::{AuthState, FromResponse, OctoBody, Octocrab, OctocrabBuilder, Page};
use serde::Serialize;
use serde::de::DeserializeOwned;
use tower_service::Service;

use crate::remote::Remote;
use crate::remote::http::{Call, Error, Http, Retry};
use crate::rules::sending::ConfirmedRequest;
use crate::settings::Lane;

const API: &str = "https://api.github.com";
const GRAPHQL: &str = "https://api.github.com/graphql";
/// A hundred releases with the longest notes that GitHub takes.
const LIMIT_BYTES: u64 = 64 << 20;

/// Marks a POST that only asks.
#[derive(Clone, Copy, Debug)]
struct Asks;

/// An answer of the GraphQL endpoint: its headers and its body.
#[derive(Debug)]
pub(super) struct Posted {
    pub(super) status: u16,
    pub(super) headers: http::HeaderMap,
    pub(super) body: Bytes,
}

impl Remote {
    /// Reads `route`, a path below the API or an absolute URL from an answer.
    pub(super) async fn get<T: FromResponse>(&self, route: &str) -> Result<T, Error> {
        self.client().get(route, None::<&()>).await.map_err(|error| from_octocrab(&self.http, &error))
    }

    /// Reads all pages of a list that begins at `first`. A list of more than `most` pages is an error.
    pub(super) async fn pages<T: DeserializeOwned>(
        &self,
        first: String,
        most: usize,
    ) -> Result<Vec<T>, Error> {
        let (mut items, mut next) = (Vec::new(), Some(first));
        for _ in 0..most {
            let Some(route) = next else { return Ok(items) };
            let page: Page<T> = self.get(&route).await?;
            items.extend(page.items);
            next = page.next.map(|uri| uri.to_string());
        }
        if next.is_some() { Err(Error::unreadable("a list without end")) } else { Ok(items) }
    }

    /// Posts a GraphQL query. It is never a mutation, since it may be sent again.
    pub(super) async fn query(&self, body: &impl Serialize) -> Result<Posted, Error> {
        let builder = http::Request::builder().method(Method::POST).uri(GRAPHQL).extension(Asks);
        self.post(builder, body).await
    }

    /// Sends one change. It is never repeated, because a change without an answer may have been made.
    pub(super) async fn change(
        &self,
        request: ConfirmedRequest<'_>,
        pull: Option<u64>,
    ) -> Result<Posted, Error> {
        let request = request.get();
        let uri = if request.is_graphql() { GRAPHQL.to_owned() } else { request.path_of(pull) };
        let builder = http::Request::builder().method(request.method()).uri(uri);
        self.post(builder, &request.body()).await
    }

    /// Sends a request that needs a token, with a body.
    async fn post(&self, builder: http::request::Builder, body: &impl Serialize) -> Result<Posted, Error> {
        if !self.has_token() {
            return Err(Error::NoToken);
        }
        let failed = |error: octocrab::Error| from_octocrab(&self.http, &error);
        let octocrab = self.client();
        let request = octocrab.build_request(builder, Some(body)).map_err(failed)?;
        let (parts, body) = octocrab.execute(request).await.map_err(failed)?.into_parts();
        let body = body.collect().await.map_err(failed)?.to_bytes();
        Ok(Posted { status: parts.status.as_u16(), headers: parts.headers, body })
    }

    /// Makes a client for one call. octocrab starts a task for each client, which then ends with the call and is bound
    /// to no runtime.
    fn client(&self) -> Octocrab {
        let leaf = Leaf { http: Arc::clone(&self.http) };
        match OctocrabBuilder::new_empty().with_service(leaf).with_auth(AuthState::None).build() {
            Ok(client) => client,
            Err(never) => match never {},
        }
    }
}

/// The end of octocrab's stack.
#[derive(Clone, Debug)]
struct Leaf {
    http: Arc<Http>,
}

impl Service<http::Request<OctoBody>> for Leaf {
    type Response = http::Response<Full<Bytes>>;
    type Error = Error;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, Error>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Error>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: http::Request<OctoBody>) -> Self::Future {
        let http = Arc::clone(&self.http);
        let (parts, body) = request.into_parts();
        let Some(url) = url_of(&parts.uri) else {
            return Box::pin(ready(Err(foreign())));
        };
        Box::pin(async move {
            let body = body.collect().await.map_err(|error| from_octocrab(&http, &error))?.to_bytes();
            let graphql = url == GRAPHQL;
            let call = Call {
                retry: match (&parts.method, parts.extensions.get::<Asks>()) {
                    (&Method::GET | &Method::HEAD, _) => Retry::Full,
                    // Whoever asks in batches repeats them by its own rule.
                    (_, Some(Asks)) => Retry::Caller,
                    _ => Retry::Never,
                },
                method: parts.method,
                resource: Some(if graphql { "graphql" } else { "core" }),
                headers: parts
                    .headers
                    .get(CONTENT_TYPE)
                    .map(|value| (CONTENT_TYPE, value.clone()))
                    .into_iter()
                    .collect(),
                body: (!body.is_empty()).then_some(body),
                ..Call::get(Lane::Api, http.canonical_api(&url), LIMIT_BYTES)
            };
            if !call.url.starts_with(API) {
                return Err(foreign());
            }
            let answer = http.call(&call).await?;
            let mut response = http::Response::new(Full::new(answer.body));
            *response.status_mut() = http::StatusCode::from_u16(answer.status).unwrap_or_default();
            *response.headers_mut() = answer.headers;
            Ok(response)
        })
    }
}

fn foreign() -> Error {
    Error::unreadable("a link from the API leads to another host")
}

/// The whole URL of a route.
fn url_of(uri: &http::Uri) -> Option<String> {
    if uri.scheme().is_some() {
        return Some(uri.to_string());
    }
    let path = uri.path_and_query()?.as_str();
    path.starts_with('/').then(|| format!("{API}{path}"))
}

/// Our own error out of octocrab's wrapping, or what its reader says.
fn from_octocrab(http: &Http, error: &octocrab::Error) -> Error {
    let mut cause: Option<&(dyn StdError + 'static)> = Some(error);
    while let Some(next) = cause {
        if let Some(ours) = next.downcast_ref::<Error>() {
            return ours.clone();
        }
        cause = next.source();
    }
    match error {
        octocrab::Error::Json { source, .. } => {
            http.unreadable(format!("{} at `{}`", source.inner(), source.path()))
        }
        octocrab::Error::Service { source, .. } => match source.downcast_ref::<Error>() {
            Some(ours) => ours.clone(),
            None => Error::Transport(http.scrub(source.to_string())),
        },
        other => http.unreadable(other.to_string()),
    }
}
