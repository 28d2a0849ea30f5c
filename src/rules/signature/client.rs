//! What a client does with a version's signature, step by step as it goes (`registry.md#signatures-in-a-client`).
//!
//! It takes the keys in their order. A key file that it cannot read ends the installation, and so does a key that the first
//! fitting signature names and that does not verify; an unknown maker sends it to the next key; something expired is kept
//! in mind and accepted with a warning if no other key does better. A signature in armor is nothing to it.

use crate::rules::signature::answer::{Caveat, Client, Mark};
use crate::rules::signature::check::{Pair, Signatures, Tried};
use crate::rules::signature::packet;
use crate::rules::signature::ring::KeyRing;

pub(super) const SKIPS: Client = Client::Skips;

/// What one key file makes of the signatures.
enum Step {
    /// No signature names a key of the file.
    Next,
    Expired,
    End(Client),
}

pub(super) fn refuses_signature(why: &str) -> Client {
    Client::Refuses(format!("the signature is of no use: {why}"))
}

pub(super) fn walk(ring: &KeyRing, signatures: &Signatures, pairs: &[Pair]) -> Client {
    if ring.is_empty() {
        return SKIPS;
    }
    let mut expired = false;
    for (place, file) in ring.files.iter().enumerate() {
        if let Some(why) = file.client_fails() {
            return Client::Refuses(format!("the key file `{}` cannot be used: {why}", file.path()));
        }
        if signatures.armored {
            return refuses_signature("it is armored, and clients read binary ones only");
        }
        match step(ring, signatures, pairs, place) {
            Step::Next => {}
            Step::Expired => expired = true,
            Step::End(client) => return client,
        }
    }
    if expired { Client::Warns } else { Client::Refuses("no key on file made the signature".to_owned()) }
}

fn step(ring: &KeyRing, signatures: &Signatures, pairs: &[Pair], file: usize) -> Step {
    for (place, signature) in signatures.list.iter().enumerate() {
        if !packet::is_readable(signature) || !packet::is_known(signature.hash_alg()) {
            continue;
        }
        if packet::issuers(signature).is_empty() {
            return Step::End(refuses_signature("it does not name the key that made it"));
        }
        let counts = |pair: &&Pair| {
            let (files, here) = (&ring.files, pair.signature == place && pair.file == file);
            here && files[file].is_seen_by_clients(pair.key) && files[file].may_sign(pair.key, pair.part)
        };
        // The first that verifies decides; else the client fails.
        let Some(best) = pairs
            .iter()
            .filter(counts)
            .reduce(|best, pair| if holds(&best.tried) || !holds(&pair.tried) { best } else { pair })
        else {
            continue;
        };
        return end(best);
    }
    match &signatures.stopped {
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
