//! Finds the version of an entry that can be put on the blacklist.

use crate::desk::Desk;
use crate::desk::ability::Ability;
use crate::desk::telling::{Message, refuse};
use crate::registry::Address;
use crate::rules::amount::counted;
use crate::rules::{VersionMark, VersionState};

impl Desk {
    /// The version that can be kept out of an entry: the one that is pointed at, else the only one that is known and not indexed.
    pub(crate) fn blockable(&self, address: &Address, at: Option<&str>) -> Result<String, Message> {
        let verdict = self.list.find(address).and_then(|at| self.list.verdicts.get(at));
        let states = || verdict.into_iter().flat_map(|verdict| &verdict.versions);
        let is_indexed = |version: &str| self.is_indexed(address, version) == Some(true);
        if let Some(version) = at {
            if is_indexed(version) {
                let why = "is indexed, and the blacklist only keeps versions from being added";
                return refuse(format!("{version} of {address} {why}"));
            }
            if states().any(|state| state.version == version && state.mark == VersionMark::Blocked) {
                let text = format!("{version} of {address} is on the blacklist already");
                return Err(Message::of(text).needless());
            }
            return Ok(version.to_owned());
        }
        let is_new =
            |state: &&VersionState| state.mark != VersionMark::Blocked && !is_indexed(&state.version);
        let new: Vec<&VersionState> = states().filter(is_new).collect();
        match new[..] {
            [] => refuse(format!(
                "{address} has nothing to block: every version that is known of it is indexed or blocked"
            )),
            [one] => Ok(one.version.clone()),
            ref all => {
                let text = format!(
                    "{} of {address} are not indexed, and one is blocked at a time",
                    counted(all.len(), "version")
                );
                refuse(Message::of(text).step(Ability::Look, "opens the entry, to choose one"))
            }
        }
    }
}
