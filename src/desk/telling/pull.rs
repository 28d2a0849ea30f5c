//! Texts about a pull request, a verdict or a run: its subject, its gates, its requests, and how far they
//! were sent.

use jiff::Timestamp;

use crate::desk::ability::{Ability, NextStep};
use crate::desk::sending::{GateStanding, Sent, Stage, Write};
use crate::desk::table::{ColumnWidth, Cut, TableCell, TableColumn};
use crate::desk::telling::column::STATE;
use crate::desk::telling::shell::in_console;
use crate::desk::telling::{Fact, Glyph, Label, Message, Sign, Tone, machines, watch};
use crate::desk::{Desk, Header, Registry};
use crate::jobs::data::{PlannedPull, Prepared, StartedRun, Subject};
use crate::registry::short_id;
use crate::rules::amount::{Form, bytes, clock, counted, list_names};
use crate::rules::plain_text::visible;
use crate::rules::plan::Plan;
use crate::rules::review::{EVIDENCE_BLOCK, Opinion};
use crate::rules::sending::{Course, Gate, GateName, GateState, Request, Sending, Step};
use crate::rules::watch::PullState;

/// The columns of the table of gates.
pub(crate) const GATE_COLUMNS: [TableColumn; 3] = [
    TableColumn::new(Label::of("GATE"), ColumnWidth::Content { least: 16 }, Cut::End, 1),
    TableColumn::new(STATE, ColumnWidth::Content { least: 6 }, Cut::End, 0),
    TableColumn::new(Label::of("EVIDENCE"), ColumnWidth::Rest { wants: 24, least: 16 }, Cut::End, 2),
];

/// Stands beside the text that is posted.
pub(crate) const TEXT: Label = Label::of("text");
pub(crate) const TITLE: Label = Label::of("title");
const VERDICT: Label = Label::of("verdict");
const OF: Label = Label::of("of");
const COMMENT: Label = Label::two("comment", "beside a line");
const RESULT: Label = Label::of("result");
const BRANCH: Label = Label::of("branch");
const OPENED: Label = Label::of("opened as");
const LABELS: Label = Label::of("labels");
const REVIEWERS: Label = Label::of("reviewers");
const BACKFILL: Label = Label::of("backfill");
const COMMIT: Label = Label::of("commit");
const SHARES: Label = Label::of("shares");

/// The sign of a gate.
pub(crate) fn sign(state: GateState) -> Sign {
    let (glyph, tone) = match state {
        GateState::Pass => (Glyph::FINE, Tone::Fine),
        GateState::Note => (Glyph::NOTE, Tone::Warning),
        GateState::Fail => (Glyph::WRONG, Tone::Wrong),
    };
    glyph.sign(state.word(), tone)
}

/// The sign of a gate by its standing: a gate that was not checked since something changed is not known.
fn standing_sign(gate: &Gate, standing: GateStanding) -> Sign {
    match standing {
        GateStanding::Found => sign(gate.state),
        GateStanding::Checking => Glyph::UNDER_WAY.sign("CHECKING", Tone::Late),
        GateStanding::Unknown => Glyph::UNKNOWN.sign("UNKNOWN", Tone::Warning),
    }
}

/// One cell of the table of gates.
pub(crate) fn gate_cell(number: usize, gate: &Gate, standing: GateStanding, column: usize) -> TableCell<'_> {
    match (column, standing) {
        (0, _) => TableCell::of(format!("{number} {}", gate.name.word()), Tone::Plain),
        (1, _) => standing_sign(gate, standing).into(),
        (_, GateStanding::Found) => TableCell::of(gate.evidence.as_str(), Tone::Plain),
        _ => TableCell::of(before(gate), Tone::Quiet),
    }
}

/// The result of an earlier check: `it was PASS: 1 change looked at and answered`.
fn before(gate: &Gate) -> String {
    format!("it was {}: {}", gate.state.word(), gate.evidence)
}

