//! Gives back what a load needed and freed, which the C library's allocator keeps otherwise.
//!
//! This is a crate of its own because Rust has no safe form of the call that it makes, and bursar forbids unsafe code.

/// Gives back whole pages of what lies free between pieces that are in use. It walks through all that is free, so that whoever
/// wants memory meanwhile may wait for some tenths of a millisecond. Elsewhere than on Linux with glibc it does nothing.
pub fn give_back() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    {
        // SAFETY: malloc_trim(3) takes a number and touches only what is free, under the locks that every thread takes which
        // allocates. It says whether it gave anything back, on which nothing depends.
        let _gave_any = unsafe { libc::malloc_trim(0) };
    }
}
