// A host that the operator has named, and the requests with credentials sent to it.
import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { GuardedClient, type OutboundRequest } from "../../src/outbound/client.ts";
import { Host } from "../oidc-provider.ts";

let host: Host;
let paths: string[] = [];
beforeAll(async () => {
  host = await Host.open();
  host.listener = (request, response) => {
    paths.push(request.url!);
    const status = request.url === "/moved" ? 302 : request.url === "/wrong" ? 400 : 200;
    response.writeHead(status, { Location: "/there" }).end("words");
  };
});
beforeEach(() => {
  paths = [];
});
afterAll(() => host?.close());

const client = new GuardedClient([], async () => [{ address: "127.0.0.1", family: 4 }]);

function send(path: string, extra: Partial<OutboundRequest> = {}): OutboundRequest {
  const { port } = new URL(host.url);
  const url = `http://in.example:${port}${path}`;
  return { url, types: null, bytes_max: 100, trusted_host: `in.example:${port}`, ...extra };
}

test("connects to any address of a configured name, at its port only", async () => {
  expect((await client.send(send("/"))).status).toBe(200);
  for (const trusted_host of ["", "in.example", "other.example"]) {
    const refusal = client.send(send("/", { trusted_host }));
    await expect(refusal).rejects.toThrow("not public");
  }
  expect(paths).toEqual(["/"]);
});

test("does not follow redirects with credentials", async () => {
  expect((await client.send(send("/moved"))).url).toEndWith("/there");
  paths = [];
  const headers = { Authorization: "Bearer secret" };
  expect((await client.send(send("/moved", { headers }))).status).toBe(302);
  expect(paths).toEqual(["/moved"]);
});

test("reads the body of an error on request", async () => {
  const bodyOf = async (extra: Partial<OutboundRequest>) =>
    Buffer.from((await client.send(send("/wrong", extra))).body).toString();
  expect(await bodyOf({})).toBe("");
  expect(await bodyOf({ with_failures: true })).toBe("words");
});
