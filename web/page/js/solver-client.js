// The page's side of the worker: calls as promises, events, and how to stop a solve.

/** What the worker says went wrong. */
export class SolverError extends Error {
  constructor({ kind, message, layouts }) {
    super(message);
    this.kind = kind;
    this.layouts = layouts ?? [];
  }

  /** Whether the worker cannot go on. */
  get endedWorker() {
    return this.kind === "crashed" || this.kind === "out-of-memory";
  }
}

/** A worker, started anew whenever the one before ended. */
export class SolverClient {
  /** `onProgress({stage, share})` and `onBoard(numbers)` are called while it solves. */
  constructor({ onProgress, onBoard }) {
    this.onProgress = onProgress;
    this.onBoard = onBoard;
    this.worker = null;
    this.calls = new Map();
    this.nextId = 1;
    const canShare = globalThis.crossOriginIsolated === true && typeof SharedArrayBuffer === "function";
    /** Memory shared with the worker, which asks it whether to stop; null where pages may not share memory. */
    this.stopFlag = canShare ? new Int32Array(new SharedArrayBuffer(4)) : null;
    this.start();
  }

  start() {
    const worker = new Worker(new URL("../solver/worker.js", import.meta.url), { type: "module" });
    worker.onmessage = ({ data }) => this.receive(worker, data);
    // A worker that cannot even be loaded, or that the browser ended.
    worker.onerror = (event) => {
      event.preventDefault?.();
      this.failAll({ kind: "crashed", message: event.message || "the solver could not be loaded" });
      if (this.worker === worker) this.worker = null;
    };
    this.worker = worker;
    this.ready = this.call("start", { stopFlag: this.stopFlag });
    this.ready.catch(() => {});
  }

  /** Ends the worker with everything it holds, and starts another. */
  restart() {
    this.worker?.terminate();
    this.failAll({ kind: "stopped", message: "stopped" });
    this.start();
  }

  /** Whether a solve can be told to stop and then returns its best answer. Otherwise its worker must be ended. */
  get canStop() {
    return this.stopFlag !== null;
  }

  requestStop() {
    if (this.stopFlag) Atomics.store(this.stopFlag, 0, 1);
  }

  /** Calls the worker. Calls are answered in order. */
  call(name, args = {}, transfer = []) {
    if (!this.worker) this.start();
    if (name === "solve" && this.stopFlag) Atomics.store(this.stopFlag, 0, 0);
    const id = this.nextId++;
    return new Promise((resolve, reject) => {
      this.calls.set(id, { resolve, reject });
      this.worker.postMessage({ id, call: name, args }, transfer);
    });
  }

  receive(worker, data) {
    if (worker !== this.worker) return;
    if (data.event === "progress") return this.onProgress(data);
    if (data.event === "board") return this.onBoard(data.board);
    const call = this.calls.get(data.id);
    if (!call) return;
    this.calls.delete(data.id);
    if (!data.error) return call.resolve(data.result);
    const error = new SolverError(data.error);
    call.reject(error);
    if (error.endedWorker) this.restart();
  }

  failAll(failure) {
    const waiting = [...this.calls.values()];
    this.calls.clear();
    for (const { reject } of waiting) reject(new SolverError(failure));
  }
}
