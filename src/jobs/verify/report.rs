//! The report: JSON lines that grow while rows finish. The first says what was asked, each further one is a row, the last
//! how it ended. The same question goes on with a report that was cut off, cancelled or has errors; of two lines of one target
//! the later one counts.

use std::collections::HashMap;
use std::path::PathBuf;

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

use crate::jobs::Env;
use crate::jobs::data::{Failure, FailureKind, VerifyPlan};
use crate::jobs::session::Session;
use crate::jobs::verify::archive::UNREAD_COPY;
use crate::jobs::verify::question::Question;
use crate::registry::{Address, digest};
use crate::rules::is_older;
use crate::rules::verify::{Answers, Row, State, Tally, Zip};
use crate::settings::words;
use crate::store::{Error, Report};

/// The format of the lines; another one is not gone on with.
const FORMAT: u32 = 1;
/// The beginning and the end of the names of reports that got no name from the user.
pub(in crate::jobs) const REPORT_NAMES: (&str, &str) = ("verify-", ".jsonl");
/// The beginning of each report.
const MARK: &str = "{\"line\":\"begin\",\"format\":";

words! {
    /// The end of a run.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub(super) enum Ended: [word] {
        Done = "done",
        Cancelled = "cancelled",
        /// At the first bad row, as asked.
        AtBad = "stopped-at-bad",
        /// The report could not be written any more.
        ReportLost = "report-lost",
    }
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "line", rename_all = "kebab-case")]
enum ReportLine {
    Begin { format: u32, question: String, registry: String, revision: String, started_at: String },
    Row(Box<RowLine>),
    End { how: String, ended_at: String, tally: Tally },
}

/// A row with what follows from it, so that a reader needs no rules of ours.
#[derive(Debug, Serialize, Deserialize)]
struct RowLine {
    state: State,
    case: String,
    answers: Answers,
    #[serde(skip_serializing_if = "Option::is_none")]
    reading: Option<String>,
    #[serde(default)]
    steps: Vec<String>,
    #[serde(flatten)]
    row: Row,
}

/// The report that is being written.
#[derive(Debug)]
pub(super) struct Kept {
    report: Report,
    /// Rows of an earlier run that was cut off.
    earlier: Vec<Row>,
    /// Lines among them that cannot be read.
    damaged: usize,
    lost: Option<Error>,
}

impl Kept {
    /// Opens the report of this question: a new one, or the one that was cut off.
    pub(super) fn open(env: &Env, plan: &VerifyPlan, session: &Session) -> Result<Self, Failure> {
        let question = question_text(env, plan);
        let path = plan.report.clone().unwrap_or_else(|| default_path(env, &question));
        let (mut report, lines) = Report::open(&path, MARK).map_err(|error| refused(&error))?;
        let begin = ReportLine::Begin {
            format: FORMAT,
            question: question.clone(),
            registry: session.checkout.root().display().to_string(),
            revision: session.revision.clone(),
            started_at: env.now().to_string(),
        };
        let earlier = earlier(&lines, &question);
        // Under a name of ours there is nothing but this question; a name of theirs may hold work of hours.
        if plan.report.is_some() && !lines.is_empty() && !is_of(&lines, &question) {
            return Err(refused(&Error::Refused {
                path: path.display().to_string(),
                reason: "it is the report of another question, or of another version of bumpdesk",
            }));
        }
        if earlier.is_none() {
            report.clear().map_err(|error| refused(&error))?;
            report.append(&text(&begin)).map_err(|error| refused(&error))?;
        }
        let (earlier, damaged) = earlier.unwrap_or_default();
        Ok(Self { report, earlier, damaged, lost: None })
    }

    /// The note about lines that were damaged since they were written; `None` if there are none.
    pub(super) fn note(&self) -> Option<String> {
        let lines = match self.damaged {
            0 => return None,
            1 => "1 line of the report is".to_owned(),
            many => format!("{many} lines of the report are"),
        };
        Some(format!("{lines} damaged and skipped: those targets are verified again, the rest is kept"))
    }

    pub(super) fn path(&self) -> String {
        self.report.path().display().to_string()
    }

