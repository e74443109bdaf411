// Keeps the page on this machine, so that it works offline. `cargo xtask web` fills in the files and their version.

const VERSION = "development";
const FILES = [];
const CACHE = `fretsaw-${VERSION}`;

self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(FILES)));
});

self.addEventListener("activate", (event) => {
  const isOld = (name) => name.startsWith("fretsaw-") && name !== CACHE;
  event.waitUntil(
    caches.keys().then((names) => Promise.all(names.filter(isOld).map((name) => caches.delete(name)))),
  );
});

self.addEventListener("fetch", (event) => {
  if (event.request.method !== "GET" || new URL(event.request.url).origin !== location.origin) return;
  event.respondWith(answer(event.request));
});

async function answer(request) {
  const kept = await caches.match(request, { cacheName: CACHE, ignoreSearch: true });
  const index = request.mode === "navigate" ? await caches.match("./index.html", { cacheName: CACHE }) : undefined;
  return kept ?? index ?? fetch(request);
}
