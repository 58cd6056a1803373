// Ends this browser's session at the server.
import { type RequestContext, headersOf, Unanswered } from "./http.ts";
import { Refused } from "../contract/api-error.ts";

const ADDRESS = "/accounts/logout/";
const SERVER_FAULT = 500;

/** The server redirects to the sign-in page, even if the session had already ended. */
export async function endSession(asking: RequestContext): Promise<void> {
  const headers = headersOf(asking, { method: "POST" });
  const requested = fetch(ADDRESS, { method: "POST", headers, redirect: "manual" });
  const response = await requested.catch((error: unknown) => {
    throw new Unanswered(String(error));
  });
  if (response.type === "opaqueredirect") return;
  const { status } = response;
  if (status >= SERVER_FAULT) throw new Unanswered(`${status} from ${ADDRESS}`);
  const body: Readonly<Record<string, unknown>> = await response.json().catch(() => ({}));
  throw new Refused(status, String(body["code"] ?? ""), String(body["msg"] ?? ""), body);
}
