//! Work that is done several pieces at a time, each with threads of its own.

use anyhow::Context;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Works on `jobs` items at a time, as [`in_pools`] does. They share the threads of the current pool evenly,
/// with at least one each.
pub(crate) fn share_threads<J: Sync, T: Send>(
    jobs: usize,
    items: &[J],
    work: impl Fn(&J) -> anyhow::Result<T> + Sync,
) -> anyhow::Result<Vec<T>> {
    let at_a_time = jobs.clamp(1, items.len().max(1));
    let threads_each = (rayon::current_num_threads() / at_a_time).max(1);
    in_pools(at_a_time, threads_each, items, work)
}

/// Works on `at_a_time` items at a time, each on its own pool of `threads_each` threads. Results are in the
/// order of the items. The first error stops the rest.
///
/// A parallel iterator would measure wrong times: a thread that waits within one item begins another, whose
/// time would count as the first one's.
pub(crate) fn in_pools<J: Sync, T: Send>(
    at_a_time: usize,
    threads_each: usize,
    items: &[J],
    work: impl Fn(&J) -> anyhow::Result<T> + Sync,
) -> anyhow::Result<Vec<T>> {
    let pools = (0..at_a_time)
        .map(|_| rayon::ThreadPoolBuilder::new().num_threads(threads_each).build())
        .collect::<Result<Vec<_>, _>>()
        .context("cannot start threads")?;
    let next = AtomicUsize::new(0);
    let take = || {
        let mut done = Vec::new();
        loop {
            let place = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(place) else { return done };
            let result = work(item);
            if result.is_err() {
                next.store(items.len(), Ordering::Relaxed);
            }
            done.push((place, result));
        }
    };
    let mut done: Vec<(usize, anyhow::Result<T>)> = std::thread::scope(|scope| {
        let workers: Vec<_> = pools.iter().map(|pool| scope.spawn(|| pool.install(take))).collect();
        let joined = workers.into_iter().flat_map(|worker| {
            worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        });
        joined.collect()
    });
    done.sort_unstable_by_key(|(place, _)| *place);
    done.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use anyhow::bail;

    #[test]
    fn work_is_done_in_order_and_stops_at_an_error() {
        let items: Vec<usize> = (0..20).collect();
        let doubled = in_pools(3, 1, &items, |&item| Ok(2 * item)).unwrap();
        assert_eq!(doubled, items.iter().map(|item| 2 * item).collect::<Vec<_>>());
        for threads in [1, 2] {
            let found = in_pools(2, threads, &items, |_| Ok(rayon::current_num_threads())).unwrap();
            assert_eq!(found, [threads; 20]);
        }
        let stop = |&item: &usize| if item < 4 { Ok(()) } else { bail!("item {item}") };
        assert_eq!(in_pools(1, 1, &items, stop).unwrap_err().to_string(), "item 4");
    }

    #[test]
    fn jobs_share_the_threads_there_are() {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(4).build().unwrap();
        let threads = |jobs, num_items: usize| {
            let items = vec![(); num_items];
            let count = |&(): &()| Ok(rayon::current_num_threads());
            pool.install(|| share_threads(jobs, &items, count)).unwrap()
        };
        assert_eq!(threads(2, 3), [2; 3]);
        assert_eq!(threads(8, 2), [2; 2]);
        assert_eq!(threads(1, 2), [4; 2]);
        assert!(threads(3, 0).is_empty());
    }
}
