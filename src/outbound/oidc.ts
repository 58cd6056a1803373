// Client for OpenID Connect providers, which verifies everything that they claim.
import type { AuthorizationServer } from "oauth4webapi";
import type { OidcProvider } from "../contract/config.ts";
import { Refusal } from "../contract/errors/general.ts";
import { providerUnavailable, signInDenied, signInNotTrusted } from "../contract/errors/people.ts";
import { HOUR_MS } from "../contract/units.ts";
import type { GuardedClient } from "./client.ts";

/** State of a started sign-in, which the response must match. */
interface StartedSignIn {
  readonly redirect_uri: string;
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

/** The provider's claims about a user. */
interface Claims {
  readonly email: string | undefined;
  /** undefined if the provider does not say. */
  readonly is_verified: boolean | undefined;
  readonly full_name: string | undefined;
}

/** Time after which the provider's endpoints are requested again. */
const METADATA_CACHE_MS = HOUR_MS;
const ANSWER_BYTES_MAX = 262_144;
const CLOCKS_APART_SECONDS = 30;
const ERROR_LENGTH_MAX = 500;

/** The provider could not be reached, as opposed to an error that it returned. */
class ProviderUnreachable extends Error {}

/** Number of times per minute that unknown keys may cause a fetch of the provider's keys. */
export const KEY_REFETCHES_PER_MINUTE = 5;
const MINUTE_MS = 60_000;

export class Provider {
  private refetched_ms: readonly number[] = [];
  private server: { metadata: Promise<AuthorizationServer>; until_ms: number } | undefined;

  /** `report` receives the detailed reason of a failure, which is not shown to the user. */
  constructor(
    readonly config: OidcProvider,
    private readonly outbound: Pick<GuardedClient, "send">,
    private readonly report: (error: unknown) => void,
  ) {}

  /** The provider's URL where the user signs in. */
  async begin({ redirect_uri, state, nonce, verifier }: StartedSignIn): Promise<string> {
    try {
      const { calculatePKCECodeChallenge } = await import("oauth4webapi");
      const url = new URL((await this.discovered()).authorization_endpoint!);
      const query = {
        client_id: this.config.client_id,
        redirect_uri,
        response_type: "code",
        scope: this.config.scopes.join(" "),
        state,
        nonce,
        code_challenge: await calculatePKCECodeChallenge(verifier),
        code_challenge_method: "S256",
      };
      for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
      return url.href;
    } catch (error) {
      this.report(error);
      throw providerUnavailable(this.config.display_name);
    }
  }

  /** Completes a sign-in with the response in the query. */
  async finish(response: URLSearchParams, started: StartedSignIn): Promise<Claims> {
    try {
      return await this.claims(response, started);
    } catch (error) {
      if (error instanceof Refusal) throw error;
      this.report(error);
      const { display_name } = this.config;
      throw error instanceof ProviderUnreachable
        ? providerUnavailable(display_name)
        : signInNotTrusted(display_name);
    }
  }

  private async claims(answer: URLSearchParams, started: StartedSignIn): Promise<Claims> {
    const oauth = await import("oauth4webapi");
    const client = this.client(oauth);
    const server = await this.discovered();
    const checked = this.allowed(oauth, server, answer, started.state);
    const { redirect_uri, verifier, nonce: expectedNonce } = started;
    const proof = this.proofOfUs(oauth, server);
    const options = this.http(oauth);
    const exchangeArgs = [server, client, proof, checked, redirect_uri, verifier, options] as const;
    const response = await oauth.authorizationCodeGrantRequest(...exchangeArgs);
    const expected = { expectedNonce, requireIdToken: true };
    const tokens = await oauth.processAuthorizationCodeResponse(server, client, response, expected);
    await this.checkSignature(oauth, server, response);
    const token = oauth.getValidatedIdTokenClaims(tokens)!;
    this.checkToken(token);
    if (isComplete(token) || server.userinfo_endpoint === undefined) return claimsIn(token, token);
    const httpResponse = await oauth.userInfoRequest(server, client, tokens.access_token, options);
    const more = await oauth.processUserInfoResponse(server, client, token.sub, httpResponse);
    return claimsIn(token, more);
  }

  /**
   * A provider that rotated its keys signs with one that is not cached, so the keys are fetched
   * again, within a limit.
   */
  private async checkSignature(oauth: OAuth, server: AuthorizationServer, response: Response) {
    try {
      await oauth.validateApplicationLevelSignature(server, response, this.http(oauth));
    } catch (error) {
      const { code } = error as { code?: unknown };
      if (code !== oauth.KEY_SELECTION || !this.canRefetch()) throw error;
      // The library caches keys by this object.
      const updated = { ...server };
      if (this.server) this.server = { ...this.server, metadata: Promise.resolve(updated) };
      await oauth.validateApplicationLevelSignature(updated, response, this.http(oauth));
    }
  }

  private canRefetch(): boolean {
    const now = Date.now();
    const recent = this.refetched_ms.filter((time) => now - time < MINUTE_MS);
    if (recent.length >= KEY_REFETCHES_PER_MINUTE) return false;
    this.refetched_ms = [...recent, now];
    return true;
  }

  /** Checks that the library does not make. */
  private checkToken({ sub, iat, azp }: ClaimSource): void {
    const { client_id } = this.config;
    if (!isText(sub)) throw new Error("the ID token has no subject");
    if (azp !== undefined && azp !== client_id) {
      throw new Error(`the ID token was issued to ${String(azp)}`);
    }
    if (Number(iat) > Date.now() / 1000 + CLOCKS_APART_SECONDS) {
      throw new Error("the ID token was issued in the future: one of the two clocks is wrong");
    }
  }

