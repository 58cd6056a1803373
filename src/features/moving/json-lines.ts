// Reads JSON lines from a file of any size, with one line in memory at a time.
import { open } from "node:fs/promises";
import { MovingRefused } from "./errors.ts";

export const LINE_BYTES_MAX = 16 * 1_048_576;
export const JSON_DEPTH_MAX = 64;
const PIECE_BYTES = 256 * 1024;
const NEWLINE = 10;
const RETURN = 13;

export interface Line {
  readonly value: unknown;
  readonly bytes: number;
  /** The name of the file and the number of the line, from 1. */
  readonly location: string;
  /** Why the line has no value. */
  readonly error?: MovingRefused;
}

/** `onPiece` receives all chunks of the file in order. */
export function jsonLines(
  path: string,
  name: string,
  onPiece: (bytes: Uint8Array) => void = () => {},
): AsyncIterable<Line> {
  return jsonLinesIn(piecesOf(path), name, onPiece);
}

/** Like `jsonLines`, for chunks instead of a file. */
async function* jsonLinesIn(
  pieces: AsyncIterable<Uint8Array>,
  name: string,
  onPiece: (bytes: Uint8Array) => void = () => {},
): AsyncIterable<Line> {
  for await (const { error, ...line } of anyLinesIn(pieces, name, onPiece)) {
    if (error) throw error;
    yield line;
  }
}

/** Like `jsonLinesIn`, but also yields damaged lines. A truncated last line is an error. */
export async function* anyLinesIn(
  pieces: AsyncIterable<Uint8Array>,
  name: string,
  onPiece: (bytes: Uint8Array) => void = () => {},
): AsyncIterable<Line> {
  let number = 0;
  for await (const { bytes, isWhole } of linesOf(pieces, onPiece)) {
    number += 1;
    if (bytes && isBlank(bytes)) continue;
    const location = `${name}#${number}`;
    try {
      if (!bytes)
        throw new MovingRefused(`longer than ${LINE_BYTES_MAX / 1_048_576} MiB`, location);
      yield { value: parsed(bytes, location), bytes: bytes.length, location };
    } catch (error) {
      if (!(error instanceof MovingRefused) || !isWhole) throw error;
      yield { value: undefined, bytes: 0, location, error };
    }
  }
}

/** Whether a line is empty except for the end of a line on Windows. */
const isBlank = (bytes: Uint8Array) => bytes.every((byte) => byte === RETURN);

/** Programs on Windows write it at the start of a file. */
const BYTE_ORDER_MARK = "\ufeff";

/** Parses JSON that is not nested too deeply. */
export function parsed(bytes: Uint8Array, location: string): unknown {
  const content = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("utf8");
  const text = content.startsWith(BYTE_ORDER_MARK) ? content.slice(1) : content;
  if (isTooDeep(text)) throw new MovingRefused(`nested deeper than ${JSON_DEPTH_MAX}`, location);
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new MovingRefused("not valid JSON; the archive is damaged or incomplete", location);
  }
}

/** All chunks of a file share one buffer. */
async function* piecesOf(path: string): AsyncIterable<Uint8Array> {
  const file = await open(path, "r");
  const buffer = Buffer.alloc(PIECE_BYTES);
  try {
    for (;;) {
      const { bytesRead } = await file.read(buffer, 0, PIECE_BYTES);
      if (bytesRead === 0) return;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}

interface RawLine {
  /** undefined if the line is too long. */
  readonly bytes: Uint8Array | undefined;
  /** Whether the line ends with a newline. */
  readonly isWhole: boolean;
}

async function* linesOf(
  pieces: AsyncIterable<Uint8Array>,
  onPiece: (bytes: Uint8Array) => void,
): AsyncIterable<RawLine> {
  let rest: Buffer[] = [];
  let restBytes = 0;
  for await (const chunk of pieces) {
    const piece = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length);
    onPiece(piece);
    let from = 0;
    for (let end = piece.indexOf(NEWLINE); end >= 0; end = piece.indexOf(NEWLINE, from)) {
      const isLong = restBytes > LINE_BYTES_MAX;
      const bytes = isLong ? undefined : Buffer.concat([...rest, piece.subarray(from, end)]);
      yield { bytes, isWhole: true };
      [rest, restBytes, from] = [[], 0, end + 1];
    }
    if (from === piece.length) continue;
    restBytes += piece.length - from;
    if (restBytes > LINE_BYTES_MAX) rest = [];
    else rest.push(Buffer.from(piece.subarray(from)));
  }
  if (restBytes === 0) return;
  const bytes = restBytes > LINE_BYTES_MAX ? undefined : Buffer.concat(rest);
  yield { bytes, isWhole: false };
}

const QUOTE = 34;
const BACKSLASH = 92;

/** Counts brackets outside of strings, before a parser would recurse into them. */
export function isTooDeep(text: string): boolean {
  if (text.length < 2 * JSON_DEPTH_MAX) return false;
  let depth = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === QUOTE) {
      for (index++; index < text.length && text.charCodeAt(index) !== QUOTE; index++) {
        if (text.charCodeAt(index) === BACKSLASH) index++;
      }
    } else if (code === 91 || code === 123) {
      if (++depth > JSON_DEPTH_MAX) return true;
    } else if (code === 93 || code === 125) depth--;
  }
  return false;
}
