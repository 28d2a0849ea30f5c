//! The platforms of a changed version as a grid: an operating system is a row, an architecture is a column. A cell is a
//! conclusion from the two files alone, so it never claims more than they say.

use std::collections::{BTreeSet, HashSet};

use crate::registry::{Json, Target, version};
use crate::rules::diff::semantic::text_of;
use crate::rules::diff::targets::{Form, PlatformMark, TargetRow, pattern, usual_form};
use crate::rules::diff::{ChangeKind, VersionChange};

/// The fields of a version and of a target that the grid and its summary stand for.
const KNOWN: [&str; 6] =
    ["version", "protocols", "shasums_url", "shasums_signature_url", "targets", "discovered"];
const KNOWN_OF_TARGETS: [&str; 7] = ["os", "arch", "filename", "download_url", "shasum", "h1", "size"];
/// The most cells of a grid. No release comes near it; a file that does is read line by line.
const MOST_CELLS: usize = 1_000;

/// The place that the archives of a new version come from, compared with the indexed version below it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// Archives, checksums and signature have the same host and path pattern as those of the version below, and no
    /// field is unknown.
    AsBelow,
    Other,
    /// There is nothing to compare with.
    Unknown,
}

/// The platforms of one version: a mark for each pair of an operating system and an architecture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PlatformTable {
    pub(crate) systems: Vec<String>,
    pub(crate) architectures: Vec<String>,
    /// Row by row.
    cells: Vec<Option<PlatformMark>>,
}

/// The platforms of a changed version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PlatformGrid {
    pub(crate) table: PlatformTable,
    pub(crate) origin: Origin,
    /// `github.com/acme/terraform-provider-rocket`; the host with its scheme where that is not https.
    pub(crate) source: String,
}

/// The targets before and after, and how each differs.
pub(super) struct Targets<'a> {
    pub(super) old: &'a [Json],
    pub(super) new: &'a [Json],
    pub(super) rows: &'a [TargetRow],
}

impl PlatformGrid {
    /// `below` is the indexed version that a new one is compared with. `None` without platforms, or with too many.
    pub(super) fn new(
        change: &VersionChange,
        version: Option<&Json>,
        targets: &Targets<'_>,
        below: Option<&Json>,
    ) -> Option<Self> {
        let Targets { old, new, rows } = *targets;
        let is_new = change.kind == ChangeKind::Added;
        let below_targets = below.and_then(|json| json.field("targets")).map(Json::items);
        let before: Option<HashSet<(&str, &str)>> = if is_new { below_targets } else { Some(old) }
            .map(|targets| targets.iter().map(platform).collect());
        let mut marks: Vec<((&str, &str), PlatformMark)> = Vec::with_capacity(rows.len());
        for row in rows {
            let (json, mark) = match (row.place.before(), row.place.after()) {
                (_, Some(at)) => (&new[at], row.mark),
                (Some(at), None) => (&old[at], PlatformMark::Lost),
                (None, None) => continue,
            };
            let is_absent = || before.as_ref().is_some_and(|before| !before.contains(&platform(json)));
            let mark = match mark {
                PlatformMark::Hashed | PlatformMark::Listed if is_absent() => PlatformMark::Added,
                mark => mark,
            };
            marks.push((platform(json), mark));
        }
        if is_new {
            let here: HashSet<(&str, &str)> = marks.iter().map(|(platform, _)| *platform).collect();
            let lost = below_targets.unwrap_or_default().iter().map(platform);
            marks.extend(lost.filter(|one| !here.contains(one)).map(|one| (one, PlatformMark::Lost)));
        }
        let table = PlatformTable::of_marks(&marks)?;
        let own = usual_form(if new.is_empty() { old } else { new }, &change.version);
        let is_as = |below: &Json| {
            let stored = below.version_name();
            let form = usual_form(below_targets.unwrap_or_default(), stored);
            let url = |json: &Json, key, version| pattern(text_of(json, key), version, "");
            let same_url =
                |key| version.is_some_and(|json| url(json, key, &change.version) == url(below, key, stored));
            let is_known = |json: &Json, known: &[&str]| {
                json.fields().iter().all(|(key, _)| known.contains(&key.as_ref()))
            };
            version.is_some_and(|json| is_known(json, &KNOWN))
                && new.iter().all(|json| is_known(json, &KNOWN_OF_TARGETS))
                && own.as_ref().zip(form).is_some_and(|(own, form)| own.is_from_where(&form))
                && same_url("shasums_url")
                && same_url("shasums_signature_url")
        };
        let origin = match below.filter(|_| is_new) {
            None => Origin::Unknown,
            Some(below) if is_as(below) => Origin::AsBelow,
            Some(_) => Origin::Other,
        };
        Some(Self { table, origin, source: own.as_ref().map(Form::source).unwrap_or_default() })
    }
}

