//! The console end to end: the binary in a pseudo-terminal, what it draws as a terminal would show it, and what it leaves behind.
//!
//! Every wait is for something seen, with a deadline. The environment is cleared: no token, no home but a folder of its own.
#![cfg(unix)]

mod ends;
mod guest;
mod keys;
pub(crate) mod lines;
mod pty;
mod quiet;
mod second;
mod stories;
mod tmux;
mod tour;
mod verify;
