// Maps the paths of uploaded files to this server, and rewrites links to them in messages.
import { addressName } from "../../../files/rules.ts";
import { REALM_ID } from "../../../realm/rules.ts";

const SECRET = /^[A-Za-z0-9_-]{8,64}$/;

/**
 * The path of a file on this server: the organization, two hex digits, a secret, and the name. With
 * Amazon S3, Zulip omits the digits.
 */
export function pathHere(path_id: string): string | undefined {
  const parts = path_id.split("/");
  const [, shard, secret, name] = parts.length === 3 ? ["", undefined, ...parts.slice(1)] : parts;
  if (parts.length < 3 || parts.length > 4 || !secret || !name) return undefined;
  if (!SECRET.test(secret)) return `${REALM_ID}/${hashOf(path_id)}/${addressName(name)}`;
  const digits = shard !== undefined && /^[0-9a-f]{1,2}$/.test(shard) ? shard : undefined;
  const folder = digits?.padStart(2, "0") ?? hashOf(secret).slice(0, 2);
  return `${REALM_ID}/${folder}/${secret}/${addressName(name)}`;
}

/** Two hex digits and a secret, the same in every run. */
function hashOf(pathId: string): string {
  const hash = new Bun.CryptoHasher("sha256").update(pathId).digest("hex");
  return `${hash.slice(0, 2)}/${hash.slice(2, 34)}`;
}

const UPLOAD = /\/user_uploads\/((?:thumbnail\/)?)(\d{1,9}(?:\/[^\s/()[\]<>"'`?#]{1,300}){2,3})/g;

/** Rewrites links to uploaded files and links to the old server's URL. */
export function linksHere(content: string, oldUrl: string | undefined): string {
  const relative = oldUrl === undefined ? content : withoutOrigin(content, oldUrl);
  if (!relative.includes("/user_uploads/")) return relative;
  return relative.replaceAll(UPLOAD, (match, _thumbnail: string, path: string) => {
    const decodedPath = decoded(path);
    const importedPath = decodedPath === undefined ? undefined : pathHere(decodedPath);
    return importedPath === undefined ? match : `/user_uploads/${encodeURI(importedPath)}`;
  });
}

const RELATIVE_PREFIXES = ["#narrow/", "user_uploads/"];

/** Makes links into the organization relative; leaves others unchanged. */
function withoutOrigin(content: string, url: string): string {
  const origin = url.endsWith("/") ? url.slice(0, -1) : url;
  const replacePath = (text: string, path: string) =>
    text.replaceAll(`(${origin}/${path}`, () => `(/${path}`);
  return RELATIVE_PREFIXES.reduce(replacePath, content);
}

function decoded(path: string): string | undefined {
  try {
    return decodeURI(path);
  } catch {
    return undefined;
  }
}
