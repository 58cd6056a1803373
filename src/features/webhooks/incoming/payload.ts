// Reads the payload of a webhook: JSON in the body or in the form field `payload`.
import { payloadMalformed } from "../../../contract/errors/people.ts";
import {
  bytesOf,
  parametersInForm,
  parametersInQuery,
} from "../../../server/parameters/parameters.ts";
import { decodedText } from "../../../text/input/decode.ts";
import { isShallow } from "../../../text/untrusted-json.ts";
import { PAYLOAD_DEPTH_MAX } from "../rules.ts";

const MULTIPART = /^multipart\/form-data\b/i;
const URL_ENCODED = /^application\/x-www-form-urlencoded\b/i;
/**
 * Recognizes JSON objects and lists, because `curl -d` sends them with the content type of a form.
 */
const JSON_START = /^\s*[[{]/;
/** A form without a content type. */
const PAYLOAD_FIELD = /^payload=/;

/** `value`: the parameter `payload` in the URL. A form without that field is itself the payload. */
export async function payloadOf(request: Request, value: string | undefined): Promise<unknown> {
  const type = request.headers.get("content-type") ?? "";
  if (MULTIPART.test(type)) return payloadIn(await parametersInForm(request), value);
  const bytes = await bytesOf(request);
  if (bytes.length === 0 && value !== undefined) return parsed(value);
  const body = textOf(bytes);
  const isForm = URL_ENCODED.test(type) ? !JSON_START.test(body) : PAYLOAD_FIELD.test(body);
  return isForm ? payloadIn(parametersInQuery(body), value) : parsed(body);
}

function payloadIn(form: ReadonlyMap<string, string>, value: string | undefined): unknown {
  const payload = form.get("payload") ?? value;
  return payload === undefined ? Object.fromEntries(form) : parsed(payload);
}

function textOf(bytes: Uint8Array): string {
  const text = decodedText(bytes);
  if (text !== undefined) return text;
  throw payloadMalformed("it is neither UTF-8 nor UTF-16 with a byte order mark");
}

function parsed(value: string): unknown {
  const text = value.replace(/^\uFEFF/, "");
  if (text.trim() === "") throw payloadMalformed("the payload is empty");
  if (!isShallow(text, PAYLOAD_DEPTH_MAX)) {
    throw payloadMalformed(`it is nested deeper than ${PAYLOAD_DEPTH_MAX} levels`);
  }
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw payloadMalformed("the payload is not valid JSON");
  }
}
