// Finds the fields of a JSON object of any size, chunk by chunk.
import type { Span } from "./entries.ts";
import { MovingRefused } from "../errors.ts";
import { JSON_DEPTH_MAX } from "../json-lines.ts";
import { Strings } from "./row-splitter.ts";

const [QUOTE, OPEN_LIST, CLOSE_LIST, OPEN, CLOSE, COLON, COMMA] = [34, 91, 93, 123, 125, 58, 44];
/** Programs on Windows write it at the start of a file. */
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];
const TABLES_MAX = 1_000;
const NAME_BYTES_MAX = 200;

/** The position of a value in the file; for a list, of the content between its brackets. */
export interface Part extends Span {
  readonly isList: boolean;
  /** The file ends, or is damaged, before the value ends. */
  readonly error?: MovingRefused;
}

export class PartFinder {
  private readonly parts = new Map<string, Part>();
  private readonly strings = new Strings();
  private depth = 0;
  private base = 0;
  private key: string | undefined;
  /** The first bytes of a string at the top level, which may be a field name. */
  private text: Buffer | undefined;
  private lastText = "";
  private from = -1;
  private isList = false;

  constructor(
    private readonly name: string,
    private readonly depthMax: number,
  ) {}

  take(chunk: Uint8Array): void {
    const piece = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length);
    for (let index = 0; index < piece.length;) {
      if (this.strings.isInside) {
        const end = this.strings.skip(piece, index);
        this.addText(piece.subarray(index, end));
        if (!this.strings.isInside) this.endText();
        index = end;
        continue;
      }
      this.step(piece[index]!, this.base + index);
      index += 1;
    }
    this.base += piece.length;
  }

  finish(): Map<string, Part> {
    if (this.depth !== 0 || this.base === 0 || this.strings.isInside) {
      throw new MovingRefused("ends early: truncated?", this.name);
    }
    return this.parts;
  }

  /** Returns the parts before damage; an unfinished list extends to the end of the file. */
  endCut(error: MovingRefused, size: number): { parts: Map<string, Part>; hasCut: boolean } {
    const { key, from, isList, parts } = this;
    const hasCut = key !== undefined && from >= 0 && isList;
    if (hasCut) parts.set(key, { from, to: size, isList, error });
    return { parts, hasCut };
  }

  private step(byte: number, index: number): void {
    const { name } = this;
    if (byte === QUOTE) {
      if (this.depth === 0) throw new MovingRefused("not a JSON object", name);
      if (this.depth === 1 && this.from < 0) this.text = Buffer.alloc(0);
      this.strings.isInside = true;
      if (this.key !== undefined && this.from < 0) this.from = index;
    } else if (byte === OPEN || byte === OPEN_LIST) {
      if (this.depth === 0 && byte === OPEN_LIST)
        throw new MovingRefused("not a JSON object", name);
      if (this.depth === 1 && this.key !== undefined) {
        this.isList = byte === OPEN_LIST;
        this.from = this.isList ? index + 1 : index;
      }
      this.depth += 1;
      if (this.depth > this.depthMax) {
        throw new MovingRefused(`nested deeper than ${JSON_DEPTH_MAX}`, this.where());
      }
    } else if (byte === CLOSE || byte === CLOSE_LIST) {
      this.depth -= 1;
      if (this.depth < 0) throw new MovingRefused("not valid JSON", this.where());
      if (this.depth === 1) this.end(this.isList ? index : index + 1);
      else if (this.depth === 0) this.end(index);
    } else if (this.depth === 1) this.atTopLevel(byte, index);
    else if (this.depth === 0 && byte > 32 && byte !== BYTE_ORDER_MARK[index]) {
      throw new MovingRefused("not a JSON object", name);
    }
  }

  private atTopLevel(byte: number, index: number): void {
    if (byte === COLON && this.key === undefined) {
      this.key = this.lastText;
      this.from = -1;
    } else if (byte === COMMA) this.end(index);
    else if (byte > 32 && this.key !== undefined && this.from < 0) this.from = index;
  }

  private end(to: number): void {
    if (this.key === undefined || this.from < 0) return;
    if (this.parts.size >= TABLES_MAX) throw new MovingRefused("has too many tables", this.name);
    this.parts.set(this.key, { from: this.from, to, isList: this.isList });
    this.key = undefined;
    this.from = -1;
    this.isList = false;
  }

  /** A string may be as long as the file, so only its start is kept. */
  private addText(bytes: Buffer): void {
    if (!this.text || this.text.length > NAME_BYTES_MAX) return;
    const remaining = NAME_BYTES_MAX + 1 - this.text.length;
    this.text = Buffer.concat([this.text, bytes.subarray(0, remaining)]);
  }

  private endText(): void {
    if (!this.text) return;
    // If the string is shorter than the limit, its last byte is the closing quote.
    this.lastText = this.text.subarray(0, -1).toString("utf8");
    this.text = undefined;
  }

  private where(): string {
    return this.key === undefined ? this.name : `${this.name} ${this.key}`;
  }
}
