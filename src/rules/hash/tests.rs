//! Streams, whole archives and both forms, on archives that a script made byte by byte.

use std::io::Cursor;

use super::*;
use crate::rules::archive::Limits;
