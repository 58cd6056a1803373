// Sizes of uploaded files, requested from the server once while they can be read, a few at a time.

/** Undefined: the user cannot read the file, or it was deleted. */
export interface FileFacts {
  size: number | undefined;
}

const FILES_MAX = 500;
const REQUESTS_MAX = 2;
const REQUEST_MS = 15_000;
const FORBIDDEN = 403;
const MISSING = 404;

/** Facts by path, since files never change. Access to them does. The oldest are removed first. */
const factsByPath = new Map<string, FileFacts>();
const requests = new Map<string, Promise<FileFacts | undefined>>();
const waitingResolvers: (() => void)[] = [];
let runningCount = 0;
/** Number of times that refused files were forgotten. */
let grants = 0;

export const knownFacts = (path: string): FileFacts | undefined => factsByPath.get(path);

/** The user may have got access to files since they were refused. */
export function forgetRefused(): void {
  grants += 1;
  for (const [path, { size }] of factsByPath) if (size === undefined) factsByPath.delete(path);
}

/** Undefined if the server could not be asked; the next call asks again. */
export function factsOf(path: string): Promise<FileFacts | undefined> {
  const cached = factsByPath.get(path);
  if (cached) return Promise.resolve(cached);
  const before = requests.get(path);
  if (before) return before;
  const request = fetchInTurn(path).finally(() => requests.delete(path));
  requests.set(path, request);
  return request;
}

async function fetchInTurn(path: string): Promise<FileFacts | undefined> {
  if (runningCount >= REQUESTS_MAX) await new Promise<void>((next) => waitingResolvers.push(next));
  else runningCount += 1;
  try {
    const before = grants;
    let facts = await ask(path);
    // Access may have been granted after the server refused it.
    if (facts?.size === undefined && grants !== before) facts = await ask(path);
    if (facts) storeFacts(path, facts);
    return facts;
  } finally {
    // Passes this slot to the next waiting request.
    const next = waitingResolvers.shift();
    if (next) next();
    else runningCount -= 1;
  }
}

async function ask(path: string): Promise<FileFacts | undefined> {
  try {
    const signal = AbortSignal.timeout(REQUEST_MS);
    const { ok, status, headers } = await fetch(path, { method: "HEAD", signal });
    if (status === FORBIDDEN || status === MISSING) return { size: undefined };
    const size = Number(headers.get("content-length") ?? Number.NaN);
    return ok && Number.isSafeInteger(size) ? { size } : undefined;
  } catch {
    return undefined;
  }
}

function storeFacts(path: string, facts: FileFacts): void {
  factsByPath.set(path, facts);
  const [oldest] = factsByPath.keys();
  if (factsByPath.size > FILES_MAX && oldest !== undefined) factsByPath.delete(oldest);
}
