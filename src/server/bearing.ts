// What every answer bears, whatever it says: headers that keep browsers from making more of it.

/** Looked up once for each kind of address, as answers that wait are to hold little. */
export interface Bearing {
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** The same for JSON; copied by every Response, which is cheaper than to give it names. */
  readonly json: Headers;
}

export const CACHE = "max-age=0, no-cache, no-store, must-revalidate, private";
const YEAR_SECONDS = 31_536_000;

/**
 * What other sites may do with what is there: nothing; show it; read it by a program as well; or
 * ask for it with a key. None of them comes with a session: cookies go along nowhere.
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

export type Bearings = Readonly<Record<Sharing, Bearing>>;

/** `isSecure`: people are to come over TLS alone. */
export function bearingsOf(isSecure: boolean): Bearings {
  const of = (sharing: Sharing) => bearingOf(isSecure, sharing);
  return { own: of("own"), shown: of("shown"), read: of("read"), asked: of("asked") };
}

function bearingOf(isSecure: boolean, sharing: Sharing): Bearing {
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

/** By the first word of a path: where programs on other sites, letters and clients look. */
const SHARING: Readonly<Record<string, Sharing>> = {
  api: "asked",
  avatar: "asked",
  external_content: "shown",
  static: "read",
  thumbnail: "asked",
  user_avatars: "shown",
  user_uploads: "asked",
};

/** `path` begins with a slash. */
export function sharingOf(path: string): Sharing {
  const word = path.split("/", 2)[1]!;
  return Object.hasOwn(SHARING, word) ? SHARING[word]! : "own";
}
