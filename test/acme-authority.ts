// An ACME certificate authority for tests, which verifies that the client controls the names.
import "reflect-metadata";
import * as x509 from "@peculiar/x509";
import { createHash } from "node:crypto";

const ALGORITHM = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
const DAY_MS = 86_400_000;
const ALT_NAMES = "2.5.29.17";

interface Order {
  names: string[];
  status: "pending" | "ready" | "valid" | "invalid";
  token: string;
  proven: Set<string>;
  cert: string;
}

interface SignedRequest {
  header: { nonce: string; url: string; kid?: string; jwk?: JsonWebKey };
  payload: Record<string, unknown>;
}

export class Authority {
  /** Error that the authority returns while it is set. */
  refuses: string | undefined;
  /** Days since certificates became valid, and days until they expire. */
  life = { past: 0, days: 90 };
  /** Number of orders requested. */
  orders = 0;
  private readonly first = Promise.withResolvers<void>();
  private readonly nonces = new Set<string>();
  private readonly accounts: { jwk: JsonWebKey; thumb: string }[] = [];
  private readonly acceptedOrders: Order[] = [];
  private readonly server: Bun.Server<undefined>;
  private readonly whereToLook = Promise.withResolvers<string>();

  private constructor(
    private readonly keys: CryptoKeyPair,
    private readonly root: x509.X509Certificate,
  ) {
    this.server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: (r) => this.answer(r) });
  }

  static async open(): Promise<Authority> {
    const keys = await crypto.subtle.generateKey(ALGORITHM, true, ["sign", "verify"]);
    const root = await x509.X509CertificateGenerator.createSelfSigned({
      name: "CN=An authority of the tests",
      notBefore: new Date(Date.now() - 400 * DAY_MS),
      notAfter: new Date(Date.now() + 400 * DAY_MS),
      signingAlgorithm: ALGORITHM,
      keys,
      extensions: [
        new x509.BasicConstraintsExtension(true, undefined, true),
        await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
      ],
    });
    return new Authority(keys, root);
  }

  get url(): string {
    return `${this.server.url.origin}/directory`;
  }

  get ca(): string {
    return this.root.toString("pem");
  }

  /** Sets the URL at which all names are verified; until then, verification waits. */
  lookAt(url: string): void {
    this.whereToLook.resolve(url);
  }

  /** Resolves with the first request for an order. */
  get firstRequest(): Promise<void> {
    return this.first.promise;
  }

  async close(): Promise<void> {
    await this.server.stop(true);
  }

  private async answer(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url);
    const urlOf = (path: string) => `${this.server.url.origin}${path}`;
    if (pathname === "/directory") {
      const [newNonce, newAccount, newOrder] = ["/nonce", "/account", "/order"].map(urlOf);
      return Response.json({ newNonce, newAccount, newOrder, meta: {} });
    }
    if (pathname === "/nonce") return this.respond(null);
    try {
      return await this.answerSigned(pathname, await this.read(request), urlOf);
    } catch (error) {
      const detail = (error as Error).message;
      return this.respond({ type: "urn:ietf:params:acme:error:malformed", detail }, 400);
    }
  }

  private async answerSigned(path: string, signed: SignedRequest, urlOf: (path: string) => string) {
    if (path.startsWith("/account/")) return this.respond({ status: "valid" });
    if (path === "/account") {
      const { jwk } = signed.header;
      const thumb = thumbOf(jwk!);
      const existing = this.accounts.findIndex((account) => account.thumb === thumb);
      const id = existing < 0 ? this.accounts.push({ jwk: jwk!, thumb }) - 1 : existing;
      return this.respond({ status: "valid" }, existing < 0 ? 201 : 200, urlOf(`/account/${id}`));
    }
    if (path === "/order") {
      this.orders += 1;
      this.first.resolve();
      if (this.refuses !== undefined) throw new Error(this.refuses);
      const names = (signed.payload["identifiers"] as { value: string }[]).map(
        ({ value }) => value,
      );
      const token = crypto.randomUUID();
      const order: Order = { names, status: "pending", token, proven: new Set(), cert: "" };
      const id = this.acceptedOrders.push(order) - 1;
      return this.respond(this.orderOf(id, urlOf), 201, urlOf(`/order/${id}`));
    }
    const [, resource, first, second = "0"] = path.split("/");
    const order = this.acceptedOrders[Number(first)]!;
    if (resource === "authz" || resource === "look") {
      const name = order.names[Number(second)]!;
      if (resource === "look") await this.validate(order, name, signed);
      const challenge = {
        type: "http-01",
        url: urlOf(`/look/${first}/${second}`),
        token: order.token,
        status: order.proven.has(name) ? "valid" : "pending",
      };
      if (resource === "look") return this.respond(challenge);
      const { status } = challenge;
      return this.respond({
        identifier: { type: "dns", value: name },
        status,
        challenges: [challenge],
      });
    }
    if (resource === "finish")
      order.cert = await this.certify(order, String(signed.payload["csr"]));
    if (resource === "cert") return this.respond(`${order.cert}\n${this.ca}\n`);
    return this.respond(this.orderOf(Number(first), urlOf), 200, urlOf(`/order/${first}`));
  }

  private orderOf(id: number, urlOf: (path: string) => string) {
    const { names, proven, cert } = this.acceptedOrders[id]!;
    const isProven = names.every((name) => proven.has(name));
    return {
      status: cert !== "" ? "valid" : isProven ? "ready" : "pending",
      identifiers: names.map((value) => ({ type: "dns", value })),
      authorizations: names.map((_name, n) => urlOf(`/authz/${id}/${n}`)),
      finalize: urlOf(`/finish/${id}`),
      ...(cert !== "" && { certificate: urlOf(`/cert/${id}`) }),
    };
  }

  /** The server at the name must return the token with the account's key. */
  private async validate(order: Order, name: string, { header }: SignedRequest): Promise<void> {
    const location = await this.whereToLook.promise;
    const url = `${location}/.well-known/acme-challenge/${order.token}`;
    const page = await (await fetch(url, { headers: { Host: name } })).text();
    const { thumb } = this.accountOf(header);
    if (page !== `${order.token}.${thumb}`) throw new Error(`${name} shows ${page}`);
    order.proven.add(name);
  }

  private async certify(order: Order, csr: string): Promise<string> {
    const expected = new x509.Pkcs10CertificateRequest(Buffer.from(csr, "base64url"));
    if (!(await expected.verify())) throw new Error("the request is not signed by its key");
    const names = expected.getExtension(ALT_NAMES) as x509.SubjectAlternativeNameExtension;
    if (names.names.items.some(({ value }) => !order.proven.has(value)))
      throw new Error("unproven");
    const { past: ageDays, days } = this.life;
    const certificate = await x509.X509CertificateGenerator.create({
      serialNumber: crypto.getRandomValues(Buffer.alloc(16)).toString("hex"),
      subject: expected.subject,
      issuer: this.root.subject,
      notBefore: new Date(Date.now() - ageDays * DAY_MS),
      notAfter: new Date(Date.now() + days * DAY_MS),
      signingAlgorithm: ALGORITHM,
      publicKey: expected.publicKey,
      signingKey: this.keys.privateKey,
      extensions: [names, await x509.AuthorityKeyIdentifierExtension.create(this.keys.publicKey)],
    });
    return certificate.toString("pem");
  }

  /** Verifies the account's signature, the address and that the nonce was issued and not used. */
  private async read(request: Request): Promise<SignedRequest> {
    const {
      protected: head,
      payload,
      signature,
    } = (await request.json()) as Record<string, string>;
    const header = jsonIn(head!) as SignedRequest["header"];
    if (!this.nonces.delete(header.nonce)) throw new Error("the nonce is not known");
    if (header.url !== request.url) throw new Error("it is signed for another address");
    const jwk = header.jwk ?? this.accountOf(header).jwk;
    const key = await crypto.subtle.importKey("jwk", jwk, ALGORITHM, false, ["verify"]);
    const text = Buffer.from(`${head}.${payload}`);
    const bytes = Buffer.from(signature!, "base64url");
    if (!(await crypto.subtle.verify(ALGORITHM, key, bytes, text))) throw new Error("forged");
    return {
      header,
      payload: payload === "" ? {} : (jsonIn(payload!) as SignedRequest["payload"]),
    };
  }

  private accountOf({ kid = "" }: SignedRequest["header"]) {
    return this.accounts[Number(kid.split("/").at(-1))]!;
  }

  private respond(body: unknown, status = 200, Location = ""): Response {
    const nonce = crypto.randomUUID();
    this.nonces.add(nonce);
    const headers = { "Replay-Nonce": nonce, ...(Location !== "" && { Location }) };
    if (typeof body !== "object" || body === null) {
      return new Response(body as string | null, { status, headers });
    }
    return Response.json(body, { status, headers });
  }
}

const jsonIn = (text: string): unknown => JSON.parse(Buffer.from(text, "base64url").toString());

function thumbOf({ crv, kty, x, y }: JsonWebKey): string {
  return createHash("sha256").update(JSON.stringify({ crv, kty, x, y })).digest("base64url");
}