    /// Takes over the archives that the earlier run has finished; how many these are.
    pub(super) fn take_over(
        &self,
        question: &mut Question,
        keeps_for: SignedDuration,
        now: Timestamp,
    ) -> usize {
        // Of a row that was written twice the later line counts.
        let earlier: HashMap<_, &Row> = self.earlier.iter().map(|row| (key(row), row)).collect();
        let mut count = 0;
        for row in &mut question.rows {
            let is_good = |earlier: &&&Row| earlier.is_of(row) && is_finished(&earlier.zip, keeps_for, now);
            let earlier = earlier.get(&key(row)).filter(is_good);
            if let Some((zip, asset)) = earlier.map(|earlier| (earlier.zip.clone(), earlier.asset.clone())) {
                (row.zip, row.asset) = (zip, asset);
                count += 1;
            }
        }
        count
    }

    /// Keeps a finished row. What fails is remembered, since a row cannot tell it; see [`Self::is_lost`].
    pub(super) fn keep(&mut self, row: &Row) {
        let line = RowLine {
            state: row.state(),
            case: row.case().word().to_owned(),
            answers: row.answers(),
            reading: row.reading(),
            steps: row.steps().into_iter().map(str::to_owned).collect(),
            row: row.clone(),
        };
        if self.lost.is_none()
            && let Err(error) = self.report.append(&text(&ReportLine::Row(Box::new(line))))
        {
            self.lost = Some(error);
        }
    }

    pub(super) fn is_lost(&self) -> bool {
        self.lost.is_some()
    }

    /// Why the report could not be written, once it is lost.
    pub(super) fn lost(&self) -> Option<Failure> {
        self.lost.as_ref().map(|error| Failure { kind: FailureKind::Internal, ..refused(error) })
    }

    /// Says how the run ended. Whatever was not finished then is gone on with by the same question.
    pub(super) fn end(&mut self, tally: &Tally, ended: Ended, at: Timestamp) -> Result<(), Failure> {
        if self.is_lost() {
            return Ok(());
        }
        let end = ReportLine::End { how: ended.word().to_owned(), ended_at: at.to_string(), tally: *tally };
        self.lost = self.report.append(&text(&end)).err();
        self.lost().map_or(Ok(()), Err)
    }
}

fn key(row: &Row) -> (&Address, &str, &str) {
    (&row.address, &row.version, &row.target)
}

fn text(line: &ReportLine) -> String {
    serde_json::to_string(line).unwrap_or_default()
}

/// Returns true if downloading it again for the same question would show nothing new: it was hashed, and not too long ago.
fn is_finished(zip: &Zip, keeps_for: SignedDuration, now: Timestamp) -> bool {
    match zip {
        // For want of a copy there is no h1: a matter of this machine and not of the archive.
        // Earlier versions of this program did not look for the binary.
        Zip::Hashed(computed) if computed.h1.is_some() && computed.has_binary.is_none() => false,
        Zip::Hashed(computed) => {
            let is_fresh = computed.hashed_at.is_some_and(|at| !is_older(now, at, keeps_for));
            is_fresh && !computed.remarks.iter().any(|remark| remark.starts_with(UNREAD_COPY))
        }
        // What is gone may be back, and costs one request.
        Zip::Gone | Zip::NotDone | Zip::Skipped { .. } | Zip::Failed { .. } | Zip::Cancelled => false,
    }
}

/// Returns true if a report is about this very question.
fn is_of(lines: &[String], text: &str) -> bool {
    let begin = lines.first().map(|line| serde_json::from_str::<ReportLine>(line));
    matches!(begin, Some(Ok(ReportLine::Begin { format: FORMAT, question, .. })) if question == text)
}

/// The rows of an unfinished report of this very question, and the number of damaged lines; `None`: begin a new report.
fn earlier(lines: &[String], question: &str) -> Option<(Vec<Row>, usize)> {
    if !is_of(lines, question) {
        return None;
    }
    // A line that was damaged is made again, and the others are kept.
    let lines = lines.iter().skip(1).map(|line| serde_json::from_str::<ReportLine>(line));
    let (mut rows, mut damaged) = (Vec::new(), 0);
    let (mut is_open, mut is_whole) = (true, true);
    for line in lines {
        match line {
            Ok(ReportLine::Row(row)) => {
                is_open = true;
                rows.push(row.row);
            }
            Ok(ReportLine::End { how, tally, .. }) => {
                is_open = how != Ended::Done.word() || tally.error + tally.tag_unread > 0;
                // The run that ended here has made up for what was damaged in those before it.
                damaged = if is_whole { 0 } else { damaged };
                is_whole = true;
            }
            Ok(ReportLine::Begin { .. }) => return None,
            Err(_) => {
                is_whole = false;
                damaged += 1;
            }
        }
    }
    (is_open || damaged > 0).then_some((rows, damaged))
}

