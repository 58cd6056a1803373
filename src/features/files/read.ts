// Reading files: to whoever may read them today, in whole or in part, and never as a page.
import { openEndpoint, optional, text, type OpenContext } from "../../endpoint.ts";
import { loginFirst } from "../../errors.ts";
import type { Reader } from "../../realm.ts";
import type { Attachment, User } from "../../records.ts";
import { hashOfKey } from "../keys/random.ts";
import { canReadFile, fileAt } from "./access.ts";
import { blobsOf } from "./blobs.ts";
import { inTurn } from "./keep.ts";
import { thumbnailOf } from "./picture.ts";
import { placeOf, thumbnailPlaceOf } from "./places.ts";
import { denied, served } from "./served.ts";
import { MOVING_FORMAT } from "./rules.ts";

const WEBHOOK_BOT = 2;

const params = { path_id: text, api_key: optional(text) };

export const getFile = fileEndpoint("inline");
export const downloadFile = fileEndpoint("attachment");

function fileEndpoint(disposition: "inline" | "attachment") {
  return openEndpoint({
    params,
    async run(context, { path_id, api_key }) {
      const file = readable(context, path_id, api_key);
      return file instanceof Response ? file : servedFile(context, file, disposition);
    },
  });
}

/** The last part of the path is the form wanted; of one that there is not, the nearest is given. */
export const getThumbnail = openEndpoint({
  params,
  async run(context, { path_id: path, api_key }) {
    const cut = path.lastIndexOf("/");
    const file = readable(context, path.slice(0, cut), api_key);
    if (file instanceof Response) return file;
    if (file.image === null) return denied(context.request, 404);
    // What moves is shown as it is: it cannot be made smaller here.
    if (file.image.animated && path.slice(cut + 1) === MOVING_FORMAT) {
      return servedFile(context, file, "inline");
    }
    const bytes = await thumbnail(context, file);
    if (!bytes) return denied(context.request, 404);
    const shown = { name: `${file.name}.webp`, content_type: "image/webp" };
    return served(context.request, bytes, shown, "inline");
  },
});

async function servedFile(
  { realm, request }: OpenContext,
  file: Attachment,
  disposition: "inline" | "attachment",
): Promise<Response> {
  const bytes = await blobsOf(realm).find(placeOf(file.path_id));
  return bytes ? served(request, bytes, file, disposition) : denied(request, 404);
}

/** Made with the file; made again, should it have been lost. */
async function thumbnail({ realm }: OpenContext, { path_id }: Attachment) {
  const blobs = blobsOf(realm);
  const place = thumbnailPlaceOf(path_id);
  const kept = await blobs.find(place);
  if (kept) return kept;
  await inTurn(realm)(async () => {
    const original = await blobs.find(placeOf(path_id));
    if (!original || (await blobs.find(place))) return;
    await blobs.put(place, await thumbnailOf(original));
  });
  return blobs.find(place);
}

/** The file, or what is answered instead. */
function readable(
  { realm: { read }, user, request }: OpenContext,
  path_id: string,
  api_key: string | undefined,
): Attachment | Response {
  const viewer = user ?? holderOf(read, api_key);
  const file = fileAt(read, path_id);
  if (file && canReadFile(read, viewer, file)) return file;
  const accepted = request.headers.get("accept") ?? "";
  if (!viewer && /^text\/html\b/.test(accepted)) throw loginFirst(new URL(request.url).pathname);
  return denied(request, file ? 403 : 404);
}

/** Old clients put their key into the address. */
function holderOf(reader: Reader, api_key: string | undefined): User | undefined {
  if (api_key === undefined) return undefined;
  const key = reader.api_keys.one("hash", hashOfKey(api_key));
  const user = key && reader.users.get(key.user_id);
  return user?.is_active && user.bot_type !== WEBHOOK_BOT ? user : undefined;
}
