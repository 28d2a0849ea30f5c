//! Words about the plan. Its files have numbers of their own; whatever changes it is asked about first.

use jiff::Timestamp;

use crate::desk::intent::{Intent, Meant};
use crate::desk::naming;
use crate::jobs::{Failure, FailureKind, Job, PlanMark, PlanTask};
use crate::line::spoken;
use crate::line::state::{LineMode, Reply};
use crate::line::words::Word;
use crate::registry::Address;
use crate::rules::plan::{Verb, Which};

impl LineMode {
    /// `plan add N`, `plan show`, `plan rebuild`, `plan drop N`.
    pub(crate) fn plan_word(&mut self, reply: &mut Reply, rest: &str, now: Timestamp) -> Result<(), Failure> {
        let (verb, rest) = rest.split_once(' ').unwrap_or((rest, ""));
        match (verb, rest.trim()) {
            ("add", "marked") => self.act(reply, Intent::add(Meant::Marked, 0), now),
            ("add", rest) => {
                if let Some(address) = self.meant(reply, "plan add", rest)? {
                    self.act(reply, Intent::add(Meant::These(vec![address]), 0), now);
                }
            }
            ("clear", rest) => {
                if let Some(address) = self.meant(reply, "plan clear", rest)? {
                    match self.desk.clearing(&address) {
                        Ok(intent) => self.act(reply, intent, now),
                        Err(why) => reply.refused(&why),
                    }
                }
            }
            ("" | "show", "") => {
                self.start(reply, Job::Plan(PlanTask::Show), now);
            }
            ("show", rest) => {
                let address = self.planned_file(rest)?;
                self.start(reply, Job::Plan(PlanTask::Open(address)), now);
            }
            ("rebuild", "") => self.act(reply, Intent::rebuild(), now),
            ("drop", "all") => self.act(reply, Intent::Drop(Vec::new()), now),
            ("drop", rest) if !rest.is_empty() => {
                let address = self.planned_file(rest)?;
                self.act(reply, Intent::Drop(vec![address]), now);
            }
            _ => reply.refuse(
                "write plan show, plan show N, plan add N, plan clear N, plan rebuild or plan drop N",
            ),
        }
        Ok(())
    }

    /// `approve N`, `approve N VERSION`, `reject ADDRESS@VERSION`, `note N TEXT`.
    pub(crate) fn mark_plan(
        &mut self,
        reply: &mut Reply,
        word: Word,
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
        let (verb, version) = match word {
            Word::Note => (Verb::Note(rest.to_owned()), version),
            Word::Reject => (Verb::Reject, if version.is_empty() { rest } else { version }),
            Word::Reopen => (Verb::Reopen, if version.is_empty() { rest } else { version }),
            _ => (Verb::Approve, if version.is_empty() { rest } else { version }),
        };
        let which = if version.is_empty() { Which::Whole } else { Which::Version(version.to_owned()) };
        self.act(reply, Intent::Say(vec![PlanMark { address, which, verb }]), now);
        Ok(())
    }

    /// The file of the plan under a number, or of an address.
    fn planned_file(&self, text: &str) -> Result<Address, Failure> {
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
