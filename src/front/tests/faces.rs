//! The three faces as one drives them: what is put in goes their own way, what comes out is put into the same words.

use std::sync::Arc;

use crate::desk::board::Board;
use crate::desk::intent::{Begun, Question};
use crate::desk::{Consent, Desk, Registry};
use crate::front::tests::given::{Given, now, opened};
use crate::jobs::data::{Job, JobEvent, JobId, Outcome, PlanTask, Steer, Summary, Writes};
use crate::line::state::{LineMode, Reply};
use crate::line::words::{LineMeaning, understand};
use crate::print::output::Line;
use crate::print::output::tests::ui;
use crate::print::runner;
use crate::tui::{Chord, Effect, Model, Msg, Options, Popup, Size};
use crate::{cli, front, tui};

/// The result of an input in a face.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Reaction {
    /// The jobs that began, in words.
    Began(String),
    /// A question, and what is begun after a yes.
    Question { title: &'static str, says: String, then: String },
    /// The whole sentence, the ways on in the face's own words.
    Refused(String),
}

/// Something that lives through a state and can then be told what to do.
pub(super) trait Face {
    fn desk(&mut self) -> &mut Desk;
    fn hear(&mut self, id: JobId, event: JobEvent);
    fn take_input(&mut self, input: &str) -> Reaction;
    /// Returns true if this name of a next step is a key, a word or a command of the face.
    fn has(&self, way: &str) -> bool;

    fn done(&mut self, id: JobId) {
        self.hear(id, JobEvent::Ended(Outcome::Done(Summary::default())));
    }
}

/// The jobs that begin, without those that only read or remember, which no input requests.
fn begun(board: &Board, begun: &Begun) -> String {
    let is_meant = |job: &Job| {
        let looks = matches!(job, Job::Plan(PlanTask::Show | PlanTask::Open(_)) | Job::Remember(_));
        !looks && !matches!(job, Job::ListJobs { .. } | Job::ReadLog(_))
    };
    let stops = begun.cancel.iter().filter_map(|id| board.all().iter().find(|job| job.id == *id));
    let mut words: Vec<String> = stops.map(|job| format!("stopping {}", job.job.sentence())).collect();
    let starts = begun.start.iter().map(|(_, job)| job).filter(|job| is_meant(job));
    words.extend(starts.map(Job::sentence));
    words.extend(begun.steer.map(|(_, steer)| {
        let Steer { is_paused, workers, stops_at_bad } = steer;
        format!("steering: paused {is_paused}, workers {workers:?}, stops at bad {stops_at_bad:?}")
    }));
    if begun.leave {
        words.push("leaving".into());
    }
    words.join(", ")
}

fn chord(key: &str) -> Chord {
    Chord::parse(key).expect(key)
}

pub(super) struct Console(Model);

impl Console {
    pub(super) fn new(given: Given) -> Self {
        let options = Options {
            registry_hint: (given != Given::NoRegistry).then(|| "~/registry".into()),
            ..Options::new(now(), Size::new(120, 40))
        };
        Self(Model::new(options))
    }

    fn press(&mut self, key: &str) -> Begun {
        if let Some(name) = key.strip_prefix('@') {
            // To the row of an entry, wherever it stands.
            for _ in 0..20 {
                if self.0.subject().is_some_and(|subject| subject.to_string() == name) {
                    return Begun::default();
                }
                self.press("j");
            }
            panic!("no row of {name} is seen");
        }
        let mut begun = Begun::default();
        for effect in tui::update(&mut self.0, Msg::Key(chord(key))) {
            match effect {
                Effect::Start(id, job) => begun.start.push((id, job)),
                Effect::Cancel(id) => begun.cancel.push(id),
                Effect::Steer(id, steer) => begun.steer = Some((id, steer)),
                Effect::Quit => begun.leave = true,
                _ => {}
            }
        }
        begun
    }
}

impl Face for Console {
    fn desk(&mut self) -> &mut Desk {
        &mut self.0.desk
    }

    fn hear(&mut self, id: JobId, event: JobEvent) {
        tui::update(&mut self.0, Msg::Job(id, event));
    }

    fn take_input(&mut self, keys: &str) -> Reaction {
        let (before, last) = keys.rsplit_once(' ').unwrap_or(("", keys));
        for key in before.split_whitespace() {
            for (id, job) in self.press(key).start {
                if let Job::Open(plan) = job {
                    self.hear(id, JobEvent::Opened(Arc::new(opened(plan.address))));
                    self.done(id);
                }
            }
        }
        self.0.message = None;
        let began = self.press(last);
        let words = begun(&self.0.desk.board, &began);
        let asked = match &self.0.popup {
            Some(Popup::Ask(Question { title, says, .. })) => Some((*title, says.join(" "), "y")),
            Some(Popup::DropView(Question { title, says, .. })) => Some((*title, says.join(" "), "enter")),
            Some(Popup::Leave) => Some(("Leave?", self.0.desk.leaving().join(" "), "enter")),
            _ => None,
        };
        match (asked, &self.0.message) {
            (Some((title, says, yes)), _) => {
                let agreed = self.press(yes);
                Reaction::Question { title, says, then: begun(&self.0.desk.board, &agreed) }
            }
            (None, Some(message)) if words.is_empty() => {
                let text = message.text.trim_end_matches("; letters do nothing until Esc");
                Reaction::Refused(text.strip_prefix(&format!("{}: ", chord(last))).unwrap_or(text).to_owned())
            }
            _ => Reaction::Began(words),
        }
    }

