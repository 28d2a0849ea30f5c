//! Intents and texts about the selected cards: the marked ones, or the one under the cursor.

use std::collections::BTreeMap;

use crate::desk::Desk;
use crate::desk::intent::Intent;
use crate::desk::telling::stranded::{message, no_message};
use crate::desk::telling::{Message, refuse};
use crate::jobs::data::{DecideTask, VerifyPlan, Wanted};
use crate::registry::Address;
use crate::registry::version::trim_v;
use crate::rules::edit::Edit;
use crate::rules::stranded::{Act, Card, Cause};

/// The selected versions of each entry.
pub(super) fn by_entry(cards: &[&Card]) -> Vec<(Address, Vec<String>)> {
    let mut all: BTreeMap<Address, Vec<String>> = BTreeMap::new();
    for card in cards {
        all.entry(card.address.clone()).or_default().push(trim_v(&card.version).to_owned());
    }
    all.into_iter().collect()
}

/// The edit that clears the failed tries.
pub(super) fn clearing(cards: &[&Card]) -> Result<Intent, Message> {
    if let Some(card) = cards.iter().find(|card| card.tried.is_none()) {
        return refuse(format!("no failed try of {} is recorded", card.subject()));
    }
    let edit = |(address, versions)| (address, Edit::ClearErrors(versions));
    Ok(Intent::Edit(by_entry(cards).into_iter().map(edit).collect()))
}

/// The edit that keeps the versions out, without its reason.
pub(super) fn blocking(desk: &Desk, cards: &[&Card]) -> Result<Intent, Message> {
    let of = by_entry(cards);
    for (address, versions) in &of {
        for version in versions {
            desk.blockable(address, Some(version))?;
        }
    }
    let edit = |(address, versions)| (address, Edit::Block(versions, String::new()));
    Ok(Intent::Edit(of.into_iter().map(edit).collect()))
}

/// The verification of the versions that are indexed.
pub(super) fn verification(cards: &[&Card]) -> Option<Intent> {
    let wanted = |card: &&Card| Wanted { address: card.address.clone(), version: Some(card.version.clone()) };
    let wanted: Vec<Wanted> = cards.iter().map(wanted).collect();
    (!wanted.is_empty()).then(|| Intent::Verify { plan: VerifyPlan::new(wanted), stored: None, hidden: 0 })
}

/// The selected versions, if all of them can be ignored.
pub(super) fn ignorable(cards: &[&Card]) -> Result<Vec<(Address, String)>, Message> {
    if let Some(card) = cards.iter().find(|card| !card.ways.contains(&Act::Ignore)) {
        return refuse(format!("{}: {}, and is not ignored besides", card.subject(), card.cause.words()));
    }
    Ok(cards.iter().map(|card| (card.address.clone(), trim_v(&card.version).to_owned())).collect())
}

/// The decision that ends the ignoring of the selected versions.
pub(super) fn taking_back(cards: &[&Card]) -> Result<Intent, Message> {
    if let Some(card) = cards.iter().find(|card| card.cause != Cause::Ignored) {
        return refuse(format!("{} is not ignored", card.subject()));
    }
    let these = cards.iter().map(|card| (card.address.clone(), trim_v(&card.version).to_owned()));
    Ok(Intent::Decide(DecideTask::TakeBack(these.collect())))
}

/// The title and the text of a message to the author.
pub(super) fn draft(cards: &[&Card]) -> Result<(String, String), Message> {
    if cards.iter().any(|card| card.address != cards[0].address) {
        return refuse("the marked ones are of several entries, and a message is to the author of one");
    }
    if let Some(why) = cards.iter().find_map(|card| no_message(card)) {
        return refuse(why);
    }
    message(cards).map_or_else(|| refuse("nothing is stranded here"), Ok)
}
