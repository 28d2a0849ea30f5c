//! What is told on a screen, copied for an issue or a comment: as Markdown, or as the JSON that a command prints of it.

use crate::desk::filling::Filling;
use crate::desk::objects::{
    self, CardObject, EntryObject, FillObject, GateObject, PlanObject, PlannedObject, SendingObject,
    TargetObject, TriageObject, VerdictObject,
};
use crate::desk::reviews::{Reviewed, Standing};
use crate::desk::run::Run;
use crate::desk::telling::{markdown, stranded, triage};
use crate::desk::triage::Lookup;
use crate::jobs::data::{Opened, Prepared};
use crate::registry::Address;
use crate::rules::Verdict;
use crate::rules::amount::{counted, grouped};
use crate::rules::backfill::states;
use crate::rules::plain_text::visible;
use crate::rules::plan::Plan;
use crate::rules::review::OpenPull;
use crate::rules::stranded::Card;
use crate::tui::keymap::{Command, ViewId};
use crate::tui::shell::model::{Model, Popup};
use crate::tui::shell::msg::Effect;

/// What GitHub takes in an issue or a comment.
const LONGEST: usize = 65_536;

/// What there is to be copied.
enum Told<'a> {
    Entry(&'a Address, &'a Verdict, Option<&'a Opened>),
    Plan(&'a Plan),
    Report(&'a Run),
    Backfill(&'a Filling),
    Review(&'a OpenPull, &'a Reviewed),
    Card(&'a Card, bool),
    Sending(&'a Prepared),
    Answer(&'a Lookup),
}

impl<'a> Told<'a> {
    /// Of the screen that is seen.
    fn of(model: &'a Model) -> Option<Self> {
        let desk = &model.desk;
        if let Some(Popup::Triage(_)) = model.popup {
            return desk.triage.as_ref().map(Self::Answer);
        }
        Some(match model.screen {
            ViewId::Changes => Self::Plan(desk.planning.plan.as_ref()?),
            ViewId::Verify => Self::Report(desk.run.as_ref()?),
            ViewId::Backfill => Self::Backfill(desk.filling.as_ref()?),
            ViewId::Reviews => match model.views.reviews.selected(desk)? {
                (pull, Standing::Reviewed(found) | Standing::Moved(found)) => Self::Review(pull, found),
                (_, Standing::Waiting) => return None,
            },
            ViewId::Stranded => {
                let card = model.views.stranded.selected(desk)?;
                Self::Card(card, desk.stranded.is_new(card))
            }
            ViewId::Pull => Self::Sending(desk.pull.prepared.as_ref()?),
            _ => {
                let address = model.subject()?;
                let entry = model.views.entry.as_ref().filter(|entry| entry.address == *address);
                let opened = entry.and_then(|entry| entry.opened.as_deref());
                Self::Entry(address, desk.list.verdict_of(address)?, opened)
            }
        })
    }

    fn name(&self) -> String {
        match self {
            Self::Entry(address, ..) => address.to_string(),
            Self::Plan(_) => "the plan".to_owned(),
            Self::Report(run) => format!("the report on {}", run.what()),
            Self::Backfill(filling) => format!("the backfill of {}", filling.what()),
            Self::Review(pull, _) => format!("the review of #{}", pull.number),
            Self::Card(card, _) => card.subject(),
            Self::Sending(_) => "what was made ready".to_owned(),
            Self::Answer(asked) => format!("the answer on {}", visible(&asked.typed)),
        }
    }

    fn markdown(&self, model: &Model) -> String {
        match self {
            Self::Entry(address, verdict, opened) => markdown::entry(address, verdict, *opened, model.now),
            Self::Plan(plan) => markdown::plan(plan),
            Self::Report(run) => markdown::verification(
                &run.what(),
                &run.groups.all().map(|group| run.rows_of(group)).collect::<Vec<_>>(),
            ),
            Self::Backfill(filling) => markdown::backfill(&filling.what(), &filling.rows),
            Self::Review(pull, found) => markdown::review(&found.review, pull),
            Self::Card(card, _) => stranded::markdown(card, model.now),
            Self::Sending(_) => markdown::sending(&model.desk).unwrap_or_default(),
            Self::Answer(asked) => {
                let whole: Vec<String> = asked.whole().map(|one| triage::markdown(one, model.now)).collect();
                whole.join("\n")
            }
        }
    }

    /// The objects that a command prints, one a line.
    fn json(&self) -> String {
        let mut out = Vec::new();
        let written = match self {
            Self::Entry(_, _, Some(opened)) => objects::write(&mut out, "entry", &EntryObject::new(opened)),
            Self::Entry(address, verdict, None) => {
                objects::write(&mut out, "verdict", &VerdictObject::new(address, verdict))
            }
            Self::Plan(plan) => plan
                .files
                .iter()
                .try_for_each(|file| objects::write(&mut out, "planned", &PlannedObject::new(file, None)))
                .and_then(|()| objects::write(&mut out, "plan", &PlanObject::new(plan))),
            Self::Report(run) => run
                .rows
                .iter()
                .try_for_each(|row| objects::write(&mut out, "target", &TargetObject::new(row))),
            Self::Backfill(filling) => states(&filling.rows)
                .try_for_each(|(row, state)| objects::write(&mut out, "fill", &FillObject::new(row, state))),
            Self::Review(_, found) => objects::write(&mut out, "review", &*found.review),
            Self::Card(card, is_new) => objects::write(&mut out, "stranded", &CardObject::new(card, *is_new)),
            Self::Sending(prepared) => GateObject::all(prepared)
                .try_for_each(|gate| objects::write(&mut out, "gate", &gate))
                .and_then(|()| objects::write(&mut out, "sending", &SendingObject::new(prepared, false))),
            Self::Answer(asked) => {
                asked.whole().try_for_each(|one| objects::write(&mut out, "triage", &TriageObject::new(one)))
            }
        };
        written.expect("memory takes it, and our objects are JSON");
        String::from_utf8(out).expect("JSON is text")
    }
}

/// Copies it, and says what was copied and how much that is.
pub(crate) fn copy(model: &mut Model, command: Command) -> Vec<Effect> {
    let Some(told) = Told::of(model) else { return Vec::new() };
    let (form, text) = match command {
        Command::CopyJson => ("JSON", told.json()),
        _ => ("Markdown", told.markdown(model)),
    };
    let (name, lines) = (told.name(), counted(text.lines().count(), "line"));
    let characters = text.chars().count();
    let length = if characters > LONGEST {
        format!("; {} characters are more than an issue takes", grouped(characters))
    } else {
        String::new()
    };
    model.reply(format!("copying {name} as {form}, {lines}{length}"));
    vec![Effect::Copy(text)]
}
