//! Words about the plan. Its files have numbers of their own; whatever changes it is asked about first.

use std::time::Duration;

use crate::desk::{MAX_AGE, naming};
use crate::jobs::{Failure, FailureKind, Job, PlanAdd, PlanMark, PlanTask};
use crate::line::spoken;
use crate::line::state::{LineMode, Reply};
use crate::line::words::Word;
use crate::line::work::Doing;
use crate::print::output::Line;
use crate::registry::Address;
use crate::rules::Mode;
use crate::rules::plan::{Refusal, Verb, Which};

impl LineMode {
    /// `plan add N`, `plan show`, `plan rebuild`, `plan drop N`.
    pub(crate) fn plan_word(&mut self, reply: &mut Reply, rest: &str) -> Result<(), Failure> {
        let (verb, rest) = rest.split_once(' ').unwrap_or((rest, ""));
        let rest = rest.trim();
        match (verb, rest) {
            ("add", rest) => return self.plan_add(reply, rest),
            ("" | "show", "") => {
                self.start(reply, Job::Plan(PlanTask::Show), Doing::PlanList, "reading the plan".into());
            }
            ("show", rest) => {
                let address = self.planned_file(rest)?;
                let what = format!("reading the plan of {}", spoken::address(&address));
                self.start(reply, Job::Plan(PlanTask::Open(address)), Doing::Review, what);
            }
            ("rebuild", "") => {
                let task = PlanTask::Rebuild { max_age: Duration::ZERO };
                self.start(
                    reply,
                    Job::Plan(task),
                    Doing::PlanChange(None),
                    "building the whole plan again".into(),
                );
            }
            ("drop", "all") => {
                let task = Job::Plan(PlanTask::Drop(Vec::new()));
                self.start(
                    reply,
                    task,
                    Doing::PlanChange(None),
                    "dropping the whole plan, with its marks".into(),
                );
            }
            ("drop", rest) if !rest.is_empty() => {
                let address = self.planned_file(rest)?;
                let what = format!("dropping {} from the plan, with its marks", spoken::address(&address));
                let task = Job::Plan(PlanTask::Drop(vec![address]));
                self.start(reply, task, Doing::PlanChange(None), what);
            }
            _ => reply.refuse("write plan show, plan show N, plan add N, plan rebuild or plan drop N"),
        }
        Ok(())
    }

    fn plan_add(&mut self, reply: &mut Reply, rest: &str) -> Result<(), Failure> {
        let addresses: Vec<Address> = if rest == "marked" {
            self.listed().list.marked()
        } else {
            self.meant(reply, "plan add", rest)?.into_iter().collect()
        };
        let (what, about) = match &addresses[..] {
            [] if rest == "marked" => {
                reply.refuse("nothing is marked");
                return Ok(());
            }
            [] => return Ok(()),
            [one] => (format!("adding {} to the plan", spoken::address(one)), Some(one.clone())),
            many => (format!("adding the {} marked to the plan", many.len()), None),
        };
        let add = PlanAdd { addresses, mode: Mode::Add, max_age: MAX_AGE };
        self.start(reply, Job::Plan(PlanTask::Add(add)), Doing::PlanChange(about), what);
        Ok(())
    }

    /// `approve N`, `approve N VERSION`, `reject ADDRESS@VERSION`, `note N TEXT`.
    pub(crate) fn mark_plan(&mut self, reply: &mut Reply, word: Word, rest: &str) -> Result<(), Failure> {
        let (file, rest) = rest.split_once(' ').unwrap_or((rest, ""));
        if file.is_empty() {
            reply.refuse("write it with the number of a file of the plan; plan show reads them out");
            return Ok(());
        }
        let (file, version) = match file.split_once('@') {
            Some((_, "")) => {
                reply.refuse("there is no version after the @; leave the @ away to mean the whole file");
                return Ok(());
            }
            Some((file, version)) => (file, version),
            None => (file, ""),
        };
        let address = self.planned_file(file)?;
        let rest = rest.trim();
        let (verb, version, doing) = match word {
            Word::Note if rest.is_empty() => (Verb::Note(String::new()), version, "taking away the note on"),
            Word::Note => (Verb::Note(rest.to_owned()), version, "writing a note on"),
            Word::Reject => (Verb::Reject, if version.is_empty() { rest } else { version }, "rejecting"),
            Word::Reopen => (Verb::Reopen, if version.is_empty() { rest } else { version }, "reopening"),
            _ => (Verb::Approve, if version.is_empty() { rest } else { version }, "approving"),
        };
        let (which, part) = match version {
            "" => (Which::Whole, String::new()),
            version => (Which::Version(version.to_owned()), format!(" version {version} of")),
        };
        let what = format!("{doing}{part} {}", spoken::address(&address));
        if let Some(refusal) = self.refusal(&address, &which, &verb) {
            reply.refuse(&format!("{}: {}", spoken::address(&address), refusal.text()));
            if matches!(refusal, Refusal::NotSeen { .. }) {
                reply.say(Line::of("plan show with its number reads it out, next all to the end"));
            }
            return Ok(());
        }
        let task = PlanTask::Mark(vec![PlanMark { address: address.clone(), which, verb }]);
        self.start(reply, Job::Plan(task), Doing::PlanChange(Some(address)), what);
        Ok(())
    }

    /// Why the plan, as it was read last, would not take a mark: then nobody is asked. The job looks again.
    fn refusal(&self, address: &Address, which: &Which, verb: &Verb) -> Option<Refusal> {
        self.plan.as_ref()?.find(address)?.answer(which, verb).err()
    }

    /// The file of the plan under a number, or of an address.
    fn planned_file(&self, text: &str) -> Result<Address, Failure> {
        let text = spoken::unspoken(text);
        let Ok(number) = text.trim_end_matches('.').parse::<usize>() else {
            return match naming::change(&text)? {
                (address, Which::Whole) => Ok(address),
                _ => Err(Failure::new(FailureKind::Usage, format!("looking for `{text}`"))
                    .cause("a whole file is meant here, not one version of it")
                    .hint("Leave the @ and what follows it away.")),
            };
        };
        let files = self.plan.as_ref().map_or(&[][..], |plan| &plan.files);
        let file = number.checked_sub(1).and_then(|place| files.get(place));
        file.map(|file| file.address.clone()).ok_or_else(|| {
            Failure::new(FailureKind::Usage, format!("looking for file {number} of the plan"))
                .cause(match files.len() {
                    0 => "no file of the plan was read out yet".to_owned(),
                    many => format!("the plan has the numbers 1 to {many}"),
                })
                .hint("Write plan show to hear them.")
        })
    }
}
