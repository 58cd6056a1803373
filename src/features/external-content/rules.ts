// Selects the content of other hosts that is displayed, and limits its requests.
import { DAY_SECONDS } from "../../contract/units.ts";

/** Recognized by their bytes. Other types, such as SVG and PDF, are not accepted. */
const PICTURES: ReadonlySet<string> = new Set([
  ...["image/apng", "image/avif", "image/bmp", "image/gif", "image/jpeg"],
  ...["image/png", "image/webp", "image/x-icon"],
]);
const MEDIA: ReadonlySet<string> = new Set([
  ...["video/mp4", "video/webm", "video/quicktime", "video/x-m4v"],
  ...["audio/aac", "audio/flac", "audio/mpeg", "audio/ogg", "audio/wav", "audio/x-m4a"],
]);

const MIB = 1_048_576;
const PICTURE_BYTES_MAX = 16 * MIB;
export const MEDIA_BYTES_MAX = 64 * MIB;

/** undefined if the type is not an image, video or audio type. */
export function bytesMaxOf(content_type: string): number | undefined {
  if (PICTURES.has(content_type)) return PICTURE_BYTES_MAX;
  return MEDIA.has(content_type) ? MEDIA_BYTES_MAX : undefined;
}

/** Timeout for DNS, all redirects and the complete body together. */
export const DOWNLOAD_MS = 30_000;

/** Maximum size of the cache. */
export const CACHE_BYTES_MAX = 512 * MIB;
export const CACHE_FILES_MAX = 20_000;
/** Content is requested again after this time. */
export const CACHE_SECONDS = 7 * DAY_SECONDS;
/** Time before a failed request is repeated. */
export const FAILURE_CACHE_SECONDS = 600;
export const FAULTS_MAX = 10_000;

/** Rate limits per host, and for all hosts. */
export const HOST_RATE = { calls: 120, seconds: 60 };
export const RATE = { calls: 600, seconds: 60 };
export const HOST_DOWNLOADS_MAX = 4;
export const DOWNLOADS_MAX = 16;
export const WAITING_MAX = 200;
