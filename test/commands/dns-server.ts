// A local DNS server with the TXT records that a test sets.
import { createSocket, type Socket } from "node:dgram";
import { once } from "node:events";

const HEAD_BYTES = 12;
const TEXT_TYPE = 16;
const PART_BYTES_MAX = 255;
const NO_SUCH_NAME = 3;

export class DnsServer {
  /** TXT records by name. */
  readonly texts = new Map<string, string>();

  private constructor(private readonly socket: Socket) {
    socket.on("message", (query, { port, address }) => {
      socket.send(this.answer(query), port, address);
    });
  }

  static async open(): Promise<DnsServer> {
    const socket = createSocket("udp4");
    socket.bind(0, "127.0.0.1");
    await once(socket, "listening");
    return new DnsServer(socket);
  }

  get address(): string {
    return `127.0.0.1:${this.socket.address().port}`;
  }

  close(): void {
    this.socket.close();
  }

  private answer(requested: Buffer): Buffer {
    const labels: string[] = [];
    let offset = HEAD_BYTES;
    for (; requested[offset]! > 0; offset += requested[offset]! + 1) {
      labels.push(requested.subarray(offset + 1, offset + 1 + requested[offset]!).toString());
    }
    const text = this.texts.get(labels.join(".").toLowerCase());
    const question = requested.subarray(HEAD_BYTES, offset + 5);
    const head = Buffer.alloc(HEAD_BYTES);
    requested.copy(head, 0, 0, 2);
    head[2] = 0x84;
    head[3] = text === undefined ? NO_SUCH_NAME : 0;
    head.writeUInt16BE(1, 4);
    if (text === undefined) return Buffer.concat([head, question]);
    head.writeUInt16BE(1, 6);
    const parts: Buffer[] = [];
    for (let from = 0; from < text.length; from += PART_BYTES_MAX) {
      const part = Buffer.from(text.slice(from, from + PART_BYTES_MAX));
      parts.push(Buffer.from([part.length]), part);
    }
    const data = Buffer.concat(parts);
    const record = Buffer.alloc(HEAD_BYTES);
    record.writeUInt16BE(0xc000 + HEAD_BYTES, 0);
    record.writeUInt16BE(TEXT_TYPE, 2);
    record.writeUInt16BE(1, 4);
    record.writeUInt16BE(data.length, 10);
    return Buffer.concat([head, question, record, data]);
  }
}
