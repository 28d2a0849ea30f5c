//! Words about the pull request of the plan, and about arming: read out whole before anything may be sent, and sent by the
//! digits of what was read out.

use std::path::Path;

use jiff::Timestamp;

use crate::desk::ability::Ability;
use crate::desk::asking;
use crate::desk::intent::{Intent, Operands};
use crate::desk::sending::{Stage, Write};
use crate::desk::telling::{Message, arming, pull, written};
use crate::jobs::data::Outcome;
use crate::line::state::{LineMode, Reply};
use crate::line::{spoken, words};
use crate::print::output::Line;
use crate::print::text;
use crate::rules::amount::Form;
use crate::rules::sending::{Step, WriteOrigin};

impl LineMode {
    /// `pull`, `pull ready label:NAME`. Alone it first reads out what an earlier run left.
    pub(crate) fn pull(&mut self, reply: &mut Reply, rest: &str, now: Timestamp) {
        if rest.is_empty() {
            let is_run = self.desk.pull.purpose.kind().origin == WriteOrigin::Jobs;
            if !is_run && self.desk.show_next() {
                return self.earlier(reply);
            }
            return self.perform(reply, Ability::Recheck, &Operands::default(), now);
        }
        match asking::read(rest) {
            Ok(purpose) => self.act(reply, Intent::prepare(purpose), now),
            Err(why) => reply.refuse(&why),
        }
    }

    pub(crate) fn disarm(&mut self, reply: &mut Reply, now: Timestamp) {
        let is_armed = self.desk.may(&Intent::Disarm).is_ok();
        self.act(reply, Intent::Disarm, now);
        if is_armed {
            reply.say(spoken::done(arming::DISARMED));
        }
    }

    /// It was made ready: all of it is read out, and so was seen.
    pub(crate) fn prepared(&mut self, reply: &mut Reply, disarmed: bool) {
        if disarmed {
            reply.say(Line::of(format!("notice: {}", arming::OTHER_ACCOUNT)));
        }
        if let Some(prepared) = &self.desk.pull.prepared {
            // What continues is what was read out when it was confirmed: its gates are news.
            if matches!(self.desk.pull.stage(&self.desk.board), Stage::Sending(Some(_))) {
                reply.lines.extend(text::gates(&self.ui, prepared, &words::name_of_step));
            } else {
                reply.lines.extend(text::prepared(&self.ui, prepared, &words::name_of_step));
                reply.say(Line::of(pull::meaning(Write::Open, &prepared.sending, Form::Spoken)));
            }
        }
        self.desk.pull.mark_shown();
    }

    /// A request of it was answered; or what undoing would send is known.
    pub(crate) fn sent(&mut self, reply: &mut Reply) {
        let sent = match self.desk.pull.stage(&self.desk.board) {
            Stage::Sending(sent) => sent,
            Stage::Undo(undo) => Some(undo),
            _ => None,
        };
        let Some(sent) = sent else { return };
        let (requests, steps) = (&sent.course.sending.requests, &sent.course.steps);
        let line =
            |(request, step)| (pull::sign_of(step, true).word, pull::request_line(request, Some(step)));
        let all: Vec<(String, String)> = requests.iter().zip(steps).map(line).collect();
        let waits = pull::sign_of(&Step::Waiting, true).word;
        if let Some((word, what)) = all.iter().rev().find(|(word, _)| *word != waits) {
            reply.say(spoken::now(&format!("{what}: {word}")));
            return;
        }
        reply.say(Line::of(format!("{}:", pull::requests(&sent.course.sending, Some(&sent.digits)))));
        reply.lines.extend((1..).zip(&all).map(|(number, (_, what))| Line::of(format!("{number} {what}"))));
        self.desk.pull.mark_shown();
    }

    /// Reads out a sending that an earlier run left half-done, each request with its state, and so counts it as seen.
    pub(crate) fn earlier(&mut self, reply: &mut Reply) {
        let Some(notice) = pull::earlier(&self.desk) else { return };
        let (Stage::Stopped(sent) | Stage::Undo(sent)) = self.desk.pull.stage(&self.desk.board) else {
            return;
        };
        reply.say(Line::of(format!("notice: {}", words::text_of(&notice))));
        reply.say(Line::of(format!("{}:", pull::requests(&sent.course.sending, Some(&sent.digits)))));
        let steps = 0..sent.course.steps.len();
        reply.lines.extend(steps.map(|at| Line::of(pull::step(&sent.course, at))));
        let messages = pull::standing(&self.desk);
        reply.lines.extend(messages.iter().map(|message| Line::of(words::text_of(message))));
        self.desk.pull.mark_shown();
    }

    /// Writing is armed, or why it is not.
    pub(crate) fn armed(&mut self, reply: &mut Reply, answer: &Result<(), Message>, now: Timestamp) {
        match (answer, self.desk.arming.armed()) {
            (Err(why), _) => reply.refused(why),
            (Ok(()), Some(armed)) => reply.say(spoken::done(&arming::armed(armed, now))),
            (Ok(()), None) => {}
        }
    }

    /// Reports that the prepared pull request was written to a file.
    pub(crate) fn written(&self, reply: &mut Reply, file: &Path) {
        if let Some(prepared) = &self.desk.pull.prepared {
            reply.say(spoken::done(&written::written(file, prepared)));
        }
    }

    /// Reports the state of the pull request once a job about it is over.
    pub(crate) fn pull_ended(&mut self, reply: &mut Reply, outcome: &Outcome) {
        if let Outcome::Failed(failure) = outcome {
            reply.fail(failure);
        }
        // What was read out before it ended, or is told now, is what there is to be seen.
        self.desk.pull.mark_shown();
        // What failed stands above.
        let messages = pull::standing(&self.desk);
        let why = self.desk.pull.failure.as_ref().map(crate::jobs::data::Failure::sentence);
        let lines = messages.iter().filter(|message| Some(&message.text) != why.as_ref());
        reply.lines.extend(lines.map(|message| Line::of(words::text_of(message))));
    }
}
