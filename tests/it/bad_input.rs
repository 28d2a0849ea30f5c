//! Bad input (acceptance 8): each ends with its exit code, and with a message that names file, place and remedy; nothing is
//! changed by it, and the rest of the registry goes on working.

#[cfg(unix)]
mod disk;
mod files;
mod upstream;
mod words;
