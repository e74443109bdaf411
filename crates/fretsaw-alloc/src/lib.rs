//! The allocator of fretsaw's programs: that of the system, except that a refusal ends the program with a message and exit
//! code 1, and not with the signal of a crash.
//!
//! This is the only crate with unsafe code, because an allocator is unsafe by its interface. All of it passes on what it is
//! given.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::io::{self, IsTerminal, Write};
use std::process;

/// The allocator. The `static` of a program that is marked `#[global_allocator]` holds it.
#[derive(Clone, Copy, Debug)]
pub struct EndsWhenRefused {
    program: &'static str,
    may_be_refused: fn() -> bool,
}

impl EndsWhenRefused {
    /// The allocator of the program with this name. It ends the program unless `may_be_refused` says that the thread asks for
    /// memory that it can do without.
    ///
    /// That function must neither panic nor ask for memory.
    pub const fn new(program: &'static str, may_be_refused: fn() -> bool) -> Self {
        Self { program, may_be_refused }
    }

    /// The memory, if the system gave it.
    fn given(&self, memory: *mut u8, num_bytes: usize) -> *mut u8 {
        if memory.is_null() && !(self.may_be_refused)() {
            self.end(num_bytes);
        }
        memory
    }

    /// Ends the program. Returns only to what runs at its end, if that asks for memory and is refused, too.
    #[cold]
    fn end(&self, num_bytes: usize) {
        thread_local! {
            static IS_ENDING: Cell<bool> = const { Cell::new(false) };
        }
        if IS_ENDING.replace(true) {
            return;
        }
        let mut buffer = [0; 512];
        let message = message(&mut buffer, self.program, num_bytes);
        let mut stderr = io::stderr();
        // A progress bar may stand on the line.
        if stderr.is_terminal() {
            let _ = stderr.write_all(b"\n");
        }
        let _ = stderr.write_all(message);
        process::exit(1)
    }
}

/// What the program says, written without memory.
fn message<'a>(buffer: &'a mut [u8], program: &str, num_bytes: usize) -> &'a [u8] {
    let size = buffer.len();
    let mut rest = &mut *buffer;
    let (size_told, unit) = match num_bytes {
        0..100_000 => (num_bytes as f64, "bytes"),
        _ => ((num_bytes as f64 / 1e5).round() / 10.0, "MB"),
    };
    // A text that is too long is cut.
    let _ = writeln!(
        rest,
        "{program}: not enough memory: {size_told} {unit} more were refused, by the system or by a limit on memory; free \
         memory, raise the limit, use fewer threads, or take fewer or smaller pieces"
    );
    let num_left = rest.len();
    &buffer[..size - num_left]
}

// SAFETY: every request is passed to the allocator of the system as it came, and its answer is passed back. Between, nothing
// unwinds: the function that is asked must not panic, and writing a message does not.
unsafe impl GlobalAlloc for EndsWhenRefused {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps the same contract.
        self.given(unsafe { System.alloc(layout) }, layout.size())
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps the same contract.
        self.given(unsafe { System.alloc_zeroed(layout) }, layout.size())
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        // SAFETY: the caller keeps the same contract.
        self.given(unsafe { System.realloc(memory, layout, new_size) }, new_size)
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: the caller keeps the same contract.
        unsafe { System.dealloc(memory, layout) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_that_of_the_system_and_a_refusal_that_is_expected_is_passed_on() {
        let allocator = EndsWhenRefused::new("test", || true);
        let layout = Layout::from_size_align(64, 8).unwrap();
        let endless = Layout::from_size_align(1 << 62, 8).unwrap();
        // SAFETY: the layouts are not empty; the memory is used within its size, and freed once with its own layout.
        unsafe {
            let memory = allocator.alloc_zeroed(layout);
            assert_eq!(memory.add(63).read(), 0);
            memory.write(7);
            let grown = allocator.realloc(memory, layout, 640);
            assert_eq!(grown.read(), 7);
            assert!(
                allocator
                    .realloc(grown, Layout::from_size_align(640, 8).unwrap(), 1 << 62)
                    .is_null()
            );
            allocator.dealloc(grown, Layout::from_size_align(640, 8).unwrap());
            assert!(
                allocator.alloc(endless).is_null() && allocator.alloc_zeroed(endless).is_null()
            );
        }
    }

    #[test]
    fn the_message_names_the_program_and_the_size_and_is_cut_if_it_must_be() {
        let mut buffer = [0; 512];
        let told = str::from_utf8(message(&mut buffer, "fretsaw", 12_345_678)).unwrap();
        assert!(
            told.starts_with("fretsaw: not enough memory: 12.3 MB more were refused"),
            "{told}"
        );
        assert!(told.ends_with("pieces\n"), "{told}");
        let told = str::from_utf8(message(&mut buffer, "fretsaw", 96)).unwrap();
        assert!(told.contains("memory: 96 bytes more"), "{told}");
        assert_eq!(message(&mut [0; 10], "fretsaw", 1), b"fretsaw: n");
    }
}
