//! Does what a line names: an ability of the desk, or a word about the list, its views, marks and the log.

use jiff::Timestamp;

use crate::desk::ability::{Ability, Needs};
use crate::desk::asking;
use crate::desk::intent::{EntrySelection, Intent, Operands};
use crate::desk::reviews::Reviewed;
use crate::desk::telling::markdown;
use crate::jobs::data::{Failure, Job, LogQuery, PlanTask};
use crate::line::listing::Listing;
use crate::line::plans::PLAN;
use crate::line::sheet::Sheet;
use crate::line::state::{LineMode, Numbers, Reply};
use crate::line::words::{LineMeaning, Word};
use crate::line::{help, spoken, words};
use crate::print::output::Line;
use crate::print::text;
use crate::registry::Address;
use crate::rules::filter::Filter;
use crate::rules::order::{Group, Sort};
use crate::rules::review::Against;
use crate::rules::spelling::nearest;
use crate::rules::view;
use crate::rules::view::View;

/// Lines of the log, and jobs, that are read out unless more are asked for.
const LAST: usize = 20;
/// More lines of the log than this are for `bumpdesk log`.
const MOST: usize = 1_000;

impl LineMode {
    /// Takes a typed line.
    pub(crate) fn take_line(&mut self, line: &str, now: Timestamp) -> Reply {
        if self.question.is_some() {
            return self.answer(line, now);
        }
        let mut reply = Reply::default();
        let done = match words::understand(line) {
            LineMeaning::Nothing => Ok(()),
            LineMeaning::Number(number) => self.number(&mut reply, number, now),
            LineMeaning::Does(ability, rest) => self.does(&mut reply, ability, rest, now),
            LineMeaning::Word(word, rest) => self.word(&mut reply, word, rest, now),
            LineMeaning::Unknown(text, near) => {
                let near = near.map(|near| format!("; did you mean {near}?")).unwrap_or_default();
                reply.refuse(&format!("there is no word `{text}`{near}"));
                reply.say(Line::of("help names the words"));
                Ok(())
            }
        };
        if let Err(failure) = done {
            reply.fail(&failure);
        }
        reply
    }

    /// A number alone opens what it stands for in the list that was read out last.
    fn number(&mut self, reply: &mut Reply, number: usize, now: Timestamp) -> Result<(), Failure> {
        if self.refuses_unread(reply) {
            return Ok(());
        }
        match self.numbers {
            Numbers::Plan => self.does(reply, Ability::ShowFile, &number.to_string(), now),
            Numbers::Rows => {
                self.verified_row(reply, number);
                Ok(())
            }
            Numbers::List => self.does(reply, Ability::Look, &number.to_string(), now),
        }
    }

    /// Without a registry nothing can be said about it; true if so.
    fn refuses_unread(&self, reply: &mut Reply) -> bool {
        let ready = self.desk.ready();
        if let Err(why) = &ready {
            reply.refused(why);
        }
        ready.is_err()
    }