    fn has(&self, way: &str) -> bool {
        if let Some(line) = way.strip_prefix("`bumpdesk ") {
            return cli::tests::is_command(line.trim_end_matches('`'));
        }
        let (key, place) = way.split_once(' ').unwrap_or((way, ""));
        let place = match place.trim_start_matches("in ").trim_start_matches("the ") {
            "there" => "Verify",
            "" => self.0.screen.row().title,
            place => place,
        };
        let is_there =
            |at: &str| at == "every view" || at == "everywhere" || at.split(", ").any(|at| at == place);
        let keys = (front::CONSOLE.keys)(None);
        keys.rows.iter().any(|row| is_there(&row.place) && row.keys.iter().any(|bound| bound == key))
    }
}

pub(super) struct Lines(LineMode);

impl Lines {
    pub(super) fn new(given: Given) -> Self {
        let mut mode = LineMode::new(ui(), None, None);
        if given == Given::NoRegistry {
            mode.desk.registry = Registry::Missing;
        }
        Self(mode)
    }

    fn begun(&self, reply: Reply) -> String {
        let Reply { start, cancel, steer, leave, .. } = reply;
        begun(&self.0.desk.board, &Begun { cancel, start, steer, leave })
    }
}

impl Face for Lines {
    fn desk(&mut self) -> &mut Desk {
        &mut self.0.desk
    }

    fn hear(&mut self, id: JobId, event: JobEvent) {
        self.0.take_event(id, event, now());
    }

    /// Every write is asked about; that is no question of its own.
    fn take_input(&mut self, line: &str) -> Reaction {
        let reply = self.0.take_line(line, now());
        let Some(Question { title, says, writes, doing, .. }) = self.0.question.clone() else {
            let heard: Vec<String> = reply.lines.iter().map(Line::shown).collect();
            let writes = |(_, job): &(JobId, Job)| job.writes() > Writes::Memory;
            assert!(!reply.start.iter().any(writes), "{line} writes unasked");
            let words = self.begun(reply);
            if !words.is_empty() {
                return Reaction::Began(words);
            }
            let text = heard.join(" ").replace(" slash ", "/");
            return Reaction::Refused(text.strip_prefix("error: ").unwrap_or(&text).to_owned());
        };
        let first = reply.lines[0].shown().replace(" slash ", "/");
        assert_eq!(
            first == format!("this changes the plan: {doing}"),
            writes > Writes::Memory,
            "{line}: {first}"
        );
        let yes = self.0.take_line("yes", now());
        let then = self.begun(yes);
        if says.is_empty() {
            Reaction::Began(then)
        } else {
            Reaction::Question { title, says: says.join(" "), then }
        }
    }

    fn has(&self, way: &str) -> bool {
        match way.strip_prefix("`bumpdesk ") {
            Some(line) => cli::tests::is_command(line.trim_end_matches('`')),
            None => matches!(understand(way), LineMeaning::Word(..) | LineMeaning::Does(..)),
        }
    }
}

/// A command reads what it needs by itself, and is over with its job: only what is kept between runs stands before it.
pub(super) struct Commands(Desk);

impl Commands {
    pub(super) fn new() -> Self {
        Self(Desk { consent: Consent::Typed, ..Desk::default() })
    }
}

impl Face for Commands {
    fn desk(&mut self) -> &mut Desk {
        &mut self.0
    }

    fn hear(&mut self, id: JobId, event: JobEvent) {
        self.0.hear(id, event, now());
    }

    fn take_input(&mut self, line: &str) -> Reaction {
        let intent = cli::tests::intent(line, &self.0.list.catalog).expect(line);
        let began = match self.0.agree(&intent, now()) {
            Ok(began) => began,
            Err(why) => {
                let failure = runner::refusal("", &why);
                let hint = failure.hint.unwrap_or_default();
                let ways = hint.strip_prefix("Run ").and_then(|ways| ways.strip_suffix('.'));
                let ways =
                    ways.map(|ways| format!("; {}", ways.replace("`, which ", "` ").replace(", or ", ", ")));
                return Reaction::Refused(failure.causes.join(": ") + &ways.unwrap_or_default());
            }
        };
        Reaction::Began(begun(&self.0.board, &began))
    }

    fn has(&self, way: &str) -> bool {
        let line = way.strip_prefix("`bumpdesk ").and_then(|line| line.strip_suffix('`'));
        line.is_some_and(cli::tests::is_command)
    }
}
