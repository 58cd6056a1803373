/** The server stops in order, and notices disconnected clients. */
import { expect, test } from "bun:test";
import { openEndpoint } from "../../src/endpoint.ts";
import { anyone } from "../../src/server/gate.ts";
import type { Route } from "../../src/server/routing.ts";
import { open } from "./sample-server.ts";

test("wakes and answers an open poll when the server stops", async () => {
  const requestStarted = Promise.withResolvers<void>();
  const started = Promise.withResolvers<void>();
  const poll = openEndpoint({
    summary: "A thing",
    tag: "Server",
    params: {},
    run: async () => {
      started.resolve();
      await requestStarted.promise;
      return { events: [] };
    },
  });
  const routes: Route[] = [{ method: "GET", path: "/events", gate: anyone, endpoint: poll }];
  const counter = await open(routes, { hooks: { wake: () => requestStarted.resolve() } });
  const polled = counter.request("GET /events");
  await started.promise;
  await counter.stop();
  expect((await polled).body).toEqual({ result: "success", msg: "", events: [] });
  await expect(counter.request("GET /events")).rejects.toThrow();
});

test("an endpoint is notified when its client disconnects", async () => {
  const removal = Promise.withResolvers<void>();
  const started = Promise.withResolvers<void>();
  const poll = openEndpoint({
    summary: "A thing",
    tag: "Server",
    params: {},
    run: async ({ request }) => {
      request.signal.addEventListener("abort", () => removal.resolve());
      started.resolve();
      await removal.promise;
      throw new Error("nobody is there");
    },
  });
  const routes: Route[] = [{ method: "GET", path: "/events", gate: anyone, endpoint: poll }];
  const counter = await open(routes);
  const abort = new AbortController();
  const polled = counter.request("GET /events", { signal: abort.signal });
  await started.promise;
  abort.abort();
  await expect(polled).rejects.toThrow();
  await removal.promise;
  await counter.stop();
});

test("rejects an undeclared path parameter at startup", async () => {
  const endpoint = openEndpoint({ summary: "A thing", tag: "Server", params: {}, run: () => ({}) });
  const routes: Route[] = [{ method: "GET", path: "/x/{id}", gate: anyone, endpoint }];
  await expect(open(routes)).rejects.toThrow("GET /x/{id} does not declare id");
});
