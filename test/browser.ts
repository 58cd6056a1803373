// A browser without scripts, which keeps cookies, does not follow redirects and fills in forms.
import type { Challenge } from "altcha-lib";
import { parse, type DefaultTreeAdapterMap } from "parse5";
import { emailOf, type Name } from "./users.ts";
import {
  formOf,
  type Json,
  type Params,
  type RefusalBody,
  type TestServer,
} from "./test-server.ts";

type Node = DefaultTreeAdapterMap["node"];
type Element = DefaultTreeAdapterMap["element"];

export const PASSWORD = "correct horse battery";
/** Message of a page for a form with a missing or wrong token. */
export const FORM_OUTDATED = "This form expired, or your browser blocks cookies. Try again.";

export interface Page {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Target of a redirect. */
  readonly location: string | null;
  /** Text of the error box. */
  readonly refusal: string | undefined;
}

interface Form {
  readonly action: string;
  readonly fields: Record<string, string>;
}

export class Browser {
  readonly cookies = new Map<string, string>();
  page: Page | undefined;
  private path = "/";

  constructor(
    private readonly testServer: Pick<TestServer, "url">,
    /** Headers that a proxy adds. */
    private readonly proxied: Record<string, string> = {},
  ) {}

  get csrf(): string {
    return this.cookies.get("csrftoken") ?? "";
  }

  open(path: string): Promise<Page> {
    this.path = path;
    return this.send("GET", path);
  }

  /** Fills in the form of the page that posts to `action`, and sends it. */
  async submit(action: string, input: Record<string, string> = {}): Promise<Page> {
    const form = formsIn(this.page!.text, this.path).find((form) => form.action === action);
    if (!form) throw new Error(`no form for ${action} in\n${this.page!.text}`);
    const body = new URLSearchParams({ ...form.fields, ...proofIn(this.page!), ...input });
    return this.send("POST", action, body, { Origin: this.testServer.url });
  }

  async send(
    method: string,
    path: string,
    body?: URLSearchParams,
    extra: Record<string, string> = {},
  ): Promise<Page> {
    const agent = { "User-Agent": "SkeinTest/1.0", Accept: "text/html" };
    const headers = { ...agent, ...this.proxied, ...this.cookie, ...extra };
    const params = { method, headers, redirect: "manual", ...(body && { body }) } as const;
    const response = await fetch(this.testServer.url + path, params);
    this.storeCookies(response);
    const text = await response.text();
    const refusal = /<p class="refusal"[^>]* role="alert">([^<]*)/.exec(text)?.[1];
    const location = response.headers.get("location");
    const page = { status: response.status, headers: response.headers, text, location, refusal };
    return (this.page = page);
  }

  /** Posts the fields of a form as the page's script does, and returns the response. */
  async postJson(path: string, fields: Record<string, string>): Promise<Json> {
    const body = new URLSearchParams({ csrfmiddlewaretoken: this.csrf, ...fields });
    const { text, status } = await this.send("POST", path, body, { Accept: "*/*" });
    return { status, ...(JSON.parse(text) as object) };
  }

  /** Sends a request as a page's script does: with the session cookie and CSRF token. */
  async fetch(line: string, params: Params = {}, extra: Record<string, string> = {}) {
    const [method, path] = line.split(" ") as [string, string];
    const url = new URL(`${this.testServer.url}/json${path}`);
    const headers = { "X-CSRFToken": this.csrf, ...this.cookie, ...extra };
    if (method === "GET") {
      url.search = formOf(params).toString();
      return fetch(url, { headers });
    }
    return fetch(url, { method, headers, body: formOf(params) });
  }

  async request(line: string, params: Params = {}): Promise<Json> {
    const response = await this.fetch(line, params);
    const body = (await response.json()) as Json;
    if (response.status !== 200) throw new Error(`${line} → ${JSON.stringify(body)}`);
    return body;
  }

  async refused(line: string, params: Params = {}, extra = {}): Promise<RefusalBody> {
    const response = await this.fetch(line, params, extra);
    const body = (await response.json()) as Json;
    if (response.ok) throw new Error(`${line} was not refused: ${JSON.stringify(body)}`);
    return { status: response.status, ...body };
  }

  async signIn(name: Name, query = ""): Promise<Page> {
    await this.open(`/login/${query}`);
    return this.submit("/accounts/login/", { username: emailOf(name), password: PASSWORD });
  }

  private get cookie(): Record<string, string> {
    const pairs = [...this.cookies].map(([name, value]) => `${name}=${value}`);
    return pairs.length === 0 ? {} : { Cookie: pairs.join("; ") };
  }

  private storeCookies({ headers }: Response): void {
    for (const setCookie of headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(setCookie) ?? [];
      if (/; Max-Age=0(;|$)/.test(setCookie)) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
  }
}

/** Returns the fields that the script of the sign-up form adds. */
export function proofIn({ text }: { text: string }): Record<string, string> {
  const inputs = [...elementsIn(parse(text))].filter(({ tagName }) => tagName === "input");
  const requested = inputs.flatMap((input) => attribute(input, "data-challenge") ?? [])[0];
  if (requested === undefined) return {};
  const challenge = JSON.parse(requested) as Challenge;
  const { salt, nonce, keyPrefix } = challenge.parameters;
  const hashInput = Buffer.concat([Buffer.from(salt + nonce, "hex"), Buffer.alloc(4)]);
  for (let counter = 0; ; counter += 1) {
    hashInput.writeUInt32BE(counter, hashInput.length - 4);
    const derivedKey = new Bun.CryptoHasher("sha256").update(hashInput).digest("hex");
    if (!derivedKey.startsWith(keyPrefix)) continue;
    return { altcha: btoa(JSON.stringify({ challenge, solution: { counter, derivedKey } })) };
  }
}

function formsIn(text: string, path: string): Form[] {
  const elements = [...elementsIn(parse(text))];
  return elements.flatMap((form) => {
    if (form.tagName !== "form") return [];
    const inputs = [...elementsIn(form)].filter(({ tagName }) => tagName === "input");
    const namedInputs = inputs.filter((input) => attribute(input, "name") !== undefined);
    const pairs = namedInputs.map((item) => [
      attribute(item, "name"),
      attribute(item, "value") ?? "",
    ]);
    return [{ action: attribute(form, "action") ?? path, fields: Object.fromEntries(pairs) }];
  });
}

function* elementsIn(node: Node): Generator<Element> {
  if ("tagName" in node) yield node;
  if (!("childNodes" in node)) return;
  for (const child of node.childNodes) yield* elementsIn(child);
}

const attribute = ({ attrs }: Element, name: string) =>
  attrs.find((attr) => attr.name === name)?.value;
