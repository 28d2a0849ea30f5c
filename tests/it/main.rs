//! The one integration binary. Each module is one concern; `architecture` keeps the walls, `readme` keeps the front page true.

mod architecture;
mod readme;