/// The text of a gate in one paragraph: its evidence, and its remedy if it fails; the remedy alone if all of the evidence is seen.
/// `name` returns the console's name for a step.
pub(crate) fn gate_text(
    gate: &Gate,
    standing: GateStanding,
    is_evidence_seen: bool,
    name: impl Fn(&NextStep) -> Option<String>,
) -> String {
    if standing != GateStanding::Found {
        return before(gate);
    }
    match &gate.remedy {
        Some(remedy) if is_evidence_seen => in_console(remedy, name),
        Some(remedy) => format!("{}. {}", gate.evidence, in_console(remedy, name)),
        None => gate.evidence.clone(),
    }
}

/// The gates of what is made ready. Once writing is armed, the first one says what the token may do, which GitHub has answered.
pub(crate) fn gates(desk: &Desk) -> Vec<Gate> {
    let Some(prepared) = desk.pull.prepared.as_deref() else { return Vec::new() };
    let armed = desk.arming.armed().filter(|armed| armed.account == prepared.sending.account);
    let scopes = armed.and_then(|armed| armed.permissions.as_deref());
    let mut gates = prepared.gates.clone();
    for gate in &mut gates {
        if let Some(scopes) = scopes.filter(|_| gate.name == GateName::WriteAccess) {
            gate.take_scopes(scopes);
        }
    }
    gates
}

/// The words of a gate that a filter searches.
pub(crate) fn gate_words(number: usize, gate: &Gate) -> String {
    let cell = |column| gate_cell(number, gate, GateStanding::Found, column).text.into_owned();
    let cells = (0..GATE_COLUMNS.len()).map(cell);
    cells.collect::<Vec<_>>().join(" ")
}

/// The gates in one line: their signs, and `9 of 9 gates pass`. `None` if a gate fails, or has a note that is to be read before
/// anything is sent. After that it says how they were found before it.
pub(crate) fn gates_line(gates: &[Gate], is_sent: bool) -> Option<(Vec<Sign>, String)> {
    let count = |state: GateState| gates.iter().filter(|gate| gate.state == state).count();
    let notes = count(GateState::Note);
    if gates.is_empty() || count(GateState::Fail) > 0 || (notes > 0 && !is_sent) {
        return None;
    }
    let remark = match notes {
        0 => String::new(),
        1 => ", 1 with a note".to_owned(),
        many => format!(", {many} with notes"),
    };
    let pass = if is_sent { "passed" } else { "pass" };
    let text = format!("{} of {} {pass}{remark}", gates.len(), counted(gates.len(), "gate"));
    Some((gates.iter().map(|gate| sign(gate.state)).collect(), text))
}

/// The gates that pass beside those that do not: their signs, and `7 others pass`.
pub(crate) fn others(passing: usize) -> (Vec<Sign>, String) {
    let text = if passing == 1 { "1 other passes".to_owned() } else { format!("{passing} others pass") };
    (vec![sign(GateState::Pass); passing], text)
}

/// The text that is posted with the pull request or the review, in Markdown; empty for other writes. The evidence block, which
/// GitHub hides, is only named.
pub(crate) fn body(prepared: &Prepared) -> String {
    let body = prepared.sending.requests.iter().find_map(|request| match request {
        Request::OpenPull { body, .. } | Request::Review { body, .. } => Some(body.trim_end()),
        _ => None,
    });
    let body = body.unwrap_or_default();
    match body.split_once(EVIDENCE_BLOCK) {
        Some((text, _)) => format!("{}\n(below it the evidence block, which GitHub hides)", text.trim_end()),
        None => body.to_owned(),
    }
}

/// The kind and the subject of a prepared sending: `Pull request`, `of plan 7c1e9a`; `Review`, `of #5631`.
pub(crate) fn title(prepared: &Prepared) -> (&'static str, String) {
    (prepared.sending.kind().title, format!("of {}", prepared.subject.title()))
}

/// `on main@f00f6d5`, `at 1a2b3c4`.
pub(crate) fn base(prepared: &Prepared) -> String {
    let commit = short_id(prepared.subject.commit());
    match prepared.planned() {
        Some(planned) => format!("on {}@{commit}", planned.base.0),
        None => format!("at {commit}"),
    }
}

