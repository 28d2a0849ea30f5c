//! Sends what was confirmed, request by request, and takes it back.
//!
//! Each request is journalled before it goes out. Whatever cuts it off, GitHub is asked what exists before anything is sent again:
//! an answer that was lost may have been a yes. Nothing is forced: what does not fit any more stops it, and what exists is told.

use std::sync::Arc;
use std::time::Duration;

use crate::jobs::Env;
use crate::jobs::context::{Cancelled, Context};
use crate::jobs::data::{Failure, FailureKind, JobEvent, SendTask, Stop, Summary};
use crate::jobs::publish::journal::{Journal, way_back, ways_on};
use crate::jobs::publish::{failed, prepared, with_cause};
use crate::registry::{Repository, short_id};
use crate::remote::{CommitRead, Error, ListedPull, ReviewRead};
use crate::rules::actions::{Dispatched, RunRead};
use crate::rules::plain_text::visible;
use crate::rules::review::TOLERATED;
use crate::rules::sending::{ConfirmedSending, Course, Made, Purpose, Request, Sending, Step, undo_of};

/// A fork fills in later, within five minutes by GitHub's word.
const FORK_LOOKS: u32 = 300;
/// The number of looks for something that was just made: GitHub lists it some seconds later.
const LOOKS: u32 = 10;
/// The pause between two looks at what was just made, where writes are spaced at all.
const LOOK_PAUSE: Duration = Duration::from_secs(1);

pub(crate) async fn send(env: &Arc<Env>, context: &Context, task: SendTask) -> Result<Summary, Stop> {
    let before = env.remote.counts().total();
    let end = carried_out(env, context, task).await;
    env.counted(&before, with_cause(env, end).await)
}

async fn carried_out(env: &Arc<Env>, context: &Context, task: SendTask) -> Result<Summary, Stop> {
    match task {
        SendTask::Open { asked: purpose, digits } => {
            let journal = Journal::open(env)?;
            let is_it = |course: &Course| !course.is_undone && !course.undoes && course.of == purpose.of();
            let known = match journal.find(&digits)?.filter(is_it) {
                Some(course) => Some(look_behind_refusal(env, &journal, context, course).await?),
                None => None,
            };
            if let Some(course) = known.filter(Course::is_begun)
                && !is_void(env, &course).await?
            {
                return walk(env, &journal, context, course, &digits).await;
            }
            let sending = ready_to_send(env, context, &purpose, &digits).await?;
            walk(env, &journal, context, Course::of_purpose(sending, purpose), &digits).await
        }
        SendTask::Resume { digits } => {
            let journal = Journal::open(env)?;
            let course = look_behind_refusal(env, &journal, context, journal.known(&digits)?).await?;
            if !course.is_begun() || course.is_undone {
                let what = if course.is_undone { "was taken back" } else { "made nothing so far" };
                return Err(not_resumable(&course, what).into());
            }
            if is_void(env, &course).await? {
                return Err(not_resumable(&course, "was submitted, and does not count any more").into());
            }
            let undone = if course.undoes { journal.find(&course.of)? } else { None };
            let done = walk(env, &journal, context, course, &digits).await?;
            if let Some(undone) = undone {
                journal.is_taken_back(undone)?;
            }
            Ok(done)
        }
        SendTask::LookAtUndo { of } => {
            let journal = Journal { env };
            let looked = undo(&journal, &of).await;
            // Nothing of it is left: that is its end.
            if looked.is_err()
                && let Some(over) = journal.find(&of)?.filter(|course| course.is_undone)
            {
                context.send(JobEvent::Sending(Arc::new(over)));
            }
            context.send(JobEvent::Sending(Arc::new(looked?)));
            Ok(Summary::default())
        }
        SendTask::Undo { of, digits } => {
            let journal = Journal::open(env)?;
            let undone = journal.known(&of)?;
            // One that is over has taken back something that was made before.
            let is_it = |course: &Course| course.undoes && course.is_half_done();
            let course = match journal.find(&digits)?.filter(is_it) {
                Some(course) => course,
                None => undo(&journal, &of).await?,
            };
            let done = walk(env, &journal, context, course, &digits).await?;
            journal.is_taken_back(undone)?;
            Ok(done)
        }
    }
}

