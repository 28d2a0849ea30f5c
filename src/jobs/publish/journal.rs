//! The journal of what is sent to GitHub: each sending as far as it came, kept between runs, so that it can be continued or
//! taken back.

use std::sync::Arc;
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};

use crate::jobs::Env;
use crate::jobs::data::{Failure, FailureKind};
use crate::jobs::session::HalfDone;
use crate::registry::Repository;
use crate::rules::plain_text::visible;
use crate::rules::review::OwnVerdict;
use crate::rules::sending::{Course, Request};

/// GitHub's own limits on what makes something (`github.md#limits`).
const MOST: [(SignedDuration, usize); 2] =
    [(SignedDuration::from_mins(1), 80), (SignedDuration::from_hours(1), 500)];
/// The time for which an undone sending, and the one that undid it, are kept.
const TAKEN_BACK_LASTS: SignedDuration = SignedDuration::from_hours(30 * 24);

/// Nothing in a second console, since the first one may be at it.
pub(crate) fn half_done(env: &Env) -> HalfDone {
    if env.keeps() { Journal { env }.half_done() } else { HalfDone::default() }
}

/// Forgets sendings that were undone long ago, and the ones that undid them: nothing of either is left on GitHub. Half-done
/// sendings stay, and opened ones: they show that a plan was sent already, and they can be undone.
pub(crate) fn forget_taken_back(env: &Env) -> Result<(), Failure> {
    let before = env.now() - TAKEN_BACK_LASTS;
    let is_old = |course: &Course| course.is_over() && course.sent_at.iter().all(|at| *at < before);
    for course in (Journal { env }).all()?.iter().filter(|course| is_old(course)) {
        let (world, digest) = (&env.world, course.sending.digest());
        if let Some(Err(error)) = env.state().as_mut().map(|state| state.forget_sending(world, &digest)) {
            return Err(Failure::new(FailureKind::Internal, "forgetting what was taken back")
                .cause(error.to_string()));
        }
    }
    Ok(())
}

/// The reviews of the registry's pull requests that were submitted from here, the oldest first. A journal that cannot be read
/// has none: they are only marks in a list.
pub(crate) fn own_verdicts(env: &Env) -> Vec<OwnVerdict> {
    let courses = Journal { env }.all().unwrap_or_default();
    let mut own: Vec<_> = courses.iter().filter_map(|course| course.own_verdict(&env.repository)).collect();
    own.sort_by_key(|one| one.at);
    own
}

/// So many runs of this plan were started from here, or may have been, but for the one that is continued.
pub(super) fn dispatched_before(env: &Env, plan: &str, half_done: Option<&Course>) -> Result<usize, Failure> {
    let is_it = |course: &&Course| {
        course.dispatched() == Some(plan)
            && course.is_begun()
            && half_done.is_none_or(|half_done| half_done.sending != course.sending)
    };
    Ok((Journal { env }).all()?.iter().filter(is_it).count())
}

/// The digits of what was cut off here after it may have made this branch.
pub(super) fn half_done_on(env: &Env, home: &Repository, wanted: &str) -> Option<String> {
    let makes = |request: &Request| matches!(request, Request::CreateBranch { repository, branch, .. } if repository == home && branch == wanted);
    let is_it = |course: &Course| {
        course.is_half_done() && !course.undoes && course.sending.requests.iter().any(makes)
    };
    Journal { env }.all().ok()?.into_iter().find(is_it).map(|course| course.sending.name())
}

/// The sendings that are sent and unfinished, kept between runs.
pub(super) struct Journal<'a> {
    pub(super) env: &'a Env,
}

impl<'a> Journal<'a> {
    /// The journal of one that may write to GitHub, and to the journal.
    pub(super) fn open(env: &'a Env) -> Result<Self, Failure> {
        let refused = |cause: &str, hint: &str| {
            Err(Failure::new(FailureKind::Conflict, "sending to GitHub").cause(cause).hint(hint))
        };
        if !env.may_write {
            return refused(
                "writing was not allowed when bumpdesk was started",
                "Start it with --write. Nothing was sent.",
            );
        }
        if !env.keeps() {
            return refused(
                "what is sent has to be journalled first, and here nothing can be kept",
                "End the other bumpdesk that holds the state folder, or name another one with --state-dir. Nothing was sent.",
            );
        }
        Ok(Self { env })
    }