fn stored_platform(target: &Target) -> (&str, &str) {
    (&target.os, &target.arch)
}

impl PlatformTable {
    /// The platforms of a version as its file lists them, with h1 and size or without, and as lost those that only the version before
    /// it has. `None` without platforms, or with too many.
    pub(crate) fn of_stored(targets: &[Target], before: &[Target]) -> Option<Self> {
        let mark = |target: &Target| {
            if target.is_hashed() { PlatformMark::Hashed } else { PlatformMark::Listed }
        };
        let here: HashSet<_> = targets.iter().map(stored_platform).collect();
        let lost = before.iter().map(stored_platform).filter(|one| !here.contains(one));
        let marks: Vec<_> = targets
            .iter()
            .map(|target| (stored_platform(target), mark(target)))
            .chain(lost.map(|platform| (platform, PlatformMark::Lost)))
            .collect();
        Self::of_marks(&marks)
    }

    /// The architectures that have this mark, by their system.
    pub(crate) fn marked(&self, mark: PlatformMark) -> Vec<(&str, Vec<&str>)> {
        let all = self.systems.iter().enumerate().map(|(at, system)| {
            let names = self.architectures.iter().enumerate();
            let names = names.filter(|(one, _)| self.mark(at, *one) == Some(mark));
            (&**system, names.map(|(_, name)| &**name).collect::<Vec<&str>>())
        });
        all.filter(|(_, names)| !names.is_empty()).collect()
    }

    /// These platforms (`os_arch`), all with one mark; `None` if a name has no architecture.
    pub(crate) fn alike(platforms: &[&str], mark: PlatformMark) -> Option<Self> {
        let marks: Option<Vec<_>> =
            platforms.iter().map(|platform| Some((platform.split_once('_')?, mark))).collect();
        Self::of_marks(&marks?)
    }

    /// Platforms with these marks; one that is listed twice shows the worse of its two. `None` without platforms, or with too many.
    pub(crate) fn of_marks(marks: &[((&str, &str), PlatformMark)]) -> Option<Self> {
        let systems: BTreeSet<&str> = marks.iter().map(|((system, _), _)| *system).collect();
        let architectures: BTreeSet<&str> = marks.iter().map(|((_, one), _)| *one).collect();
        let count = systems.len() * architectures.len();
        if count == 0 || count > MOST_CELLS {
            return None;
        }
        let mut cells = vec![None; count];
        for &((system, architecture), mark) in marks {
            let row = systems.range(..system).count();
            let column = architectures.range(..architecture).count();
            let cell = &mut cells[row * architectures.len() + column];
            *cell = (*cell).max(Some(mark));
        }
        let owned = |names: BTreeSet<&str>| names.into_iter().map(ToOwned::to_owned).collect();
        Some(Self { systems: owned(systems), architectures: owned(architectures), cells })
    }

    /// The mark of a cell, by the places of its system and its architecture; `None` where there is no such platform.
    pub(crate) fn mark(&self, system: usize, architecture: usize) -> Option<PlatformMark> {
        self.cells.get(system * self.architectures.len() + architecture).copied().flatten()
    }

    /// The marks that the table has, each once.
    pub(crate) fn marks(&self) -> BTreeSet<PlatformMark> {
        self.cells.iter().flatten().copied().collect()
    }
}

/// The highest version of a list below the given one.
pub(super) fn below<'a>(versions: &'a [Json], name: &str) -> Option<&'a Json> {
    let below = versions.iter().filter(|one| version::compare(one.version_name(), name).is_lt());
    below.max_by(|a, b| version::compare(a.version_name(), b.version_name()))
}