/// The refusal to continue a sending of which nothing is left to continue.
fn not_resumable(course: &Course, what: &str) -> Failure {
    let again = again_with(course);
    Failure::new(FailureKind::Conflict, "continuing what was sent")
        .cause(format!("sending {} {what}", course.sending.name()))
        .hint(format!("Make it ready again with `{again} --dry-run`. Nothing was sent."))
}

/// Prepares it once more, and holds it against the gates and the digits.
async fn ready_to_send(
    env: &Arc<Env>,
    context: &Context,
    purpose: &Purpose,
    digits: &str,
) -> Result<Sending, Stop> {
    let (prepared, _) = prepared(env, context, purpose, None).await?;
    let prepared = Arc::new(prepared);
    context.send(JobEvent::Prepared(Arc::clone(&prepared)));
    let doing = format!("sending {}", purpose.noun());
    let failed_gates = prepared.failed_gates();
    if !failed_gates.is_empty() {
        let failure = Failure::new(FailureKind::Conflict, doing).causes(failed_gates);
        return Err(failure.hint("Nothing was sent.").into());
    }
    if !prepared.sending.is_named_by(digits) {
        let name = prepared.sending.name();
        let failure = Failure::new(FailureKind::Conflict, doing)
            .cause(format!("{} is not what would be sent now, which is {name}", visible(digits)));
        let hint = format!(
            "Look at it again with `{} --dry-run`; if it is right, confirm {name}. Nothing was sent.",
            purpose.command()
        );
        return Err(failure.hint(hint).into());
    }
    Ok(prepared.sending.clone())
}

/// Before what was cut off goes on: as long as its pull request is not open, the gates are asked again, and what would be committed
/// now is what was confirmed.
async fn still_ready(env: &Arc<Env>, context: &Context, course: &Course) -> Result<(), Stop> {
    if course.undoes || course.pull().is_some() {
        return Ok(());
    }
    let stop = |failure: Failure| {
        Err(Stop::Failed(failure.cause(existing_text(course)).hint(format!(
            "Settle that, then resume it again; or {}. Nothing more was sent.",
            way_back(course)
        ))))
    };
    let other = |causes: Vec<String>| {
        stop(Failure::new(FailureKind::Conflict, "continuing what was sent").causes(causes))
    };
    let Some(purpose) = &course.purpose else {
        return other(vec![
            "how it was asked for was not kept, so that its gates cannot be asked again".to_owned(),
        ]);
    };
    let prepared = match Box::pin(prepared(env, context, purpose, Some(course))).await {
        Ok((prepared, _)) => Arc::new(prepared),
        Err(Stop::Failed(failure)) => return stop(failure),
        Err(cancelled) => return Err(cancelled),
    };
    context.send(JobEvent::Prepared(Arc::clone(&prepared)));
    let failed_gates = prepared.failed_gates();
    if !failed_gates.is_empty() {
        return other(failed_gates);
    }
    if prepared.sending.committed() != course.sending.committed() {
        return other(vec!["its files would be others now".to_owned()]);
    }
    if course.sending.kind().permanent.is_some() && prepared.sending != course.sending {
        return other(vec!["it would say something else now".to_owned()]);
    }
    Ok(())
}

