//! The form of a new backfill, field by field, and the latest estimate of its cost.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use crate::desk::telling::Label;
use crate::jobs::data::{BackfillLimits, BackfillOutput, Bundle, Estimated, Failure, JobId, MOST_WORKERS};
use crate::rules::amount::{exact_bytes, exact_length, parse_bytes, parse_length};
use crate::rules::backfill::Selection;
use crate::rules::lock;

/// The options of a backfill: its versions, its limits and its output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FillHow {
    /// A version or bounds; `None` selects all versions of each entry.
    pub(crate) versions: Option<String>,
    pub(crate) limits: BackfillLimits,
    pub(crate) output: BackfillOutput,
}

impl Default for FillHow {
    fn default() -> Self {
        Self { versions: None, limits: BackfillLimits::default(), output: BackfillOutput::Plan }
    }
}

/// A requested estimate and its result.
#[derive(Debug)]
pub(crate) struct Estimating {
    pub(crate) job: JobId,
    pub(crate) selection: Selection,
    pub(crate) found: Option<Arc<Estimated>>,
    /// The reason why the estimate failed.
    pub(crate) failure: Option<Failure>,
}

/// The fields of the form, in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Slot {
    What,
    Versions,
    Size,
    Time,
    Workers,
    Output,
    Folder,
    Bundle,
}

/// The chosen output of the results.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Making {
    #[default]
    Plan,
    Patches,
    Nothing,
}

impl Making {
    pub(crate) const ALL: [Self; 3] = [Self::Plan, Self::Patches, Self::Nothing];

    pub(crate) fn words(self) -> &'static str {
        match self {
            Self::Plan => "into the plan, for review",
            Self::Patches => "patches in a folder",
            Self::Nothing => "nothing: a dry run, kept for the next one",
        }
    }
}

impl Slot {
    const ALL: [Self; 8] = [
        Self::What,
        Self::Versions,
        Self::Size,
        Self::Time,
        Self::Workers,
        Self::Output,
        Self::Folder,
        Self::Bundle,
    ];

    /// The fields that apply to an output.
    pub(crate) fn all(making: Making) -> &'static [Self] {
        if making == Making::Patches { &Self::ALL } else { &Self::ALL[..6] }
    }

    /// Returns true if the field is a choice, not a text.
    pub(crate) fn is_choice(self) -> bool {
        matches!(self, Self::What | Self::Output)
    }

    pub(crate) const fn label(self) -> Label {
        match self {
            Self::What => Label::of("what"),
            Self::Versions => Label::of("versions"),
            Self::Size => Label::of("at most"),
            Self::Time => Label::of("for"),
            Self::Workers => Label::of("workers"),
            Self::Output => Label::of("output"),
            Self::Folder => Label::of("folder"),
            Self::Bundle => Label::of("bundle"),
        }
    }

    /// Describes the values that the field accepts.
    pub(crate) fn help(self) -> &'static str {
        match self {
            Self::What => "which entries; Space goes to the next choice",
            Self::Versions => "all, one version, or bounds such as >= 1.2.0, < 2.0.0",
            Self::Size => {
                "it stops after so many bytes of downloads: 200GB, 500MB; the same run continues later"
            }
            Self::Time => "it stops after so long: 4h, 90m; the same run continues later",
            Self::Workers => "downloads at once; fewer after a host asked to slow down",
            Self::Output => "what is made of what is found; Space goes to the next choice",
            Self::Folder => "a folder for the patches, which git am takes; no file there is replaced",
            Self::Bundle => "what goes into one patch: provider, letter, or a number of files",
        }
    }

    /// The initial text of the field; empty for a choice.
    pub(crate) fn usual(self) -> String {
        let limits = BackfillLimits::default();
        match self {
            Self::What | Self::Output => String::new(),
            Self::Versions => ALL_VERSIONS.to_owned(),
            Self::Size => exact_bytes(limits.bytes),
            Self::Time => exact_length(limits.time),
            Self::Workers => limits.workers.to_string(),
            Self::Folder => "./backfill".to_owned(),
            Self::Bundle => "provider".to_owned(),
        }
    }
}

/// The word that selects all versions.
const ALL_VERSIONS: &str = "all";

