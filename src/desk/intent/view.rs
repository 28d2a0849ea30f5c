//! Deletes a saved view of the list.

use crate::desk::Desk;
use crate::desk::intent::{Prompt, Step};
use crate::desk::telling::Message;

impl Desk {
    pub(super) fn delete_view(&self, name: &str) -> Result<Step, Message> {
        self.list.may_delete(name).map_err(|why| Message::of(why).wrong())?;
        Ok(Step::DeleteView(name.to_owned()))
    }
}

pub(super) fn delete_prompt(name: &str) -> Prompt {
    let says = format!("The view `{name}` is deleted. The entries that it shows are not touched.");
    ("Delete?", vec![says], "delete the view")
}