/// Sends what is left of it, one request after the other.
async fn walk(
    env: &Arc<Env>,
    journal: &Journal<'_>,
    context: &Context,
    mut course: Course,
    digits: &str,
) -> Result<Summary, Stop> {
    let sending = course.sending.clone();
    let confirmed = sending.confirm(digits).ok_or_else(|| other_digits(&sending, digits))?;
    if !course.is_done() {
        is_ours(env, &sending).await?;
    }
    // What was begun in an earlier run.
    let mut is_known = !course.is_begun();
    let mut sent = if course.is_done() { Vec::new() } else { journal.sent_at()? };
    while let Some(at) = course.next() {
        if !is_known || course.steps[at] != Step::Waiting {
            // The run before this one may have come further than it could note.
            if let Some(made) = settle(env, &course, at).await? {
                course.steps[at] = Step::Done(made);
                note(journal, context, &course)?;
                continue;
            }
        }
        let wait = journal.wait(&sent);
        if wait > env.write_spacing {
            context.send(JobEvent::Note(format!(
                "GitHub takes 80 changes a minute and 500 an hour: waiting {} s",
                wait.as_secs()
            )));
        }
        if context.run(tokio::time::sleep(wait)).await.is_err() {
            tell_stopped(context, &course);
            return Err(Cancelled.into());
        }
        still_fits(env, &course, at).await?;
        if !is_known {
            still_ready(env, context, &course).await.inspect_err(|stop| {
                if matches!(stop, Stop::Cancelled(_)) {
                    tell_stopped(context, &course);
                }
            })?;
            // That took a while.
            still_fits(env, &course, at).await?;
        }
        is_known = true;
        course.steps[at] = Step::Begun;
        course.sent_at.push(env.now());
        sent.insert(0, env.now());
        // Before the request: what is not journalled is not sent.
        note(journal, context, &course)?;
        let result = answered(env, confirmed, &course, at).await;
        let error = match result {
            Ok(made) => {
                course.steps[at] = Step::Done(made);
                note(journal, context, &course)?;
                continue;
            }
            Err(error) => error,
        };
        // A refused request may have taken effect: if a proxy repeats a request, the second answer says that the
        // branch or pull request already exists.
        let found = if may_have_acted(&error) { settle(env, &course, at).await } else { Ok(None) };
        match found {
            Ok(Some(made)) => {
                course.steps[at] = Step::Done(made);
                note(journal, context, &course)?;
                continue;
            }
            Ok(None) if !is_no(&error) => return Err(stopped(&course, at, &error).into()),
            // Either GitHub could not be read, or the thing belongs to somebody else. After a refusal, the second
            // case shows that our request had no effect.
            Err(why) if !is_no(&error) || why.kind != FailureKind::Conflict => {
                return Err(stopped(&course, at, &error).causes(why.causes).into());
            }
            Ok(None) | Err(_) => {}
        }
        let is_needed = course.sending.requests[at].is_needed();
        // An optional request is skipped only if GitHub would refuse it again.
        let waits = !is_needed && !would_be_refused_again(&error);
        course.steps[at] = if waits { Step::Waiting } else { Step::Refused(error.to_string()) };
        note(journal, context, &course)?;
        if is_needed || waits {
            return Err(stopped(&course, at, &error).into());
        }
    }
    tell_moved(env, context, &course).await;
    context.send(JobEvent::Sending(Arc::new(course)));
    Ok(Summary::default())
}

/// A head that moved while a review of it was submitted: the review is of its commit, and GitHub may count it all the same.
async fn tell_moved(env: &Env, context: &Context, course: &Course) {
    let [Request::Review { repository, pull, commit, .. }] = &course.sending.requests[..] else { return };
    let text = match env.remote.pull(repository, *pull).await {
        Ok(now) if now.head == *commit => return,
        Ok(now) => format!(
            "the head of #{pull} moved to {} meanwhile: the review is of {}, and can be dismissed on GitHub",
            short_id(&now.head),
            short_id(commit)
        ),
        Err(error) => format!("whether the head of #{pull} moved meanwhile was not read: {error}"),
    };
    context.send(JobEvent::Note(text));
}

/// Reports what exists after a cancel, and the ways to continue.
fn tell_stopped(context: &Context, course: &Course) {
    let (exists, ways) = (existing_text(course), ways_on(course));
    context.send(JobEvent::Note(format!("stopped between two requests: {exists}; {ways}")));
}

fn note(journal: &Journal<'_>, context: &Context, course: &Course) -> Result<(), Failure> {
    journal.save(course)?;
    context.send(JobEvent::Sending(Arc::new(course.clone())));
    Ok(())
}

fn other_digits(sending: &Sending, digits: &str) -> Failure {
    let name = sending.name();
    Failure::new(FailureKind::Conflict, "sending to GitHub")
        .cause(format!("{} is not what would be sent, which is {name}", visible(digits)))
        .hint(format!("Look at it again; if it is right, confirm {name}. Nothing was sent."))
}

/// Checks that the account and the repository are those that the sending was confirmed for.
async fn is_ours(env: &Env, sending: &Sending) -> Result<(), Failure> {
    let owner = env.remote.owner().await.map_err(|error| failed(env, &error))?;
    let wrong = |cause: String| {
        Err(Failure::new(FailureKind::Conflict, "sending to GitHub")
            .cause(cause)
            .hint("Use the token and the servers that it was confirmed with. Nothing more was sent."))
    };
    if owner.login != sending.account {
        return wrong(format!(
            "the token is that of {}, and it was confirmed as {}",
            owner.login, sending.account
        ));
    }
    if env.servers != sending.servers {
        return wrong("it was confirmed for other servers".to_owned());
    }
    Ok(())
}