/// The question in words; the same words, the same report.
fn question_text(env: &Env, plan: &VerifyPlan) -> String {
    let mut wanted: Vec<String> = plan
        .wanted
        .iter()
        .map(|wanted| match &wanted.version {
            Some(version) => format!("{}@{version}", wanted.address),
            None => wanted.address.to_string(),
        })
        .collect();
    wanted.sort();
    wanted.dedup();
    let what = if plan.downloads { "archives" } else { "checksums and signatures" };
    let mut targets = plan.targets.clone();
    targets.sort();
    format!(
        "{what} of {} [{}] below {} bytes at {}",
        wanted.join(" "),
        targets.join(" "),
        plan.limit_bytes,
        env.world
    )
}

fn default_path(env: &Env, question: &str) -> PathBuf {
    let registry = env.registry.as_ref().map(|path| path.display().to_string()).unwrap_or_default();
    let name = digest(format!("{registry}\n{question}").as_bytes());
    let (begin, end) = REPORT_NAMES;
    env.reports_dir.join(format!("{begin}{}{end}", &name[..12]))
}

fn refused(error: &Error) -> Failure {
    let (kind, hint) = match error {
        Error::Refused { .. } => (FailureKind::Usage, "Name another file with --report."),
        Error::Locked { .. } => {
            (FailureKind::Conflict, "Wait for the other bumpdesk, or name another file with --report.")
        }
        _ => (
            FailureKind::Data,
            "Check the disk or name another file with --report; then the same command continues.",
        ),
    };
    Failure::new(kind, "writing the report").cause(error.to_string()).hint(hint)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::verify::{Computed, Listed, SignatureSays, Stored, Times};

    /// One damaged line costs its own row, and the others are kept, for reports of any name.
    #[test]
    fn a_damaged_line_costs_one_row() {
        let row = |target: &str| {
            let row = Row {
                address: Address::provider("acme", "rocket"),
                version: "1.0.0".into(),
                target: target.into(),
                filename: "f.zip".into(),
                url: String::new(),
                stored: Stored::default(),
                listed: Listed::NotAsked,
                asset: None,
                asset_unread: None,
                not_indexed: Vec::new(),
                refused: Vec::new(),
                zip: Zip::Gone,
                signature: SignatureSays::NotAsked,
                times: Times::default(),
                tag: None,
            };
            let line = RowLine {
                state: row.state(),
                case: row.case().word().to_owned(),
                answers: row.answers(),
                reading: None,
                steps: Vec::new(),
                row,
            };
            text(&ReportLine::Row(Box::new(line)))
        };
        let begin = ReportLine::Begin {
            format: FORMAT,
            question: "q".into(),
            registry: String::new(),
            revision: String::new(),
            started_at: String::new(),
        };
        let how = Ended::Done.word().to_owned();
        let end = text(&ReportLine::End { how, ended_at: String::new(), tally: Tally::default() });
        let whole = [text(&begin), row("a"), row("b"), row("c")];
        for ended in [false, true] {
            let mut lines = whole.to_vec();
            lines.extend(ended.then(|| end.clone()));
            assert_eq!(earlier(&lines, "q").is_none(), ended, "a run that is over begins anew");
            for harm in ["", "x", "{}", &whole[2][..whole[2].len() / 2]] {
                lines[2] = harm.to_owned();
                let (rows, damaged) = earlier(&lines, "q").expect("the rest of it");
                let targets: Vec<&str> = rows.iter().map(|row| row.target.as_str()).collect();
                assert_eq!((targets, damaged), (vec!["a", "c"], 1), "{harm}");
            }
        }
    }

    #[test]
    fn what_an_earlier_run_hashed_is_kept_for_a_while() {
        let now: Timestamp = "2026-11-21T12:00:00Z".parse().unwrap();
        let hour = SignedDuration::from_hours(1);
        for (at, is_kept) in [
            (Some("2026-11-21T12:00:00Z"), true),
            (Some("2026-11-21T11:00:00Z"), true),
            (Some("2026-11-21T10:59:59Z"), false),
            (Some("2026-11-23T12:00:00Z"), false),
            (None, false),
        ] {
            let hashed_at = at.map(|at| at.parse().unwrap());
            let zip = Zip::Hashed(Computed { hashed_at, ..Computed::default() });
            assert_eq!(is_finished(&zip, hour, now), is_kept, "{at:?}");
        }
        let day_old = Computed { hashed_at: Some(now - hour * 23), ..Computed::default() };
        let plan = VerifyPlan::new(Vec::new());
        assert!(is_finished(&Zip::Hashed(day_old), plan.keeps_for, now));
    }
}
