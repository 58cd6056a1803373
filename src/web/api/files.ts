// Requests that contain a file.
import { type RequestContext, formOf, headersOf, type Params, NoResponse } from "./http.ts";
import { ApiError } from "../contract/api-error.ts";
import { translateError } from "./error-translations.ts";

const TOO_LARGE = 413;

export async function sendWithFile<T>(
  requestContext: RequestContext,
  method: "POST" | "PATCH",
  path: string,
  params: Params,
  file?: Blob,
): Promise<T> {
  const body = new FormData();
  for (const [name, value] of formOf(params)) body.set(name, value);
  if (file) body.set("file", file, "picture.png");
  const init = { method, headers: headersOf(requestContext, { method }), body };
  let response;
  let payload: Readonly<Record<string, unknown>>;
  try {
    response = await fetch(`/json${path}`, init);
    payload = await response.json();
  } catch (error) {
    // A proxy's error has no text for users.
    if (response?.status === TOO_LARGE) throw new ApiError(TOO_LARGE, "", "", {});
    throw new NoResponse(String(error));
  }
  if (response.ok) return payload as T;
  const text = await translateError(String(payload["msg"]));
  throw new ApiError(response.status, String(payload["code"]), text, payload);
}