/// Sends one request; a fork is waited for, since it fills in later.
async fn answered(
    env: &Env,
    confirmed: ConfirmedSending<'_>,
    course: &Course,
    at: usize,
) -> Result<Made, Error> {
    let request = confirmed.request(at).expect("each step has its request");
    let made = env.remote.send(request, course.pull()).await?;
    if let (Request::Dispatch { .. }, None) = (request.get(), made.run) {
        // It was accepted, whether its run is listed by now or not.
        let run = run_of(env, course, LOOKS).await.ok().flatten();
        return Ok(Made { run, ..made });
    }
    // The next request says which branch of the fork it needs.
    if let Some(Request::SyncFork { fork, branch }) = course.sending.requests.get(at + 1) {
        for look in 0..FORK_LOOKS {
            before_look(env, look).await;
            // That it cannot be read yet is no answer to the request that made it.
            if let Ok(Some(_)) = env.remote.tip(fork, branch).await {
                return Ok(made);
            }
        }
        return Err(Error::TimedOut { after: LOOK_PAUSE * FORK_LOOKS });
    }
    Ok(made)
}

/// The run that a dispatch made, by its title: no other has it.
async fn run_of(env: &Env, course: &Course, looks: u32) -> Result<Option<u64>, Error> {
    let [Request::Dispatch { repository, workflow, inputs, .. }] = &course.sending.requests[..] else {
        return Ok(None);
    };
    let input = |name: &str| inputs.get(name).map(String::as_str).unwrap_or_default();
    let wanted = Dispatched { plan: input("plan"), nonce: input("nonce") };
    let since = course.sent_at.iter().min().map(|at| *at - TOLERATED);
    let is_ours = |run: &&RunRead| run.dispatched() == Some(wanted) && run.actor == course.sending.account;
    for look in 0..looks {
        before_look(env, look).await;
        let runs = env.remote.workflow_runs(repository, workflow, since).await?;
        if let Some(run) = runs.iter().find(is_ours) {
            return Ok(Some(run.id));
        }
    }
    Ok(None)
}

/// Waits between looks, the first of which is 0.
async fn before_look(env: &Env, look: u32) {
    if look > 0 {
        tokio::time::sleep(LOOK_PAUSE.min(env.write_spacing)).await;
    }
}

/// Returns true if the server refused, so that nothing was changed.
fn is_no(error: &Error) -> bool {
    matches!(
        error,
        Error::Refused { .. }
            | Error::Unauthorized { .. }
            | Error::NotFound { .. }
            | Error::RateLimited { .. }
            | Error::Blocked { .. }
            | Error::Down(_)
            | Error::NoToken
    )
}

/// Returns true if the request was sent and may have taken effect despite its answer. GitHub ignores a request whose
/// token it does not know.
fn may_have_acted(error: &Error) -> bool {
    !matches!(error, Error::Down(_) | Error::NoToken | Error::Unauthorized { status: 401, .. })
}

/// Checks once more whether a refused request took effect, because GitHub may list the effect late. Returns the
/// course with the result.
async fn look_behind_refusal(
    env: &Env,
    journal: &Journal<'_>,
    context: &Context,
    mut course: Course,
) -> Result<Course, Failure> {
    if course.is_begun() || course.is_undone {
        return Ok(course);
    }
    let refused = (0..course.steps.len()).find(|at| matches!(course.steps[*at], Step::Refused(_)));
    let Some(at) = refused else { return Ok(course) };
    is_ours(env, &course.sending).await?;
    match settle(env, &course, at).await {
        Ok(Some(made)) => {
            course.steps[at] = Step::Done(made);
            note(journal, context, &course)?;
        }
        Ok(None) => {}
        // The thing belongs to somebody else; the gates report it.
        Err(why) if why.kind == FailureKind::Conflict => {}
        Err(why) => return Err(why),
    }
    Ok(course)
}

