/**
 * Keeps the page's own files in this browser, so that it opens, stops and starts its workers without a network.
 * It fetches nothing but them. The build writes the list and its digest.
 * @module
 */
const FILES = __FILES__;
const CACHE = "mp-mtl page __DIGEST__";

const here = (path) => new URL(path, self.registration.scope).href;

async function fill() {
  const cache = await caches.open(CACHE);
  await cache.addAll(FILES.map(here));
  await self.skipWaiting();
}

async function takeOver() {
  const old = (await caches.keys()).filter(
    (name) => name.startsWith("mp-mtl page ") && name !== CACHE,
  );
  await Promise.all(old.map((name) => caches.delete(name)));
  await self.clients.claim();
}

/** The page itself may be newer on its host; its other files have their content in their names. */
async function answer(request) {
  if (request.mode !== "navigate") return (await caches.match(request)) ?? fetch(request);
  try {
    return await fetch(request);
  } catch (error) {
    const kept = await caches.match(here("./"));
    if (!kept) throw error;
    return kept;
  }
}

self.addEventListener("install", (event) => event.waitUntil(fill()));
self.addEventListener("activate", (event) => event.waitUntil(takeOver()));
self.addEventListener("fetch", (event) => {
  const { method, url } = event.request;
  if (method !== "GET" || !url.startsWith(self.registration.scope)) return;
  event.respondWith(answer(event.request));
});