    /// Does an ability. Some have a rest that is a small language of its own.
    fn does(
        &mut self,
        reply: &mut Reply,
        ability: Ability,
        rest: &str,
        now: Timestamp,
    ) -> Result<(), Failure> {
        let needs_registry = !matches!(
            ability,
            Ability::Leave | Ability::CancelAll | Ability::Watch | Ability::ShowJobs | Ability::Reload
        );
        if needs_registry && self.refuses_unread(reply) {
            return Ok(());
        }
        match ability {
            Ability::DeleteView => self.act(reply, Intent::DeleteView(rest.to_owned()), now),
            Ability::Look
            | Ability::Build
            | Ability::Survey
            | Ability::Verify
            | Ability::Backfill
            | Ability::Add
            | Ability::ClearErrors => return self.on_entries(reply, ability, rest, now),
            Ability::Dispatch => return self.dispatch(reply, rest, now),
            Ability::FollowRun => self.run(reply, rest, now),
            Ability::PauseVerification => self.pause(reply, true, now),
            Ability::PauseBackfill => self.pause(reply, false, now),
            Ability::MoreWorkers => self.workers(reply, rest, now),
            Ability::ShowVerification => self.rows(reply, rest, now),
            Ability::Warn | Ability::Block | Ability::Remove => {
                return self.plan_edit(reply, ability, rest, now);
            }
            Ability::Submit => return self.submit(reply, rest, now),
            Ability::ShowPlan if rest.is_empty() => {
                self.start(reply, Job::Plan(PlanTask::Show), now);
            }
            Ability::ShowPlan => reply.refuse(PLAN),
            Ability::ShowFile => {
                let address = self.planned_file(rest)?;
                self.start(reply, Job::Plan(PlanTask::Open(address)), now);
            }
            Ability::DropFile => return self.drop_file(reply, rest, now),
            Ability::Approve | Ability::Reject | Ability::Reopen | Ability::Note => {
                return self.mark_plan(reply, ability, rest, now);
            }
            Ability::Watch => self.watch(reply, rest, now),
            Ability::Review => self.review(reply, rest, now),
            Ability::ShowStranded | Ability::DraftMessage => self.stranded(reply, ability, rest, now),
            Ability::Ignore => return self.ignore(reply, rest, now),
            Ability::Unignore => return self.unignore(reply, rest, now),
            Ability::Triage if rest.is_empty() => {
                reply.refuse("write triage with an address, with its version or without, or with a URL");
            }
            Ability::Recheck | Ability::EditPull => self.pull(reply, rest, now),
            Ability::Disarm => self.disarm(reply, now),
            Ability::ShowJobs => {
                if !self.is_at_rest() {
                    reply.say(spoken::now(&self.running()));
                }
                self.start(reply, Job::ListJobs { most: LAST, everywhere: false }, now);
            }
            Ability::CancelAll => self.cancel(reply, now),
            _ => self.perform(reply, ability, &Operands { text: rest, ..Operands::default() }, now),
        }
        Ok(())
    }

    /// Has the desk do an ability, or says why not.
    pub(crate) fn perform(&mut self, reply: &mut Reply, ability: Ability, on: &Operands<'_>, now: Timestamp) {
        match self.desk.intent_of(ability, on) {
            Some(Ok(intent)) => self.act(reply, intent, now),
            Some(Err(why)) => reply.refused(&why),
            None => {}
        }
    }

    /// Does a word that only lines have.
    fn word(&mut self, reply: &mut Reply, word: Word, rest: &str, now: Timestamp) -> Result<(), Failure> {
        if !matches!(word, Word::Help | Word::Log) && self.refuses_unread(reply) {
            return Ok(());
        }
        match word {
            Word::Help => self.read(reply, help::sheet(rest), now),
            Word::Next if rest == "all" => self.read_on(reply, now),
            Word::Next => self.turn(reply, now, true),
            Word::Back => self.turn(reply, now, false),
            Word::List => {
                self.read_list(reply, now);
                self.say_activity(reply, now);
            }
            Word::Filter => {
                self.choose(reply, now, |view| View { filter: rest.into(), name: String::new(), ..view });
            }
            Word::Sort => self.sort(reply, rest, now),
            Word::Group => self.group(reply, rest, now),
            Word::View => self.view(reply, rest, now),
            Word::Save => self.save_view(reply, rest, now),
            Word::Mark => return self.mark(reply, rest, true, now),
            Word::Unmark => return self.mark(reply, rest, false, now),
            Word::Markdown => return self.markdown(reply, rest, now),
            Word::Log => self.log(reply, rest, now),
        }
        Ok(())
    }