/// Returns true if the server would refuse again, as long as neither the request nor the account's rights change.
fn would_be_refused_again(error: &Error) -> bool {
    matches!(error, Error::Refused { .. } | Error::NotFound { .. } | Error::Unauthorized { status: 403, .. })
}

/// The pull request that a course opened: by its number, and where that answer was lost, the account's own one of its branch.
async fn pull_of(env: &Env, course: &Course) -> Result<Option<ListedPull>, Failure> {
    let opened = course.sending.requests.iter().find_map(|request| match request {
        Request::OpenPull { repository, head, .. } => Some((repository, head.split_once(':')?)),
        _ => None,
    });
    let Some((repository, (owner, branch))) = opened else { return Ok(None) };
    let read = match course.pull() {
        Some(number) => env.remote.pull(repository, number).await.map(Some),
        None => env.remote.pull_of(repository, owner, branch).await,
    };
    let pull = read.map_err(|error| failed(env, &error))?;
    Ok(pull.filter(|pull| pull.author == course.sending.account))
}

/// Returns true if a submitted review does not count any more, so that an equal one is a new review: it was dismissed, or the
/// account judged otherwise after it.
async fn is_void(env: &Env, course: &Course) -> Result<bool, Failure> {
    let ([Request::Review { repository, pull, .. }], Some(id)) =
        (&course.sending.requests[..], course.review_id())
    else {
        return Ok(false);
    };
    let reviews = env.remote.reviews(repository, *pull).await.map_err(|error| failed(env, &error))?;
    let review = reviews.iter().find(|review| review.id == id);
    Ok(review.is_some_and(|review| review.is_dismissed() || is_outvoted(&reviews, review)))
}

/// Returns true if its author judged once more after it, which is what GitHub counts. The reviews stand oldest first.
fn is_outvoted(reviews: &[ReviewRead], review: &ReviewRead) -> bool {
    let after = reviews.iter().skip_while(|one| one.id != review.id).skip(1);
    review.judges() && after.filter(|one| one.judges()).any(|one| one.author == review.author)
}

