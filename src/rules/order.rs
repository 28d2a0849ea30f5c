//! In which order entries stand in a list, and which of them stand together. All faces sort and group by it.

use serde::{Deserialize, Serialize};

use crate::registry::{Kind, Row};
use crate::rules::Verdict;
use crate::settings::words;

words! {
    /// The orders.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub(crate) enum Sort: [ALL, name, from_name] {
        /// The gravest level first, within it by status, newest first within a status.
        #[default]
        Status = "status",
        Newest = "newest",
        Oldest = "oldest",
        Address = "address",
        /// Most missing versions first.
        Behind = "behind",
        /// What is fine first, oldest first within a status.
        StatusReversed = "status-reversed",
        AddressReversed = "address-reversed",
        /// Fewest missing versions first.
        BehindReversed = "behind-reversed",
    }
}

impl Sort {
    /// What people read.
    pub(crate) fn label(self) -> &'static str {
        match self {
            Self::Status => "level, age",
            Self::Newest => "newest first",
            Self::Oldest => "oldest first",
            Self::Address => "address",
            Self::Behind => "most behind",
            Self::StatusReversed => "level reversed",
            Self::AddressReversed => "address reversed",
            Self::BehindReversed => "least behind",
        }
    }

    /// The same from the other end. What nobody dates stands last in both directions.
    pub(crate) fn reversed(self) -> Self {
        match self {
            Self::Status => Self::StatusReversed,
            Self::StatusReversed => Self::Status,
            Self::Newest => Self::Oldest,
            Self::Oldest => Self::Newest,
            Self::Address => Self::AddressReversed,
            Self::AddressReversed => Self::Address,
            Self::Behind => Self::BehindReversed,
            Self::BehindReversed => Self::Behind,
        }
    }

    /// Row numbers in this order. Rows stand by address already, so equal ones stay so. Small keys are sorted, not
    /// verdicts: this runs every two seconds while a survey runs.
    pub(crate) fn arrange(self, verdicts: &[Verdict]) -> Vec<u32> {
        let mut keys: Vec<(u32, i64, u32)> = verdicts
            .iter()
            .zip(0..)
            .map(|(verdict, at)| {
                let since = verdict.since.map(jiff::Timestamp::as_second);
                // What nobody dates stands last in both directions.
                let newest = since.map_or(i64::MAX, |second| -second);
                let oldest = since.unwrap_or(i64::MAX);
                match self {
                    Self::Status => (severity(verdict), newest, at),
                    Self::Newest => (0, newest, at),
                    Self::Oldest => (0, oldest, at),
                    Self::Address => (0, 0, at),
                    Self::Behind => (u32::MAX - verdict.missing.unwrap_or(0), newest, at),
                    Self::StatusReversed => (u32::MAX - severity(verdict), oldest, at),
                    Self::AddressReversed => (0, 0, u32::MAX - at),
                    Self::BehindReversed => (verdict.missing.unwrap_or(u32::MAX), oldest, at),
                }
            })
            .collect();
        keys.sort_unstable();
        let place = |at: u32| if self == Self::AddressReversed { u32::MAX - at } else { at };
        keys.into_iter().map(|(_, _, at)| place(at)).collect()
    }
}

words! {
    /// What rows are gathered by.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub(crate) enum Group: [ALL, name, from_name] {
        #[default]
        None = "none",
        Status = "status",
        Namespace = "namespace",
        Kind = "kind",
    }
}

impl Group {
    /// The group of every row, as a number that sorts; empty if nothing is grouped.
    pub(crate) fn ranks(self, rows: &[Row], verdicts: &[Verdict]) -> Vec<u32> {
        match self {
            Self::None => Vec::new(),
            Self::Status => verdicts.iter().map(severity).collect(),
            Self::Kind => rows.iter().map(|row| u32::from(row.kind() == Kind::Module)).collect(),
            Self::Namespace => namespaces(rows),
        }
    }

    /// What the group of a row is called.
    pub(crate) fn title(self, row: &Row, verdict: &Verdict) -> String {
        match self {
            Self::None => String::new(),
            Self::Status if verdict.is_unasked() => "not checked yet".into(),
            Self::Status => verdict.status.word().into(),
            Self::Namespace => row.address.namespace().into(),
            Self::Kind => format!("{}s", row.kind().word()),
        }
    }
}

/// Gathers rows that are in order already: groups by their rank, and within one as before.
pub(crate) fn gather(order: &mut [u32], ranks: &[u32]) {
    if !ranks.is_empty() {
        order.sort_by_key(|at| ranks[*at as usize]);
    }
}

fn namespaces(rows: &[Row]) -> Vec<u32> {
    let mut order: Vec<usize> = (0..rows.len()).collect();
    // Two runs that are sorted already, of providers and of modules: the sort finds them.
    order.sort_by(|a, b| rows[*a].address.namespace().cmp(rows[*b].address.namespace()));
    let mut ranks = vec![0; rows.len()];
    let mut rank = 0;
    for pair in 0..order.len() {
        if pair > 0 && rows[order[pair]].address.namespace() != rows[order[pair - 1]].address.namespace() {
            rank += 1;
        }
        ranks[order[pair]] = rank;
    }
    ranks
}

