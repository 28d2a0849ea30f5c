//! Checksums of what people decided: plans, what was said about their changes, decisions, views. A database knows whether it
//! is in order, not whether a disk turned one bit of a text; what does not fit its checksum counts as never said.
//!
//! Each row has the checksum of its texts and of the world it belongs to. They are all looked at when the database is opened,
//! and again where they are read.

use rusqlite::types::{ToSqlOutput, Value, ValueRef};
use rusqlite::{Connection, params_from_iter};

use crate::rules::amount;

/// A table whose first column is the world and whose last one is the checksum.
#[derive(Debug)]
pub(super) struct Table {
    pub(super) name: &'static str,
    /// What its rows are called: one, many.
    pub(super) words: (&'static str, &'static str),
    columns: &'static [&'static str],
    /// The column that tells people which row it is.
    known_by: usize,
    /// What becomes of rows that do not fit, and what to do about it.
    remedy: &'static str,
}

pub(super) const DECISIONS: Table = Table {
    name: "decisions",
    words: ("decision", "decisions"),
    columns: &["address", "version", "body"],
    known_by: 0,
    remedy: "decide again",
};
pub(super) const PLAN_FILES: Table = Table {
    name: "plan_files",
    words: ("planned file", "planned files"),
    columns: &["registry", "address", "body", "base", "proposed"],
    known_by: 1,
    remedy: "add it to the plan again with `bumpdesk plan add`, and look at its changes again",
};
pub(super) const PLAN_MARKS: Table = Table {
    name: "plan_marks",
    words: ("mark of the plan", "marks of the plan"),
    columns: &["registry", "address", "piece", "body"],
    known_by: 1,
    remedy: "look at the changes again with `bumpdesk plan show`, and answer them again",
};
pub(super) const SESSION: Table = Table {
    name: "session",
    words: ("setting of the console", "settings of the console"),
    columns: &["key", "value"],
    known_by: 0,
    remedy: "look through the views and save what is missing again",
};
pub(super) const REGISTRY_SESSION: Table = Table {
    name: "registry_session",
    words: ("setting of a registry", "settings of registries"),
    columns: &["registry", "key", "value"],
    known_by: 1,
    remedy: "mark and sort the list again",
};
pub(super) const SENDINGS: Table = Table {
    name: "sendings",
    words: ("sending", "sendings"),
    columns: &["digest", "body"],
    known_by: 0,
    remedy: "look on GitHub at what it made before the plan is sent again",
};
pub(super) const TABLES: [Table; 6] =
    [DECISIONS, PLAN_FILES, PLAN_MARKS, SENDINGS, SESSION, REGISTRY_SESSION];

/// Names of what is lost that are told.
const MOST_NAMED: usize = 5;

/// What a table has, each row by itself.
struct Rows {
    /// Those that fit: the world's name and the columns.
    good: Vec<(String, Vec<Value>)>,
    /// What the others are known by, as far as that can be read.
    bad: Vec<String>,
    /// It was read to its end.
    is_whole: bool,
}

impl Table {
    /// Puts a row into the table, over one of the same key. The values are those of the columns.
    pub(super) fn put(
        &self,
        connection: &Connection,
        (id, world): (i64, &str),
        values: &[ValueRef<'_>],
    ) -> rusqlite::Result<()> {
        let places = (1..=values.len() + 2).map(|at| format!("?{at}")).collect::<Vec<_>>().join(", ");
        let (name, columns) = (self.name, self.columns.join(", "));
        let query = format!("INSERT OR REPLACE INTO {name} (world, {columns}, sum) VALUES ({places})");
        let values = std::iter::once(ValueRef::Integer(id))
            .chain(values.iter().copied())
            .chain([ValueRef::Integer(self.sum(world, values))]);
        connection
            .prepare_cached(&query)?
            .execute(params_from_iter(values.map(ToSqlOutput::Borrowed)))
            .map(drop)
    }

    #[cfg(test)]
    pub(super) fn known_by(&self) -> &'static str {
        self.columns[self.known_by]
    }

