// Serves smaller versions of images, and creates missing ones.
import Type from "typebox";
import { endpoint, int, openEndpoint, optional, text } from "../../endpoint.ts";
import { ANIMATION_PIXELS_MAX } from "../../pictures/animation-cost.ts";
import { perRealm, type Realm } from "../../realm.ts";
import type { Attachment } from "../../schema/records-messages.ts";
import { Limiter } from "../../server/limit.ts";
import { accessFile } from "./access.ts";
import { blobsOf } from "./blobs.ts";
import type { StoredBlob } from "./blob-store.ts";
import {
  animatedPreviewOf,
  animationPixels,
  inspectPicture,
  thumbnailOf,
  transcodedOf,
} from "./images.ts";
import { animatedPathOf, blobName, thumbnailPathOf, transcodedPathOf } from "./blob-names.ts";
import { fileParams, readable, servedFile } from "./download.ts";
import { isTranscoded, ANIMATED_FORMAT, STILL_FORMAT } from "./rules.ts";
import { fileDenied, serveBytes } from "./response.ts";

const CACHE_FOR_A_MINUTE = "private, max-age=60";

/** The last part of the path names the format; an unknown one gets the nearest format. */
export const getThumbnail = openEndpoint({
  summary: "Get a thumbnail of an image",
  tag: "Files",
  params: fileParams,
  async run(context, { path_id: path, api_key }) {
    const { realm, request } = context;
    const separatorAt = path.lastIndexOf("/");
    const format = path.slice(separatorAt + 1);
    const file = readable(context, path.slice(0, separatorAt), api_key);
    if (file instanceof Response) return file;
    if (file.image === null) return fileDenied(context, 404);
    const isMoving = file.image.animated && format === ANIMATED_FORMAT;
    const thumbnail = await (isMoving
      ? animatedThumbnail(realm, file)
      : createThumbnail(realm, file, format));
    const bytes =
      thumbnail === "later" ? await createThumbnail(realm, file, STILL_FORMAT) : thumbnail;
    if (!bytes) return fileDenied(context, 404);
    // No thumbnail was made, since it would be no smaller.
    if (bytes.size === 0) return servedFile(context, file, "inline");
    const servedAs = { name: `${file.name}.webp`, content_type: "image/webp" };
    return serveBytes(
      request,
      bytes,
      servedAs,
      "inline",
      thumbnail === "later" ? CACHE_FOR_A_MINUTE : undefined,
    );
  },
});

/** Thumbnails are created before clients learn of an image. Other files never have one. */
export const getThumbnailStatus = endpoint({
  summary: "Get whether an image has its thumbnails",
  tag: "Files",
  params: { realm_id: int, rest: text },
  answer: Type.Object({ has_thumbnail: Type.Boolean() }),
  run({ realm, user }, { realm_id, rest }) {
    const { image } = accessFile(realm.read, user, `${realm_id}/${rest}`);
    return { has_thumbnail: image !== null };
  },
});

/** URLs in old messages: the requested size is ignored, and other hosts are not contacted. */
export const getOldThumbnail = openEndpoint({
  summary: "Get a thumbnail of an image, by its old URL",
  tag: "Files",
  params: { url: text, size: optional(text), api_key: optional(text) },
  async run(context, { url, api_key }) {
    const path_id = /^\/?user_uploads\/(\d+\/.+)$/.exec(url)?.[1];
    if (path_id === undefined) return fileDenied(context, 403);
    const file = readable(context, path_id, api_key);
    return file instanceof Response ? file : servedFile(context, file, "inline");
  },
});

/**
 * Thumbnails in progress, keyed by the place of the file. Prevents creating one twice at the same
 * time.
 */
const inProgress = perRealm(() => new Map<string, Promise<void>>());

function thumbnailsInProgress(realm: Realm) {
  const byPath = inProgress(realm);
  return (path: string, make: () => Promise<void>): Promise<void> => {
    const created = byPath.get(path) ?? make().finally(() => byPath.delete(path));
    byPath.set(path, created);
    return created;
  };
}

/** Creates the thumbnail, which normally exists since the upload but may be lost. */
async function createThumbnail(
  realm: Realm,
  file: Attachment,
  format: string,
): Promise<StoredBlob | undefined> {
  const blobs = blobsOf(realm);
  const { path_id, image, content_type } = file;
  const isComplete =
    isTranscoded(content_type) && format === `${image!.width}x${image!.height}.webp`;
  const path = isComplete ? transcodedPathOf(path_id) : thumbnailPathOf(path_id);
  const retained = await blobs.find(path);
  if (retained) return retained;
  await thumbnailsInProgress(realm)(path, async () => {
    const original = await blobs.find(blobName(path_id));
    if (!original || (await blobs.find(path))) return;
    const { bytes } = await inspectPicture(await original.content());
    await blobs.put(path, await (isComplete ? transcodedOf : thumbnailOf)(bytes));
  });
  return blobs.find(path);
}

/** Rate limit of decoded pixels per uploader, regardless of who requests the pictures. */
const DECODED_BY_UPLOADER = { calls: 2 * ANIMATION_PIXELS_MAX, seconds: 60 };
const decodedPixels = perRealm((realm) => new Limiter(realm.clock, DECODED_BY_UPLOADER));

/**
 * Creates an animated thumbnail at the first request, because that takes long. The thumbnail is
 * empty if that fails, and is the first frame if the animation has too many pixels. "later": the
 * uploader has reached the rate limit, so the caller sends the first frame for now.
 */
async function animatedThumbnail(realm: Realm, file: Attachment): Promise<StoredBlob | "later"> {
  const blobs = blobsOf(realm);
  const path = animatedPathOf(file.path_id);
  const retained = await blobs.find(path);
  if (retained) return retained;
  await thumbnailsInProgress(realm)(path, async () => {
    const original = await blobs.find(blobName(file.path_id));
    if (!original || (await blobs.find(path))) return;
    const bytes = await original.content();
    const pixels = await animationPixels(bytes);
    const isTooLarge = pixels > ANIMATION_PIXELS_MAX;
    if (!isTooLarge && !decodedPixels(realm).take(file.user_id, pixels).allowed) return;
    const smaller = isTooLarge ? "still" : await animatedPreviewOf(bytes);
    const stillContent = async () => (await createThumbnail(realm, file, STILL_FORMAT))?.content();
    const preview = smaller === "still" ? await (await stillContent())?.bytes() : smaller;
    await blobs.put(path, preview ?? new Uint8Array());
  });
  return (await blobs.find(path)) ?? "later";
}