/// `gates checked 11:20Z`; `None` before they are, while they are checked again, and once something was sent.
pub(crate) fn checked(desk: &Desk, now: Timestamp) -> Option<String> {
    let is_ready = matches!(desk.pull.stage(&desk.board), Stage::Ready(_));
    let at = desk.pull.checked_at.filter(|_| is_ready)?;
    Some(format!("gates checked {}", clock(at, now)))
}

/// The facts about a run that would be started, or run again.
fn run_facts(run: &StartedRun, sending: &Sending) -> Vec<Fact> {
    let targets: usize = run.shares.iter().map(|share| share.targets).sum();
    let size: u64 = run.shares.iter().map(|share| share.bytes).sum();
    // The machines check out and do exactly this, so it is shown whole: a maintainer can compare it before
    // confirming.
    let mut facts = vec![Fact::of(BACKFILL, run.plan.as_str()), Fact::of(COMMIT, visible(&run.base))];
    let selection = sending.requests.iter().find_map(|request| match request {
        Request::Dispatch { inputs, .. } => inputs.get("selection"),
        _ => None,
    });
    facts.extend(selection.map(|selection| {
        let names = list_names(&selection.lines().collect::<Vec<_>>());
        Fact::of(OF, visible(&names))
    }));
    if !run.shares.is_empty() {
        let what = format!(
            "{} of {}, about {}",
            counted(run.shares.len(), "share"),
            counted(targets, "target"),
            bytes(size)
        );
        facts.push(Fact::of(SHARES, what));
    }
    facts
}

/// The facts about the prepared pull request, review or run. Labels and reviewers that were not requested are
/// left out.
pub(crate) fn facts(prepared: &Prepared) -> Vec<Fact> {
    let planned = match &prepared.subject {
        Subject::Plan(planned) => planned,
        Subject::Review(review) => {
            let opinion = opinion(&prepared.sending).map(|opinion| Fact::of(VERDICT, opinion.noun()));
            let of = format!(
                "#{} {} ({})",
                review.pull.number,
                visible(&review.pull.title),
                visible(&review.pull.author)
            );
            let facts = [Fact::of(OF, of), Fact::of(RESULT, review.result.word())];
            let (_, remarks) =
                prepared.sending.requests.iter().find_map(Request::markdown).unwrap_or_default();
            let remarks = remarks.iter().map(|one| {
                Fact::of(COMMENT, format!("{}:{}: {}", visible(&one.path), one.line, visible(&one.body)))
            });
            return opinion.into_iter().chain(facts).chain(remarks).collect();
        }
        Subject::Run(run) => return run_facts(run, &prepared.sending),
    };
    let text = &planned.text;
    let mut facts = vec![Fact::of(TITLE, text.title.as_str())];
    facts.extend(branch(&prepared.sending).map(|branch| Fact::of(BRANCH, branch)));
    facts.push(Fact::of(OPENED, if text.draft { "a draft" } else { "ready for review" }));
    for (label, names) in [(LABELS, &text.labels), (REVIEWERS, &text.reviewers)] {
        facts.extend((!names.is_empty()).then(|| Fact::of(label, names.join(", "))));
    }
    facts
}

/// The opinion that a review submits.
fn opinion(sending: &Sending) -> Option<Opinion> {
    sending.requests.iter().find_map(|request| match request {
        Request::Review { opinion, .. } => Some(*opinion),
        _ => None,
    })
}

/// The branch that the sending creates.
pub(crate) fn branch(sending: &Sending) -> Option<&str> {
    sending.requests.iter().find_map(|request| match request {
        Request::CreateBranch { branch, .. } => Some(branch.as_str()),
        _ => None,
    })
}

/// Texts that are ready to be posted elsewhere, each with its purpose. bumpdesk posts none of them.
pub(crate) fn texts(prepared: &Prepared) -> Vec<(&'static str, &str)> {
    let text = prepared.planned().map(|planned| &planned.text);
    let texts = text.into_iter().flat_map(|text| {
        [("comment beside the failing check", &*text.comment), ("question for upstream", &*text.question)]
    });
    texts.filter(|(_, text)| !text.is_empty()).collect()
}

