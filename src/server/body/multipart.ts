// Reads a multipart form that is in memory: its plain fields, and its files where they are wanted.
import { malformedForm } from "../../contract/errors/general.ts";
import type { Given } from "../parameters/given.ts";

const LINE_END = "\r\n";
const HEADERS_END = "\r\n\r\n";

export type FormFile = Uint8Array<ArrayBuffer>;

/** `files` undefined: they are passed over. */
export function multipartInto(
  given: Given,
  body: Uint8Array,
  contentType: string,
  textOf: (bytes: Uint8Array) => string,
  files?: FormFile[],
) {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const delimiter = "--" + boundaryOf(contentType);
  let place = bytes.indexOf(delimiter);
  while (place >= 0) {
    place += delimiter.length;
    if (bytes.toString("latin1", place, place + 2) === "--") return;
    const headersEnd = bytes.indexOf(HEADERS_END, place);
    const valueEnd = bytes.indexOf(LINE_END + delimiter, place);
    if (headersEnd < 0 || valueEnd < 0 || valueEnd < headersEnd) throw malformedForm();
    const name = fieldName(textOf(bytes.subarray(place, headersEnd)));
    // A field without a value has its headers' last line end right before the delimiter.
    const valueStart = Math.min(headersEnd + HEADERS_END.length, valueEnd);
    const value = bytes.subarray(valueStart, valueEnd);
    if (name !== undefined) given.set(name, textOf(value));
    // A browser sends a file without content where none was chosen.
    else if (value.length > 0) files?.push(new Uint8Array(value));
    place = valueEnd + LINE_END.length;
  }
  throw malformedForm();
}

function boundaryOf(contentType: string): string {
  const [, quoted, plain] = /;\s*boundary=(?:"([^"]+)"|([^\s;"]+))/i.exec(contentType) ?? [];
  const boundary = quoted ?? plain;
  if (boundary === undefined) throw malformedForm();
  return boundary;
}

/** The name of a plain field; undefined for a file. */
function fieldName(headers: string): string | undefined {
  const disposition = /^content-disposition:\s*form-data\s*(;.*)$/im.exec(headers)?.[1];
  if (disposition === undefined) throw malformedForm();
  if (/;\s*filename\*?=/i.test(disposition)) return undefined;
  const [, quoted, plain] = /;\s*name=(?:"((?:[^"\\]|\\.)*)"|([^\s;"]+))/i.exec(disposition) ?? [];
  const name = quoted?.replaceAll(/\\(.)/g, "$1").replaceAll("%22", '"') ?? plain;
  if (name === undefined) throw malformedForm();
  return name;
}
