// Rules for names of files, types that browsers display, and retention of unused files.
import { normalized } from "../../text/normalize.ts";

export const MIB = 1_048_576;
export const UNUSED_DAYS = 35;
const FILE_NAME_LENGTH_MAX = 255;
/** Maximum length of the name within the URL. */
const ADDRESS_NAME_LENGTH_MAX = 100;
const DEFAULT_FILE_NAME = "uploaded-file";

export const UNKNOWN_TYPE = "application/octet-stream";

/** The image types that get a thumbnail. */
export const PICTURE_TYPES: ReadonlySet<string> = new Set([
  "image/apng",
  "image/avif",
  "image/gif",
  "image/jpeg",
  "image/png",
  "image/tiff",
  "image/webp",
]);
/** Image types that most browsers cannot display. They get another format. */
const TRANSCODED_TYPES: ReadonlySet<string> = new Set(["image/tiff"]);
/** Larger images are scaled down to this size. */
export const TRANSCODED = { width: 4_032, height: 3_024 };

export const PICTURE_PIXELS_MAX = 90_000_000;
export const PICTURE_BYTES_MAX = 64 * MIB;

export const THUMBNAIL = { width: 840, height: 560 };
export const STILL_FORMAT = "840x560.webp";
export const ANIMATED_FORMAT = "840x560-anim.webp";

/** Displayed in the browser; everything else is downloaded, so that it cannot execute as a page. */
const INLINE_TYPES: ReadonlySet<string> = new Set([
  "application/pdf",
  "text/plain",
  ...["image/png", "image/jpeg", "image/gif", "image/webp", "image/apng", "image/avif"],
  ...["video/mp4", "video/webm"],
  ...["audio/aac", "audio/flac", "audio/mp4", "audio/mpeg", "audio/webm"],
  ...["audio/wav", "audio/x-wav", "audio/vnd.wave"],
]);

export function isTranscoded(content_type: string): boolean {
  return TRANSCODED_TYPES.has(content_type);
}

export function isShownInline(content_type: string): boolean {
  return INLINE_TYPES.has(content_type);
}

/** Control characters and bidirectional controls, which could disguise the extension. */
const INVISIBLE_CHARACTERS = /[\u0000-\u001f\u007f\u202a-\u202e\u2066-\u2069]/g;

/** The displayed name, as the client gave it. Percent signs are not decoded. */
export function shownName(value: string): string {
  const name = value.replaceAll(INVISIBLE_CHARACTERS, "").trim();
  return name === "" ? DEFAULT_FILE_NAME : [...name].slice(0, FILE_NAME_LENGTH_MAX).join("");
}

/** The name in the URL; `isStrict`: in ASCII. */
export function addressName(name: string, isStrict = false): string {
  const disallowed = isStrict ? /[^A-Za-z0-9_ .-]/g : /[^\p{L}\p{M}\p{N}_\s.-]/gu;
  const cleanName = normalized(name, "NFKC").replaceAll(disallowed, "").trim();
  const slug = shortened(cleanName.replaceAll(/[-\s]+/g, "-"));
  if (["", ".", ".."].includes(slug)) return DEFAULT_FILE_NAME;
  // If the name is in another script, only the extension is left.
  const isEnd = isStrict && slug.startsWith(".") && !name.startsWith(".");
  return isEnd ? DEFAULT_FILE_NAME + slug : slug;
}

/** Keeps the end of the name, which has the file's extension. */
function shortened(name: string): string {
  const characters = [...name];
  if (characters.length <= ADDRESS_NAME_LENGTH_MAX) return name;
  const end = /\.[^.]{1,10}$/.exec(name)?.[0] ?? "";
  return characters.slice(0, ADDRESS_NAME_LENGTH_MAX - [...end].length).join("") + end;
}

/** A content type without its parameters; unknown if it is invalid. */
export function plainType(value: string): string {
  const [type = ""] = value.toLowerCase().split(";", 1);
  return /^[a-z0-9.+-]+\/[a-z0-9.+-]+$/.test(type.trim()) ? type.trim() : UNKNOWN_TYPE;
}

/** A byte range; `to` is exclusive. */
export interface ByteRange {
  from: number;
  to: number;
}

/** Parses a Range header: a span, "whole", or "none" if the range is outside of the file. */
export function parseRange(header: string | null, size: number): ByteRange | "whole" | "none" {
  const [, first = "", last = ""] = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? "") ?? [];
  if (first === "" && last === "") return "whole";
  if (first === "") {
    const length = Math.min(Number(last), size);
    return length === 0 ? "none" : { from: size - length, to: size };
  }
  const from = Number(first);
  const to = last === "" ? size : Math.min(Number(last) + 1, size);
  if (last !== "" && Number(last) < from) return "whole";
  return from >= size ? "none" : { from, to };
}