/// `3 requests, sent in this order; their digits are 9ab31c`. The caller passes the digits, since they cost a digest
/// over all requests, and leaves them out if they would send nothing.
pub(crate) fn requests(sending: &Sending, digits: Option<&str>) -> String {
    let order = if sending.requests.len() == 1 { "" } else { ", sent in this order" };
    count_requests(sending, order, digits)
}

/// `3 requests, all sent; their digits are 9ab31c`, `1 request, sent; its digits are 9ab31c`.
pub(crate) fn sent_requests(course: &Course, digits: &str) -> String {
    let end = match (course.steps.len(), course.left_out().count()) {
        (1, 0) => ", sent",
        (_, 0) => ", all sent",
        (_, refused) => &format!(", {refused} refused"),
    };
    count_requests(&course.sending, end, Some(digits))
}

/// The number of requests, a remark about them, and their digits.
fn count_requests(sending: &Sending, remark: &str, digits: Option<&str>) -> String {
    let whose = if sending.requests.len() == 1 { "its" } else { "their" };
    let digits = digits.map(|digits| format!("; {whose} digits are {digits}")).unwrap_or_default();
    format!("{}{remark}{digits}", counted(sending.requests.len(), "request"))
}

/// `open the draft pull request into main: POST /repos/opentofu/registry/pulls`.
pub(crate) fn request(request: &Request) -> String {
    format!("{}: {} {}", request.purpose(), request.method(), request.path())
}

/// One request and its progress: `2 of 3: commit 1 file on bumpdesk/bump-4f21c0aa81d3: done`.
pub(crate) fn step(course: &Course, at: usize) -> String {
    let (request, step) = (&course.sending.requests[at], &course.steps[at]);
    let why = match step {
        Step::Refused(why) => format!(", {why}"),
        _ => String::new(),
    };
    format!("{} of {}: {}: {}{why}", at + 1, course.steps.len(), request.purpose(), step.word())
}

/// The result of a sending, or the requests of an undo that was not sent yet.
pub(crate) fn course(course: &Course) -> Vec<String> {
    let name = course.sending.name();
    if course.undoes && !course.is_begun() {
        let mut lines = vec![format!("sending {name} would take back sending {}:", course.of)];
        lines.extend((0..course.steps.len()).map(|at| format!("  {}", step(course, at))));
        lines.extend(course.stays.iter().map(|stays| format!("  stays: {stays}")));
        let confirm = format!("`bumpdesk pr undo {} --confirm {name} --write` does it", course.of);
        lines.push(format!("nothing was sent; {confirm}"));
        return lines;
    }
    if course.undoes {
        let mut lines = vec![format!("sending {} is taken back", course.of)];
        lines.extend(course.stays.iter().map(|stays| format!("stays: {stays}")));
        return lines;
    }
    if course.starts() && course.is_done() {
        let begun = course.exists().join(", ");
        return match (course.run(), course.url()) {
            (Some(run), Some(url)) => vec![
                format!("{begun}: {url}"),
                format!("`bumpdesk backfill status --run {run} --follow` waits for its end"),
            ],
            _ => vec![
                format!("GitHub took it, and does not list it yet: {begun}"),
                "`bumpdesk backfill status` shows it once it is listed".to_owned(),
            ],
        };
    }
    if let Some(permanent) = &course.sending.kind().permanent
        && course.is_done()
    {
        let url = course.url().map(|url| format!(": {url}")).unwrap_or_default();
        return vec![format!("{}{url}", course.success()), permanent.limit.to_owned()];
    }
    match (course.pull(), course.url()) {
        (Some(number), Some(url)) => {
            let mut lines = vec![format!("pull request #{number}: {url}")];
            lines.extend(left_out(course));
            lines.push(format!("`bumpdesk pr undo {name}` shows how to take it back"));
            lines
        }
        _ => Vec::new(),
    }
}

