// Parses multipart forms as a stream, part by part, without buffering parts.
import type { Dicer } from "@fastify/busboy";
import { Readable } from "node:stream";
import { malformedForm, tooManyParameters } from "../../contract/errors/general.ts";

interface Part {
  readonly name: string;
  /** The client's file name; undefined for a plain field. */
  readonly filename: string | undefined;
  /** The content type that the client states; "" if none. */
  readonly content_type: string;
  readonly bytes: AsyncIterable<Uint8Array>;
}

/** A file of a form, in memory. */
export type FormFile = Uint8Array<ArrayBuffer>;

const PARTS_MAX = 1_001;

export const isMultipart = (type: string) => /^multipart\/form-data\b/i.test(type);

/**
 * Calls `take` with each part as it arrives; `take` must read it to the end. Resolves to the
 * results in order. After an error, waits until no part is being read, then throws the first error.
 */
export async function readParts<T>(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  content_type: string,
  take: (part: Part) => Promise<T>,
): Promise<T[]> {
  const { Dicer } = await import("@fastify/busboy");
  const parser = new Dicer({ boundary: boundaryOf(content_type) });
  const body = Readable.from(chunks, { objectMode: true });
  const incoming: Readable[] = [];
  const readers: Promise<T>[] = [];
  return new Promise((resolve, reject) => {
    let hasFailed = false;
    const fail = (error: unknown) => {
      if (hasFailed) return;
      hasFailed = true;
      body.unpipe(parser);
      body.destroy();
      for (const bytes of incoming) bytes.destroy(malformedForm());
      // Rejects only after all readers have stopped, so that the caller can clean up.
      void Promise.allSettled(readers).then(() => reject(error));
    };
    parser.on("part", (bytes) => {
      // The reader receives the error; without a reader it can be ignored.
      bytes.on("error", () => {});
      if (hasFailed) return;
      incoming.push(bytes);
      if (incoming.length > PARTS_MAX) return fail(tooManyParameters());
      bytes.on("header", (header) => {
        const part = partOf(header as Header, bytes);
        if (part === undefined) return fail(malformedForm());
        const handler = take(part);
        readers.push(handler);
        handler.catch(fail);
      });
    });
    parser.on("error", () => fail(malformedForm()));
    parser.on("finish", () => {
      // A part with an incomplete header never reaches `take`.
      if (readers.length < incoming.length) return fail(malformedForm());
      if (!hasFailed) void Promise.all(readers).then(resolve, fail);
    });
    body.on("error", fail);
    body.pipe(parser);
  });
}

function boundaryOf(content_type: string): string {
  const [, quoted, plain] = /;\s*boundary=(?:"([^"]+)"|([^\s;"]+))/i.exec(content_type) ?? [];
  const boundary = quoted ?? plain;
  if (boundary === undefined) throw malformedForm();
  return boundary;
}

/** Header lines by lower-case name; each byte is one character. */
type Header = Readonly<Record<string, readonly string[] | undefined>>;

function partOf(header: Header, bytes: Dicer.PartStream): Part | undefined {
  const disposition = header["content-disposition"]?.[0] ?? "";
  if (!/^form-data\s*;/i.test(disposition)) return undefined;
  const input = parametersOf(Buffer.from(disposition, "latin1").toString());
  const name = input.get("name");
  if (name === undefined) return undefined;
  const [content_type = ""] = (header["content-type"]?.[0] ?? "").split(";");
  return {
    name,
    filename: filenameIn(input),
    content_type: content_type.trim().toLowerCase(),
    bytes,
  };
}

const PARAMETER = /;\s*([^\s=;"]+)=(?:"((?:[^"\\]|\\[^])*)"|([^\s;"]*))/g;

function parametersOf(disposition: string): Map<string, string> {
  const input = new Map<string, string>();
  for (const [, name = "", quoted, plain = ""] of disposition.matchAll(PARAMETER)) {
    const value = quoted?.replaceAll(/\\(["\\])/g, "$1").replaceAll("%22", '"') ?? plain;
    input.set(name.toLowerCase(), value);
  }
  return input;
}

/** Removes a folder path, which some clients send. */
function filenameIn(input: ReadonlyMap<string, string>): string | undefined {
  const path = decodedName(input.get("filename*")) ?? input.get("filename");
  return path?.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1);
}

/** Decodes values such as `UTF-8''f%C3%BCr.txt` (RFC 5987). */
function decodedName(value = ""): string | undefined {
  const [, encoded] = /^utf-8'[^']*'(.*)$/i.exec(value) ?? [];
  if (encoded === undefined) return undefined;
  try {
    return decodeURIComponent(encoded);
  } catch {
    return undefined;
  }
}