fn platform(json: &Json) -> (&str, &str) {
    (text_of(json, "os"), text_of(json, "arch"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry::{Document, Kind};
    use crate::rules::diff::{BlockKind, Lines, compare};

    /// A version with these platforms: `linux_arm` with a host or a checksum of its own as `linux_arm@host#sum`, and with
    /// an h1 as `linux_arm+`.
    fn version(name: &str, platforms: &[&str]) -> String {
        let target = |text: &&str| {
            let (text, sum) = text.split_once('#').unwrap_or((text, "aa"));
            let (text, host) = text.split_once('@').unwrap_or((text, "github.com"));
            let (platform, h1) = text.strip_suffix('+').map_or((text, ""), |platform| (platform, "h1:x"));
            let (os, arch) = platform.split_once('_').unwrap_or((platform, ""));
            let file = format!("p_{name}_{platform}.zip");
            format!(
                r#"{{"os":"{os}","arch":"{arch}","filename":"{file}","download_url":"https://{host}/o/p/v{name}/{file}","shasum":"{sum}","h1":"{h1}"}}"#
            )
        };
        let targets: Vec<String> = platforms.iter().map(target).collect();
        format!(
            r#"{{"version":"{name}","shasums_url":"https://github.com/o/p/v{name}/SUMS","shasums_signature_url":"https://github.com/o/p/v{name}/SUMS.sig","targets":[{}]}}"#,
            targets.join(",")
        )
    }

    fn grid_of(old: &[String], new: &[String]) -> Option<PlatformGrid> {
        let document = |versions: &[String]| {
            let text = format!(r#"{{"versions":[{}]}}"#, versions.join(","));
            Document::from_root(Document::parse(text.as_bytes()).unwrap().root().clone())
        };
        let (old, new) = (document(old), document(new));
        let lines = Lines::build(Kind::Provider, &old, &new, &compare(Kind::Provider, &old, &new));
        let mut versions = lines.blocks.into_iter().filter(|block| block.kind == BlockKind::Version);
        let first = versions.next().expect("a changed version");
        assert!(versions.all(|block| block.grid.is_some() == first.grid.is_some()));
        first.grid.map(|grid| *grid)
    }

    fn drawn(old: &[String], new: &[String]) -> Vec<String> {
        let grid = grid_of(old, new).expect("a grid");
        let cell = |mark: Option<PlatformMark>| match mark {
            None => ' ',
            Some(PlatformMark::Hashed) => 'v',
            Some(PlatformMark::Listed) => '.',
            Some(PlatformMark::Same) => '=',
            Some(PlatformMark::Filled) => 'h',
            Some(PlatformMark::Added) => '+',
            Some(PlatformMark::Lost) => '-',
            Some(PlatformMark::Changed) => 'X',
            Some(PlatformMark::Odd) => '!',
        };
        let row = |(system, name): (usize, &String)| {
            let cells: String =
                (0..grid.table.architectures.len()).map(|one| cell(grid.table.mark(system, one))).collect();
            format!("{name} {cells}")
        };
        let heads = format!("{} {:?}", grid.table.architectures.join(" "), grid.origin);
        [heads].into_iter().chain(grid.table.systems.iter().enumerate().map(row)).collect()
    }

    #[test]
    fn each_cell_says_what_becomes_of_its_platform() {
        type Case<'a> = (&'a str, &'a [String], Vec<String>, &'a [&'a str]);
        let usual = version("1.0.0", &["darwin_arm64", "linux_amd64", "linux_arm"]);
        let stored = [usual.clone()];
        let with = |name: &str, platforms: &[&str]| vec![version(name, platforms), usual.clone()];
        let cases: [Case<'_>; 12] = [
            (
                "added, some hashed",
                &stored,
                with("1.1.0", &["darwin_arm64+", "linux_amd64+", "linux_arm"]),
                &["amd64 arm arm64 AsBelow", "darwin   v", "linux v. "],
            ),
            (
                "added, with a new platform and one that is lost",
                &stored,
                with("1.1.0", &["darwin_arm64", "linux_amd64", "windows_386+"]),
                &["386 amd64 arm arm64 AsBelow", "darwin    .", "linux  .- ", "windows +   "],
            ),
            (
                "the first version",
                &[],
                vec![version("1.0.0", &["linux_amd64"])],
                &["amd64 Unknown", "linux ."],
            ),
            (
                "no version below",
                &stored,
                vec![usual.clone(), version("0.9.0", &["linux_amd64"])],
                &["amd64 Unknown", "linux ."],
            ),
            (
                "one host of its own",
                &stored,
                with("1.1.0", &["darwin_arm64", "linux_amd64@evil.example", "linux_arm"]),
                &["amd64 arm arm64 AsBelow", "darwin   .", "linux !. "],
            ),
            (
                "all from another host",
                &stored,
                with("1.1.0", &["darwin_arm64@a.b", "linux_amd64@a.b", "linux_arm@a.b"]),
                &["amd64 arm arm64 Other", "darwin   .", "linux .. "],
            ),
            (
                "changed",
                &stored,
                vec![version("1.0.0", &["darwin_arm64", "linux_amd64#bb", "linux_arm+"])],
                &["amd64 arm arm64 Unknown", "darwin   =", "linux Xh "],
            ),
            (
                "a target goes, another comes",
                &stored,
                vec![version("1.0.0", &["darwin_arm64", "linux_amd64", "windows_arm"])],
                &["amd64 arm arm64 Unknown", "darwin   =", "linux =- ", "windows  + "],
            ),
            ("removed", &stored, Vec::new(), &["amd64 arm arm64 Unknown", "darwin   -", "linux -- "]),
            (
                "an odd architecture",
                &stored,
                with("1.1.0", &["linux_arm_6", "linux_amd64", "darwin_arm64", "linux_arm"]),
                &["amd64 arm arm64 arm_6 AsBelow", "darwin   . ", "linux .. +"],
            ),
            (
                "one platform twice",
                &stored,
                with("1.1.0", &["darwin_arm64", "linux_amd64", "linux_arm", "linux_arm#bb"]),
                &["amd64 arm arm64 AsBelow", "darwin   .", "linux .! "],
            ),
            (
                "no architecture",
                &stored,
                with("1.1.0", &["linux"]),
                &[" amd64 arm arm64 Other", "darwin    -", "linux +-- "],
            ),
        ];
        for (name, old, new, wanted) in cases {
            assert_eq!(drawn(old, &new), wanted, "{name}");
        }
    }

    #[test]
    fn only_a_list_of_a_size_to_look_at_has_a_grid() {
        let many: Vec<String> = (0..40).map(|at| format!("os{}_arch{}", at % 8, at / 8)).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        let grid = grid_of(&[], &[version("1.0.0", &many)]).unwrap();
        assert_eq!((grid.table.systems.len(), grid.table.architectures.len()), (8, 5));
        assert_eq!(grid.table.marks().into_iter().collect::<Vec<_>>(), [PlatformMark::Listed]);
        let hostile: Vec<String> = (0..40).map(|at| format!("os{at}_arch{at}")).collect();
        let hostile: Vec<&str> = hostile.iter().map(String::as_str).collect();
        assert_eq!(grid_of(&[], &[version("1.0.0", &hostile)]), None);
        assert_eq!(grid_of(&[], &[version("1.0.0", &[])]), None);
    }

    #[test]
    fn the_platforms_of_a_file_are_marked_by_what_it_stores_of_each() {
        let target = |platform: &str, h1: &str, size: u64| {
            let (os, arch) = platform.split_once('_').unwrap();
            Target {
                os: os.into(),
                arch: arch.into(),
                h1: Some(h1.into()),
                size: Some(size),
                ..Target::default()
            }
        };
        let stored =
            [target("linux_arm", "h1:x", 7), target("linux_amd64", "h1:x", 0), target("darwin_arm", "", 7)];
        let table = PlatformTable::of_stored(&stored, &[]).unwrap();
        assert_eq!(
            (table.systems.join(" "), table.architectures.join(" ")),
            ("darwin linux".into(), "amd64 arm".into())
        );
        let marks: Vec<_> =
            [(0, 0), (0, 1), (1, 0), (1, 1)].map(|(system, one)| table.mark(system, one)).into();
        let (listed, hashed) = (Some(PlatformMark::Listed), Some(PlatformMark::Hashed));
        assert_eq!(marks, [None, listed, listed, hashed]);
        assert_eq!(PlatformTable::of_stored(&[], &[]), None);
        let before =
            [target("linux_arm", "", 0), target("linux_386", "h1:x", 7), target("windows_arm", "", 0)];
        let table = PlatformTable::of_stored(&stored, &before).unwrap();
        let lost = table.marked(PlatformMark::Lost);
        assert_eq!(lost, [("linux", vec!["386"]), ("windows", vec!["arm"])], "what is here is not lost");
        assert_eq!(table.marked(PlatformMark::Hashed), [("linux", vec!["arm"])]);
    }

    #[test]
    fn the_source_is_the_repository() {
        for (host, source) in [("github.com", "github.com/o/p"), ("a.b", "a.b/o/p")] {
            let new = [version("1.0.0", &[&format!("linux_arm@{host}")])];
            assert_eq!(grid_of(&[], &new).unwrap().source, source);
        }
        let http = [version("1.0.0", &["linux_arm"])
            .replace("https://github.com/o/p/v1.0.0/p", "http://github.com/p")];
        assert_eq!(grid_of(&[], &http).unwrap().source, "http://github.com");
        // Checksums from elsewhere count as much as archives, and a field that the summary does not have as well.
        let below = version("1.0.0", &["linux_arm"]);
        for at in [r#""version""#, r#""os""#] {
            let new = version("1.1.0", &["linux_arm"]).replacen(at, &format!(r#""note":1,{at}"#), 1);
            assert_eq!(
                grid_of(std::slice::from_ref(&below), &[new, below.clone()]).unwrap().origin,
                Origin::Other,
                "{at}"
            );
        }
        for key in ["shasums_url", "shasums_signature_url"] {
            let from = format!(r#""{key}":"https://github.com/o/"#);
            let new = version("1.1.0", &["linux_arm"]).replace(&from, &from.replace("/o/", "/evil/"));
            let grid = grid_of(std::slice::from_ref(&below), &[new, below.clone()]).unwrap();
            assert_eq!(grid.origin, Origin::Other, "{key}");
        }
    }
}