/// The requests that GitHub refused although the pull request is open.
fn left_out(course: &Course) -> Option<String> {
    let refused: Vec<String> = course.left_out().map(|at| course.sending.requests[at].purpose()).collect();
    (!refused.is_empty())
        .then(|| format!("GitHub refused to {}: do that by hand there", refused.join(" and to ")))
}

/// The sign of a request. `is_running`: its response has not arrived yet.
pub(crate) fn sign_of(step: &Step, is_running: bool) -> Sign {
    let (glyph, tone) = match step {
        Step::Waiting => (Glyph::WAITS, Tone::Quiet),
        Step::Begun if is_running => return Glyph::UNDER_WAY.sign("SENDING", Tone::Late),
        Step::Begun => (Glyph::UNKNOWN, Tone::Warning),
        Step::Done(_) => (Glyph::FINE, Tone::Fine),
        Step::Refused(_) => (Glyph::WRONG, Tone::Wrong),
    };
    glyph.sign(step.word().to_ascii_uppercase(), tone)
}

/// The purpose of a request. Before it is sent, its method and path follow; after a refusal, the reason.
pub(crate) fn request_line(one: &Request, step: Option<&Step>) -> String {
    match step {
        None => request(one),
        Some(Step::Refused(why)) => format!("{}: {why}", one.purpose()),
        Some(_) => one.purpose(),
    }
}

/// `gate 7: every change looked at`.
pub(crate) fn gate_title(number: usize, gate: &Gate) -> String {
    format!("gate {number}: {}", gate.name.word())
}

/// `gate 7`: the label of its whole text.
pub(crate) fn gate_number(number: usize) -> String {
    format!("gate {number}")
}

/// The state of a gate, its evidence and its remedy. `name` returns the console's name for a step.
pub(crate) fn whole_gate(gate: &Gate, name: impl Fn(&NextStep) -> Option<String>) -> Vec<String> {
    let found = format!("{}: {}", gate.state.word(), gate.evidence);
    let remedy = gate.remedy.as_ref().map(|remedy| in_console(remedy, name));
    std::iter::once(found).chain(remedy).collect()
}

/// All texts of a request, without the bytes of files.
pub(crate) fn whole_request(one: &Request) -> Vec<String> {
    let mut texts = vec![request(one)];
    match one {
        Request::Commit { headline, body, files, .. } => {
            texts.extend([headline.clone(), body.clone()]);
            texts.extend(
                files.iter().map(|file| format!("{}, {}", file.path, bytes(file.bytes.len() as u64))),
            );
        }
        Request::OpenPull { title, body, .. } => texts.extend([title.clone(), body.clone()]),
        Request::Review { commit, body, remarks, .. } => {
            texts.extend([format!("of the commit {commit}"), body.clone()]);
            texts.extend(remarks.iter().map(|one| format!("{}:{}: {}", one.path, one.line, one.body)));
        }
        other => texts.push(other.body().to_string()),
    }
    texts
}

/// `1 file`, `2 versions`, `28 targets`.
pub(crate) fn counts(prepared: &Prepared) -> Vec<String> {
    let Some(PlannedPull { files, .. }) = prepared.planned() else { return Vec::new() };
    let versions = files.iter().flat_map(|file| &file.versions);
    let targets: usize = versions.clone().map(|version| version.targets).sum();
    let mut counts = vec![counted(files.len(), "file"), counted(versions.count(), "version")];
    counts.extend((targets > 0).then(|| counted(targets, "target")));
    counts
}