  /**
   * The state from the browser, if it belongs to this sign-in and the provider returned no error.
   */
  private allowed(
    oauth: OAuth,
    server: AuthorizationServer,
    response: URLSearchParams,
    state: string,
  ): URLSearchParams {
    try {
      return oauth.validateAuthResponse(server, this.client(oauth), response, state);
    } catch (error) {
      if (!(error instanceof oauth.AuthorizationResponseError)) throw error;
      if (error.error !== "access_denied") this.report(error);
      throw signInDenied(this.config.display_name);
    }
  }

  private proofOfUs(oauth: OAuth, server: AuthorizationServer) {
    const { client_secret } = this.config;
    if (client_secret === undefined) return oauth.None();
    // If the provider lists no methods, all support the first one.
    const methods = server.token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
    return methods.includes("client_secret_basic")
      ? oauth.ClientSecretBasic(client_secret)
      : oauth.ClientSecretPost(client_secret);
  }

  /** Requested once for concurrent callers; failures are not cached. */
  private discovered(): Promise<AuthorizationServer> {
    if (this.server && this.server.until_ms > Date.now()) return this.server.metadata;
    const server = { metadata: this.discover(), until_ms: Date.now() + METADATA_CACHE_MS };
    this.server = server;
    server.metadata.catch(() => {
      if (this.server === server) this.server = undefined;
    });
    return server.metadata;
  }

  private async discover(): Promise<AuthorizationServer> {
    const oauth = await import("oauth4webapi");
    const issuer = new URL(this.config.issuer);
    try {
      const response = await oauth.discoveryRequest(issuer, this.http(oauth));
      const server = await oauth.processDiscoveryResponse(issuer, response);
      const { protocol } = new URL(server.authorization_endpoint ?? "");
      if (protocol === "https:" || (protocol === "http:" && this.isPlain)) return server;
      throw new Error(`its authorization endpoint uses ${protocol}`);
    } catch (error) {
      throw error instanceof ProviderUnreachable
        ? error
        : new ProviderUnreachable(wordsOf(error), { cause: error });
    }
  }

  private get isPlain(): boolean {
    return this.config.issuer.startsWith("http:");
  }

  private client({ clockTolerance }: OAuth) {
    return { client_id: this.config.client_id, [clockTolerance]: CLOCKS_APART_SECONDS };
  }

  private http({ customFetch, allowInsecureRequests }: OAuth) {
    return {
      [customFetch]: (url: string, exchange: Exchange) => this.fetchFromProvider(url, exchange),
      [allowInsecureRequests]: this.isPlain,
    };
  }

  private async fetchFromProvider(
    url: string,
    { method, headers, body }: Exchange,
  ): Promise<Response> {
    const input = new Headers(headers);
    const authorization = input.get("authorization");
    const type = input.get("content-type");
    const params = {
      url,
      method: method === "POST" ? ("POST" as const) : ("GET" as const),
      headers: {
        ...(authorization !== null && { Authorization: authorization }),
        ...(type !== null && { "Content-Type": type }),
      },
      ...(body != null && { body: String(body) }),
      types: null,
      bytes_max: ANSWER_BYTES_MAX,
      trusted_host: new URL(this.config.issuer).host,
      with_failures: true,
    };
    const response = await this.outbound.send(params).catch((error: unknown) => {
      throw new ProviderUnreachable(`${url}: ${wordsOf(error)}`, { cause: error });
    });
    const { status, content_type } = response;
    const text = Buffer.from(response.body).toString();
    if (status >= 500) throw new ProviderUnreachable(`${url} responded with status ${status}`);
    if (status >= 400)
      this.report(new Error(`${url}: ${status} ${text.slice(0, ERROR_LENGTH_MAX)}`));
    const init = { status, headers: { "Content-Type": content_type } };
    return new Response(status === 204 || status === 304 ? null : text, init);
  }
}

type OAuth = typeof import("oauth4webapi");

interface Exchange {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

const wordsOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

type ClaimSource = Readonly<Record<string, unknown>>;

/** Whether an ID token alone contains all required claims. */
function isComplete(token: ClaimSource): boolean {
  return isText(token["email"]) && token["email_verified"] !== undefined && isText(token["name"]);
}

/**
 * The address and its verification must come from the same source, because they may not match
 * otherwise.
 */
function claimsIn(token: ClaimSource, more: ClaimSource): Claims {
  const isTokens = token["email_verified"] !== undefined || !isText(more["email"]);
  const source = isText(token["email"]) && isTokens ? token : more;
  const { email, email_verified } = source;
  const isDenied = [token, more].some((fields) => isVerified(fields["email_verified"]) === false);
  return {
    email: isText(email) ? email : undefined,
    is_verified: isDenied ? false : isVerified(email_verified),
    full_name: nameIn(more) ?? nameIn(token),
  };
}

/** Some providers send a string. */
function isVerified(fields: unknown): boolean | undefined {
  return fields === undefined ? undefined : fields === true || fields === "true";
}

function nameIn({ name, given_name, family_name }: ClaimSource): string | undefined {
  if (isText(name)) return name;
  return [given_name, family_name].filter(isText).join(" ") || undefined;
}

const isText = (value: unknown): value is string => typeof value === "string" && value !== "";
