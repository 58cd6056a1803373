// Reads a form whose files stream through, so that none is ever held as a whole.
import { bodyTooLarge } from "../../contract/errors/general.ts";
import { arriving } from "./arriving.ts";
import { isMultipart, readParts } from "./multipart.ts";

export interface IncomingFile {
  /** As the client calls it; "" where it says nothing. */
  readonly name: string;
  /** What the client believes it to be; "" where it says nothing. */
  readonly content_type: string;
  readonly bytes: AsyncIterable<Uint8Array>;
}

/** Of all plain fields together. */
const FIELDS_BYTES_MAX = 1_048_576;

/** Hands on each file as it comes, to be read to its end; gives the plain fields. */
export async function readForm(
  request: Request,
  take: (file: IncomingFile) => Promise<void>,
): Promise<Map<string, string>> {
  const type = request.headers.get("content-type") ?? "";
  if (!isMultipart(type) || request.body === null) return new Map();
  let size = 0;
  const parts = await readParts(arriving(request.body), type, async (part) => {
    const { name, filename, content_type, bytes } = part;
    if (filename !== undefined) {
      await take({ name: filename, content_type, bytes });
      return [];
    }
    const chunks: Uint8Array[] = [];
    for await (const chunk of bytes) {
      size += chunk.length;
      if (size > FIELDS_BYTES_MAX) throw bodyTooLarge();
      chunks.push(chunk);
    }
    return [[name, Buffer.concat(chunks).toString()] as const];
  });
  return new Map(parts.flat());
}
