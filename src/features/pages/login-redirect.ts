// The target after a sign-in: a page of this server, or the app that sent the user.
import { otpInvalid, otpsConfused } from "../../contract/errors/people.ts";
import { MOBILE_SCHEME, MOBILE_SCHEME_OTHER } from "../../contract/names.ts";
import { defaulted, oneOf, optional, text, type ValuesOf } from "../../endpoint.ts";

/** The parameters of every page where a sign-in starts. */
export const redirectParams = {
  next: defaulted(text, ""),
  /** 64 hex digits with which an app encrypts the key it receives. */
  mobile_flow_otp: optional(text),
  desktop_flow_otp: optional(text),
  mobile_scheme: defaulted(oneOf(MOBILE_SCHEME, MOBILE_SCHEME_OTHER), MOBILE_SCHEME),
};

/** Carried through all steps of a sign-in, also as JSON. */
export type LoginRedirect = Partial<ValuesOf<typeof redirectParams>>;

const OTP = /^[0-9a-fA-F]{64}$/;
export const ACCOUNT_PAGE = "/account/";
/** The client's page. */
export const HOME_PAGE = "/";

export function checkRedirect({ mobile_flow_otp: otp, desktop_flow_otp }: LoginRedirect): void {
  if (otp !== undefined && desktop_flow_otp !== undefined) throw otpsConfused();
  if (otp !== undefined && !OTP.test(otp)) throw otpInvalid();
}

/** Takes only these fields of a request. */
export function redirectOf({ next, mobile_flow_otp, mobile_scheme }: LoginRedirect): LoginRedirect {
  return { next, mobile_flow_otp, mobile_scheme };
}

/** The path of an invitation link. */
export const joinPath = (key: string) => `/join/${key}/`;

/** The key of the invitation that the visitor followed to sign in. */
export function invitationKeyOf({ next }: LoginRedirect): string | undefined {
  return /^\/join\/([A-Za-z0-9]+)\/$/.exec(next ?? "")?.[1];
}

/** A path on this server, whatever `next` contains; members skip the join page. */
export function safeNext(url: string, next: string | undefined): string {
  if (!next?.startsWith("/") || invitationKeyOf({ next }) !== undefined) return HOME_PAGE;
  const ownUrl = new URL(url);
  const to = URL.parse(next, ownUrl);
  if (to?.origin !== ownUrl.origin) return HOME_PAGE;
  return to.pathname.startsWith("//") ? HOME_PAGE : to.pathname + to.search + to.hash;
}

/** Query for links between sign-in pages. Empty if there is nothing to carry. */
export function queryOf({ next, mobile_flow_otp, mobile_scheme }: LoginRedirect): string {
  const query = new URLSearchParams();
  if (next) query.set("next", next);
  if (mobile_flow_otp !== undefined) query.set("mobile_flow_otp", mobile_flow_otp);
  if (mobile_flow_otp !== undefined && mobile_scheme && mobile_scheme !== MOBILE_SCHEME) {
    query.set("mobile_scheme", mobile_scheme);
  }
  return query.size === 0 ? "" : `?${query}`;
}

interface AppCredentials {
  readonly api_key: string;
  readonly email: string;
  readonly user_id: number;
  /** The URL of the organization. */
  readonly realm: string;
}

/** The URL that the phone opens in the app. */
export function appAddress(
  loginRedirect: LoginRedirect,
  { api_key, email, user_id, realm }: AppCredentials,
): string {
  const masked = xorHex(
    Buffer.from(api_key, "ascii").toString("hex"),
    loginRedirect.mobile_flow_otp!,
  );
  const query = new URLSearchParams({
    otp_encrypted_api_key: masked,
    email,
    user_id: String(user_id),
    realm,
  });
  return `${loginRedirect.mobile_scheme ?? MOBILE_SCHEME}://login?${query}`;
}

/** XORs hex digits; lower case. */
function xorHex(first: string, other: string): string {
  const digits = Array.from(
    first,
    (digit, index) => parseInt(digit, 16) ^ parseInt(other[index]!, 16),
  );
  return digits.map((digit) => digit.toString(16)).join("");
}

export function redirect(location: string, cookies: readonly string[]): Response {
  const headers = new Headers({ Location: location, "Cache-Control": "no-store" });
  for (const cookie of cookies) headers.append("Set-Cookie", cookie);
  return new Response(null, { status: 302, headers });
}
