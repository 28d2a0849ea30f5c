//! What is taken over from a damaged database into a new one: all that cannot be asked for again. Reads as far as each table
//! can be read, and says how far that was. Called by `open` alone.

use std::path::Path;

use rusqlite::types::Value;
use rusqlite::{Connection, OpenFlags};

/// A table whose first column is the world, and the rest of its columns.
struct Table {
    name: &'static str,
    /// What its rows are called: one, many.
    words: (&'static str, &'static str),
    columns: &'static [&'static str],
}

const TABLES: [Table; 5] = [
    Table { name: "decisions", words: ("decision", "decisions"), columns: &["address", "version", "body"] },
    Table {
        name: "plan_files",
        words: ("planned file", "planned files"),
        columns: &["registry", "address", "body", "base", "proposed"],
    },
    Table {
        name: "plan_marks",
        words: ("mark of the plan", "marks of the plan"),
        columns: &["registry", "address", "piece", "body"],
    },
    Table {
        name: "session",
        words: ("setting of the console", "settings of the console"),
        columns: &["key", "value"],
    },
    Table {
        name: "registry_session",
        words: ("setting of a registry", "settings of registries"),
        columns: &["registry", "key", "value"],
    },
];

/// Copies what can be read, and says it: `2 decisions, 1 planned file; some of the planned files could not be read`.
pub(super) fn salvage(aside: &Path, connection: &mut Connection) -> String {
    let Ok(damaged) = Connection::open_with_flags(aside, OpenFlags::SQLITE_OPEN_READ_ONLY) else {
        return "nothing of it, since it cannot be opened".to_owned();
    };
    let (mut saved, mut lost) = (Vec::new(), Vec::new());
    for table in &TABLES {
        let (count, is_whole) = copy(table, &damaged, connection);
        let words = if count == 1 { table.words.0 } else { table.words.1 };
        saved.push(format!("{count} {words}"));
        if !is_whole {
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

/// Copies a table, and gives the number of rows and whether it was read to its end.
fn copy(table: &Table, damaged: &Connection, connection: &mut Connection) -> (usize, bool) {
    let mut count = 0;
    let copied = copy_rows(table, damaged, connection, &mut count);
    match copied {
        Ok(is_whole) => (count, is_whole),
        Err(_) => (0, false),
    }
}

fn copy_rows(
    table: &Table,
    damaged: &Connection,
    connection: &mut Connection,
    count: &mut usize,
) -> rusqlite::Result<bool> {
    let (name, columns) = (table.name, table.columns.join(", "));
    let mut statement = damaged.prepare(&format!(
        "SELECT worlds.name, {columns} FROM {name} JOIN worlds ON worlds.id = {name}.world"
    ))?;
    let places = (2..table.columns.len() + 2).map(|at| format!("?{at}")).collect::<Vec<_>>().join(", ");
    let insert = format!("INSERT OR REPLACE INTO {name} (world, {columns}) VALUES (?1, {places})");
    let mut rows = statement.query([])?;
    let transaction = connection.transaction()?;
    let is_whole = loop {
        let row = match rows.next() {
            Ok(Some(row)) => row,
            Ok(None) => break true,
            Err(_) => break false,
        };
        let read = (1..=table.columns.len()).map(|at| row.get(at)).collect::<rusqlite::Result<Vec<Value>>>();
        let (Ok(world), Ok(read)) = (row.get::<_, String>(0), read) else { break false };
        let world = Value::Integer(super::world_id(&transaction, &world)?);
        transaction.execute(&insert, rusqlite::params_from_iter(std::iter::once(world).chain(read)))?;
        *count += 1;
    };
    transaction.commit()?;
    Ok(is_whole)
}