    /// Whether a row that was read is as it was put there.
    pub(super) fn fits(&self, world: &str, values: &[ValueRef<'_>], sum: ValueRef<'_>) -> bool {
        sum == ValueRef::Integer(self.sum(world, values))
    }

    /// Parts are told apart by their kind and length, so that no row can stand for another.
    fn sum(&self, world: &str, values: &[ValueRef<'_>]) -> i64 {
        let mut sum = flate2::Crc::new();
        for value in [ValueRef::from(self.name), ValueRef::from(world)].iter().chain(values) {
            let (kind, bytes) = match value {
                ValueRef::Text(bytes) => (b't', *bytes),
                ValueRef::Blob(bytes) => (b'b', *bytes),
                // No column holds such.
                ValueRef::Null | ValueRef::Integer(_) | ValueRef::Real(_) => (b'?', &[][..]),
            };
            sum.update(&[kind]);
            sum.update(&(bytes.len() as u64).to_le_bytes());
            sum.update(bytes);
        }
        i64::from(sum.sum())
    }

    /// Reads all rows; of a database from before there were checksums, each fits.
    fn read(&self, connection: &Connection) -> Rows {
        let mut rows = Rows { good: Vec::new(), bad: Vec::new(), is_whole: false };
        let is_sealed = connection.prepare(&format!("SELECT sum FROM {}", self.name)).is_ok();
        rows.is_whole = self.read_into(connection, &mut rows, is_sealed).is_ok();
        rows
    }

    fn read_into(&self, connection: &Connection, rows: &mut Rows, is_sealed: bool) -> rusqlite::Result<()> {
        let (name, columns) = (self.name, self.columns.join(", "));
        let sum = if is_sealed { ", sum" } else { "" };
        let query = format!(
            "SELECT worlds.name, {columns}{sum} FROM {name} LEFT JOIN worlds ON worlds.id = {name}.world"
        );
        let mut statement = connection.prepare(&query)?;
        let mut found = statement.query([])?;
        while let Some(row) = found.next()? {
            let values = (1..=self.columns.len()).map(|at| row.get_ref(at));
            let values = values.collect::<rusqlite::Result<Vec<_>>>()?;
            let world = row.get_ref(0)?.as_str().ok();
            let sum = if is_sealed { Some(row.get_ref(self.columns.len() + 1)?) } else { None };
            match world {
                Some(world) if sum.is_none_or(|sum| self.fits(world, &values, sum)) => {
                    rows.good.push((
                        world.to_owned(),
                        values.into_iter().map(Value::try_from).collect::<Result<_, _>>()?,
                    ));
                }
                _ => rows.bad.push(values[self.known_by].as_str().unwrap_or("?").to_owned()),
            }
        }
        Ok(())
    }

    /// Puts these rows in place of all that are there.
    fn rewrite(&self, connection: &Connection, rows: &Rows) -> rusqlite::Result<()> {
        // An index that lost a row would refuse to lose another.
        connection.execute_batch(&format!("REINDEX {}; DELETE FROM {}", self.name, self.name))?;
        self.copy(rows, connection)
    }

    fn copy(&self, rows: &Rows, to: &Connection) -> rusqlite::Result<()> {
        for (world, values) in &rows.good {
            let values: Vec<ValueRef<'_>> = values.iter().map(ValueRef::from).collect();
            self.put(to, (super::world_id(to, world)?, world), &values)?;
        }
        Ok(())
    }

    /// `1 mark of the plan does not fit …`.
    fn told(&self, rows: &Rows) -> String {
        let count = rows.bad.len();
        let what = match count {
            0 => format!("not all of the {} can be read, as after a fault of the disk", self.words.1),
            1 => format!("1 {} does not fit its checksum, as after a fault of the disk", self.words.0),
            many => {
                let many = amount::grouped(many as u64);
                format!("{many} {} do not fit their checksums, as after a fault of the disk", self.words.1)
            }
        };
        let mut names = rows.bad.clone();
        names.sort();
        names.dedup();
        let more = if names.len() > MOST_NAMED { ", …" } else { "" };
        names.truncate(MOST_NAMED);
        let names = if names.is_empty() { String::new() } else { format!(" ({}{more})", names.join(", ")) };
        let remedy = self.remedy;
        format!("{what}, and counts as never made{names}: {remedy}")
    }
}

/// Gives all rows of a database from before there were checksums theirs.
pub(super) fn seal(connection: &Connection) -> rusqlite::Result<()> {
    TABLES.iter().try_for_each(|table| {
        let mut rows = Rows { good: Vec::new(), bad: Vec::new(), is_whole: true };
        table.read_into(connection, &mut rows, false)?;
        table.rewrite(connection, &rows)
    })
}

/// What is to be told of rows that do not fit; nothing if all do.
pub(super) fn look(connection: &Connection) -> rusqlite::Result<Option<String>> {
    Ok(sentence(&faulty(connection)?))
}

/// Takes out what does not fit, keeps all else, and says what it was.
///
/// # Errors
/// Damage of the database that this does not mend.
pub(super) fn mend(connection: &mut Connection) -> rusqlite::Result<Option<String>> {
    let faulty = faulty(connection)?;
    if !faulty.is_empty() {
        let transaction = connection.transaction()?;
        for (table, rows) in &faulty {
            table.rewrite(&transaction, rows)?;
        }
        transaction.commit()?;
    }
    Ok(sentence(&faulty))
}

/// Copies what fits out of a damaged database, and says it: `2 decisions, 1 planned file; not all of the planned files could
/// be read`.
pub(super) fn salvage(damaged: &Connection, to: &mut Connection) -> String {
    let (mut saved, mut lost) = (Vec::new(), Vec::new());
    for table in &TABLES {
        let rows = table.read(damaged);
        let copied = to.transaction().and_then(|to| {
            table.copy(&rows, &to)?;
            to.commit()
        });
        let count = if copied.is_ok() { rows.good.len() } else { 0 };
        let words = if count == 1 { table.words.0 } else { table.words.1 };
        saved.push(format!("{count} {words}"));
        if copied.is_err() || !rows.is_whole || !rows.bad.is_empty() {
            lost.push(table.words.1);
        }
    }
    let lost = if lost.is_empty() {
        String::new()
    } else {
        format!("; not all of the {} could be read", lost.join(", "))
    };
    format!("the {}{lost}", saved.join(", "))
}

fn faulty(connection: &Connection) -> rusqlite::Result<Vec<(&'static Table, Rows)>> {
    /// Two tables on one page would each be in order.
    const ROOTS: &str =
        "SELECT count(rootpage) = count(DISTINCT rootpage) FROM sqlite_schema WHERE rootpage > 0";
    if !connection.query_row(ROOTS, [], |row| row.get::<_, bool>(0))? {
        return Err(damage("two of its tables lie in one place"));
    }
    // By its index the world of everything else is found: where that has a gap, all seems to be gone.
    if !is_in_order(connection, "worlds")? {
        return Err(damage("the list of the servers that it knows is damaged"));
    }
    let mut faulty = Vec::new();
    for table in &TABLES {
        let rows = table.read(connection);
        if !rows.bad.is_empty() || !rows.is_whole || !is_in_order(connection, table.name)? {
            faulty.push((table, rows));
        }
    }
    Ok(faulty)
}

fn is_in_order(connection: &Connection, table: &str) -> rusqlite::Result<bool> {
    let query = format!("PRAGMA integrity_check({table})");
    let text: String = connection.query_row(&query, [], |row| row.get(0))?;
    Ok(text == "ok")
}

fn damage(why: &str) -> rusqlite::Error {
    let code = rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_CORRUPT);
    rusqlite::Error::SqliteFailure(code, Some(why.to_owned()))
}

fn sentence(faulty: &[(&Table, Rows)]) -> Option<String> {
    let told: Vec<String> = faulty.iter().map(|(table, rows)| table.told(rows)).collect();
    (!told.is_empty()).then(|| told.join("; "))
}
