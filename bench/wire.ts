// A keep-alive HTTP connection with little overhead: prepared requests in, texts out.
import type { Socket } from "bun";

const HEAD_END = "\r\n\r\n";
const LENGTH = "content-length: ";

export class Wire {
  private text = "";
  private wantedCount = 0;
  private onResponse: ((body: string) => void) | undefined;
  private onError: ((error: Error) => void) | undefined;

  private constructor(private readonly socket: Socket<Wire | undefined>) {}

  static async open(port: number): Promise<Wire> {
    const socket = await Bun.connect<Wire | undefined>({
      hostname: "127.0.0.1",
      port,
      data: undefined,
      socket: {
        data: (from, chunk) => from.data?.receive(chunk.toString("latin1")),
        close: (from) => from.data?.fail("the connection was closed"),
        error: (from, error) => from.data?.fail(error.message),
      },
    });
    const wire = new Wire(socket);
    socket.data = wire;
    return wire;
  }

  /**
   * Sends a request after the one before it was answered, and returns the response with one
   * character per byte. @throws if the status is not 200
   */
  request(request: string): Promise<string> {
    return new Promise((resolve, reject) => this.send(request, resolve, reject));
  }

  /** Like `request`, with a callback instead of a promise. */
  send(request: string, onResponse: (body: string) => void, onError: (error: Error) => void): void {
    this.onResponse = onResponse;
    this.onError = onError;
    const writtenBytes = this.socket.write(request);
    if (writtenBytes !== request.length)
      this.fail(`${writtenBytes} of ${request.length} bytes went out`);
  }

  close(): void {
    this.onError = undefined;
    this.socket.end();
  }

  private receive(chunk: string): void {
    this.text = this.text === "" ? chunk : this.text + chunk;
    if (this.wantedCount === 0 && !this.readHead()) return;
    if (this.text.length < this.wantedCount) return;
    const { text, onResponse } = this;
    const body = text.slice(text.indexOf(HEAD_END) + HEAD_END.length);
    this.text = "";
    this.wantedCount = 0;
    if (text.startsWith("HTTP/1.1 200")) onResponse?.(body);
    else this.fail(text.slice(0, 1000));
  }

  private readHead(): boolean {
    const end = this.text.indexOf(HEAD_END);
    if (end < 0) return false;
    const head = this.text.slice(0, end).toLowerCase();
    const index = head.indexOf(LENGTH);
    if (index < 0) throw new Error(`an answer without a length: ${head}`);
    this.wantedCount = end + HEAD_END.length + parseInt(head.slice(index + LENGTH.length), 10);
    return true;
  }

  private fail(message: string): void {
    this.onError?.(new Error(message));
    this.onError = undefined;
  }
}
