// Builds requests by hand, including wrong encodings, and checks what every response must have.
import type { Route } from "../../src/server/routing.ts";
import type { Name } from "../users.ts";
import { type Json, type TestServer } from "../test-server.ts";

/** Routes that redirect to pictures. */
const REDIRECTING_ROUTES: readonly string[] = ["/realm/icon", "/realm/logo"];

/** Encoded names and values; for a path, the value of its parameter. */
export type Encoded = readonly (readonly [name: string, value: string])[];

export async function send(
  testServer: TestServer,
  name: Name | null,
  route: Route,
  pairs: Encoded,
) {
  let query = "";
  let path = route.path.startsWith("root:") ? route.path.slice(5) : `/api/v1${route.path}`;
  for (const [parameter, value] of pairs) {
    const placeholder = [`{${parameter}}`, `{${parameter}*}`].find((item) => path.includes(item));
    if (placeholder !== undefined) path = path.replace(placeholder, () => value);
    else query += `${query && "&"}${parameter}=${value}`;
  }
  const { method } = route;
  const headers: Record<string, string> = { "User-Agent": "SkeinTest/1.0" };
  if (name !== null) headers["Authorization"] = testServer.basicAuthorization(name);
  const shared = { method, headers, redirect: "manual" } as const;
  if (method === "GET") return fetch(`${testServer.url}${path}?${query}`, shared);
  headers["Content-Type"] = "application/x-www-form-urlencoded";
  return fetch(testServer.url + path, { ...shared, body: query });
}

/** Returns what is wrong with a response; undefined if nothing is. */
export async function faultOf(response: Response, route: Route): Promise<string | undefined> {
  const { status } = response;
  const text = await response.text();
  if (status >= 500) return `status ${status} ${text}`;
  if (route.path.startsWith("root:")) return undefined;
  if (status === 302 && REDIRECTING_ROUTES.includes(route.path)) return undefined;
  let body: Json;
  try {
    body = JSON.parse(text);
  } catch {
    return `status ${status}, and no JSON: ${text.slice(0, 100)}`;
  }
  if (status === 200) {
    return body.result === "success" || body.openapi ? undefined : `200 and ${body.result}`;
  }
  if (status < 400) return `status ${status}`;
  const isComplete = body.result === "error" && typeof body.msg === "string" && body.msg !== "";
  if (status === 405) return isComplete && body.allowed_methods ? undefined : `405 with ${text}`;
  return isComplete && typeof body.code === "string" ? undefined : `${status} with ${text}`;
}
