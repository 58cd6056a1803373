// Translates error messages for users of other languages, as far as translations exist.
import { ApiError } from "../contract/api-error.ts";
import { ask, type Request, type RequestContext } from "./http.ts";

/** Sends a request, and translates its error. */
export async function askTranslated<T>(
  requestContext: RequestContext,
  request: Request,
): Promise<T> {
  try {
    return await ask<T>(requestContext, request);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const { status, code, text, body } = error;
    throw new ApiError(status, code, await translateError(text), body);
  }
}

/** The server's error in the language of the page; in English if there is no translation. */
export async function translateError(text: string): Promise<string> {
  const [language = ""] = document.documentElement.lang.split("-");
  if (language === "" || language === "en") return text;
  return import("../../text/refusals/refusals.ts").then(
    ({ refusalIn }) => refusalIn(language, text),
    () => text,
  );
}
