// Temporary URLs that give access to one file for a minute without signing in.
import { createHmac } from "node:crypto";
import Type from "typebox";
import {
  fileNotFound,
  temporaryLinkInvalid,
  temporaryNameInvalid,
} from "../../contract/errors/realm.ts";
import { endpoint, int, openEndpoint, text } from "../../endpoint.ts";
import { perRealm, type Realm } from "../../realm.ts";
import { isSameSecret } from "../../server/caller/secrets.ts";
import { accessFile } from "./access.ts";
import { blobsOf } from "./blobs.ts";
import { blobName } from "./blob-names.ts";
import { serveBytes } from "./response.ts";

const LINK_SECONDS = 60;
const SECRET_BYTES = 32;

/**
 * Valid for the lifetime of the process, which exceeds that of a URL. A restart invalidates all
 * URLs.
 */
const secretOf = perRealm(() => crypto.getRandomValues(new Uint8Array(SECRET_BYTES)));

export const getTemporaryLink = endpoint({
  summary: "Get a temporary link to a file that works without signing in",
  tag: "Files",
  params: { realm_id: int, rest: text },
  answer: Type.Object({ url: Type.String() }),
  run({ realm, user }, { realm_id, rest }) {
    const file = accessFile(realm.read, user, `${realm_id}/${rest}`);
    const claim = `${file.id}.${user.user_id}.${realm.read.now + LINK_SECONDS}`;
    const name = file.path_id.split("/").at(-1)!;
    return { url: `/user_uploads/temporary/${claim}.${signed(realm, claim)}/${name}` };
  },
});

export const getTemporaryFile = openEndpoint({
  summary: "Get a file by a temporary link",
  tag: "Files",
  params: { token: text, file: text },
  async run({ realm, request }, { token, file: name }) {
    const [, claim = "", id, user_id, expires, signature = ""] =
      /^((\d+)\.(\d+)\.(\d+))\.([\w-]+)$/.exec(token) ?? [];
    if (!isSameSecret(signature, signed(realm, claim))) throw temporaryLinkInvalid();
    if (Number(expires) <= realm.read.now) throw temporaryLinkInvalid();
    if (!realm.read.users.get(Number(user_id))?.is_active) throw temporaryLinkInvalid();
    const file = realm.read.attachments.get(Number(id));
    if (!file) throw fileNotFound();
    if (file.path_id.split("/").at(-1) !== name) throw temporaryNameInvalid();
    const bytes = await blobsOf(realm).find(blobName(file.path_id));
    if (!bytes) throw fileNotFound();
    return serveBytes(request, bytes, file, "inline");
  },
});

function signed(realm: Realm, claim: string): string {
  return createHmac("sha256", secretOf(realm)).update(claim).digest("base64url");
}
