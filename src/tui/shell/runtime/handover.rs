//! The terminal in other hands: the shell's after Ctrl-Z, an editor's or a pager's; and what goes through it to the clipboard.
//!
//! It is given back and taken again by the same two functions every time. Part of `runtime`.

use crate::tui::shell::msg::Msg;
use crate::tui::shell::osc52;
use crate::tui::shell::outside::{Page, ProgramReply};
use crate::tui::shell::runtime::{Console, Error, KEY_SLOT, terminal_size};
use crate::tui::shell::signals::{has_shell, stop_ourselves};
use crate::tui::shell::update::update;
use crate::tui::widgets::message::Tone;

impl Console {
    /// Gives the terminal back and stops until the shell continues us: after Ctrl-Z, and after a SIGTSTP from another
    /// process. Without a shell that could continue us, it does nothing.
    pub(super) async fn suspend(&mut self) -> Result<(), Error> {
        if !has_shell() {
            return Ok(());
        }
        self.settle().await;
        self.events.pause().await?;
        self.guard.restore();
        stop_ourselves()?;
        self.signals.forget();
        self.events.resume()?;
        self.reenter()
    }

    /// Hands the terminal to an editor or a pager, and tells what went wrong there.
    pub(super) async fn show(&mut self, page: Page) -> Result<(), Error> {
        let shown = self.outside.show(page);
        if let Some(reply) = self.lend(shown).await? {
            update(&mut self.model, Msg::ProgramReplied(reply));
        }
        Ok(())
    }

    /// Hands the terminal to an editor with a text, and takes the text back.
    pub(super) async fn edit(&mut self, text: String) -> Result<(), Error> {
        let edited = self.outside.edit(text);
        if let Some(text) = self.lend(edited).await? {
            update(&mut self.model, Msg::Edited(text));
        }
        Ok(())
    }

    /// Gives the terminal away until a program ends. `None` if we were ended meanwhile.
    async fn lend<T>(&mut self, program: impl Future<Output = T>) -> Result<Option<T>, Error> {
        self.settle().await;
        self.events.pause().await?;
        self.guard.restore();
        let reply = tokio::select! {
            reply = program => reply,
            // The program is ended with what waits for it.
            () = self.signals.ended() => {
                self.quit = true;
                // It had no time to give the terminal back. Where that is gone too there is nothing to put right.
                self.guard.take().ok();
                self.guard.restore();
                return Ok(None);
            }
        };
        self.signals.forget();
        self.events.resume()?;
        self.reenter()?;
        Ok(Some(reply))
    }

    /// Takes the terminal again and draws every cell.
    pub(super) fn reenter(&mut self) -> Result<(), Error> {
        self.guard.take()?;
        self.guard.use_mouse(self.model.options.mouse)?;
        if self.model.options.follow {
            // It may have changed while we did not listen.
            self.guard.follow_ground()?;
            self.guard.ask_ground()?;
            self.pending.note();
        }
        self.painter.forget_screen();
        update(&mut self.model, Msg::Resize(terminal_size()?));
        self.painter.want(KEY_SLOT);
        Ok(())
    }

    /// Copies with a program of this machine where there is one, and else through the terminal.
    pub(super) fn copy(&mut self, text: String) -> Result<(), Error> {
        if self.outside.clipboard.is_some() {
            self.doings.push(self.outside.copy(text));
            return Ok(());
        }
        self.copy_through_terminal(&text)?;
        let text = format!("sent to the terminal's clipboard, which it may ignore: {text}");
        update(&mut self.model, Msg::ProgramReplied(ProgramReply::new(Tone::Reply, text)));
        Ok(())
    }

    /// What a program said at its end; a text that it did not copy takes the other way.
    pub(super) fn hear_program(&mut self, reply: ProgramReply) -> Result<Msg, Error> {
        let Some(text) = reply.uncopied else { return Ok(Msg::ProgramReplied(reply)) };
        self.copy_through_terminal(&text)?;
        let text =
            format!("{}; sent to the terminal's clipboard instead, which it may ignore: {text}", reply.text);
        Ok(Msg::ProgramReplied(ProgramReply::new(reply.tone, text)))
    }

    fn copy_through_terminal(&self, text: &str) -> Result<(), Error> {
        Ok(self.guard.write(&osc52::sequence(text, self.outside.multiplexer))?)
    }

    /// Prepares the terminal for another program: reads everything that is meant for us.
    pub(super) async fn settle(&mut self) {
        let may_send = self.model.options.mouse || self.model.options.follow;
        self.pending.settle(&self.guard, &mut self.events, may_send).await;
    }
}