/// Reads the texts of the fields.
///
/// # Errors
/// The field that cannot be read, and the values that it accepts.
pub(crate) fn read(making: Making, text: impl Fn(Slot) -> String) -> Result<FillHow, (Slot, String)> {
    let text = |slot: Slot| text(slot).trim().to_owned();
    let at = |slot: Slot| move |why: String| (slot, why);
    let versions = match text(Slot::Versions) {
        all if all.is_empty() || all == ALL_VERSIONS => None,
        range if range.contains(['<', '>', '=', '~', '!', ',']) => {
            Some(lock::constraints(&range).map_err(at(Slot::Versions))?)
        }
        one => Some(one),
    };
    let bytes = size(&text(Slot::Size)).map_err(at(Slot::Size))?;
    let time = length(&text(Slot::Time)).map_err(at(Slot::Time))?;
    let workers = workers(&text(Slot::Workers)).map_err(at(Slot::Workers))?;
    let output = match making {
        Making::Plan => BackfillOutput::Plan,
        Making::Nothing => BackfillOutput::Nothing,
        Making::Patches => {
            let folder = text(Slot::Folder);
            if folder.is_empty() {
                return Err((Slot::Folder, "write the name of a folder".to_owned()));
            }
            let bundle = bundle(&text(Slot::Bundle)).map_err(at(Slot::Bundle))?;
            BackfillOutput::Patches { folder: PathBuf::from(folder), bundle }
        }
    };
    let limits = BackfillLimits { bytes, time, workers, ..BackfillLimits::default() };
    Ok(FillHow { versions, limits, output })
}

/// Parses a number of bytes; the error names the accepted forms.
pub(crate) fn size(text: &str) -> Result<u64, String> {
    parse_bytes(text).ok_or_else(|| "write 256MiB, 1GiB, 500MB or a number of bytes".into())
}

/// Parses a length of time; the error names the accepted forms.
pub(crate) fn length(text: &str) -> Result<Duration, String> {
    parse_length(text).ok_or_else(|| "write 0, 90s, 15m, 2h or 1d".into())
}

/// Parses the number of simultaneous downloads.
pub(crate) fn workers(text: &str) -> Result<usize, String> {
    let workers = text.parse().ok().filter(|workers| (1..=MOST_WORKERS).contains(workers));
    workers.ok_or_else(|| format!("write a number from 1 to {MOST_WORKERS}"))
}

/// Parses the size of one patch.
pub(crate) fn bundle(text: &str) -> Result<Bundle, String> {
    match text {
        "provider" => Ok(Bundle::Provider),
        "letter" => Ok(Bundle::Letter),
        number => match number.parse() {
            Ok(files) if files > 0 => Ok(Bundle::Files(files)),
            _ => Err("write provider, letter, or a number of files".into()),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(slot: Slot, text: &str) -> impl Fn(Slot) -> String + '_ {
        move |one| if one == slot { text.to_owned() } else { one.usual() }
    }

    #[test]
    fn what_stands_there_at_first_is_what_counts_without_a_form() {
        assert_eq!(read(Making::Plan, Slot::usual), Ok(FillHow::default()));
        let patches = BackfillOutput::Patches { folder: "./backfill".into(), bundle: Bundle::Provider };
        assert_eq!(read(Making::Patches, Slot::usual).map(|how| how.output), Ok(patches));
        assert_eq!(Slot::all(Making::Plan).len() + 2, Slot::all(Making::Patches).len());
    }

    #[test]
    fn what_cannot_be_read_is_named_by_its_field() {
        for (slot, text) in [
            (Slot::Versions, ">= x"),
            (Slot::Size, "much"),
            (Slot::Size, "0"),
            (Slot::Time, "long"),
            (Slot::Workers, "0"),
            (Slot::Workers, "17"),
            (Slot::Folder, " "),
            (Slot::Bundle, "0"),
        ] {
            let read = read(Making::Patches, with(slot, text));
            assert!(matches!(read, Err((at, _)) if at == slot), "{text}: {read:?}");
        }
        let read = read(Making::Nothing, with(Slot::Folder, "")).expect("nobody asks for the folder");
        assert_eq!(read.output, BackfillOutput::Nothing);
    }

    #[test]
    fn versions_are_bounds_or_one() {
        for (text, versions) in
            [("", None), ("all", None), (" 1.2.0 ", Some("1.2.0")), (">= 1.2.0", Some(">= 1.2.0"))]
        {
            let read = read(Making::Plan, with(Slot::Versions, text)).expect("it can be read");
            assert_eq!(read.versions.as_deref(), versions);
        }
    }
}
