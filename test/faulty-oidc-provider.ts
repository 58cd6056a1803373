// An OpenID provider with configurable faults, which signs its own tokens correctly or wrongly.
import type { IncomingMessage, ServerResponse } from "node:http";
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from "jose";
import { CLIENT, type Host } from "./oidc-provider.ts";

type Claims = Record<string, unknown>;

const KEY_ID = "one";
const algorithm = "RS256";
const { publicKey, privateKey } = await generateKeyPair(algorithm);
export const otherKey = (await generateKeyPair(algorithm)).privateKey;
const jwk = { ...(await exportJWK(publicKey)), kid: KEY_ID, alg: algorithm, use: "sig" };

export class FaultyOidcProvider {
  /** Fields that replace those of the discovery document. */
  discovery: Claims = {};
  /** Claims that replace those of the ID token. */
  token: JWTPayload = {};
  key = privateKey;
  /** Key ID in tokens and in the key set. */
  keyId = KEY_ID;
  /** Only in tokens. */
  tokenKeyId: string | undefined;
  /** Replaces the ID token. */
  idToken: string | undefined;
  /** Response of the userinfo endpoint; undefined: there is no endpoint. */
  userinfo: Claims | undefined;
  /** Responses by path that replace the regular ones. */
  answers: Record<string, { status: number; text: string; type?: string }> = {};
  /** Requested paths with their bodies. */
  readonly asked: { path: string; body: URLSearchParams; authorization: string | undefined }[] = [];

  constructor(private readonly host: Host) {
    const read = async (request: IncomingMessage, response: ServerResponse) => {
      const path = request.url!;
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const body = new URLSearchParams(Buffer.concat(chunks).toString());
      this.asked.push({ path, body, authorization: request.headers.authorization });
      const input = this.answers[path];
      const type = input?.type ?? "application/json";
      response.writeHead(input?.status ?? 200, { "Content-Type": type });
      response.end(input?.text ?? JSON.stringify(await this.answer(path)));
    };
    host.listener = (request, response) => void read(request, response);
  }

  /** Returns the callback of the browser after a sign-in that started at this address. */
  callback(location: string, extra: Claims = {}): { query: string; nonce: string } {
    const { searchParams } = new URL(location);
    const state = searchParams.get("state")!;
    this.nonce = searchParams.get("nonce")!;
    const fields = { code: "a-code", state, iss: this.host.url, ...extra };
    const pairs = Object.entries(fields).filter(([, value]) => value !== undefined);
    return { query: `?${new URLSearchParams(pairs as [string, string][])}`, nonce: this.nonce };
  }

  private nonce = "";

  private async answer(path: string): Promise<unknown> {
    const { url } = this.host;
    if (path === "/.well-known/openid-configuration") {
      return {
        issuer: url,
        authorization_endpoint: `${url}/authorize`,
        token_endpoint: `${url}/token`,
        jwks_uri: `${url}/keys`,
        authorization_response_iss_parameter_supported: true,
        ...(this.userinfo && { userinfo_endpoint: `${url}/userinfo` }),
        ...this.discovery,
      };
    }
    if (path === "/keys") return { keys: [{ ...jwk, kid: this.keyId }] };
    if (path === "/userinfo") return this.userinfo;
    const id_token = this.idToken ?? (await this.signIdToken());
    return { access_token: "access", token_type: "Bearer", expires_in: 60, id_token };
  }

  private signIdToken(): Promise<string> {
    const now = Math.floor(Date.now() / 1000);
    const claims = {
      iss: this.host.url,
      aud: CLIENT.client_id,
      sub: "7",
      iat: now,
      exp: now + 60,
      nonce: this.nonce,
      email: "bo@example.com",
      email_verified: true,
      name: "Bo",
      ...this.token,
    };
    const header = { alg: algorithm, kid: this.tokenKeyId ?? this.keyId };
    return new SignJWT(claims).setProtectedHeader(header).sign(this.key);
  }
}