/// Asks GitHub whether a request took effect of which no answer is known: what it made, or `None` if it is to be sent.
async fn settle(env: &Env, course: &Course, at: usize) -> Result<Option<Made>, Failure> {
    let upstream = |error: Error| failed(env, &error);
    let other = |what: String| {
        Err(Failure::new(FailureKind::Conflict, "looking at what was sent before").cause(what).hint(format!(
            "Look at it on GitHub; `bumpdesk pr undo {}` takes back what is ours. Nothing more was sent.",
            course.sending.name()
        )))
    };
    let done = |is_done: bool| is_done.then(Made::default);
    // A refused request was already checked several times.
    let looks = if course.steps[at] == Step::Begun { LOOKS } else { 1 };
    match &course.sending.requests[at] {
        Request::Fork { repository } => {
            let fork = Repository::new(&course.sending.account, &repository.name);
            match env.remote.hosted(&fork).await {
                Ok(found) => {
                    let parent = format!("{}/{}", repository.owner, repository.name);
                    Ok(done(found.parent.is_some_and(|of| of.eq_ignore_ascii_case(&parent))))
                }
                Err(Error::NotFound { .. }) => Ok(None),
                Err(error) => Err(upstream(error)),
            }
        }
        Request::CreateBranch { repository, branch, at: base } => {
            match env.remote.tip(repository, branch).await.map_err(upstream)? {
                None => Ok(None),
                // The branch has the plan's name, the gates found that name free, and the branch holds only the base.
                // So it is ours, even if our request was refused. A commit checks that the branch is still at the
                // base, so two people who create it at once cannot disturb each other.
                Some(tip) if tip == *base => Ok(done(true)),
                Some(tip) => other(format!("the branch {branch} is there at {}", short_id(&tip))),
            }
        }
        Request::Commit { repository, branch, expected, .. } => {
            let Some(tip) = env.remote.tip(repository, branch).await.map_err(upstream)? else {
                return other(format!("the branch {branch} is gone"));
            };
            if tip == *expected {
                return Ok(None);
            }
            let commit = env.remote.commit(repository, &tip).await.map_err(upstream)?;
            if is_our_commit(env, &course.sending.requests[at], &tip, &commit).await? {
                return Ok(Some(Made { commit: Some(tip), ..Made::default() }));
            }
            other(format!(
                "the branch {branch} has a commit {} that is not the one of this sending",
                short_id(&tip)
            ))
        }
        Request::OpenPull { .. } => match pull_of(env, course).await? {
            Some(pull) if pull.is_open && course.commit() == Some(&*pull.head) => {
                Ok(Some(Made { pull: Some(pull.number), ..Made::default() }))
            }
            Some(pull) if pull.is_open => other(format!(
                "pull request #{} brings a commit that is not the one of this sending",
                pull.number
            )),
            _ => Ok(None),
        },
        Request::Comment { repository, pull, body } => {
            let comments = env.remote.comments(repository, *pull).await.map_err(upstream)?;
            let is_ours = |(login, text): &(String, String)| *login == course.sending.account && text == body;
            Ok(done(comments.iter().any(is_ours)))
        }
        Request::Review { repository, pull, commit, opinion, body, .. } => {
            let begun = course.sent_at.last().map(|at| *at - TOLERATED);
            let is_ours = |one: &ReviewRead| {
                let is_since = one.submitted.zip(begun).is_some_and(|(submitted, begun)| submitted >= begun);
                one.author == course.sending.account
                    && one.commit.as_ref() == Some(commit)
                    && opinion.is_said_by(&one.state, is_since)
                    && one.says(body)
            };
            let is_ours =
                |reviews: &[ReviewRead], one: &ReviewRead| is_ours(one) && !is_outvoted(reviews, one);
            for look in 0..looks {
                before_look(env, look).await;
                let reviews = env.remote.reviews(repository, *pull).await.map_err(upstream)?;
                if let Some(review) = reviews.iter().find(|one| is_ours(&reviews, one)) {
                    return Ok(Some(Made { review: Some(review.id), ..Made::default() }));
                }
            }
            Ok(None)
        }
        Request::Dispatch { .. } => match run_of(env, course, looks).await.map_err(upstream)? {
            Some(run) => Ok(Some(Made { run: Some(run), ..Made::default() })),
            // Of one that was refused there is none. Else GitHub may be late: it is never started for the second time.
            None if course.steps[at] == Step::Begun => {
                other("whether it was started is not known, and no run of it is listed so far".to_owned())
            }
            None => Ok(None),
        },
        Request::RerunFailed { repository, run, attempt } => {
            let read = env.remote.workflow_run(repository, *run).await.map_err(upstream)?;
            let is_again = read.attempt > *attempt;
            Ok(is_again.then_some(Made { run: Some(*run), ..Made::default() }))
        }
        Request::ClosePull { repository, pull } => {
            let pull = env.remote.pull(repository, *pull).await.map_err(upstream)?;
            Ok(done(!pull.is_open))
        }
        Request::DeleteBranch { repository, branch, at, .. } => {
            match env.remote.tip(repository, branch).await.map_err(upstream)? {
                None => Ok(done(true)),
                Some(tip) if tip == *at => Ok(None),
                Some(tip) => {
                    other(format!("the branch {branch} is at {} now, which is not ours", short_id(&tip)))
                }
            }
        }
        Request::Label { repository, labels } => {
            let Some(number) = course.pull() else { return Ok(None) };
            let pull = env.remote.whole_pull(repository, number).await.map_err(upstream)?;
            Ok(done(labels.iter().all(|label| pull.labels.contains(label))))
        }
        Request::AskReviewers { repository, reviewers } => {
            let Some(number) = course.pull() else { return Ok(None) };
            let pull = env.remote.whole_pull(repository, number).await.map_err(upstream)?;
            let is_asked = |login: &String| pull.requested.iter().any(|one| one.eq_ignore_ascii_case(login));
            Ok(done(reviewers.iter().all(is_asked)))
        }
        // The same again changes nothing.
        Request::SyncFork { .. } => Ok(None),
    }
}

