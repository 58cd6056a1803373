// A real OpenID provider with its own pages, and a helper that fills them in.
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { type Configuration, Provider } from "oidc-provider";
import type { OidcProvider } from "../src/contract/config.ts";
import { Browser, type Page } from "./browser.ts";

export const CLIENT = { client_id: "skein", client_secret: "a secret between two servers" };

/** Users of the provider, by the name that they enter. */
export type People = Record<string, { email?: string; email_verified?: boolean; name?: string }>;

/** Starts an HTTP server on a free port. */
export class Host {
  listener: RequestListener = (_, response) => response.writeHead(503).end();
  private readonly server = createServer((request, response) => this.listener(request, response));

  static async open(): Promise<Host> {
    const host = new Host();
    await new Promise<void>((resolve) => host.server.listen(0, "127.0.0.1", resolve));
    return host;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

export function providerConfig(issuer: string, extra: Partial<OidcProvider> = {}): OidcProvider {
  return {
    name: "main",
    display_name: "Main Street",
    display_icon: null,
    issuer,
    ...CLIENT,
    scopes: ["openid", "email", "profile"],
    auto_signup: false,
    accept_unverified_email: false,
    ...extra,
  };
}

export class IdentityProvider {
  constructor(
    private readonly host: Host,
    people: People,
    redirect_uris: string[],
    extra: Configuration = {},
  ) {
    const provider = new Provider(host.url, {
      clients: [{ ...CLIENT, redirect_uris, response_types: ["code"] }],
      claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name"] },
      findAccount: (_, sub) => ({
        accountId: sub,
        claims: () => ({ sub, ...people[sub] }),
      }),
      pkce: { required: () => true },
      cookies: { keys: ["a key of the test"] },
      features: { devInteractions: { enabled: true } },
      ttl: { AccessToken: 60, Grant: 60, IdToken: 60, Interaction: 60, Session: 60 },
      ...extra,
    });
    provider.on("server_error", (_, error) => console.error(error));
    const answer = provider.callback();
    host.listener = (request, response) => void answer(request, response);
  }

  /** Goes from our redirect through the provider's pages back to us; cancels without a name. */
  async completeSignIn(location: string, login?: string): Promise<string> {
    const { url } = this.host;
    const browser = new Browser({ url });
    let page = await browser.open(location.slice(url.length));
    for (let steps = 0; steps < 12; steps++) {
      const to = page.location;
      if (to !== null && !to.startsWith("/") && !to.startsWith(url)) return to;
      page =
        to === null ? await fill(browser, page, url, login) : await browser.open(pathOf(to, url));
    }
    throw new Error(`the provider's pages lead nowhere:\n${page.text}`);
  }
}

const pathOf = (address: string, url: string) => address.replace(url, "");

async function fill(browser: Browser, page: Page, url: string, login?: string): Promise<Page> {
  const abortUrl = /<a href="([^"]*\/abort)"/.exec(page.text)?.[1];
  if (login === undefined && abortUrl !== undefined) return browser.open(pathOf(abortUrl, url));
  const action = /<form[^>]* action="([^"]*)"/.exec(page.text)?.[1];
  const prompt = /name="prompt" value="([^"]*)"/.exec(page.text)?.[1];
  if (action === undefined || prompt === undefined) throw new Error(page.text);
  const fields = new URLSearchParams({ prompt });
  if (prompt === "login") {
    fields.set("login", login!);
    fields.set("password", "any");
  }
  return browser.send("POST", pathOf(action, url), fields);
}
