// Tells which files of a multipart form say what they are: the parser makes text of the others.

const HEADERS_END = "\r\n\r\n";
/** The parser gives up on longer ones. */
const HEADERS_BYTES_MAX = 16_384;

/** Looks at a form as it passes by; whoever is told of a file asks for it, in the same order. */
export class PartTypes {
  private readonly delimiter: Buffer;
  /** For each file that has begun, and was not asked for yet: does it name a type? */
  private readonly named: boolean[] = [];
  /** What may be the beginning of what is looked for. */
  private rest: Buffer = Buffer.from("\r\n");
  private isInHeaders = false;

  constructor(contentType: string) {
    const [, quoted, plain] = /;\s*boundary=(?:"([^"]+)"|([^\s;"]+))/i.exec(contentType) ?? [];
    this.delimiter = Buffer.from(`\r\n--${quoted ?? plain ?? ""}\r\n`, "latin1");
  }

  /** Does the next file say what it is? */
  isNextNamed(): boolean {
    return this.named.shift() ?? true;
  }

  async *seen(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunks) {
      this.look(chunk);
      yield chunk;
    }
  }

  private look(chunk: Uint8Array): void {
    let bytes = Buffer.concat([this.rest, chunk]);
    for (;;) {
      const mark = this.isInHeaders ? HEADERS_END : this.delimiter;
      const found = bytes.indexOf(mark);
      if (found < 0) break;
      if (this.isInHeaders) this.note(bytes.toString("latin1", 0, found));
      // The delimiter's own line end may be the one before an empty head.
      bytes = bytes.subarray(found + mark.length - (this.isInHeaders ? 0 : 2));
      this.isInHeaders = !this.isInHeaders;
    }
    const kept = this.isInHeaders ? HEADERS_BYTES_MAX : this.delimiter.length - 1;
    this.rest = Buffer.from(bytes.subarray(Math.max(0, bytes.length - kept)));
  }

  private note(headers: string): void {
    const type = /^content-type:[ \t]*([^\r\n]*)/im.exec(headers)?.[1];
    const isFile = /^content-disposition:[^\r\n]*;\s*filename\*?=/im.test(headers);
    if (isFile || /^application\/octet-stream\b/i.test(type ?? "")) {
      this.named.push(type !== undefined && type.trim() !== "");
    }
  }
}