/// The effect of the digits: `This opens 1 draft pull request on opentofu/registry as ann. Nothing is
/// merged.` The short form begins with the part that must not be cut off: `As ann on opentofu/registry: opens
/// a draft pull request`.
pub(crate) fn meaning(write: Write, sending: &Sending, form: Form) -> String {
    let account = &sending.account;
    // If a fork is made, the first request names its parent.
    let at = sending.requests.first().map(Request::repository);
    let place = at.map(|at| format!(" on {}/{}", at.owner, at.name)).unwrap_or_default();
    let whom = format!("As {account}{place}");
    let requests = counted(sending.requests.len(), "request");
    let is_draft =
        sending.requests.iter().any(|request| matches!(request, Request::OpenPull { draft: true, .. }));
    let draft = if is_draft { "draft " } else { "" };
    if let [review @ Request::Review { pull, opinion, commit, .. }] = &sending.requests[..] {
        let does = review.purpose();
        return match (write, form) {
            (Write::Resume, _) => {
                format!("{whom}, this asks GitHub whether it has the review, and submits it if not.")
            }
            (_, Form::Spoken) => {
                format!("{whom}: {does}. It cannot be taken back.")
            }
            (_, Form::Short) => {
                format!("As {account}: {} #{pull} at {}, for good{place}", opinion.doing(), short_id(commit))
            }
        };
    }
    if let [start @ (Request::Dispatch { .. } | Request::RerunFailed { .. })] = &sending.requests[..] {
        return starts(write, start, (account, &place), form);
    }
    match (write, form) {
        (Write::Open, Form::Spoken) => {
            format!("This opens 1 {draft}pull request{place} as {account}. Nothing is merged.")
        }
        (Write::Open, Form::Short) => format!("{whom}: opens a {draft}pull request"),
        (Write::Resume, Form::Spoken) => {
            format!(
                "{whom}, this asks GitHub what exists of it, checks the gates again, and sends what is left."
            )
        }
        (Write::Resume, Form::Short) => format!("{whom}: sends what is left of it"),
        (Write::Undo, Form::Spoken) => {
            format!("{whom}, this undoes it: {requests}. Notifications that were sent stay.")
        }
        (Write::Undo, Form::Short) => format!("{whom}: undoes it, {requests}"),
    }
}

/// [`meaning`] for a request that starts a run on GitHub's machines.
fn starts(write: Write, request: &Request, (account, place): (&str, &str), form: Form) -> String {
    let does = match request {
        Request::Dispatch { inputs, .. } => {
            let shares = inputs.get("shards").map_or(0, |list| list.split(',').count());
            format!("starts a backfill on {}", counted(shares, "machine"))
        }
        request => request.purpose().replacen("run once more", "runs once more", 1),
    };
    match (write, form) {
        (Write::Resume, _) => {
            format!("As {account}{place}: asks GitHub whether it was started; it is not sent again.")
        }
        (_, Form::Spoken) => {
            format!("As {account}{place}: {does}. Nothing of the registry is changed by it.")
        }
        // The effect must not be cut off.
        (_, Form::Short) => format!("As {account}: {does}{place}"),
    }
}

/// Shown while the digits are typed.
pub(crate) const TYPING: &str = "nothing was sent yet, and nothing is until the digits match";

/// `pull request #12 is open: https://…`, or the end that it has come to since.
fn opened(desk: &Desk, sent: &Sent) -> String {
    if sent.course.starts() {
        return course(&sent.course).swap_remove(0);
    }
    let url = sent.course.url().map(|url| format!(": {url}")).unwrap_or_default();
    let state = match desk.pull.watched.as_deref() {
        Some(pull) => match &pull.state {
            PullState::Merged(merged) => {
                format!("pull request #{} was merged by {}", pull.number, merged.by)
            }
            PullState::Closed => format!("pull request #{} was closed without a merge", pull.number),
            PullState::Draft | PullState::Open => sent.course.success(),
        },
        None => sent.course.success(),
    };
    format!("{state}{url}")
}

/// The pull request and its state once it was opened: `#12 merged by sol`; `None` before that, and for other writes.
pub(crate) fn heading(desk: &Desk) -> Option<String> {
    let Stage::Done(sent) = desk.pull.stage(&desk.board) else { return None };
    let number = sent.course.pull().filter(|_| sent.course.sending.kind().permanent.is_none())?;
    Some(desk.pull.watched.as_deref().map_or_else(|| format!("#{number} opened"), watch::heading))
}

/// The steps on GitHub after the pull request is open.
pub(crate) const AFTER: &str = "next: GitHub runs the required check, then another maintainer approves it and merges it there; bumpdesk merges nothing";

