// Requests that carry a file beside their parameters.
import {
  type Asking,
  formOf,
  headersOf,
  type Params,
  Refused,
  spoken,
  Unanswered,
} from "./http.ts";

const TOO_LARGE = 413;

export async function sendWithFile<T>(
  asking: Asking,
  method: "POST" | "PATCH",
  path: string,
  params: Params,
  file?: Blob,
): Promise<T> {
  const body = new FormData();
  for (const [name, value] of formOf(params)) body.set(name, value);
  if (file) body.set("file", file, "picture.png");
  const init = { method, headers: headersOf(asking, { method }), body };
  let response;
  let told;
  try {
    response = await fetch(`/json${path}`, init);
    told = (await response.json()) as Record<string, unknown>;
  } catch (error) {
    // A proxy on the way has no words of ours.
    if (response?.status === TOO_LARGE) throw new Refused(TOO_LARGE, "", "", {});
    throw new Unanswered(String(error));
  }
  if (response.ok) return told as T;
  const words = await spoken.refusal(String(told["msg"]));
  throw new Refused(response.status, String(told["code"]), words, told);
}
