//! `list`: the entries, with the status that the last survey gave them.

use clap::{Args, ValueEnum};
use serde::Serialize;

use crate::cli::console::Console;
use crate::cli::selection::{chosen, parse_filter};
use crate::cli::values::{group, sort};
use crate::cli::{Run, view, wire};
use crate::desk::list::Tally;
use crate::desk::objects::VerdictObject;
use crate::desk::telling::list::figures;
use crate::jobs::data::{Failure, Loaded, Outcome, Summary};
use crate::print::exit::Exit;
use crate::print::runner::Runner;
use crate::print::text;
use crate::registry::{Kind, Row};
use crate::rules::amount::grouped;
use crate::rules::filter::{Filter, terms};
use crate::rules::order::{Group, Sort, gather};
use crate::rules::view::View;
use crate::rules::{Status, Verdict};

/// List entries with the status that the last survey gave them.
#[derive(Debug, Args)]
#[command(after_long_help = long_help())]
pub(crate) struct ListArgs {
    /// Only entries that match; see below for the terms.
    #[arg(long, value_name = "Q", default_value = "", hide_default_value = true)]
    filter: String,
    /// The entries of a view, in its order; the other options narrow it down.
    #[arg(long, value_name = "NAME")]
    view: Option<String>,
    /// The order: status, newest, oldest, address or behind; by default the view's, or status.
    #[arg(long, value_name = "WORD", value_parser = sort)]
    sort: Option<Sort>,
    /// Group rows by status, namespace or kind.
    #[arg(long, value_name = "WORD", value_parser = group)]
    group: Option<Group>,
    /// Only these statuses: words such as behind or stranded. Repeatable, or separated by commas.
    #[arg(long, value_name = "WORD", value_delimiter = ',', value_parser = status)]
    pub(super) status: Vec<StatusWord>,
    /// Only providers or only modules.
    #[arg(long, value_enum)]
    kind: Option<KindWord>,
    /// Print comma-separated values with a header line; a field that is not known is empty.
    #[arg(long, conflicts_with = "json")]
    csv: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum KindWord {
    Provider,
    Module,
}

impl From<KindWord> for Kind {
    fn from(word: KindWord) -> Self {
        match word {
            KindWord::Provider => Self::Provider,
            KindWord::Module => Self::Module,
        }
    }
}

/// The statuses that one word names: `keys` names three.
#[derive(Clone, Debug)]
pub(super) struct StatusWord(pub(super) Vec<Status>);

fn status(text: &str) -> Result<StatusWord, String> {
    let of_word: Vec<Status> = Status::of_word(text).collect();
    if !of_word.is_empty() {
        return Ok(StatusWord(of_word));
    }
    Status::from_name(text).map(|status| StatusWord(vec![status])).ok_or_else(|| {
        let known: Vec<String> = Status::words().map(|status| status.word().to_lowercase()).collect();
        format!("known statuses: {}", known.join(", "))
    })
}

/// Type `row`.
#[derive(Serialize)]
pub(crate) struct RowObject<'a> {
    #[serde(flatten)]
    verdict: VerdictObject<'a>,
    /// The counts are null if the file cannot be read.
    version_count: Option<u32>,
    target_count: Option<u32>,
    unhashed_targets: Option<u32>,
    error_count: Option<u32>,
    warning_count: Option<u32>,
    size_bytes: Option<u32>,
    /// Null if the registry is not a git repository.
    dirty: Option<bool>,
    broken: Option<&'a str>,
}

impl<'a> RowObject<'a> {
    pub(crate) fn new(row: &'a Row, verdict: &'a Verdict) -> Self {
        let shape = &row.shape;
        let known = |count: u32| shape.broken.is_none().then_some(count);
        Self {
            verdict: VerdictObject::new(&row.address, verdict),
            version_count: known(shape.version_count),
            target_count: known(shape.target_count),
            unhashed_targets: known(shape.unhashed_targets),
            error_count: known(shape.error_count),
            warning_count: known(shape.warning_count),
            // The summary of a file that could not be opened has a size of 0, which stands for "not known".
            size_bytes: Some(shape.size_bytes).filter(|size| *size > 0 || shape.broken.is_none()),
            dirty: (row.dirty || !row.blob.is_empty()).then_some(row.dirty),
            broken: shape.broken.as_deref(),
        }
    }
}

fn long_help() -> String {
    let term = |(term, fits): (&str, String)| format!("  {term:<16} {fits}\n");
    let terms = terms().into_iter().map(term).collect::<Vec<_>>().concat();
    format!(
        "Examples:\n  bumpdesk list --filter 'ns:hashicorp behind:>1'\n  \
         bumpdesk list --status stranded --csv > stranded.csv\n  \
         bumpdesk list --view attention --sort oldest\n\n\
         Filter terms, with spaces between them (`bumpdesk help filters` says more):\n{terms}\n\
         Views are those of the console; `bumpdesk view list` names them."
    )
}

