// Reads a JSON object of lists row by row, with one row in memory at a time.
import type { Archive, Span } from "./entries.ts";
import { isObject } from "../json.ts";
import { JSON_DEPTH_MAX, LINE_BYTES_MAX, parsed } from "../lines.ts";
import { MovingRefused } from "../errors.ts";

const [QUOTE, BACKSLASH, OPEN_LIST, CLOSE_LIST, OPEN, CLOSE, COLON, COMMA] = [
  34, 92, 91, 93, 123, 125, 58, 44,
];
const TABLES_MAX = 1_000;
const NAME_BYTES_MAX = 200;

/** The position of a value in the file; for a list, of the content between its brackets. */
export interface Part extends Span {
  readonly isList: boolean;
}

/** The fields of the JSON object in an entry, with their positions. */
export async function partsOf(archive: Archive, name: string): Promise<Map<string, Part>> {
  const finding = new PartFinder(name);
  for await (const piece of archive.stream(name)) finding.take(piece);
  return finding.finish();
}

export interface TableRow {
  readonly row: Record<string, unknown>;
  /** The file, the table and the number of the row, from 1. */
  readonly place: string;
}

/**
 * The objects of a list. `label` names it in errors. `onOther` receives the places of other values;
 * without it, they are errors.
 */
export async function* rowsIn(
  archive: Archive,
  name: string,
  label: string,
  part: Part | undefined,
  onOther: (place: string) => void = (place) => {
    throw new MovingRefused("not an object", place);
  },
): AsyncIterable<TableRow> {
  if (!part) return;
  const place = (at: number) => `${label}#${at}`;
  if (!part.isList) throw new MovingRefused("not a list", label);
  const splitter = new RowSplitter(place);
  for await (const piece of archive.stream(name, part)) {
    for (const bytes of splitter.take(piece)) {
      const at = ++splitter.count;
      const row = bytes && parsed(bytes, place(at));
      if (isObject(row)) yield { row, place: place(at) };
      else onOther(place(at));
    }
  }
  if (splitter.finish()) onOther(place(++splitter.count));
}

/** Tracks strings that span several chunks. */
class Strings {
  isInside = false;
  /** Whether the previous chunk ends with a backslash that escapes the next byte. */
  private isEscaped = false;

  /** The offset after the end of the string, or the length of the chunk. */
  skip(piece: Buffer, from: number): number {
    let at = from;
    if (this.isEscaped) at += 1;
    this.isEscaped = false;
    for (;;) {
      const end = piece.indexOf(QUOTE, at);
      const stop = end < 0 ? piece.length : end;
      let backslashes = 0;
      while (stop - 1 - backslashes >= at && piece[stop - 1 - backslashes] === BACKSLASH) {
        backslashes += 1;
      }
      const isOdd = backslashes % 2 === 1;
      if (end < 0) {
        this.isEscaped = isOdd;
        return piece.length;
      }
      if (!isOdd) {
        this.isInside = false;
        return end + 1;
      }
      at = end + 1;
    }
  }
}

class PartFinder {
  private readonly parts = new Map<string, Part>();
  private readonly strings = new Strings();
  private depth = 0;
  private base = 0;
  private key: string | undefined;
  /** Bytes of a string at the top level, which may be a field name. */
  private text: Buffer[] | undefined;
  private lastText = "";
  private from = -1;
  private isList = false;

  constructor(private readonly name: string) {}

  take(given: Uint8Array): void {
    const piece = Buffer.from(given.buffer, given.byteOffset, given.length);
    for (let at = 0; at < piece.length;) {
      if (this.strings.isInside) {
        const end = this.strings.skip(piece, at);
        this.text?.push(Buffer.from(piece.subarray(at, end)));
        if (!this.strings.isInside) this.endText();
        at = end;
        continue;
      }
      this.step(piece[at]!, this.base + at);
      at += 1;
    }
    this.base += piece.length;
  }

  finish(): Map<string, Part> {
    if (this.depth !== 0 || this.base === 0 || this.strings.isInside) {
      throw new MovingRefused("ends early: truncated?", this.name);
    }
    return this.parts;
  }

  private step(byte: number, at: number): void {
    const { name } = this;
    if (byte === QUOTE) {
      if (this.depth === 0) throw new MovingRefused("not a JSON object", name);
      if (this.depth === 1 && this.from < 0) this.text = [];
      this.strings.isInside = true;
      if (this.key !== undefined && this.from < 0) this.from = at;
    } else if (byte === OPEN || byte === OPEN_LIST) {
      if (this.depth === 0 && byte === OPEN_LIST)
        throw new MovingRefused("not a JSON object", name);
      if (this.depth === 1 && this.key !== undefined) {
        this.isList = byte === OPEN_LIST;
        this.from = this.isList ? at + 1 : at;
      }
      this.depth += 1;
      if (this.depth > JSON_DEPTH_MAX + 2) {
        throw new MovingRefused(`nested deeper than ${JSON_DEPTH_MAX}`, this.where());
      }
    } else if (byte === CLOSE || byte === CLOSE_LIST) {
      this.depth -= 1;
      if (this.depth < 0) throw new MovingRefused("not valid JSON", this.where());
      if (this.depth === 1) this.end(this.isList ? at : at + 1);
      else if (this.depth === 0) this.end(at);
    } else if (this.depth === 1) this.between(byte, at);
    else if (this.depth === 0 && byte > 32) throw new MovingRefused("not a JSON object", name);
  }

