// WebDriver BiDi over a socket: commands with their responses, and events of the browser.

// oxlint-disable-next-line no-explicit-any -- responses are untyped JSON
type Json = any;

export class Bidi {
  private lastId = 0;
  private readonly waiting = new Map<number, PromiseWithResolvers<Json>>();

  private constructor(
    private readonly socket: WebSocket,
    private readonly onEvent: (method: string, params: Json) => void,
  ) {
    socket.addEventListener("message", ({ data }) => this.receive(JSON.parse(String(data))));
    socket.addEventListener("close", () => {
      for (const { reject } of this.waiting.values()) reject(new Error("the browser is gone"));
      this.waiting.clear();
    });
  }

  static async open(url: string, receive: (method: string, params: Json) => void): Promise<Bidi> {
    const socket = new WebSocket(url);
    const bidi = new Bidi(socket, receive);
    await new Promise((resolve, reject) => {
      socket.addEventListener("open", resolve);
      socket.addEventListener("close", () => reject(new Error(`nobody answers at ${url}`)));
    });
    return bidi;
  }

  /** Returns the result; if the browser rejects the command, the error names it. */
  send(method: string, params: Json = {}): Promise<Json> {
    if (this.socket.readyState !== WebSocket.OPEN) throw new Error("the browser is gone");
    const id = (this.lastId += 1);
    const response = Promise.withResolvers<Json>();
    this.waiting.set(id, response);
    this.socket.send(JSON.stringify({ id, method, params }));
    return response.promise.catch((error: unknown) => {
      throw new Error(`${method}: ${error instanceof Error ? error.message : String(error)}`);
    });
  }

  close(): void {
    this.socket.close();
  }

  private receive(received: Json): void {
    if (received.type === "event") return this.onEvent(received.method, received.params);
    const response = this.waiting.get(received.id);
    this.waiting.delete(received.id);
    if (received.type === "success") response?.resolve(received.result);
    else response?.reject(new Error(`${received.error}: ${received.message}`));
  }
}
