//! From a request to the host that answers it. No waiting and no sockets here: a function of request and world, which only
//! `write` changes.

use http::Method;

use crate::forge::REGISTRY;
use crate::graphql;
use crate::wire::call::{Call, Host, Reply, decode};
use crate::wire::quota::Quota;
use crate::wire::terms::{Addresses, Links, Options};
use crate::wire::{download, feed, git, rest, served, trouble};
use crate::world::{World, key};

/// All that an answer is computed from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Site<'a> {
    pub(crate) world: &'a World,
    pub(crate) options: &'a Options,
    pub(crate) addresses: &'a Addresses,
    pub(crate) quota: &'a Quota,
}

/// All but the world that an answer is computed from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame<'a> {
    pub(crate) options: &'a Options,
    pub(crate) addresses: &'a Addresses,
    pub(crate) quota: &'a Quota,
}

impl<'a> Frame<'a> {
    pub(crate) fn site(self, world: &'a World) -> Site<'a> {
        let Self { options, addresses, quota } = self;
        Site { world, options, addresses, quota }
    }
}

impl Site<'_> {
    /// The base that absolute links to the web host begin with.
    pub(crate) fn web(&self) -> &str {
        match self.options.links {
            Links::Canonical => Host::Web.canonical(),
            Links::Own => &self.addresses.web,
        }
    }

    /// A URL of the registry's data as clients are to ask for it.
    pub(crate) fn linked(&self, url: &str) -> String {
        match url.strip_prefix(Host::Web.canonical()).filter(|path| path.starts_with('/')) {
            Some(path) => format!("{}{path}", self.web()),
            None => url.to_owned(),
        }
    }

    /// The base that absolute links to the API begin with.
    pub(crate) fn api(&self) -> &str {
        match self.options.links {
            Links::Canonical => Host::Api.canonical(),
            Links::Own => &self.addresses.api,
        }
    }

    /// Whether a token is good; none is not.
    pub(crate) fn accepts(&self, token: Option<&str>) -> bool {
        token.is_some_and(|token| {
            self.world.user.token.as_deref().is_none_or(|good| good == token)
                || self.world.forge.of_token(token).is_some()
        })
    }

    /// The login in whose name a request comes: that of its token, or the world's user for a token that is nobody's own.
    pub(crate) fn caller(&self, call: &Call) -> Option<String> {
        let token = call.token()?;
        let account = self.world.forge.of_token(&token).map(|account| account.login.to_string());
        account.or_else(|| self.accepts(Some(&token)).then(|| self.world.user.login.clone()))
    }

    /// Gives a reply its ETag, and turns it into 304 where the caller has it already.
    pub(crate) fn validated(&self, call: &Call, reply: Reply) -> Reply {
        if !self.options.etag {
            return reply;
        }
        let etag = feed::etag(&reply.body);
        let plain = |tag: &str| tag.trim().trim_start_matches("W/").to_owned();
        let known = call
            .header("if-none-match")
            .is_some_and(|tags| tags.split(',').any(|tag| plain(tag) == plain(&etag)));
        let mut reply = if known { Reply { body: bytes::Bytes::new(), status: 304, ..reply } } else { reply };
        if known {
            reply.headers.remove(http::header::CONTENT_TYPE);
        }
        reply.with("etag", etag).with("cache-control", "max-age=0, private, must-revalidate")
    }
}

/// Whether a request may change the world.
pub(crate) fn may_write(call: &Call) -> bool {
    call.host == Host::Api && (!reads(call) && call.path != "/graphql" || graphql::is_mutation(call))
}

/// The number of the registry's pull request that somebody reads.
pub(crate) fn look_at_pull(call: &Call) -> Option<u64> {
    let parts: Vec<&str> = call.path.trim_start_matches('/').split('/').collect();
    match parts[..] {
        ["repos", owner, name, "pulls", number]
            if call.host == Host::Api && reads(call) && key(owner, name) == key(REGISTRY.0, REGISTRY.1) =>
        {
            number.parse().ok()
        }
        _ => None,
    }
}

/// Carries out a request that may change the world, and answers it.
pub(crate) fn write(world: &mut World, frame: Frame<'_>, call: &Call) -> Reply {
    if call.header("user-agent").is_none() {
        return answer(&frame.site(world), call);
    }
    if call.path == "/graphql" { graphql::write(world, frame, call) } else { rest::write(world, frame, call) }
}

/// Answers a request that reads.
pub(crate) fn answer(site: &Site<'_>, call: &Call) -> Reply {
    if call.header("user-agent").is_none() {
        return Reply::text(
            403,
            "Request forbidden by administrative rules. Please make sure your request has a User-Agent header.",
        );
    }
    match call.host {
        Host::Api if call.path == "/graphql" => graphql::answer(site, call),
        Host::Api => rest::answer(site, call),
        Host::Web => web(site, call),
        Host::Object => download::object(site, call),
        Host::Served => served::answer(site, call),
        Host::Search => served::search(site, call),
    }
}

fn web(site: &Site<'_>, call: &Call) -> Reply {
    let parts: Vec<&str> = call.path.trim_start_matches('/').split('/').collect();
    match parts[..] {
        [owner, name, "releases.atom"] if reads(call) => {
            feed::answer(site, call, &decode(owner), &decode(name))
        }
        [owner, name, "info", "refs"] if reads(call) => git::answer(site, call, (owner, name), "info/refs"),
        [owner, name, "git-upload-pack"] => git::answer(site, call, (owner, name), "git-upload-pack"),
        [owner, name, "releases", "download", ref tag @ .., file] if reads(call) && !tag.is_empty() => {
            download::redirect(site, call, (owner, name), (&decode(&tag.join("/")), &decode(file)))
        }
        _ => trouble::page(404, "Page not found"),
    }
}

fn reads(call: &Call) -> bool {
    matches!(call.method, Method::GET | Method::HEAD)
}
