//! The machine and the commit that figures were measured with.

/// The commit this was built from, with `-dirty` if sources had changed since; `None` if it was not
/// built from a git repository.
pub(crate) const fn commit() -> Option<&'static str> {
    option_env!("FRETSAW_COMMIT")
}

/// The machine in a line: processor, threads that it runs at a time, memory, as far as the system
/// tells.
pub(crate) fn machine() -> String {
    let read = |path: &str| std::fs::read_to_string(path).unwrap_or_default();
    let mut parts = vec![cpu_model(&read("/proc/cpuinfo")).unwrap_or_else(|| {
        let system = std::env::consts::OS;
        format!("{system} {}", std::env::consts::ARCH)
    })];
    if let Ok(count) = std::thread::available_parallelism() {
        parts.push(format!("{count} hardware threads"));
    }
    parts.extend(memory_gib(&read("/proc/meminfo")).map(|gib| format!("{gib:.0} GiB")));
    parts.join(", ")
}

/// The model of the first processor.
fn cpu_model(cpuinfo: &str) -> Option<String> {
    let line = cpuinfo.lines().find(|line| line.starts_with("model name"))?;
    let (_, model) = line.split_once(':')?;
    // Some are padded.
    let words: Vec<&str> = model.split_whitespace().collect();
    (!words.is_empty()).then(|| words.join(" "))
}

fn memory_gib(meminfo: &str) -> Option<f64> {
    let line = meminfo.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    let kib: f64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kib / (1024.0 * 1024.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn processor_and_memory_are_read_from_the_system() {
        let cpuinfo = "processor\t: 0\nmodel name\t: A  Processor 3000 \ncpu MHz\t\t: 2000\n";
        assert_eq!(cpu_model(cpuinfo).as_deref(), Some("A Processor 3000"));
        assert_eq!(cpu_model("processor\t: 0\n"), None);
        assert_eq!(memory_gib("MemTotal:       16777216 kB\nMemFree: 1 kB\n"), Some(16.0));
        assert_eq!(memory_gib(""), None);
    }

    #[test]
    fn a_machine_is_told_in_a_line() {
        let machine = machine();
        assert!(!machine.is_empty() && !machine.contains('\n'), "{machine:?}");
    }

    #[test]
    fn a_commit_is_a_short_hash() {
        if let Some(commit) = commit() {
            let hash = commit.strip_suffix("-dirty").unwrap_or(commit);
            assert!(hash.len() >= 12 && hash.chars().all(|c| c.is_ascii_hexdigit()), "{commit}");
        }
    }
}
