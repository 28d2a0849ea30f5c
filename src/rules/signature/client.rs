//! What a client does with a version's signature, step by step as it goes (`registry.md#signatures-in-a-client`).
//!
//! It takes the keys in their order. A key file that it cannot read ends the installation, and so does a key that the first
//! fitting signature names and that does not verify; an unknown maker sends it to the next key; something expired is kept
//! in mind and accepted with a warning if no other key does better. A signature in armor is nothing to it.

use crate::rules::signature::answer::{Caveat, Client, Mark};
use crate::rules::signature::check::{Pair, Signatures, Tried};
use crate::rules::signature::ring::{KeyRing, ReadFile};
use crate::rules::signature::stream;
use crate::rules::signature::stream::{Item, Release};

pub(super) const SKIPS: Client = Client::Skips;

/// What one key file makes of the signatures.
enum Step {
    /// No signature names a key of the file.
    Next,
    Expired,
    End(Client),
}

fn refuses_signature(why: &str) -> Client {
    Client::Refuses(format!("the signature cannot be used: {why}"))
}

pub(super) fn walk(ring: &KeyRing, signatures: &Signatures<'_>, pairs: &[Pair], release: Release) -> Client {
    if ring.is_empty() {
        return SKIPS;
    }
    let mut expired = false;
    for (place, file) in ring.files.iter().enumerate() {
        if let Some(why) = file.client_fails(release) {
            return Client::Refuses(format!("the key file `{}` cannot be used: {why}", file.path()));
        }
        if let Some(why) = file.beyond() {
            return Client::Unknown(format!("the key file `{}` was not read: {why}", file.path()));
        }
        if signatures.is_text {
            return refuses_signature("it is text, and clients read binary signatures only");
        }
        let of_file: Vec<&Pair> = pairs.iter().filter(|pair| pair.file == place).collect();
        match step(file, signatures, &of_file, release) {
            Step::Next => {}
            Step::Expired => expired = true,
            Step::End(client) => return client,
        }
    }
    if expired { Client::Warns } else { Client::Refuses("no key on file made the signature".to_owned()) }
}

fn step(file: &ReadFile, signatures: &Signatures<'_>, pairs: &[&Pair], release: Release) -> Step {
    for (place, frame) in signatures.frames.iter().enumerate() {
        let (issuer, algorithm, is_of_document) = match stream::item(frame, release) {
            Item::PassedOver => continue,
            Item::Stop(why) => return Step::End(refuses_signature(why)),
            Item::Signature { issuer: None, .. } => {
                return Step::End(refuses_signature("it does not name the key that made it"));
            }
            Item::Signature { issuer: Some(issuer), algorithm, is_of_document } => {
                (issuer, algorithm, is_of_document)
            }
        };
        let is_asked = |key: usize, part: usize| {
            file.is_seen_by_clients(key, release)
                && file.may_sign(key, part, release)
                && file.keys[key].details.part(part).is_some_and(|part| part.key_id == issuer)
        };
        let knows = |key: usize| (0..=file.keys[key].details.subkeys.len()).any(|part| is_asked(key, part));
        if !(0..file.keys.len()).any(knows) {
            continue;
        }
        if !is_of_document {
            return Step::End(refuses_signature("it signs something other than a document"));
        }
        let fits = |key: usize, part: usize| file.keys[key].algorithm(part) == algorithm;
        let fits_any = |key: usize| {
            (0..=file.keys[key].details.subkeys.len()).any(|part| is_asked(key, part) && fits(key, part))
        };
        if !(0..file.keys.len()).any(fits_any) {
            return Step::End(refuses_signature("its algorithm is not that of the key that it names"));
        }
        // The first that verifies decides; else the client fails.
        let is_tried = |pair: &&Pair| pair.signature == place && is_asked(pair.key, pair.part);
        let tried = pairs.iter().copied().filter(is_tried);
        let best =
            tried.reduce(|best, pair| if holds(&best.tried) || !holds(&pair.tried) { best } else { pair });
        return best.map_or_else(|| Step::End(Client::Unknown("its signature was not read".to_owned())), end);
    }
    match signatures.broken {
        Some(why) => Step::End(refuses_signature(why)),
        None => Step::Next,
    }
}

fn holds(tried: &Tried) -> bool {
    matches!(tried.mark(), Mark::Good | Mark::Caveat | Mark::Unfit)
}

fn end(pair: &Pair) -> Step {
    match &pair.tried {
        Tried::Good(caveats) if caveats.iter().any(Caveat::is_expiry) => Step::Expired,
        Tried::Good(_) => Step::End(Client::Installs),
        Tried::Unfit(why) => Step::End(Client::Refuses(why.text())),
        Tried::Bad => Step::End(Client::Refuses("the signature is not one of these checksums".to_owned())),
        Tried::Unsupported(why) => Step::End(Client::Unknown(why.clone())),
    }
}

/// `OpenTofu 1.10 and older refuse it: …`; `None`: they do what the newest does.
pub(super) fn older(newest: &Client, eleven: &Client, ten: &Client) -> Option<String> {
    let differs = |client: &Client| client.installs() != newest.installs();
    let (who, client) = match (differs(eleven), differs(ten)) {
        (false, false) => return None,
        (true, true) => ("OpenTofu 1.11 and older", ten),
        (false, true) => ("OpenTofu 1.10 and older", ten),
        (true, false) => ("OpenTofu 1.11", eleven),
    };
    Some(match client {
        Client::Skips | Client::Installs | Client::Warns => format!("{who} install it"),
        Client::Refuses(why) => format!("{who} refuse it: {why}"),
        Client::Unknown(why) => format!("what {who} do is not known: {why}"),
    })
}
