//! The faces side by side: told alike, answered alike.

mod faces;
mod given;
mod intents;
mod palette;
mod telling;
