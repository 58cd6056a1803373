// Reads a multipart form whose files stream through, so that none is ever held as a whole.
import type { Busboy } from "busboy";
import { Readable } from "node:stream";
import { malformedForm } from "../../contract/errors/general.ts";
import { arriving } from "./arriving.ts";
import { PartTypes } from "./part-types.ts";

export interface IncomingFile {
  /** As the client calls it; "" where it says nothing. */
  readonly name: string;
  /** What the client believes it to be; "" where it says nothing. */
  readonly content_type: string;
  readonly bytes: AsyncIterable<Uint8Array>;
}

const FIELDS_MAX = 100;
const FIELD_BYTES_MAX = 65_536;
const FILES_MAX = 10;

/** Hands on each file as it comes, to be read to its end; gives the plain fields. */
export async function readForm(
  request: Request,
  take: (file: IncomingFile) => Promise<void>,
): Promise<Map<string, string>> {
  const type = request.headers.get("content-type") ?? "";
  if (!/^multipart\/form-data\b/i.test(type) || request.body === null) {
    return new Map();
  }
  const types = new PartTypes(type);
  const body = Readable.from(types.seen(arriving(request.body)));
  return parsed(await parserOf(type), body, types, take);
}

async function parserOf(type: string): Promise<Busboy> {
  const { default: busboy } = await import("busboy");
  const limits = { fields: FIELDS_MAX, fieldSize: FIELD_BYTES_MAX, files: FILES_MAX };
  try {
    return busboy({ headers: { "content-type": type }, defParamCharset: "utf8", limits });
  } catch {
    throw malformedForm();
  }
}

function parsed(
  parser: Busboy,
  body: Readable,
  types: PartTypes,
  take: (file: IncomingFile) => Promise<void>,
): Promise<Map<string, string>> {
  const fields = new Map<string, string>();
  const taking: Promise<void>[] = [];
  const coming: Readable[] = [];
  return new Promise((resolve, reject) => {
    let hasFailed = false;
    const fail = (error: unknown) => {
      if (hasFailed) return;
      hasFailed = true;
      body.unpipe(parser);
      parser.destroy();
      for (const bytes of coming) bytes.destroy(malformedForm());
      // Whoever cleans up after a refusal finds nobody at work any more.
      void Promise.allSettled(taking).then(() => reject(error));
    };
    parser.on("field", (name, value) => fields.set(name, value));
    parser.on("file", (_field, bytes, { filename, mimeType }) => {
      // Whoever reads it hears of it; when nobody reads any more, nobody needs to.
      bytes.on("error", () => {});
      coming.push(bytes);
      const content_type = types.isNextNamed() ? mimeType : "";
      const file = { name: filename ?? "", content_type, bytes };
      const taken = take(file);
      taking.push(taken);
      taken.catch(fail);
    });
    parser.on("error", () => fail(malformedForm()));
    parser.on("close", () => {
      if (!hasFailed) void Promise.all(taking).then(() => resolve(fields), fail);
    });
    body.on("error", fail);
    body.pipe(parser);
  });
}