impl Run for ListArgs {
    async fn run(&self, runner: &mut Runner<'_>, _: Console) -> Result<Exit, Exit> {
        let view = view::named(runner, self.view.as_deref()).await?;
        let filter = self.filter(view.as_ref()).map_err(|failure| runner.fail(failure))?;
        let loaded = runner.load().await?;
        let now = runner.settings.clock.now();
        let chosen = chosen(runner, &loaded, &filter).await?;
        let rows: Vec<(&Row, &Verdict)> = self
            .in_order(&loaded, view.as_ref())
            .into_iter()
            .map(|at| at as usize)
            .filter(|at| chosen[*at])
            .map(|at| (&loaded.catalog.rows[at], &loaded.verdicts[at]))
            .collect();
        let output = &mut runner.output;
        if output.json {
            for (row, verdict) in &rows {
                output.object("row", &RowObject::new(row, verdict));
            }
            let summary = Summary { entries: rows.len() as u64, ..Summary::default() };
            let statuses = wire::statuses(rows.iter().map(|(_, verdict)| verdict.status));
            return Ok(runner.finish(Ok(Outcome::Done(summary)), false, &statuses));
        }
        let lines = if self.csv {
            text::csv(&rows)
        } else {
            text::rows(&output.ui, now, &rows, output.to_terminal, output.columns)
        };
        output.lines(&lines);
        output.flush();
        output.note(&total(&loaded, &rows));
        Ok(runner.done())
    }
}

impl ListArgs {
    fn filter(&self, view: Option<&View>) -> Result<Filter, Failure> {
        let of_view = view.map(|view| parse_filter(&view.filter)).transpose()?.unwrap_or_default();
        let filter = of_view
            .and(parse_filter(&self.filter)?)
            .and_status(self.status.iter().flat_map(|word| word.0.clone()).collect());
        Ok(match self.kind {
            Some(kind) => filter.and_kind(kind.into()),
            None => filter,
        })
    }

    /// All rows in the order that is asked for: as said, as the view has it, or as the console begins.
    fn in_order(&self, loaded: &Loaded, view: Option<&View>) -> Vec<u32> {
        let sort = self.sort.or(view.map(|view| view.sort)).unwrap_or_default();
        let group = self.group.or(view.map(|view| view.group)).unwrap_or_default();
        let (rows, verdicts) = (&loaded.catalog.rows, &loaded.verdicts);
        let mut order = sort.arrange(verdicts);
        gather(&mut order, &group.ranks(rows, verdicts));
        order
    }
}

/// `27,463 entries, 412 need attention, 90 can wait, 26,961 OK; main@f00f6d5`: the console's figures, of what is listed.
fn total(loaded: &Loaded, rows: &[(&Row, &Verdict)]) -> String {
    let of = match loaded.catalog.rows.len() {
        all if all == rows.len() => String::new(),
        all => format!(" of {}", grouped(all)),
    };
    let entries = if rows.len() == 1 && of.is_empty() { "entry" } else { "entries" };
    let figures = figures(&Tally::of(rows.iter().map(|(_, verdict)| *verdict)));
    let figures: Vec<String> = figures.into_iter().map(|(_, figure)| figure).collect();
    let Loaded { name, revision, .. } = loaded;
    format!("bumpdesk: {}{of} {entries}, {}; {name} {revision}", grouped(rows.len()), figures.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry::{Address, Shape};
    use crate::rules::{Because, Depth, Source};

    fn json(row: &Row, verdict: &Verdict) -> serde_json::Value {
        serde_json::to_value(RowObject::new(row, verdict)).unwrap()
    }

    #[test]
    fn json_has_null_for_what_is_unknown() {
        let because = Because { text: "not checked yet".into(), source: Source::Tags, at: None };
        let unasked = Verdict::new(Status::Unknown, because);
        let counted = Shape { version_count: 2, size_bytes: 70, ..Shape::default() };
        let row = Row::new(Address::provider("acme", "rocket"), counted);
        let of = |row: &Row, field: &str| json(row, &unasked)[field].clone();
        for field in ["missing", "depth", "upstream", "since", "checked_at", "dirty"] {
            assert!(of(&row, field).is_null(), "{field}");
        }
        assert_eq!((of(&row, "version_count"), of(&row, "target_count")), (2.into(), 0.into()));

        let broken = Shape { broken: Some("broken JSON at 1:2".into()), size_bytes: 9, ..Shape::default() };
        let broken = Row { blob: "abcd".into(), ..Row::new(row.address.clone(), broken) };
        for field in ["version_count", "target_count", "unhashed_targets", "error_count", "warning_count"] {
            assert!(of(&broken, field).is_null(), "{field}");
        }
        assert_eq!((of(&broken, "size_bytes"), of(&broken, "dirty")), (9.into(), false.into()));
        let closed = Shape { broken: Some("cannot be read".into()), ..Shape::default() };
        assert!(of(&Row::new(row.address.clone(), closed), "size_bytes").is_null());

        let checked = Verdict { missing: Some(0), depth: Some(Depth::Versions), ..unasked.clone() };
        let checked = json(&row, &checked);
        assert_eq!((&checked["missing"], &checked["depth"]), (&0.into(), &"versions".into()));
    }
}
