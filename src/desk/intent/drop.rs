//! Takes files out of the plan, and saved views out of the list.

use crate::desk::Desk;
use crate::desk::intent::{Prompt, Step};
use crate::desk::telling::Message;
use crate::jobs::data::PlanTask;
use crate::registry::Address;
use crate::rules::amount::counted;
use crate::rules::plan::Mark;

impl Desk {
    /// Takes these files out of the plan; all of them if none is named.
    pub(super) fn drop_files(&self, addresses: &[Address]) -> Result<Step, Message> {
        if addresses.is_empty() {
            self.has_files()?;
        } else {
            self.has_plan()?;
        }
        for address in addresses {
            self.planned(address)?;
        }
        Ok(self.queue(PlanTask::Drop(addresses.to_vec())))
    }

    /// The question before files are taken out: which marks are lost with them.
    pub(super) fn drop_prompt(&self, addresses: &[Address]) -> Prompt {
        let all = addresses.is_empty();
        let files = self.planning.files().iter().filter(|file| all || addresses.contains(&file.address));
        let answered =
            files.flat_map(|file| &file.pieces).filter(|piece| piece.mark != Mark::default()).count();
        let what = match addresses {
            [] => "All files are".to_owned(),
            [one] => format!("{one} is"),
            many => format!("{} are", counted(many.len(), "file")),
        };
        let mut says = vec![format!("{what} removed from the plan. No data file changes.")];
        if answered > 0 {
            let marks = counted(answered, "change");
            says.push(format!("Your answers to {marks} are deleted with it."));
        }
        ("Remove from the plan?", says, "remove it")
    }

    pub(super) fn delete_view(&self, name: &str) -> Result<Step, Message> {
        self.list.may_delete(name).map_err(|why| Message::of(why).wrong())?;
        Ok(Step::DeleteView(name.to_owned()))
    }
}

pub(super) fn delete_view_prompt(name: &str) -> Prompt {
    let says = format!("The view `{name}` is deleted. The entries that it shows are not touched.");
    ("Delete?", vec![says], "delete the view")
}