  private between(byte: number, at: number): void {
    if (byte === COLON && this.key === undefined) {
      this.key = this.lastText;
      this.from = -1;
    } else if (byte === COMMA) this.end(at);
    else if (byte > 32 && this.key !== undefined && this.from < 0) this.from = at;
  }

  private end(to: number): void {
    if (this.key === undefined || this.from < 0) return;
    if (this.parts.size >= TABLES_MAX) throw new MovingRefused("has too many tables", this.name);
    this.parts.set(this.key, { from: this.from, to, isList: this.isList });
    this.key = undefined;
    this.from = -1;
    this.isList = false;
  }

  private endText(): void {
    if (!this.text) return;
    const bytes = Buffer.concat(this.text);
    this.lastText = bytes.subarray(0, Math.min(bytes.length - 1, NAME_BYTES_MAX)).toString("utf8");
    this.text = undefined;
  }

  private where(): string {
    return this.key === undefined ? this.name : `${this.name} ${this.key}`;
  }
}

class RowSplitter {
  count = 0;
  private readonly strings = new Strings();
  private depth = 0;
  private rest: Buffer[] = [];
  private restBytes = 0;
  /** A value that is neither an object nor a list has begun. */
  private isScalar = false;

  constructor(private readonly place: (at: number) => string) {}

  /** Yields objects and lists, and undefined for other values. */
  *take(given: Uint8Array): Iterable<Uint8Array | undefined> {
    const piece = Buffer.from(given.buffer, given.byteOffset, given.length);
    let start = this.depth > 0 ? 0 : -1;
    for (let at = 0; at < piece.length;) {
      if (this.strings.isInside) {
        at = this.strings.skip(piece, at);
        continue;
      }
      const byte = piece[at]!;
      at += 1;
      if (byte === QUOTE) {
        this.strings.isInside = true;
        if (this.depth === 0) this.isScalar = true;
      } else if (byte === OPEN || byte === OPEN_LIST) {
        if (this.depth === 0) start = at - 1;
        this.depth += 1;
      } else if (byte === CLOSE || byte === CLOSE_LIST) {
        this.depth -= 1;
        if (this.depth > 0) continue;
        if (this.depth < 0) throw new MovingRefused("not valid JSON", this.place(this.count + 1));
        const end = piece.subarray(start, at);
        const bytes = this.rest.length > 0 ? Buffer.concat([...this.rest, end]) : end;
        [this.rest, this.restBytes, start] = [[], 0, -1];
        yield bytes;
      } else if (this.depth === 0 && byte === COMMA) {
        if (this.isScalar) yield undefined;
        this.isScalar = false;
      } else if (this.depth === 0 && byte > 32) this.isScalar = true;
    }
    if (start < 0) return;
    this.rest.push(Buffer.from(piece.subarray(start)));
    this.restBytes += piece.length - start;
    if (this.restBytes > LINE_BYTES_MAX) {
      const most = LINE_BYTES_MAX / 1_048_576;
      throw new MovingRefused(`longer than ${most} MiB`, this.place(this.count + 1));
    }
  }

  /** Whether the last value is neither an object nor a list. */
  finish(): boolean {
    if (this.depth === 0 && !this.strings.isInside) return this.isScalar;
    throw new MovingRefused("ends early: truncated?", this.place(this.count + 1));
  }
}

const MARGIN_BYTES = 64;

/** The part of a file that is a list, between its brackets. */
export async function listIn(archive: Archive, name: string): Promise<Part> {
  const size = archive.sizes.get(name) ?? 0;
  const head = await textAt(archive, name, { from: 0, to: Math.min(size, MARGIN_BYTES) });
  const start = Math.max(0, size - MARGIN_BYTES);
  const tail = await textAt(archive, name, { from: start, to: size });
  const [, before = ""] = /^((?:\u00ef\u00bb\u00bf)?\s*)\[/.exec(head) ?? [];
  if (!head.startsWith(`${before}[`)) throw new MovingRefused("not a list", name);
  const end = tail.trimEnd();
  if (!end.endsWith("]")) throw new MovingRefused("ends early: truncated?", name);
  return { from: before.length + 1, to: start + end.length - 1, isList: true };
}

async function textAt(archive: Archive, name: string, span: Span): Promise<string> {
  let text = "";
  for await (const piece of archive.stream(name, span))
    text += Buffer.from(piece).toString("latin1");
  return text;
}
