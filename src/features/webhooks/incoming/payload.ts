// Reads what a program posts to a webhook: JSON as the body, or in a form's field `payload`.
import { jsonMalformed } from "../../../contract/errors/people.ts";
import { bytesOf, givenByForm } from "../../../server/parameters/parameters.ts";
import { isShallow } from "../../../text/unsure.ts";
import { PAYLOAD_DEPTH_MAX } from "../rules.ts";

const FORM = /^(?:application\/x-www-form-urlencoded|multipart\/form-data)\b/i;
const utf8 = new TextDecoder("utf-8", { fatal: true });

/** `given`: in the address. A form without the field is itself what is told. */
export async function payloadOf(request: Request, given: string | undefined): Promise<unknown> {
  if (!FORM.test(request.headers.get("content-type") ?? "")) {
    const bytes = await bytesOf(request);
    return parsed(bytes.length === 0 && given !== undefined ? given : textOf(bytes));
  }
  const form = await givenByForm(request);
  const payload = form.get("payload") ?? given;
  return payload === undefined ? Object.fromEntries(form) : parsed(payload);
}

function textOf(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw jsonMalformed();
  }
}

function parsed(text: string): unknown {
  if (!isShallow(text, PAYLOAD_DEPTH_MAX)) throw jsonMalformed();
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw jsonMalformed();
  }
}
