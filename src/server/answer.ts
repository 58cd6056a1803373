// Turns what an endpoint gave, or a refusal, into the Response that leaves.
import { type Answer, JsonText, type LaterText } from "../endpoint.ts";
import type { Refusal } from "../errors.ts";
import type { Standing } from "./limit.ts";

/** Shorter answers are not worth packing. */
const GZIP_CHARS_MIN = 2048;

const CACHE = "max-age=0, no-cache, no-store, must-revalidate, private";
/** Copied by every Response, which is cheaper than to give it names and values. */
const HEADERS = new Headers({ "Content-Type": "application/json", "Cache-Control": CACHE });

export function success(
  answer: Answer,
  ignored: string[] | undefined,
  { standing, request }: { readonly standing: Standing | undefined; readonly request: Request },
): Response {
  if (answer instanceof Response) return completed(answer, standing);
  const text = answer instanceof JsonText ? answer.text : textOf(answer);
  const extra = ignored && { ignored_parameters_unsupported: ignored };
  return limited(jsonFor(request, withExtra(text, extra), 200), standing);
}

/** The same, once there is a text. What that needs of the request is looked up before. */
export function successLater(
  later: LaterText,
  ignored: string[] | undefined,
  { standing, request }: { readonly standing: Standing | undefined; readonly request: Request },
): Promise<Response> {
  const { promise, resolve } = Promise.withResolvers<Response>();
  later.to = resolve;
  const packs = takesGzip(request);
  if (ignored === undefined && standing === undefined) later.into = packs ? packed : plain;
  else later.into = intoResponse(ignored, standing, packs);
  return promise;
}

const plain = (text: string) => jsonResponse(text, 200, false);
const packed = (text: string) => jsonResponse(text, 200, true);

function intoResponse(
  ignored: string[] | undefined,
  standing: Standing | undefined,
  packs: boolean,
) {
  const extra = ignored && { ignored_parameters_unsupported: ignored };
  return (text: string) => limited(jsonResponse(withExtra(text, extra), 200, packs), standing);
}

export function refused(
  { errCode, message, extra, status, headers }: Refusal,
  standing: Standing | undefined,
  request: Request,
): Response {
  const body = { result: "error", msg: message, code: errCode, ...extra };
  const response = jsonFor(request, JSON.stringify(body), status);
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
  return limited(response, standing);
}

/** What a path answers to. */
export function options(methods: readonly string[]): Response {
  return new Response(null, {
    status: 204,
    headers: { Allow: methods.join(", "), "Cache-Control": CACHE },
  });
}

/** The parts are put together as texts, which is cheaper than as objects. */
function textOf(answer: object): string {
  if ("msg" in answer) return JSON.stringify({ result: "success", ...answer });
  return withExtra('{"result":"success","msg":""}', answer);
}

function jsonFor(request: Request, text: string, status: number): Response {
  return jsonResponse(text, status, text.length >= GZIP_CHARS_MIN && takesGzip(request));
}

function jsonResponse(text: string, status: number, packs: boolean): Response {
  if (text.length < GZIP_CHARS_MIN) return new Response(text, { status, headers: HEADERS });
  const body = packs ? Bun.gzipSync(Buffer.from(text), { level: 1 }) : text;
  const response = new Response(body, { status, headers: HEADERS });
  response.headers.set("Vary", "Accept-Encoding");
  if (packs) response.headers.set("Content-Encoding", "gzip");
  return response;
}

function takesGzip(request: Request) {
  const accepted = request.headers.get("accept-encoding");
  return accepted !== null && /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/i.test(accepted);
}

/** An endpoint's own Response, with the headers that it left open. */
function completed(response: Response, standing: Standing | undefined): Response {
  const { headers } = response;
  if (!headers.has("Cache-Control")) headers.set("Cache-Control", CACHE);
  return limited(response, standing);
}

function limited(response: Response, standing: Standing | undefined): Response {
  if (standing === undefined) return response;
  const { headers } = response;
  headers.set("X-RateLimit-Limit", String(standing.limit));
  headers.set("X-RateLimit-Remaining", String(standing.remaining));
  headers.set("X-RateLimit-Reset", String(Math.ceil(standing.reset_ms / 1000)));
  return response;
}

/** The text of an object, with the fields of another at its end. */
function withExtra(text: string, extra: object | undefined): string {
  if (extra === undefined) return text;
  const fields = JSON.stringify(extra).slice(1);
  return fields === "}" ? text : `${text.slice(0, -1)},${fields}`;
}
