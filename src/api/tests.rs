//! Laws of reading.
