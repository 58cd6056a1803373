// Parses the headers of resumable uploads.

/** A number of bytes; undefined if it is invalid. */
export function wholeNumber(header: string | null): number | undefined {
  return header !== null && /^\d{1,15}$/.test(header) ? Number(header) : undefined;
}

/** Comma-separated keys with values in Base64. */
export function metadataOf(header: string | null): Record<string, string | undefined> {
  const pairs = (header ?? "").split(",").map((pair) => pair.trim().split(/\s+/, 2));
  return Object.fromEntries(
    pairs.map(([key = "", value = ""]) => [key, Buffer.from(value, "base64").toString()]),
  );
}
