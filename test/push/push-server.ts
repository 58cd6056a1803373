/** A real push service and ntfy server, and browsers that decrypt push messages. */
import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { Config } from "../../src/contract/config.ts";
import { enqueueMissed } from "../../src/features/notifications/enqueue.ts";
import { type Json, startTestServer, type TestServer } from "../test-server.ts";

export interface ReceivedRequest {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: Buffer<ArrayBuffer>;
}

export class PushServer {
  requests: ReceivedRequest[] = [];
  /** Returns the status of each response; undefined closes the connection. */
  statusFor: (request: ReceivedRequest) => number | undefined = () => 201;
  /** Headers of each response. */
  responseHeaders: Record<string, string> = {};
  private readonly server: Server;
  private paused: Promise<void> = Promise.resolve();
  /** Sends the responses that `pause` has delayed. */
  resume = () => {};

  private constructor() {
    this.server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (bytes: Buffer) => chunks.push(bytes));
      request.on("end", () => {
        const { method = "", url: path = "", headers } = request;
        const params = { method, path, headers, body: Buffer.concat(chunks) };
        this.requests.push(params);
        const status = this.statusFor(params);
        void this.paused.then(() => {
          if (status === undefined) request.socket.destroy();
          else response.writeHead(status, this.responseHeaders).end();
        });
      });
    });
  }

  static async open(): Promise<PushServer> {
    const site = new PushServer();
    await new Promise<void>((resolve) => site.server.listen(0, "127.0.0.1", resolve));
    return site;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as { port: number }).port}`;
  }

  pause(): void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.paused = promise;
    this.resume = resolve;
  }

  reset(): void {
    this.requests = [];
    this.statusFor = () => 201;
    this.responseHeaders = {};
  }

  /** JSON published on the ntfy server. */
  get published(): Json[] {
    const posts = this.requests.filter(({ method }) => method === "POST");
    return posts.map(({ body }) => JSON.parse(body.toString()) as Json);
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}

const bytesOf = (text: string) => Buffer.from(text, "base64url");
const P256 = { name: "ECDH", namedCurve: "P-256" };

/** A browser with a push subscription and its keys. */
export class Browser {
  private constructor(
    private readonly site: PushServer,
    readonly path: string,
    private readonly pair: CryptoKeyPair,
    private readonly point: Buffer<ArrayBuffer>,
    private readonly secret: Buffer<ArrayBuffer>,
  ) {}

  static async open(site: PushServer): Promise<Browser> {
    const pair = await crypto.subtle.generateKey(P256, true, ["deriveBits"]);
    const point = Buffer.from(await crypto.subtle.exportKey("raw", pair.publicKey));
    const secret = Buffer.from(crypto.getRandomValues(new Uint8Array(16)));
    return new Browser(site, `/push/${crypto.randomUUID()}`, pair, point, secret);
  }

  /** The subscription that the browser's scripts send to the server. */
  get subscription() {
    const [p256dh, auth] = [this.point.toString("base64url"), this.secret.toString("base64url")];
    return { endpoint: this.site.url + this.path, p256dh, auth };
  }

  get requests(): ReceivedRequest[] {
    return this.site.requests.filter(({ path }) => path === this.path);
  }

  /** Returns all pushes to this subscription, decrypted. */
  async decryptAll(): Promise<Json[]> {
    const texts = await Promise.all(this.requests.map(({ body }) => this.open(body)));
    return texts.map((text) => JSON.parse(text) as Json);
  }

  /** Decrypts a message of one record (RFC 8291 and 8188). */
  private async open(body: Buffer<ArrayBuffer>): Promise<string> {
    const salt = body.subarray(0, 16);
    const server = body.subarray(21, 21 + body[20]!);
    const sealed = body.subarray(21 + body[20]!);
    const serverKey = await crypto.subtle.importKey("raw", server, P256, false, []);
    const both = { name: "ECDH", public: serverKey };
    const shared = await crypto.subtle.deriveBits(both, this.pair.privateKey, 256);
    const about = Buffer.concat([Buffer.from("WebPush: info\0"), this.point, server]);
    const secret = await deriveKey(Buffer.from(shared), this.secret, about, 32);
    const info = (name: string) => Buffer.from(`Content-Encoding: ${name}\0`);
    const key = await deriveKey(secret, salt, info("aes128gcm"), 16);
    const iv = await deriveKey(secret, salt, info("nonce"), 12);
    const aes = await crypto.subtle.importKey("raw", key, "AES-GCM", false, ["decrypt"]);
    const decrypted = await crypto.subtle.decrypt({ name: "AES-GCM", iv }, aes, sealed);
    const text = Buffer.from(decrypted);
    // The text is followed by a delimiter and then only by zeros.
    return text.subarray(0, text.lastIndexOf(2)).toString();
  }
}

async function deriveKey(
  secret: Buffer<ArrayBuffer>,
  salt: Buffer<ArrayBuffer>,
  info: Buffer<ArrayBuffer>,
  bytes: number,
): Promise<Buffer<ArrayBuffer>> {
  const key = await crypto.subtle.importKey("raw", secret, "HKDF", false, ["deriveBits"]);
  const form = { name: "HKDF", hash: "SHA-256", salt, info };
  return Buffer.from(await crypto.subtle.deriveBits(form, key, bytes * 8));
}

/** Verifies a push request's signature, and returns its key and claims (RFC 8292). */
export async function signerOf({
  headers,
}: ReceivedRequest): Promise<{ key: string; claims: Json }> {
  const [, token = "", key = ""] = /^vapid t=(\S+), k=(\S+)$/.exec(headers["authorization"]!)!;
  const [header = "", claims = "", signature = ""] = token.split(".");
  const form = { name: "ECDSA", namedCurve: "P-256" };
  const publicKey = await crypto.subtle.importKey("raw", bytesOf(key), form, false, ["verify"]);
  const signed = Buffer.from(`${header}.${claims}`);
  const how = { name: "ECDSA", hash: "SHA-256" };
  const isVerified = await crypto.subtle.verify(how, publicKey, bytesOf(signature), signed);
  if (!isVerified) throw new Error("the signature is not that of the key");
  return { key, claims: JSON.parse(bytesOf(claims).toString()) as Json };
}

/** A test server that may call the servers of this machine. */
export const startTestServerWithPush = (options: Partial<Config> = {}): Promise<TestServer> =>
  startTestServer({ outbound_allow: ["127.0.0.0/8"], ...options });

/** Resolves when all messages were checked for pushes and no due job is left. */
export async function untilPushed(testServer: TestServer): Promise<void> {
  await enqueueMissed(testServer.realm);
  await testServer.realm.write(() => undefined);
  const isDue = () =>
    [...testServer.realm.read.due.range()].some(({ at: time }) => time <= testServer.clock.now());
  while (isDue()) {
    testServer.realm.onDue();
    await Bun.sleep(1);
  }
}
