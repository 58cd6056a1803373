// Ends this browser's session at the server.
import { type RequestContext, headersOf, NoResponse } from "./http.ts";
import { ApiError } from "../contract/api-error.ts";

const ADDRESS = "/accounts/logout/";
const SERVER_FAULT = 500;

/** The server redirects to the sign-in page, even if the session had already ended. */
export async function endSession(requestContext: RequestContext): Promise<void> {
  const headers = headersOf(requestContext, { method: "POST" });
  const requested = fetch(ADDRESS, { method: "POST", headers, redirect: "manual" });
  const response = await requested.catch((error: unknown) => {
    throw new NoResponse(String(error));
  });
  if (response.type === "opaqueredirect") return;
  const { status } = response;
  if (status >= SERVER_FAULT) throw new NoResponse(`${status} from ${ADDRESS}`);
  const body: Readonly<Record<string, unknown>> = await response.json().catch(() => ({}));
  throw new ApiError(status, String(body["code"] ?? ""), String(body["msg"] ?? ""), body);
}
