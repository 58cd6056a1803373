// Security headers that every response has.

/** Prepared once per kind of address, to keep waiting responses small. */
export interface SecurityHeaders {
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** The same for JSON. A Headers object is cheaper to copy than named headers. */
  readonly json: Headers;
}

export const CACHE = "max-age=0, no-cache, no-store, must-revalidate, private";
const YEAR_SECONDS = 31_536_000;

/**
 * What other sites can do with a resource: nothing, display it, read it with a script, or request
 * it with an API key. Cookies are never sent along.
 */
export type Sharing = "own" | "shown" | "read" | "asked";

const READ: readonly [string, string][] = [["Access-Control-Allow-Origin", "*"]];
const CROSS_ORIGIN: Readonly<Record<Sharing, readonly [string, string][]>> = {
  own: [],
  shown: [],
  read: READ,
  asked: [
    ...READ,
    ["Access-Control-Allow-Headers", "Authorization"],
    ["Access-Control-Allow-Methods", "GET, POST, DELETE, PUT, PATCH, HEAD"],
  ],
};

export type HeadersBySharing = Readonly<Record<Sharing, SecurityHeaders>>;

/** `isSecure`: send Strict-Transport-Security. */
export function securityHeadersBySharing(isSecure: boolean): HeadersBySharing {
  const headersFor = (sharing: Sharing) => securityHeadersFor(isSecure, sharing);
  return {
    own: headersFor("own"),
    shown: headersFor("shown"),
    read: headersFor("read"),
    asked: headersFor("asked"),
  };
}

function securityHeadersFor(isSecure: boolean, sharing: Sharing): SecurityHeaders {
  const headers: [string, string][] = [
    ["X-Content-Type-Options", "nosniff"],
    ["Cross-Origin-Opener-Policy", "same-origin"],
    ["Cross-Origin-Resource-Policy", sharing === "own" ? "same-origin" : "cross-origin"],
    ...CROSS_ORIGIN[sharing],
  ];
  if (isSecure) headers.push(["Strict-Transport-Security", `max-age=${YEAR_SECONDS}`]);
  const json = new Headers(headers);
  json.set("Content-Type", "application/json");
  json.set("Cache-Control", CACHE);
  return { headers, json };
}

/** Resources for programs on other sites, emails and clients, by the first path segment. */
const SHARING: Readonly<Record<string, Sharing>> = {
  api: "asked",
  avatar: "asked",
  external_content: "shown",
  static: "read",
  thumbnail: "asked",
  user_avatars: "shown",
  user_uploads: "asked",
};

/** `path` starts with a slash. */
export function sharingOf(path: string): Sharing {
  const word = path.split("/", 2)[1]!;
  return Object.hasOwn(SHARING, word) ? SHARING[word]! : "own";
}
