// Serves files to users with access, completely or in part, but never as a page.
import { signInRequired, rateLimitHit } from "../../contract/errors/general.ts";
import { INCOMING_WEBHOOK_BOT } from "../../contract/roles.ts";
import { openEndpoint, optional, text, type OpenContext } from "../../endpoint.ts";
import { perRealm, type Reader, type Realm } from "../../realm.ts";
import type { Attachment } from "../../schema/records-messages.ts";
import type { User } from "../../schema/records.ts";
import { hashOfSecret } from "../../server/caller/secrets.ts";
import { Limiter, SPECTATORS_BY_FILE } from "../../server/limit.ts";
import { SPECTATOR } from "../rights/rules.ts";
import { canReadFile, fileAt } from "./access.ts";
import { blobsOf } from "./blobs.ts";
import { blobName } from "./blob-names.ts";
import { fileDenied, serveBytes } from "./response.ts";

export const fileParams = { path_id: text, api_key: optional(text) };

export const getFile = fileEndpoint("inline");
export const downloadFile = fileEndpoint("attachment");

function fileEndpoint(disposition: "inline" | "attachment") {
  return openEndpoint({
    summary: disposition === "inline" ? "Show a file" : "Download a file",
    tag: "Files",
    params: fileParams,
    async run(context, { path_id, api_key }) {
      const file = readable(context, path_id, api_key);
      return file instanceof Response ? file : servedFile(context, file, disposition);
    },
  });
}

export async function servedFile(
  context: OpenContext,
  file: Attachment,
  disposition: "inline" | "attachment",
): Promise<Response> {
  const { realm, request } = context;
  const bytes = await blobsOf(realm).find(blobName(file.path_id));
  return bytes ? serveBytes(request, bytes, file, disposition) : fileDenied(context, 404);
}

/** Returns the file, or the error response. */
export function readable(
  context: OpenContext,
  path_id: string,
  api_key: string | undefined,
): Attachment | Response {
  const { realm, user, request } = context;
  const viewer = user ?? keyOwnerOf(realm.read, api_key) ?? SPECTATOR;
  const file = fileAt(realm.read, path_id);
  if (file && canReadFile(realm.read, viewer, file)) {
    if (viewer === SPECTATOR) countRead(realm, file);
    return file;
  }
  const acceptHeader = request.headers.get("accept") ?? "";
  if (viewer === SPECTATOR && /^text\/html\b/.test(acceptHeader))
    throw signInRequired(new URL(request.url).pathname);
  return fileDenied(context, file ? 403 : 404);
}

const readLimits = perRealm((realm) => new Limiter(realm.clock, SPECTATORS_BY_FILE));

/** Limits requests, so that the server cannot be used as a public file host. */
function countRead(realm: Realm, { path_id }: Attachment): void {
  if (!realm.config.rate_limits) return;
  const { allowed, retry_after } = readLimits(realm).take(path_id);
  if (!allowed) throw rateLimitHit(retry_after);
}

/** Older clients send their key in the URL. */
function keyOwnerOf(reader: Reader, api_key: string | undefined): User | undefined {
  if (api_key === undefined) return undefined;
  const key = reader.api_keys.findBy("hash", hashOfSecret(api_key));
  const user = key && reader.users.get(key.user_id);
  return user?.is_active && user.bot_type !== INCOMING_WEBHOOK_BOT ? user : undefined;
}
