//! The one integration binary: everything that needs more than a module to be seen.

mod service;
