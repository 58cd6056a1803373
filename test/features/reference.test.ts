// The API reference: pages generated from the document, with samples that work.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { routes } from "../../src/contract/routes.ts";
import { chaptersOf } from "../../src/features/reference/chapters.ts";
import {
  javaScriptSample,
  pythonSample,
  curlSample,
} from "../../src/features/reference/samples.ts";
import { openapiOf } from "../../src/server/openapi.ts";
import { emailOf } from "../users.ts";
import { ROUTE_ACCESS } from "../roles/table.ts";
import { type Json, startTestServer, type TestServer } from "../test-server.ts";

const chapters = chaptersOf(openapiOf(routes));
const operations = chapters.flatMap((chapter) => chapter.operations);
const operation = (name: string) => operations.find(({ id }) => id === name)!;

let testServer: TestServer;
beforeAll(async () => {
  testServer = await startTestServer();
});
afterAll(() => testServer.close());

test("links every operation in the contents", async () => {
  const contents = await (await fetch(`${testServer.url}/api/`)).text();
  const links = [...contents.matchAll(/href="(\/api\/reference\/[^"]+#[^"]+)"/g)].map(
    ([, to]) => to!,
  );
  expect(links.length).toBe(operations.length);
  const pages = new Map<string, string>();
  for (const link of links) {
    const [path, id] = link.split("#") as [string, string];
    if (!pages.has(path)) pages.set(path, await (await fetch(testServer.url + path)).text());
    expect(pages.get(path)).toContain(`<section id="${id}">`);
  }
});

test("has pages without scripts and external resources", async () => {
  const response = await fetch(`${testServer.url}/api/reference/messages/`);
  const html = await response.text();
  expect(response.status).toBe(200);
  expect(response.headers.get("content-security-policy")).toContain("default-src 'none'");
  expect(html).not.toMatch(/<script|<link(?! rel="stylesheet" href="\/static\/)|<img|<iframe/);
  expect(html).toContain("curl -X POST &#39;");
});

test('answers an unknown chapter with "not found"', async () => {
  expect((await fetch(`${testServer.url}/api/reference/recipes/`)).status).toBe(404);
});

test("says of every endpoint that always fails that it is not available", () => {
  const refusal = Object.entries(ROUTE_ACCESS).flatMap(([route, [, permitted]]) =>
    // Pages are not part of the reference.
    permitted === "nobody" && !route.includes(" root:") ? route : [],
  );
  const closedRoutes = [
    "POST /jwt/fetch_api_key",
    "POST /dev_fetch_api_key",
    "GET /dev_list_users",
  ];
  expect(refusal.length).toBeGreaterThan(8);
  for (const route of [...refusal, ...closedRoutes]) {
    const [method, path] = route.split(" ");
    const first = operations.find(
      (operation) => operation.method === method && operation.path === `/api/v1${path}`,
    );
    expect([route, first?.summary]).toEqual([
      route,
      expect.stringContaining("Not available on this"),
    ]);
  }
});

const AsyncFunction = (async () => {}).constructor as new (
  ...code: string[]
) => (...input: unknown[]) => Promise<void>;

/** Runs a JavaScript sample as a user, and returns its output. */
async function runSample(sample: string): Promise<Json> {
  const lines: Json[] = [];
  const picture = new File(["hello"], "picture.png");
  const run = new AsyncFunction("email", "apiKey", "picture", "console", sample);
  await run(emailOf("olga"), testServer.keyOf("olga"), picture, {
    log: (item: Json) => lines.push(item),
  });
  return lines[0];
}

/** These operations end the session that others need, or return images instead of JSON. */
const SEPARATE_OPERATIONS = [
  ...["api_key_regenerate", "api_keys_key_id", "realm_deactivate"],
  ...["get_api_v1_realm_icon", "get_api_v1_realm_logo", "tus"],
];
const AMISS = ["REQUEST_VARIABLE_MISSING", "REQUEST_VARIABLE_INVALID", "UNAUTHORIZED"];

/** Endpoints whose required parameters depend on others. */
const DEPENDENT_OPERATIONS = [
  ...["post_api_v1_typing", "patch_api_v1_users_me_subscriptions_muted_topics"],
  "post_api_v1_realm_logo",
];

test("JavaScript samples send valid requests for every operation", async () => {
  const together = operations.filter(
    ({ id }) => !SEPARATE_OPERATIONS.some((part) => id.includes(part)),
  );
  const misunderstood: string[] = [];
  for (const item of together) {
    const received = await runSample(javaScriptSample(item, testServer.url));
    const isError =
      AMISS.includes(received.code) || /Argument|not valid JSON|^Not Found$/.test(received.msg);
    if (isError) misunderstood.push(item.id);
  }
  expect(misunderstood).toEqual(DEPENDENT_OPERATIONS);
});

test.skipIf(!Bun.which("curl"))("runs a shell sample as shown", async () => {
  const sample = curlSample(operation("post_api_v1_messages_render"), testServer.url);
  const env = { ...process.env, EMAIL: emailOf("bo"), API_KEY: testServer.keyOf("bo") };
  const requested = Bun.spawn(["sh", "-c", `${sample} --silent`], { env, stdout: "pipe" });
  const received = await new Response(requested.stdout).json();
  expect(received).toEqual({ result: "success", msg: "", rendered: "<p>Lunch?</p>" });
});

test.skipIf(!Bun.which("python3"))("samples in Python can be read", async () => {
  const samples = JSON.stringify(
    operations.map((operation) => pythonSample(operation, testServer.url)),
  );
  const read = "import ast, json, sys; [ast.parse(one) for one in json.load(sys.stdin)]";
  const stdin = new Blob([samples]);
  expect(await Bun.spawn(["python3", "-c", read], { stdin, stderr: "inherit" }).exited).toBe(0);
});

test("values in samples are quoted", () => {
  const inputs = [{ name: "content", where: "form", text: 'it\'s "$HOME"' }] as const;
  const first = {
    method: "POST",
    path: "/x",
    isOpen: true,
    isUpload: false,
    requiredInputs: inputs,
  };
  expect(curlSample(first, "https://a.b")).toContain(String.raw`'content=it'\''s "$HOME"'`);
});
