// The puzzle that is open survives a reload: it is kept in the browser's own database on this machine.

const DATABASE = "fretsaw";
const STORE = "sessions";
const KEY = "latest";

function open() {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(DATABASE, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE);
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

async function run(mode, work) {
  const database = await open();
  try {
    return await new Promise((resolve, reject) => {
      const transaction = database.transaction(STORE, mode);
      const request = work(transaction.objectStore(STORE));
      transaction.oncomplete = () => resolve(request.result);
      transaction.onerror = () => reject(transaction.error);
      transaction.onabort = () => reject(transaction.error);
    });
  } finally {
    database.close();
  }
}

export function saveSession(session) {
  return run("readwrite", (store) => store.put(session, KEY));
}

/** The session of the last visit, undefined if there is none. */
export function loadSession() {
  return run("readonly", (store) => store.get(KEY));
}

export function forgetSession() {
  return run("readwrite", (store) => store.delete(KEY));
}