/// What needs attention first; what was never asked stands below everything that is known.
fn severity(verdict: &Verdict) -> u32 {
    if verdict.is_unasked() { u32::MAX } else { verdict.status.rank() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry::{Address, Shape};
    use crate::rules::{Because, Source, Status};

    fn world() -> (Vec<Row>, Vec<Verdict>) {
        let list = [
            ("b/one", Status::Current, 0, Some(50)),
            ("hashicorp/aws", Status::Unknown, 0, None),
            ("zeta/x", Status::Behind, 2, Some(10)),
            ("b/m/aws", Status::Behind, 5, Some(90)),
            ("hashicorp/m/aws", Status::Drifted, 0, Some(20)),
        ];
        let row = |address: &str| Row::new(Address::parse(address).unwrap(), Shape::default());
        let verdict = |status, missing, since: Option<i64>| {
            let since = since.map(|at| jiff::Timestamp::from_second(at).unwrap());
            let because = Because { text: String::new(), source: Source::Tags, at: None };
            let missing = Some(missing).filter(|_| !Status::is_unknown(status));
            Verdict { missing, since, checked_at: since, ..Verdict::new(status, because) }
        };
        list.into_iter()
            .map(|(address, status, missing, since)| (row(address), verdict(status, missing, since)))
            .unzip()
    }

    #[test]
    fn orders() {
        let (_, verdicts) = world();
        for (sort, wanted) in [
            (Sort::Status, [4, 3, 2, 0, 1]),
            (Sort::Newest, [3, 0, 4, 2, 1]),
            (Sort::Oldest, [2, 4, 0, 3, 1]),
            (Sort::Address, [0, 1, 2, 3, 4]),
            (Sort::Behind, [3, 2, 0, 4, 1]),
            (Sort::StatusReversed, [1, 0, 2, 3, 4]),
            (Sort::AddressReversed, [4, 3, 2, 1, 0]),
            (Sort::BehindReversed, [4, 0, 2, 3, 1]),
        ] {
            assert_eq!(sort.arrange(&verdicts), wanted, "{sort:?}");
            assert_eq!((sort.reversed() == sort, sort.reversed().reversed()), (false, sort));
            assert_eq!(Sort::from_name(sort.name()), Some(sort));
        }
    }

    /// A survey that failed must not hide what is known to be wrong; what can wait stands below both.
    #[test]
    fn what_is_known_to_be_wrong_stands_above_what_could_not_be_checked() {
        let at = jiff::Timestamp::from_second(9).unwrap();
        let verdict = |status| {
            let because = Because { text: String::new(), source: Source::Tags, at: Some(at) };
            Verdict::new(status, because)
        };
        let statuses = [Status::Behind, Status::Unknown, Status::Unsigned, Status::RepoGone, Status::Current];
        let verdicts = statuses.map(verdict);
        assert_eq!(Sort::Status.arrange(&verdicts), [3, 2, 1, 0, 4]);
        let wanting = verdicts.each_ref().map(Verdict::needs_attention);
        assert_eq!(wanting, [false, true, true, true, false], "attention is above the rest");
        let words: Vec<Status> = Status::words().filter(|status| statuses.contains(status)).collect();
        assert_eq!(words, [Status::RepoGone, Status::Unknown, Status::Behind, Status::Current]);
    }

    #[test]
    fn groups_keep_the_order_within() {
        let (rows, verdicts) = world();
        for (group, wanted, titles) in [
            (Group::None, [3, 2, 0, 4, 1], ["", "", "", "", ""]),
            (Group::Status, [4, 3, 2, 0, 1], ["DRIFT", "BEHIND", "BEHIND", "OK", "not checked yet"]),
            (Group::Namespace, [3, 0, 4, 1, 2], ["b", "b", "hashicorp", "hashicorp", "zeta"]),
            (Group::Kind, [2, 0, 1, 3, 4], ["providers", "providers", "providers", "modules", "modules"]),
        ] {
            let mut order = Sort::Behind.arrange(&verdicts);
            gather(&mut order, &group.ranks(&rows, &verdicts));
            assert_eq!(order, wanted, "{group:?}");
            let names: Vec<String> =
                order.iter().map(|at| group.title(&rows[*at as usize], &verdicts[*at as usize])).collect();
            assert_eq!(names, titles);
            assert_eq!(Group::from_name(group.name()), Some(group));
        }
    }

    #[test]
    fn attention_is_not_for_what_nobody_asked() {
        let (_, verdicts) = world();
        let wanting: Vec<bool> = verdicts.iter().map(Verdict::needs_attention).collect();
        assert_eq!(wanting, [false, false, false, false, true]);
    }
}
