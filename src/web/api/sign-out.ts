// Ends this browser's session at the server.
import { type Asking, headersOf, Refused, Unanswered } from "./http.ts";

const ADDRESS = "/accounts/logout/";
const SERVER_FAULT = 500;

/** The server answers with the way to the sign-in page, also if the session was over before. */
export async function endSession(asking: Asking): Promise<void> {
  const headers = headersOf(asking, { method: "POST" });
  const asked = fetch(ADDRESS, { method: "POST", headers, redirect: "manual" });
  const response = await asked.catch((error: unknown) => {
    throw new Unanswered(String(error));
  });
  if (response.type === "opaqueredirect") return;
  const { status } = response;
  if (status >= SERVER_FAULT) throw new Unanswered(`${status} from ${ADDRESS}`);
  const body = (await response.json().catch(() => ({}))) as Record<string, unknown>;
  throw new Refused(status, String(body["code"] ?? ""), String(body["msg"] ?? ""), body);
}
