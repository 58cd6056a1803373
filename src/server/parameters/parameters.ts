// Collects the raw parameters of a request from its query and body.
import {
  bodyTooLarge,
  malformedEncoding,
  tooManyParameters,
} from "../../contract/errors/general.ts";
import { bodyChunks } from "../body/body-timeouts.ts";
import { type FormFile, isMultipart, readParts } from "../body/multipart.ts";
import { SHORT_BYTES_MAX, shortBody } from "../body/short-body.ts";
import { type RawParams, NONE } from "./raw.ts";

/** Fits the longest lists of ids that clients send, plus a message of maximum length. */
export const FORM_BYTES_MAX = 1_048_576 + 131_072;
/** Limit for requests without authentication. */
export const ANONYMOUS_FORM_BYTES_MAX = 65_536;
/** Limit of all files of a form together. */
const FORM_FILES_BYTES_MAX = 6 * 1_048_576;
const PARAMETERS_MAX = 1000;

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Parses a query string, without its question mark. */
export function parametersInQuery(query: string): RawParams {
  if (query === "") return NONE;
  const input: RawParams = new Map();
  pairsInto(input, query);
  return input;
}

interface Sender {
  readonly isAnonymous?: boolean;
  /** Receives the files, if the endpoint accepts them. */
  readonly files?: FormFile[] | undefined;
}

/** Parses a form in the body; other bodies have no parameters. */
export async function parametersInForm(
  request: Request,
  { isAnonymous = false, files }: Sender = {},
): Promise<RawParams> {
  const type = request.headers.get("content-type") ?? "";
  if (!isMultipart(type) && !URL_ENCODED.test(type)) return NONE;
  const bytes_max = files ? FORM_BYTES_MAX + FORM_FILES_BYTES_MAX : FORM_BYTES_MAX;
  const bytes = await bytesOf(request, isAnonymous ? ANONYMOUS_FORM_BYTES_MAX : bytes_max);
  if (bytes.length === 0) return NONE;
  const input: RawParams = isMultipart(type)
    ? await parametersInParts(bytes, type, files)
    : new Map();
  if (!isMultipart(type)) pairsInto(input, textOfBytes(bytes));
  if (input.size > PARAMETERS_MAX) throw tooManyParameters();
  return input;
}

/** Browsers send an empty file if none was selected. */
async function parametersInParts(
  bytes: Uint8Array,
  type: string,
  files?: FormFile[],
): Promise<RawParams> {
  const parts = await readParts([bytes], type, async ({ name, filename, bytes: coming }) => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of coming) chunks.push(chunk);
    return { name, isFile: filename !== undefined, value: new Uint8Array(Buffer.concat(chunks)) };
  });
  const input: RawParams = new Map();
  for (const { name, isFile, value } of parts) {
    if (!isFile) input.set(name, textOfBytes(value));
    else if (value.length > 0) files?.push(value);
  }
  return input;
}

const URL_ENCODED = /^application\/x-www-form-urlencoded\b/i;

/** Merges both sources; the body wins. */
export function mergeParams(query: RawParams, form: RawParams): RawParams {
  if (form.size === 0) return query;
  if (query.size === 0) return form;
  return new Map([...query, ...form]);
}

const STRAY_PERCENT = /%(?![0-9a-f]{2})/gi;

/** Decodes a part of a URL or form. An invalid percent sign stays as it is. */
export function decodedPart(part: string): string {
  if (!part.includes("%")) return part;
  try {
    return decodeURIComponent(part.replaceAll(STRAY_PERCENT, "%25"));
  } catch {
    throw malformedEncoding();
  }
}

function pairsInto(input: RawParams, encoded: string) {
  for (let start = 0; start < encoded.length;) {
    let end = encoded.indexOf("&", start);
    if (end < 0) end = encoded.length;
    let pair = encoded.slice(start, end);
    if (pair.includes("+")) pair = pair.replaceAll("+", " ");
    start = end + 1;
    if (pair === "") continue;
    const equals = pair.indexOf("=");
    const name = decodedPart(equals < 0 ? pair : pair.slice(0, equals));
    input.set(name, equals < 0 ? "" : decodedPart(pair.slice(equals + 1)));
    if (input.size > PARAMETERS_MAX) throw tooManyParameters();
  }
}

function textOfBytes(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw malformedEncoding();
  }
}

/** Reads the whole body. @throws before more than the limit is in memory */
export function bytesOf(request: Request, bytes_max = FORM_BYTES_MAX): Promise<Uint8Array> {
  const length = lengthOf(request);
  if (length !== undefined && length > bytes_max) return Promise.reject(bodyTooLarge());
  return isShort(request) ? shortBody(request) : bytesInChunks(request, bytes_max);
}

/**
 * Whether to read the body at once. Stalled connections are then closed without a timer per
 * request.
 */
export function isShort(request: Request): boolean {
  const length = lengthOf(request);
  return length !== undefined && length <= SHORT_BYTES_MAX;
}

function lengthOf({ headers }: Request): number | undefined {
  const length = headers.get("content-length");
  return length === null ? undefined : Number(length);
}

async function bytesInChunks(request: Request, bytes_max: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of bodyChunks(request.body)) {
    size += chunk.length;
    if (size > bytes_max) throw bodyTooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