    fn all(&self) -> Result<Vec<Course>, Failure> {
        let wrong = |cause: String| {
            Failure::new(FailureKind::Data, "reading what was sent before")
                .cause(cause)
                .hint("Look on GitHub at what is there of it, and run `bumpdesk doctor`. Nothing was sent.")
        };
        let read = self.env.state().as_ref().map_or(Ok(Vec::new()), |state| state.sendings(&self.env.world));
        let bodies = read.map_err(|error| wrong(error.to_string()))?;
        let parse = |body: String| serde_json::from_str(&body).map_err(|error| wrong(error.to_string()));
        bodies.into_iter().map(parse).collect()
    }

    /// The half-done sendings, for the user who starts the program.
    fn half_done(&self) -> HalfDone {
        let sentence = |course: &Course| format!("{} was cut off: {}", course.what(), ways_on(course));
        let courses = match self.all() {
            Ok(courses) => courses,
            Err(failure) => return HalfDone { unreadable: failure.causes, ..HalfDone::default() },
        };
        let mut half_done = HalfDone::default();
        for course in courses.iter().filter(|course| course.is_half_done()) {
            half_done.words.push(sentence(course));
            let is_undone = |other: &&Course| course.undoes && other.sending.is_named_by(&course.of);
            let shown = courses.iter().find(is_undone).into_iter().chain([course]);
            half_done.courses.extend(shown.cloned().map(Arc::new));
        }
        half_done
    }

    pub(super) fn find(&self, digits: &str) -> Result<Option<Course>, Failure> {
        Ok(self.all()?.into_iter().find(|course| course.sending.is_named_by(digits)))
    }

    pub(super) fn known(&self, digits: &str) -> Result<Course, Failure> {
        self.find(digits)?.ok_or_else(|| {
            Failure::new(FailureKind::Usage, "looking for a sending")
                .cause(format!("nothing was sent from here under {}", visible(digits)))
                .hint("Name the six digits that were confirmed; `bumpdesk jobs` lists them.")
        })
    }

    pub(super) fn is_taken_back(&self, course: Course) -> Result<(), Failure> {
        let over = Course { is_undone: true, ..course };
        self.save(&over)?;
        self.ends(&over)
    }

    /// Ends a sending that has nothing to continue and nothing to undo any more.
    pub(super) fn ends(&self, course: &Course) -> Result<(), Failure> {
        if !self.env.keeps() {
            return Ok(());
        }
        let name = course.sending.name();
        let is_of_it = |other: &Course| other.sending == course.sending || other.undoes && other.of == name;
        for left in self.all()?.into_iter().filter(|other| other.is_half_done() && is_of_it(other)) {
            self.save(&Course { is_undone: true, ..left })?;
        }
        Ok(())
    }

    pub(super) fn save(&self, course: &Course) -> Result<(), Failure> {
        let text = serde_json::to_string(course).expect("texts and numbers are JSON");
        let (world, digest) = (&self.env.world, course.sending.digest());
        let kept = self.env.state().as_mut().map(|state| state.save_sending(world, &digest, &text));
        let cause = match kept {
            Some(Ok(())) => return Ok(()),
            Some(Err(error)) => error.to_string(),
            None => "there is no state folder".to_owned(),
        };
        Err(Failure::new(FailureKind::Internal, "journalling what is sent").cause(cause))
    }

    /// When whatever was sent, the newest first.
    pub(super) fn sent_at(&self) -> Result<Vec<Timestamp>, Failure> {
        let mut sent: Vec<_> = self.all()?.into_iter().flat_map(|course| course.sent_at).collect();
        sent.sort_unstable_by(|a, b| b.cmp(a));
        Ok(sent)
    }

    /// The time to wait before one more request may make something.
    pub(super) fn wait(&self, sent: &[Timestamp]) -> Duration {
        let now = self.env.now();
        let of_limit = MOST.iter().filter_map(|(window, most)| {
            let oldest = sent.get(most - 1)?;
            Duration::try_from(*window - now.duration_since(*oldest)).ok()
        });
        of_limit.chain([self.env.write_spacing]).max().unwrap_or_default()
    }
}

/// The ways on from what was cut off; what takes another one back is not taken back itself.
pub(super) fn ways_on(course: &Course) -> String {
    let name = course.sending.name();
    let resume = format!("`bumpdesk pr resume {name} --write` asks GitHub what exists and continues");
    if course.undoes {
        return resume;
    }
    format!("{resume}; {}", way_back(course))
}

/// `` `bumpdesk pr undo 4f21c0` takes it back ``; a review cannot be undone, so its sending is dropped.
pub(super) fn way_back(course: &Course) -> String {
    let does = if course.sending.kind().permanent.is_some() {
        "drops it if GitHub does not have it"
    } else {
        "takes it back"
    };
    format!("`bumpdesk pr undo {}` {does}", course.sending.name())
}
