// Parses a form whose files are streamed, so that no file is held in memory.
import { bodyTooLarge } from "../../contract/errors/general.ts";
import { bodyChunks } from "./body-timeouts.ts";
import { isMultipart, readParts } from "./multipart.ts";

interface IncomingFile {
  /** The client's file name; "" if none. */
  readonly name: string;
  /** The content type that the client states; "" if none. */
  readonly content_type: string;
  readonly bytes: AsyncIterable<Uint8Array>;
}

/** Limit of all plain fields together. */
const FIELDS_BYTES_MAX = 1_048_576;

/** Calls `take` with each file as it arrives, and resolves to the plain fields. */
export async function readForm(
  request: Request,
  take: (file: IncomingFile) => Promise<void>,
): Promise<Map<string, string>> {
  const type = request.headers.get("content-type") ?? "";
  if (!isMultipart(type) || request.body === null) return new Map();
  let size = 0;
  const parts = await readParts(bodyChunks(request.body), type, async (part) => {
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