/// Reports that the checkout has not moved since before the merge: the other screens show the registry as the checkout has it. A
/// checkout at another commit may have the merge.
fn old_checkout(desk: &Desk) -> Option<Message> {
    let (pull, prepared) = (desk.pull.watched.as_deref()?, desk.pull.prepared.as_deref()?);
    let PullState::Merged(_) = &pull.state else { return None };
    let Registry::Loaded(Header { name, revision, .. }) = &desk.registry else { return None };
    let is_base = |plan: &Plan| plan.base() == *revision;
    let is_old = revision.ends_with(short_id(prepared.subject.commit()))
        || desk.planning.plan.as_ref().is_some_and(is_base);
    (is_old && !revision.is_empty()).then(|| match &desk.name {
        // A world that the program made has no remote to pull from.
        Some(name) => Message::of(format!(
            "the checkout of the {name} stays at {revision}, before the merge, so other screens do not show it"
        )),
        None => Message::of(format!(
            "the checkout is still at {revision}, before the merge: run `git pull` in {}",
            visible(name)
        ))
        .step(Ability::Reload, "reads it again"),
    })
}

/// The state of the pull request that was sent for the plan as it is: `sent: #12 draft`, and for `sent: #12 merged by sol` the step
/// that removes the file from the plan.
pub(crate) fn of_plan(desk: &Desk) -> Option<Message> {
    let prepared = desk.pull.prepared.as_deref().filter(|prepared| !desk.has_other_plan(prepared))?;
    prepared.planned()?;
    let message = Message::of(format!("sent: {}", heading(desk)?));
    Some(match desk.pull.watched.as_deref().map(|pull| &pull.state) {
        Some(PullState::Merged(_)) => message.step(Ability::DropFile, "removes the file from the plan"),
        _ => message.step(Ability::ShowPull, "shows it"),
    })
}

/// The objects on GitHub that the sending made, or a sentence that there are none.
pub(crate) fn exists(sent: &Sent) -> String {
    match &sent.course.exists()[..] {
        [] => "nothing of it exists on GitHub".to_owned(),
        all => format!("on GitHub now: {}", all.join(", ")),
    }
}

/// The progress of a sending: `1 of 3 requests is done`.
fn left(sent: &Sent) -> String {
    let steps = &sent.course.steps;
    let done = steps.iter().filter(|step| matches!(step, Step::Done(_))).count();
    format!("{done} of {} {} done", counted(steps.len(), "request"), if done == 1 { "is" } else { "are" })
}

fn when(desk: &Desk) -> &'static str {
    if desk.pull.is_earlier() { " in an earlier run" } else { "" }
}

/// Adds the step that leaves a sending of an earlier run for that of the plan.
fn instead(desk: &Desk, message: Message) -> Message {
    if desk.pull.is_earlier() {
        message.step(Ability::EditPull, "leaves it for that of the plan")
    } else {
        message
    }
}

/// Reports a sending that an earlier run left unfinished, for pages that do not show it.
pub(crate) fn earlier(desk: &Desk) -> Option<Message> {
    let text = match desk.pull.stage(&desk.board) {
        Stage::Stopped(sent) | Stage::Undo(sent) => format!("{} was cut off", sent.course.what()),
        _ => return None,
    };
    let more = match desk.pull.waiting() {
        0 => String::new(),
        more => format!(", and {} after it", counted(more, "other")),
    };
    let text = text + &more;
    desk.pull.is_earlier().then(|| Message::of(text).step(Ability::ShowPull, "continues it or takes it back"))
}

/// The number of other unfinished sendings of earlier runs, and the step that shows the next one.
fn waiting(desk: &Desk) -> Option<Message> {
    let waiting = desk.pull.waiting();
    let were = if waiting == 1 { "was" } else { "were" };
    let more = format!("{} of earlier runs {were} cut off", counted(waiting, "other sending"));
    if desk.pull.has_next(&desk.board) {
        Some(Message::of(more).step(Ability::NextPull, "shows the next"))
    } else {
        (waiting > 0 && desk.pull.is_earlier())
            .then(|| Message::of(format!("{more}; shown once this one is over")))
    }
}

