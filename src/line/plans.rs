//! Words about the plan. Its files have numbers of their own; whatever changes it is asked about first.

use std::path::Path;

use jiff::Timestamp;

use crate::desk::ability::Ability;
use crate::desk::intent::{Intent, Operands};
use crate::desk::naming;
use crate::jobs::data::{Failure, FailureKind};
use crate::line::spoken;
use crate::line::state::{LineMode, Reply};
use crate::registry::Address;
use crate::rules::edit::Edit;
use crate::rules::plan::Which;
use crate::rules::policy::Reason;

const SUBMIT: &str =
    "write plan submit provider REPOSITORY, plan submit module REPOSITORY or plan submit key NAMESPACE FILE";

/// The answer to a word behind `plan` that is none.
pub(crate) const PLAN: &str = "write plan show, plan show N, plan add N, plan rebuild, plan drop N, or an edit: plan clear, warn, block, remove or submit";

impl LineMode {
    /// `plan submit provider acme/terraform-provider-rocket`.
    pub(crate) fn submit(&mut self, reply: &mut Reply, rest: &str, now: Timestamp) -> Result<(), Failure> {
        let words: Vec<&str> = rest.split_whitespace().collect();
        let (what, name, file) = match words[..] {
            [what, name] => (what, name, None),
            [what, name, file] => (what, name, Some(Path::new(file))),
            _ => {
                reply.refuse(SUBMIT);
                return Ok(());
            }
        };
        let (address, edit) = naming::submission(what, name, file, &self.desk.list.catalog)?;
        self.act(reply, Intent::edit(address, edit), now);
        Ok(())
    }

    /// `plan drop N`, `plan drop all`.
    pub(crate) fn drop_file(&mut self, reply: &mut Reply, rest: &str, now: Timestamp) -> Result<(), Failure> {
        match rest {
            "" => reply.refuse(PLAN),
            "all" => self.act(reply, Intent::Drop(Vec::new()), now),
            rest => {
                let address = self.planned_file(rest)?;
                let on = Operands { address: Some(&address), ..Operands::default() };
                self.perform(reply, Ability::DropFile, &on, now);
            }
        }
        Ok(())
    }

    /// `plan warn N TEXT`, `plan block N VERSION TEXT`, `plan remove N VERSION REASON URL NUMBER`, `plan remove N entry …`.
    pub(crate) fn plan_edit(
        &mut self,
        reply: &mut Reply,
        ability: Ability,
        rest: &str,
        now: Timestamp,
    ) -> Result<(), Failure> {
        let (entry, rest) = rest.split_once(' ').unwrap_or((rest, ""));
        let (version, text) = rest.trim().split_once(' ').unwrap_or((rest.trim(), ""));
        if text.is_empty() && ability != Ability::Warn || rest.is_empty() {
            reply.refuse(match ability {
                Ability::Warn => "write plan warn N TEXT, or plan warn N moved-to ADDRESS",
                Ability::Block => "write plan block N VERSION TEXT, with the reason as the blacklist will have it",
                _ => "write plan remove N VERSION REASON, with the word entry for VERSION if all of it goes, and for an exceptional reason URL and NUMBER behind it",
            });
            return Ok(());
        }
        let address = self.listed().entry(entry)?;
        let fail = |why: String| Failure::new(FailureKind::Usage, "reading an edit").cause(why);
        let versions = vec![version.to_owned()];
        let intent = match ability {
            Ability::Warn => {
                let edit = match rest.trim().strip_prefix("moved-to ") {
                    Some(to) => Edit::moved_to(&naming::parse(to.trim())?),
                    None => Edit::warning(rest),
                };
                Intent::edit(address, edit.map_err(fail)?)
            }
            Ability::Block => Intent::edit(address, Edit::blocking(versions, text).map_err(fail)?),
            _ => {
                let mut words = text.split_whitespace();
                let reason = words.next().and_then(Reason::from_name).ok_or_else(|| {
                    fail("there is no such reason".to_owned())
                        .hint(format!("Write one of: {}.", Reason::ALL.map(Reason::name).join(", ")))
                })?;
                let (url, issue) = (words.next(), words.next().and_then(|issue| issue.parse().ok()));
                let intent = if version == "entry" {
                    Intent::remove_entries(vec![address], reason, (url, issue))
                } else {
                    Intent::remove((address, versions), reason, (url, issue))
                };
                intent.map_err(fail)?
            }
        };
        self.act(reply, intent, now);
        Ok(())
    }

    /// `approve N`, `approve N VERSION`, `reject ADDRESS@VERSION`, `note N TEXT`.
    pub(crate) fn mark_plan(
        &mut self,
        reply: &mut Reply,
        ability: Ability,
        rest: &str,
        now: Timestamp,
    ) -> Result<(), Failure> {
        let (file, rest) = rest.split_once(' ').unwrap_or((rest, ""));
        if file.is_empty() {
            reply.refuse("write it with the number of a file of the plan; plan show reads them out");
            return Ok(());
        }
        let (file, version) = match file.split_once('@') {
            Some((_, "")) => {
                reply.refuse("there is no version after the @; leave out the @ to mean the whole file");
                return Ok(());
            }
            Some((file, version)) => (file, version),
            None => (file, ""),
        };
        let address = self.planned_file(file)?;
        let rest = rest.trim();
        let version = if version.is_empty() && ability != Ability::Note { rest } else { version };
        let which = if version.is_empty() { Which::Whole } else { Which::Version(version.to_owned()) };
        let change = Some((address, which));
        self.perform(reply, ability, &Operands { change, text: rest, ..Operands::default() }, now);
        Ok(())
    }

    /// The file of the plan under a number, or of an address.
    pub(crate) fn planned_file(&self, text: &str) -> Result<Address, Failure> {
        let text = spoken::unspoken(text);
        let Ok(number) = text.trim_end_matches('.').parse::<usize>() else {
            return match naming::change(&text)? {
                (address, Which::Whole) => Ok(address),
                _ => Err(Failure::new(FailureKind::Usage, format!("looking for `{text}`"))
                    .cause("this takes a whole file, not one version of it")
                    .hint("Leave out the @ and what follows it.")),
            };
        };
        let files = self.desk.planning.files();
        let file = number.checked_sub(1).and_then(|place| files.get(place));
        file.map(|file| file.address.clone()).ok_or_else(|| {
            Failure::new(FailureKind::Usage, format!("looking for file {number} of the plan"))
                .cause(match files.len() {
                    0 => "no file of the plan has been read out yet".to_owned(),
                    many => format!("the plan has the numbers 1 to {many}"),
                })
                .hint("Write plan show to hear them.")
        })
    }
}
