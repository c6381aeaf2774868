//! How much of what a program has freed the C library's allocator keeps.
//!
//! glibc gives each thread that allocates an arena of its own, up to eight for each processor, and keeps in each what was
//! freed there. That serves threads that allocate without pause. Those of a console mostly wait, and what each of them
//! needed once stays with the process.
//!
//! This is a crate of its own because Rust has no safe form of the two calls that it makes, and bursar forbids unsafe code.

/// Has all threads share one arena, which gives back what lies free at its end, and has large pieces stand by themselves, so
/// that each is given back when it is freed. Elsewhere than on Linux with glibc it does nothing.
///
/// With a million transactions a console with one arena keeps a tenth less memory than with two, and starts a
/// fifteenth later, since its threads take turns then; keys are as quick.
///
/// To be called before other threads are started: the C library does not guard these settings against them.
pub fn keep_little() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    for (setting, value) in [
        (libc::M_ARENA_MAX, 1),
        (libc::M_TOP_PAD, AT_ONCE),
        (libc::M_TRIM_THRESHOLD, LARGE),
        (libc::M_MMAP_THRESHOLD, LARGE),
    ] {
        // SAFETY: mallopt(3) takes two numbers and gives one, whatever they are. What it does not know or cannot do it
        // leaves, and says so by 0: then more is kept, which nothing depends on.
        let _is_set = unsafe { libc::mallopt(setting, value) };
    }
}

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

/// From how many bytes on a piece stands by itself, and so many lie free at the end of an arena at most.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const LARGE: libc::c_int = 64 * 1024;

/// How much room an arena is given at once, of which only what is used is memory. Asked for page by page, it is asked for a
/// hundred times while a console starts, and each time all threads wait that touch a page for the first time.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const AT_ONCE: libc::c_int = 512 * 1024;
