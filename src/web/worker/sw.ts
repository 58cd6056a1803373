// The service worker: starts the client from its cache, with or without a network.
import { withTimeout } from "../../async/with-timeout.ts";
import { storeShared, SHARE_ADDRESS, SHARE_PATH } from "../features/share/state.ts";
import { listenForPushes } from "./push.ts";

declare const self: ServiceWorkerGlobalScope;
const worker = self;
/** The files needed for the first view, inserted by the build. */
declare const SKEIN_PRECACHED: readonly string[];
/** Scripts of parts that are displayed later. */
declare const SKEIN_LATER: readonly string[];

const CACHE = "skein-client";
const SHELL = "/";
/** Enough for several versions of all files. */
const FILES_MAX = 300;
/** If the network is slower, the cached page is used, which starts the same client. */
const SHELL_MS = 400;

worker.addEventListener("install", (event) => {
  event.waitUntil(Promise.all([install(), route(event)]));
});

worker.addEventListener("activate", (event) => {
  event.waitUntil(activate());
});

worker.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method === "POST" && pathname === SHARE_PATH) event.respondWith(share(request));
  if (request.method !== "GET" || origin !== worker.location.origin) return;
  if (pathname.startsWith("/assets/")) event.respondWith(asset(request));
  else if (request.mode === "navigate" && pathname === SHELL)
    event.respondWith(respondWithShell(event));
});

listenForPushes();

worker.addEventListener("message", (event) => {
  if (event.data?.kind === "keep") event.waitUntil(precacheAll());
});

async function install(): Promise<void> {
  const cache = await caches.open(CACHE);
  await cache.addAll([SHELL, ...SKEIN_PRECACHED]);
  await worker.skipWaiting();
}

/** Missing in the type definitions. */
interface StaticRouting {
  addRoutes?(rules: { condition: object; source: { cacheName: string } }[]): Promise<undefined>;
}

/**
 * Files for the start bypass this worker, which may take time to wake up. The page itself does not:
 * when the network raced with the worker, one in ten new tabs stayed blank offline (Chromium 147 on
 * a busy machine).
 */
async function route(event: ExtendableEvent & StaticRouting): Promise<void> {
  const files = SKEIN_PRECACHED.map((pathname) => ({ urlPattern: { pathname } }));
  const rules = [{ condition: { or: files }, source: { cacheName: CACHE } }];
  // Browsers that reject the rules work without them.
  await event.addRoutes?.(rules).catch(() => undefined);
}

/** Tabs of an earlier version may still request their files; only the oldest are deleted. */
async function activate(): Promise<void> {
  const cache = await caches.open(CACHE);
  const requests = await cache.keys();
  const urls = new Set([SHELL, ...SKEIN_PRECACHED, ...SKEIN_LATER]);
  const outdated = requests.filter(({ url }) => !urls.has(new URL(url).pathname));
  const excess = Math.max(0, requests.length - FILES_MAX);
  await Promise.all(outdated.slice(0, excess).map((request) => cache.delete(request)));
  await worker.clients.claim();
}

/** Tasks run in sequence, so that other requests do not wait. */
async function precacheAll(): Promise<void> {
  const cache = await caches.open(CACHE);
  const retained = new Set((await cache.keys()).map(({ url }) => new URL(url).pathname));
  for (const path of SKEIN_LATER) if (!retained.has(path)) await cache.add(path);
}

/** Another app shares content, which the page handles. */
async function share(request: Request): Promise<Response> {
  await storeShared(await request.formData());
  return Response.redirect(SHARE_ADDRESS, 303);
}

/** File names contain a content hash, so cached files are always current. */
async function asset(request: Request): Promise<Response> {
  const cache = await caches.open(CACHE);
  const httpResponse = await cache.match(request);
  if (httpResponse) return httpResponse;
  const response = await fetch(request);
  if (response.ok) await cache.put(request, response.clone());
  return response;
}

/** The newest page, or the cached one if the network is slow. */
async function respondWithShell(event: FetchEvent): Promise<Response> {
  const fresh = fetch(event.request);
  // The response does not wait for the cache.
  event.waitUntil(fresh.then(cacheShell).catch(() => undefined));
  const response = await caches.match(SHELL, { cacheName: CACHE });
  if (!response) return fresh;
  return withTimeout(
    fresh.catch(() => response),
    SHELL_MS,
    () => response,
  );
}

async function cacheShell(response: Response): Promise<void> {
  if (!response.ok || response.type !== "basic" || response.redirected) return;
  const httpResponse = response.clone();
  await (await caches.open(CACHE)).put(SHELL, httpResponse);
}
