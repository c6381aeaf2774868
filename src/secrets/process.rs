//! Protects the process's memory from other programs.

/// Disables core dumps of this process, so that no secret in its memory lands in a file. On Linux this also keeps other
/// programs of the same user from reading its memory, and its environment under `/proc`.
///
/// Call it before the first secret is read. If the system refuses, nothing else can be done, and the program goes on:
/// the operator is better served by a running console.
pub fn disable_core_dumps() {
    #[cfg(target_os = "linux")]
    {
        use rustix::process::{DumpableBehavior, set_dumpable_behavior};
        let _refused_by_an_odd_system = set_dumpable_behavior(DumpableBehavior::NotDumpable);
    }
    #[cfg(unix)]
    {
        use rustix::process::{Resource, Rlimit, setrlimit};
        let none = Rlimit { current: Some(0), maximum: Some(0) };
        let _refused_by_an_odd_system = setrlimit(Resource::Core, none);
    }
}

/// `None` where it cannot be determined.
pub fn core_dumps_are_off() -> Option<bool> {
    #[cfg(target_os = "linux")]
    {
        use rustix::process::{DumpableBehavior, dumpable_behavior};
        dumpable_behavior().ok().map(|behaviour| behaviour == DumpableBehavior::NotDumpable)
    }
    #[cfg(not(target_os = "linux"))]
    {
        None
    }
}

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests {
    use super::*;

    #[test]
    fn a_process_that_holds_secrets_leaves_no_core_dump() {
        disable_core_dumps();
        assert_eq!(core_dumps_are_off(), Some(true));
        let limits = std::fs::read_to_string("/proc/self/limits").unwrap();
        let line = limits.lines().find(|line| line.starts_with("Max core file size")).unwrap();
        assert_eq!(line.split_whitespace().nth(4), Some("0"), "{line}");
    }
}
