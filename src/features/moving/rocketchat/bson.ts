// Reads BSON documents, with bounds on their size and depth.
import { MovingRefused } from "../errors.ts";

/** MongoDB allows 16 MiB, and a little more inside of the server. */
const DOCUMENT_BYTES_MAX = 17 * 1_048_576;
const DOCUMENT_BYTES_MIN = 5;
const DEPTH_MAX = 64;

/** Lengths in bytes of values that are skipped, by type. */
const SKIPPED: ReadonlyMap<number, number> = new Map([
  ...([
    [0x06, 0],
    [0x11, 8],
    [0x13, 16],
    [0x7f, 0],
    [0xff, 0],
  ] as const),
]);

/** Times are milliseconds, ids are hexadecimal, and binary values share memory with `bytes`. */
export function documentIn(bytes: Uint8Array, location: string): Record<string, unknown> {
  return new BsonReader(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), location).read();
}

export function checkLength(length: number, location: string): void {
  if (length >= DOCUMENT_BYTES_MIN && length <= DOCUMENT_BYTES_MAX) return;
  throw new MovingRefused("not a BSON document; the dump is damaged or incomplete", location);
}

class BsonReader {
  private position = 0;

  constructor(
    private readonly bytes: Buffer,
    private readonly location: string,
  ) {}

  read(): Record<string, unknown> {
    try {
      const fields = this.document(0);
      if (this.position === this.bytes.length) return fields;
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
    }
    throw this.damagedError();
  }

  private document(depth: number): Record<string, unknown> {
    if (depth > DEPTH_MAX)
      throw new MovingRefused(`nested deeper than ${DEPTH_MAX}`, this.location);
    const end = this.position + this.int32();
    if (end > this.bytes.length || end < this.position) throw this.damagedError();
    const fields: Record<string, unknown> = {};
    for (;;) {
      const type = this.bytes.readUInt8(this.position++);
      if (type === 0) break;
      const name = this.name();
      const value = this.value(type, depth);
      if (name !== "__proto__") fields[name] = value;
    }
    if (this.position !== end) throw this.damagedError();
    return fields;
  }

  private value(type: number, depth: number): unknown {
    const size = SKIPPED.get(type);
    if (size !== undefined) return void (this.position += size);
    switch (type) {
      case 0x01:
        return this.bytes.readDoubleLE(this.move(8));
      case 0x02:
      case 0x0d:
      case 0x0e:
        return this.text();
      case 0x03:
        return this.document(depth + 1);
      case 0x04:
        return Object.values(this.document(depth + 1));
      case 0x05:
        return this.binary();
      case 0x07:
        return this.part(12).toString("hex");
      case 0x08:
        return this.bytes.readUInt8(this.move(1)) === 1;
      case 0x09:
      case 0x12:
        return Number(this.bytes.readBigInt64LE(this.move(8)));
      case 0x0a:
        return null;
      case 0x0b:
        return void [this.name(), this.name()];
      case 0x0c:
        return void [this.text(), this.part(12)];
      case 0x0f:
        return void this.part(this.int32() - 4);
      case 0x10:
        return this.int32();
      default:
        throw this.damagedError();
    }
  }

  private binary(): Uint8Array {
    const length = this.int32();
    this.move(1);
    return this.part(length);
  }

  private text(): string {
    const bytes = this.part(this.int32());
    if (bytes.at(-1) !== 0) throw this.damagedError();
    return bytes.toString("utf8", 0, bytes.length - 1);
  }

  private name(): string {
    const end = this.bytes.indexOf(0, this.position);
    if (end < 0) throw this.damagedError();
    const name = this.bytes.toString("utf8", this.position, end);
    this.position = end + 1;
    return name;
  }

  private int32(): number {
    return this.bytes.readInt32LE(this.move(4));
  }

  private part(length: number): Buffer {
    const from = this.move(length);
    if (length < 0 || this.position > this.bytes.length) throw this.damagedError();
    return this.bytes.subarray(from, this.position);
  }

  private move(length: number): number {
    this.position += length;
    return this.position - length;
  }

  private damagedError(): MovingRefused {
    return new MovingRefused("not valid BSON; the dump is damaged or incomplete", this.location);
  }
}
