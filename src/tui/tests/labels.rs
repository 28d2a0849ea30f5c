//! Screens of 120 columns, each with the data that it shows, for the test that compares all faces.

use crate::jobs::data::{Opened, PastJob};
use crate::registry::{Entry, ProviderEntry};
use crate::rules::plan::PlannedFile;
use crate::rules::verify::Row;
use crate::tui::tests::fake_plan::FakePlan;
use crate::tui::tests::verify::made;
use crate::tui::tests::{answer, press, records, reviews, screen, started, world};

const SIZE: (u16, u16) = (120, 40);

/// Every entry of the list, opened.
pub(crate) fn entries() -> Vec<(Opened, String)> {
    let loaded = world::normal();
    let entry = |place| {
        let mut model = started(world::normal(), SIZE.0, SIZE.1);
        press(&mut model, "g g");
        for _ in 0..place {
            press(&mut model, "j");
        }
        let effects = press(&mut model, "<enter>");
        let address = model.subject().expect("an entry is opened").clone();
        let at =
            loaded.catalog.rows.iter().position(|row| row.address == address).expect("it is in the list");
        let entry = Entry::Provider(ProviderEntry::default());
        let verdict = loaded.verdicts[at].clone();
        let opened = Opened {
            address,
            entry,
            verdict,
            proposal: None,
            lines: None,
            findings: Vec::new(),
            keys: None,
            notices: Vec::new(),
        };
        answer(&mut model, &effects, opened.clone());
        (opened, screen(&model))
    };
    (0..loaded.verdicts.len()).map(entry).collect()
}

/// A row of each kind of state, with its details on the screen.
pub(crate) fn verified() -> Vec<(Row, String)> {
    let mut model = made::running(SIZE.0, SIZE.1);
    let count = model.desk.run.as_ref().expect("it runs").rows.len();
    press(&mut model, "4 g g");
    let mut seen = Vec::new();
    for _ in 0..count {
        let run = model.desk.run.as_ref();
        if let Some(row) = model.views.verify.row(run).map(|row| Row::clone(row)) {
            press(&mut model, "<enter>");
            seen.push((row, screen(&model)));
            press(&mut model, "<esc>");
        }
        press(&mut model, "j");
    }
    seen
}

/// The files of a plan, each under the cursor.
pub(crate) fn planned() -> Vec<(PlannedFile, String)> {
    let mut fake = FakePlan::normal();
    let mut model = reviews::looking(&mut fake, SIZE.0, SIZE.1);
    let files = model.desk.planning.files().len();
    let mut seen = Vec::new();
    for _ in 0..files {
        let file = model.views.changes.file(&model.desk.planning).expect("a file").clone();
        seen.push((file, screen(&model)));
        reviews::go(&mut fake, &mut model, ")");
    }
    seen
}

/// The jobs of the journal, and the screen that lists them.
pub(crate) fn past_jobs() -> (Vec<PastJob>, String) {
    (records::journal(), screen(&records::looking(SIZE.0, SIZE.1)))
}
