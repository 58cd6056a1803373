// Reads the headers of uploads in pieces.

/** A number of bytes; undefined when it is none. */
export function wholeNumber(header: string | null): number | undefined {
  return header !== null && /^\d{1,15}$/.test(header) ? Number(header) : undefined;
}

/** Keys with values in Base64, between commas. */
export function metadataOf(header: string | null): Record<string, string | undefined> {
  const pairs = (header ?? "").split(",").map((pair) => pair.trim().split(/\s+/, 2));
  return Object.fromEntries(
    pairs.map(([key = "", value = ""]) => [key, Buffer.from(value, "base64").toString()]),
  );
}