    pub(crate) fn listed(&self) -> Listing<'_> {
        Listing::of(&self.desk, &self.view).expect("words before the registry was read are refused")
    }

    /// The entry that a word is about: the one that is named, or the one that was opened last.
    pub(crate) fn subject(
        &mut self,
        reply: &mut Reply,
        word: &str,
        rest: &str,
    ) -> Result<Option<Address>, Failure> {
        if !rest.is_empty() {
            return self.listed().entry(rest).map(Some);
        }
        let subject = self.opened.as_ref().map(|opened| opened.address.clone());
        if subject.is_none() {
            reply.refuse(&format!("write {word} with a number of the list, or with an address"));
        }
        Ok(subject)
    }

    /// `open 3`, `survey all`, `plan add marked`, `verify acme/rocket@1.2.0`, or a word alone for the entry that was opened last.
    fn on_entries(
        &mut self,
        reply: &mut Reply,
        ability: Ability,
        rest: &str,
        now: Timestamp,
    ) -> Result<(), Failure> {
        let (entry, version) = match rest.split_once('@').filter(|_| ability == Ability::Verify) {
            Some((_, version)) if version.trim().is_empty() => {
                reply.refuse("there is no version after the @");
                return Ok(());
            }
            Some((entry, version)) => (entry.trim(), Some(version.trim())),
            None => (rest, None),
        };
        let (selection, address) = match entry {
            "marked" if ability.row().needs == Needs::Entries => (EntrySelection::Marked, None),
            "all" if ability == Ability::Survey => (EntrySelection::Everything, None),
            one => {
                // `plan add` of `plan add N`.
                let form = ability.row().phrase.as_ref().map_or("", |phrase| phrase.form);
                let Some(address) = self.subject(reply, form.trim_end_matches(" N"), one)? else {
                    return Ok(());
                };
                (EntrySelection::These(vec![address.clone()]), Some(address))
            }
        };
        let address = address.as_ref();
        self.perform(reply, ability, &Operands { selection, address, version, ..Operands::default() }, now);
        Ok(())
    }

    fn watch(&mut self, reply: &mut Reply, rest: &str, now: Timestamp) {
        let number = rest.trim_start_matches('#').parse().ok();
        if number.is_none() && !rest.is_empty() {
            reply.refuse("write watch with the number of a pull request, or alone");
            return;
        }
        self.perform(reply, Ability::Watch, &Operands { number, ..Operands::default() }, now);
    }

    fn review(&mut self, reply: &mut Reply, rest: &str, now: Timestamp) {
        self.lines_request = None;
        if let Some((number, word)) = rest.split_once(' ')
            && let Some(against) = lines_word(word)
        {
            return self.review_lines(reply, number, against, now);
        }
        if let Some((number, verdict)) = rest.split_once(' ').filter(|(_, verdict)| *verdict != "hash") {
            return self.judge(reply, number, verdict, now);
        }
        let (number, ability) = match rest.strip_suffix(" hash") {
            Some(number) => (number, Ability::HashReview),
            None => (rest, Ability::Review),
        };
        match number.trim_start_matches('#').parse().ok() {
            None => reply.refuse("write review with the number of a pull request, or alone"),
            number => self.perform(reply, ability, &Operands { number, ..Operands::default() }, now),
        }
    }

    /// Reads out the lines of a pull request, which is reviewed first if they are not known.
    fn review_lines(&mut self, reply: &mut Reply, number: &str, against: Against, now: Timestamp) {
        let Ok(number) = number.trim_start_matches('#').parse() else {
            return reply.refuse("write review with the number of a pull request, then diff or upstream");
        };
        if let Some(lines) = self.desk.reviews.differences(number) {
            let sheet = Sheet::text(text::differences(lines, against));
            return self.read(reply, sheet, now);
        }
        self.lines_request = Some((number, against));
        let on = Operands { number: Some(number), ..Operands::default() };
        self.perform(reply, Ability::ReviewDiff, &on, now);
    }

    /// Makes a verdict ready, with what it rests on.
    fn judge(&mut self, reply: &mut Reply, number: &str, verdict: &str, now: Timestamp) {
        let Ok(number) = number.trim_start_matches('#').parse() else {
            return reply.refuse("write review with the number of a pull request, then your verdict");
        };
        let found = self.desk.reviews.found(number);
        let hashes = found.is_some_and(Reviewed::is_hashed);
        match asking::read_verdict(verdict, number, hashes) {
            Ok(plan) => self.act(reply, Intent::prepare(plan), now),
            Err(why) => reply.refuse(&why),
        }
    }

    /// Reads out as Markdown what is named, or what was read out last.
    fn markdown(&mut self, reply: &mut Reply, rest: &str, now: Timestamp) -> Result<(), Failure> {
        let (what, number) = rest.split_once(' ').unwrap_or((rest, ""));
        let text = match (what, self.numbers) {
            ("plan", _) | ("", Numbers::Plan) => self.desk.planning.plan.as_ref().map(markdown::plan),
            ("rows", _) | ("", Numbers::Rows) => self.desk.run.as_ref().map(|run| {
                let groups: Vec<_> = run.groups.all().map(|group| run.rows_of(group)).collect();
                markdown::verification(&run.what(), &groups)
            }),
            ("pull", _) => markdown::sending(&self.desk),
            ("review", _) => {
                let found = number.trim_start_matches('#').parse().ok();
                let found = found.and_then(|number| self.desk.reviews.found(number));
                found.map(|found| markdown::review(&found.review, &found.review.pull))
            }
            (_, _) => {
                let Some(address) = self.subject(reply, "markdown", rest)? else { return Ok(()) };
                let opened = self.opened.as_deref().filter(|opened| opened.address == address);
                let verdict =
                    opened.map(|opened| &opened.verdict).or_else(|| self.desk.list.verdict_of(&address));
                verdict.map(|verdict| markdown::entry(&address, verdict, opened, now))
            }
        };
        match text {
            Some(text) => reply.lines.extend(text.lines().map(Line::of)),
            None => reply.refuse("that was not read out yet; read it out first, then write markdown"),
        }
        Ok(())
    }

    /// Lists by a view that is made of the one that counts now.
    fn choose(&mut self, reply: &mut Reply, now: Timestamp, change: impl FnOnce(View) -> View) {
        let view = change(self.desk.list.as_view(&self.view));
        match Filter::parse(&view.filter) {
            Ok(_) => {
                self.view.clone_from(&view.name);
                self.desk.list.take_view(view);
                self.read_list(reply, now);
            }
            Err(error) => {
                reply.refuse(&format!("{error}; the list is as it was"));
                reply.say(Line::of("help filter names the terms"));
            }
        }
    }

    fn sort(&mut self, reply: &mut Reply, rest: &str, now: Timestamp) {
        match Sort::from_name(rest) {
            Some(sort) => self.choose(reply, now, |view| View { sort, ..view }),
            None => unknown(reply, "order", rest, &Sort::ALL.map(Sort::name)),
        }
    }

    fn group(&mut self, reply: &mut Reply, rest: &str, now: Timestamp) {
        match Group::from_name(rest) {
            Some(group) => self.choose(reply, now, |view| View { group, ..view }),
            None => unknown(reply, "group", rest, &Group::ALL.map(Group::name)),
        }
    }

    fn view(&mut self, reply: &mut Reply, rest: &str, now: Timestamp) {
        if rest.is_empty() {
            self.read(reply, help::views(&self.desk.list.views), now);
            return;
        }
        match view::find(rest, &self.desk.list.views) {
            Ok(view) => self.choose(reply, now, |_| view),
            Err(text) => reply.refuse(&text),
        }
    }

    fn save_view(&mut self, reply: &mut Reply, rest: &str, now: Timestamp) {
        match self.desk.list.save_view(rest) {
            Ok(()) => self.keep(reply, now),
            Err(text) => reply.refuse(&text),
        }
    }

    fn log(&mut self, reply: &mut Reply, rest: &str, now: Timestamp) {
        let mut query =
            LogQuery { since: None, errors: false, most: LAST, requests_apart: false, everywhere: false };
        for word in rest.split_whitespace() {
            match word.parse::<usize>() {
                _ if word == "errors" => query.errors = true,
                Ok(most @ 1..=MOST) => query.most = most,
                _ => {
                    reply.refuse(&format!("write log, log errors, or log with a number up to {MOST}"));
                    return;
                }
            }
        }
        self.start(reply, Job::ReadLog(query), now);
    }
}

fn unknown(reply: &mut Reply, what: &str, text: &str, known: &[&'static str]) {
    if text.is_empty() {
        reply.say(Line::of(format!("write one of: {}", known.join(", "))));
        return;
    }
    let near = nearest(text, known.iter().copied()).map(|near| format!("; did you mean {near}?"));
    let rest = near.unwrap_or_else(|| format!("; write one of: {}", known.join(", ")));
    reply.refuse(&format!("there is no {what} `{text}`{rest}"));
}

/// The side that a word after the number of a pull request names.
fn lines_word(word: &str) -> Option<Against> {
    match word {
        "diff" => Some(Against::Base),
        "upstream" => Some(Against::Upstream),
        _ => None,
    }
}