/// Returns true if a commit is what a request would make: on its base, with its message, changing its files and no others, to
/// its bytes.
async fn is_our_commit(env: &Env, request: &Request, id: &str, commit: &CommitRead) -> Result<bool, Failure> {
    let Request::Commit { repository, expected, headline, body, files, .. } = request else {
        return Ok(false);
    };
    let message = format!("{headline}\n\n{body}");
    let mut paths: Vec<&str> = commit.paths.iter().map(String::as_str).collect();
    let mut ours: Vec<&str> = files.iter().map(|file| &*file.path).collect();
    paths.sort_unstable();
    ours.sort_unstable();
    if commit.parents != [expected.as_str()]
        || commit.message.trim_end() != message.trim_end()
        || paths != ours
    {
        return Ok(false);
    }
    for file in files {
        let read = env.remote.file_at(repository, &file.path, id).await;
        if read.map_err(|error| failed(env, &error))?.as_deref() != file.contents() {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Before a commit and before the pull request of it: a bump that landed meanwhile has not changed the files. Before a review: its
/// commit still is the head, and it is for the same branch.
async fn still_fits(env: &Env, course: &Course, at: usize) -> Result<(), Failure> {
    let upstream = |error: Error| failed(env, &error);
    if let Request::Review { repository, pull, commit, base, .. } = &course.sending.requests[at] {
        let now = env.remote.whole_pull(repository, *pull).await.map_err(upstream)?;
        let cause = match () {
            () if !now.is_open => "it is not open any more".to_owned(),
            () if now.listing.head != *commit => {
                format!(
                    "its head moved to {}, and {} was reviewed",
                    short_id(&now.listing.head),
                    short_id(commit)
                )
            }
            () if !base.is_empty() && now.listing.base != *base => {
                format!(
                    "it was for `{}` when it was reviewed, and is for `{}` now",
                    visible(base),
                    visible(&now.listing.base)
                )
            }
            () => return Ok(()),
        };
        let failure = Failure::new(FailureKind::Conflict, format!("sending the review of #{pull}"));
        let look = format!("Review what it is now: `bumpdesk review {pull}`");
        return Err(failure.cause(cause).hint(if course.is_begun() {
            format!("{look}; {}. Nothing more was sent.", way_back(course))
        } else {
            format!("{look}. Nothing was sent.")
        }));
    }
    if !matches!(course.sending.requests[at], Request::Commit { .. } | Request::OpenPull { .. }) {
        return Ok(());
    }
    let mut opened = course.sending.requests.iter().filter_map(|request| match request {
        Request::OpenPull { repository, base, .. } => Some((repository, base)),
        _ => None,
    });
    let mut committed = course.sending.requests.iter().filter_map(|request| match request {
        Request::Commit { expected, files, .. } => Some((expected, files)),
        _ => None,
    });
    let (Some((repository, base)), Some((expected, files))) = (opened.next(), committed.next()) else {
        return Ok(());
    };
    let tip = env.remote.tip(repository, base).await.map_err(upstream)?.unwrap_or_default();
    if tip == *expected {
        return Ok(());
    }
    for file in files {
        let before = env.remote.file_at(repository, &file.path, expected).await.map_err(upstream)?;
        let now = env.remote.file_at(repository, &file.path, &tip).await.map_err(upstream)?;
        if before != now {
            let mut failure = Failure::new(FailureKind::Conflict, "sending the pull request")
                .cause(format!("`{}` changed on {base} since this was built", file.path));
            if course.is_begun() {
                failure = failure.cause(existing_text(course));
            }
            let name = course.sending.name();
            return Err(failure.hint(format!(
                "Take it back with `bumpdesk pr undo {name}`, then `bumpdesk plan rebuild` shows what is different now."
            )));
        }
    }
    Ok(())
}

fn existing_text(course: &Course) -> String {
    match &course.exists()[..] {
        [] => "nothing of it exists on GitHub".to_owned(),
        exists => format!("on GitHub there is {}", exists.join(", ")),
    }
}

/// The failure of a request: its error, what exists now, and the two next steps.
fn stopped(course: &Course, at: usize, error: &Error) -> Failure {
    let name = course.sending.name();
    let doing = format!("request {} of sending {name}: {}", at + 1, course.sending.requests[at].purpose());
    let kind = match error {
        Error::NoToken | Error::Unauthorized { .. } => FailureKind::Auth,
        Error::RateLimited { .. } => FailureKind::RateLimited,
        Error::Refused { .. } | Error::NotFound { .. } => FailureKind::Conflict,
        _ => FailureKind::Network,
    };
    let mut failure = Failure::new(kind, doing).cause(error.to_string());
    if course.steps[at] == Step::Begun {
        failure = failure.cause("whether it took effect is not known");
    }
    if !course.undoes {
        failure = failure.cause(existing_text(course));
    }
    if !course.is_begun() {
        return failure.hint("Do the same again once that is settled.");
    }
    failure.hint(format!("{}.", ways_on(course)))
}

/// The command that makes the same ready.
fn again_with(course: &Course) -> String {
    course.purpose.as_ref().map_or_else(|| format!("bumpdesk pr open --plan {}", course.of), Purpose::command)
}

/// The sending that would take another one back, by what exists of it now.
async fn undo(journal: &Journal<'_>, of: &str) -> Result<Course, Failure> {
    let env = journal.env;
    let mut course = journal.known(of)?;
    let doing = || format!("taking back sending {}", course.sending.name());
    let refused = |cause: String, hint: &str| {
        Err(Failure::new(FailureKind::Conflict, doing()).cause(cause).hint(hint.to_owned()))
    };
    if course.undoes {
        return refused(
            "it takes another one back itself".to_owned(),
            "Name the sending that opened the pull request.",
        );
    }
    is_ours(env, &course.sending).await?;
    let upstream = |error: Error| failed(env, &error);
    if let Some(at) = course.next().filter(|at| course.steps[*at] != Step::Waiting) {
        match settle(env, &course, at).await {
            Ok(Some(found)) => course.steps[at] = Step::Done(found),
            Ok(None) => {}
            // Nothing of it can be found, which is no proof that there is nothing: it is dropped, and that is said.
            Err(failure) if failure.kind == FailureKind::Conflict && course.starts() => {
                journal.ends(&course)?;
                return refused(
                    format!("{}: it is dropped here, and nothing was taken back", failure.causes.join(": ")),
                    "Look at the runs on GitHub before another one is started.",
                );
            }
            // What is there is not ours, and stays.
            Err(failure) if failure.kind == FailureKind::Conflict => {}
            Err(failure) => return Err(failure),
        }
    }
    let kind = course.sending.kind();
    if let Some(permanent) = &kind.permanent
        && course.is_done()
    {
        journal.save(&course)?;
        let cause = format!("{} {}, {}", course.object(), kind.state, permanent.refusal);
        return refused(cause, permanent.remedy);
    }
    let pull = pull_of(env, &course).await?;
    if let Some(pull) = pull.as_ref().filter(|pull| pull.is_merged) {
        journal.ends(&course)?;
        return refused(
            format!("pull request #{} was merged", pull.number),
            "Propose the opposite change instead.",
        );
    }
    let is_known = course.pull().is_some();
    let open = pull.filter(|pull| pull.is_open && (is_known || course.commit() == Some(&*pull.head)));
    let steps = course.sending.requests.iter().zip(&course.steps);
    let mut made = steps.filter(|(_, step)| matches!(step, Step::Done(_))).map(|(request, _)| request);
    let created = made.find_map(|request| match request {
        Request::CreateBranch { repository, branch, at } => Some((repository, branch, at)),
        _ => None,
    });
    let mut stays: Vec<String> = course.sending.requests.iter().filter_map(Request::lasting_effect).collect();
    let mut branch_left = None;
    if let Some((repository, branch, at)) = created {
        let ours = course.commit().unwrap_or(at);
        match env.remote.tip(repository, branch).await.map_err(upstream)? {
            Some(tip) if tip == ours => {
                let id = env.remote.hosted(repository).await.map_err(upstream)?.id;
                branch_left = Some(Request::DeleteBranch {
                    repository: repository.clone(),
                    repository_id: id,
                    branch: branch.clone(),
                    at: ours.to_owned(),
                });
            }
            Some(_) => {
                stays.push(format!("the branch {branch}, since it has commits that are not of this sending"));
            }
            None => {}
        }
    }
    let sending = undo_of(&course, open.map(|pull| pull.number), branch_left);
    if sending.requests.is_empty() {
        journal.ends(&course)?;
        let left = if stays.is_empty() { String::new() } else { format!("; {} stays", stays.join(", ")) };
        return refused(
            format!("nothing of it that is ours exists on GitHub any more{left}"),
            "There is nothing to take back.",
        );
    }
    Ok(Course::of_undo(sending, course.sending.name(), stays))
}
