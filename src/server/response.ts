// Converts the result of an endpoint, or an error, to a Response.
import type { Refusal } from "../contract/errors/general.ts";
import { type EndpointResult, JsonText, LaterText } from "../endpoint.ts";
import type { Peers } from "./caller/proxies.ts";
import { CACHE, type SecurityHeaders } from "./security-headers.ts";
import { isStreamed } from "./body/response-timeouts.ts";
import type { RateLimit } from "./limit.ts";

/** Shorter responses are not worth compressing. */
const GZIP_CHARS_MIN = 2048;

/** Properties of the request that its response depends on. */
interface ResponseContext {
  readonly rateLimit: RateLimit | undefined;
  readonly ignored: string[] | undefined;
  readonly request: Request;
  readonly securityHeaders: SecurityHeaders;
  readonly id: string;
  readonly peers: Peers | null;
}

export function success(
  answer: EndpointResult,
  context: ResponseContext,
): Response | Promise<Response> {
  if (answer instanceof LaterText) return successLater(answer, context);
  const { rateLimit, ignored, request, securityHeaders, peers } = context;
  if (answer instanceof Response) {
    if (isStreamed(answer)) peers?.timeout(request, 0);
    return withRequestId(completed(answer, rateLimit, securityHeaders), context.id);
  }
  const isText = answer instanceof JsonText;
  const text = isText ? answer.text : textOf(answer);
  const extraFields = ignored && { ignored_parameters_unsupported: ignored };
  const response = withRateLimit(
    jsonFor(request, withExtra(text, extraFields), 200, securityHeaders),
    rateLimit,
  );
  return isText && !answer.isNamed ? response : withRequestId(response, context.id);
}

/** Responds when the text is available. Everything needed from the request is read before. */
function successLater(
  later: LaterText,
  { rateLimit, ignored, request, securityHeaders }: ResponseContext,
): Promise<Response> {
  const { promise, resolve } = Promise.withResolvers<Response>();
  later.to = resolve;
  const compresses = acceptsGzip(request);
  const isPlain = ignored === undefined && rateLimit === undefined;
  later.toResponse = isPlain
    ? plainResponder(securityHeaders)[compresses ? "packed" : "asIs"]
    : intoResponse(ignored, rateLimit, compresses, securityHeaders);
  return promise;
}

/** A single function for all waiting polls that need nothing from the request. */
function plainResponder(securityHeaders: SecurityHeaders) {
  let into = plainResponders.get(securityHeaders);
  if (into === undefined) {
    const [asIs, packed] = [false, true].map((compresses) => {
      return intoResponse(undefined, undefined, compresses, securityHeaders);
    });
    plainResponders.set(securityHeaders, (into = { asIs: asIs!, packed: packed! }));
  }
  return into;
}

type Responders = ReturnType<typeof intoResponse>;
const plainResponders = new WeakMap<SecurityHeaders, { asIs: Responders; packed: Responders }>();

function intoResponse(
  ignored: string[] | undefined,
  rateLimit: RateLimit | undefined,
  compresses: boolean,
  securityHeaders: SecurityHeaders,
) {
  const extraFields = ignored && { ignored_parameters_unsupported: ignored };
  return (text: string) =>
    withRateLimit(
      jsonResponse(withExtra(text, extraFields), 200, compresses, securityHeaders),
      rateLimit,
    );
}

export function refused(
  { errCode, message, extra, status, headers }: Refusal,
  { rateLimit, request, securityHeaders, id }: ResponseContext,
): Response {
  const body = { result: "error", msg: message, code: errCode, ...extra };
  const response = jsonFor(request, JSON.stringify(body), status, securityHeaders);
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
  return withRequestId(withRateLimit(response, rateLimit), id);
}

/** The same error as a page, for browsers. */
export function errorAsPage(
  page: Response,
  { headers }: Refusal,
  context: ResponseContext,
): Response {
  for (const [name, value] of Object.entries(headers)) page.headers.set(name, value);
  return withRequestId(completed(page, context.rateLimit, context.securityHeaders), context.id);
}

/** Responds with a redirect: to the page with a trailing slash, or to the page above. */
export function redirectResponse(
  location: string,
  { securityHeaders }: Pick<ResponseContext, "securityHeaders">,
) {
  const headers = { Location: location };
  return completed(new Response(null, { status: 302, headers }), undefined, securityHeaders);
}

/** Responds to OPTIONS with the allowed methods. */
export function options(
  methods: readonly string[],
  { securityHeaders }: Pick<ResponseContext, "securityHeaders">,
) {
  const headers = { Allow: methods.join(", ") };
  return completed(new Response(null, { status: 204, headers }), undefined, securityHeaders);
}

/** Concatenating texts is cheaper than serializing a merged object. */
function textOf(response: object): string {
  if ("msg" in response) return JSON.stringify({ result: "success", ...response });
  return withExtra('{"result":"success","msg":""}', response);
}

function jsonFor(
  request: Request,
  text: string,
  status: number,
  securityHeaders: SecurityHeaders,
): Response {
  const compresses = text.length >= GZIP_CHARS_MIN && acceptsGzip(request);
  return jsonResponse(text, status, compresses, securityHeaders);
}

function jsonResponse(
  text: string,
  status: number,
  compresses: boolean,
  { json }: SecurityHeaders,
): Response {
  if (text.length < GZIP_CHARS_MIN) return new Response(text, { status, headers: json });
  const body = compresses ? Bun.gzipSync(Buffer.from(text), { level: 1 }) : text;
  const response = new Response(body, { status, headers: json });
  response.headers.set("Vary", "Accept-Encoding");
  if (compresses) response.headers.set("Content-Encoding", "gzip");
  return response;
}

function acceptsGzip(request: Request) {
  const accepted = request.headers.get("accept-encoding");
  return accepted !== null && /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/i.test(accepted);
}

/** Adds missing headers to a Response that the endpoint created. */
function completed(
  response: Response,
  rateLimit: RateLimit | undefined,
  securityHeaders: SecurityHeaders,
): Response {
  const { headers } = response;
  for (const [name, value] of securityHeaders.headers) headers.set(name, value);
  if (!headers.has("Cache-Control")) headers.set("Cache-Control", CACHE);
  return withRateLimit(response, rateLimit);
}

function withRateLimit(response: Response, rateLimit: RateLimit | undefined): Response {
  if (rateLimit === undefined) return response;
  const { headers } = response;
  headers.set("X-RateLimit-Limit", String(rateLimit.limit));
  headers.set("X-RateLimit-Remaining", String(rateLimit.remaining));
  headers.set("X-RateLimit-Reset", String(Math.ceil(rateLimit.reset_ms / 1000)));
  return response;
}

/** Adds the request id, so that users and operators can refer to the same request. */
function withRequestId(response: Response, id: string): Response {
  response.headers.set("X-Request-Id", id);
  return response;
}

/** Serializes an object with the fields of another appended. */
function withExtra(text: string, extra: object | undefined): string {
  if (extra === undefined) return text;
  const fields = JSON.stringify(extra).slice(1);
  return fields === "}" ? text : `${text.slice(0, -1)},${fields}`;
}