/// The state of the started run and the step that shows it; the state is known only if its jobs are followed.
fn followed(desk: &Desk, sent: &Sent) -> Message {
    let run = sent.course.run();
    let over = run.and_then(|run| desk.machines.find(run)).filter(|known| known.shown.run.state.is_over());
    if let Some(known) = over {
        return Message::of(machines::short(&known.shown)).step(Ability::ShowJobs, "shows its jobs");
    }
    match run {
        None => Message::of("GitHub lists no run of it yet: look for it among the runs there"),
        Some(_) if desk.is_followed(run) => {
            Message::of("its jobs are followed").step(Ability::ShowJobs, "shows them")
        }
        Some(run) => {
            Message::of("its jobs are not followed").step(Ability::FollowRun.number(run), "follows them")
        }
    }
}

/// The state of the sending and the next steps, in sentences; after them the reason why the last try failed.
pub(crate) fn standing(desk: &Desk) -> Vec<Message> {
    let mut messages = Vec::new();
    match desk.pull.stage(&desk.board) {
        Stage::Nothing => {
            messages.push(Message::of("nothing is made ready").step(Ability::Recheck, "makes it ready"));
        }
        Stage::Preparing => messages.push(Message::of(desk.pull.purpose.kind().preparing)),
        Stage::Failed(_) => {
            let refused = "GitHub refused the first request: nothing was made";
            let text = if desk.pull.is_refused() { refused } else { "nothing was sent" };
            messages.push(Message::of(text).step(Ability::Recheck, "tries again"));
        }
        Stage::Ready(_) => messages.push(match desk.may_confirm(Write::Open) {
            Ok(_) => Message::of("nothing was sent yet")
                .step(Ability::TypeDigits, "opens the field for the digits"),
            Err(why) => Message { text: format!("nothing was sent yet: {}", why.text), ..why },
        }),
        Stage::Sending(None) => messages.push(Message::of("checking the gates again; nothing was sent yet")),
        Stage::Sending(Some(sent)) => messages.push(Message::of(if sent.course.undoes {
            "undoing it, one request after the other"
        } else {
            "sending, one request after the other"
        })),
        Stage::Stopped(sent) => {
            let (when, exists) = (when(desk), exists(sent));
            let message = Message::of(format!("it stopped{when}; {exists}"));
            messages.push(instead(
                desk,
                message.step(Ability::Resume, "resumes it").step(Ability::Undo, "undoes it"),
            ));
        }
        Stage::Undo(undo) if undo.course.is_begun() => {
            let message = Message::of(format!("undoing it stopped{}: {}", when(desk), left(undo)));
            messages.push(instead(
                desk,
                message.step(Ability::TypeDigits, "opens the field for the digits that continue it"),
            ));
        }
        Stage::Undo(_) => messages.push(match desk.may_confirm(Write::Undo) {
            Ok(_) => {
                Message::of("this would undo it").step(Ability::TypeDigits, "opens the field for the digits")
            }
            Err(why) => Message { text: format!("this would undo it: {}", why.text), ..why },
        }),
        Stage::Done(sent) => {
            messages.push(Message::of(opened(desk, sent)));
            if let Some(permanent) = &sent.course.sending.kind().permanent {
                messages.extend(sent.course.starts().then(|| followed(desk, sent)));
                messages.push(Message::of(permanent.limit));
                messages.extend(waiting(desk));
                return messages;
            }
            messages.extend(left_out(&sent.course).map(Message::of));
            // Once the pull request was read, its facts say what it waits for.
            messages.extend(desk.pull.watched.is_none().then(|| Message::of(AFTER)));
            messages.extend(old_checkout(desk));
        }
        Stage::Undone(_) => {
            messages.push(Message::of("it is undone").step(Ability::Recheck, "makes it ready again"));
        }
    }
    messages.extend(desk.pull.failure.as_ref().map(|failure| Message::of(failure.sentence())));
    messages.extend(waiting(desk));
    messages
}
