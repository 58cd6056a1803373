/** Routes of an invented service, for tests of requests. */
import { Type } from "typebox";
import {
  endpoint,
  int,
  json,
  JsonText,
  openEndpoint,
  optional,
  rawText,
  text,
} from "../../src/endpoint.ts";
import { anyone, signedIn } from "../../src/server/gate.ts";
import type { Route } from "../../src/server/routing.ts";
import { CommitFailed } from "../../src/store/commits.ts";
import { credentials } from "./sample-server.ts";

export const mona = { headers: credentials("Mona") };

const listMessages = (word: string) =>
  endpoint({ summary: "A thing", tag: "Server", params: {}, run: () => ({ word }) });
const thingEndpoint = endpoint({
  summary: "A thing",
  tag: "Server",
  params: { thing_id: int, note: optional(text) },
  run: (_context, { thing_id, note }) => ({ thing_id, note }),
});

export const routes: Route[] = [
  { method: "GET", path: "/users/me", gate: signedIn, endpoint: listMessages("me") },
  {
    method: "GET",
    path: "/users/{user_id}",
    gate: signedIn,
    endpoint: endpoint({
      summary: "A thing",
      tag: "Server",
      params: { user_id: int },
      run: (_, { user_id }) => ({ user_id }),
    }),
  },
  {
    method: "GET",
    path: "/users/{email}",
    gate: signedIn,
    endpoint: endpoint({
      summary: "A thing",
      tag: "Server",
      params: { email: text },
      run: (_, { email }) => ({ email }),
    }),
  },
  { method: "GET", path: "/things/{thing_id}", gate: signedIn, endpoint: thingEndpoint },
  { method: "PATCH", path: "/things/{thing_id}", gate: signedIn, endpoint: thingEndpoint },
  { method: "DELETE", path: "/things/{thing_id}", gate: signedIn, endpoint: thingEndpoint },
  {
    method: "POST",
    path: "/things",
    gate: signedIn,
    endpoint: endpoint({
      summary: "A thing",
      tag: "Server",
      params: { note: optional(rawText), list: optional(json(Type.Array(Type.Integer()))) },
      run: ({ client }, { note, list }) => ({ note, list, client }),
    }),
  },
  {
    method: "GET",
    path: "/things",
    gate: signedIn,
    endpoint: endpoint({
      summary: "A thing",
      tag: "Server",
      params: { note: optional(text) },
      run: ({ client, address, spelling }, { note }) => ({ note, client, address, spelling }),
    }),
  },
  {
    method: "POST",
    path: "/raw",
    gate: signedIn,
    endpoint: endpoint({
      summary: "A thing",
      tag: "Server",
      params: { note: text },
      body: "raw",
      run: async ({ request }, { note }) => ({ note, size: (await request.bytes()).length }),
    }),
  },
  {
    method: "GET",
    path: "/long",
    gate: anyone,
    endpoint: openEndpoint({
      summary: "A thing",
      tag: "Server",
      params: {},
      run: () => new JsonText(`{"result":"success","msg":"","long":"${"x".repeat(5000)}"}`),
    }),
  },
  {
    method: "GET",
    path: "/crash",
    gate: signedIn,
    endpoint: endpoint({
      summary: "A thing",
      tag: "Server",
      params: {},
      run: () => {
        throw new Error("the secret of the tower");
      },
    }),
  },
  {
    method: "GET",
    path: "/full",
    gate: signedIn,
    endpoint: endpoint({
      summary: "A thing",
      tag: "Server",
      params: {},
      run: () => {
        throw new CommitFailed("no space left on device");
      },
    }),
  },
  {
    method: "GET",
    path: "/msg",
    gate: signedIn,
    endpoint: endpoint({
      summary: "A thing",
      tag: "Server",
      params: {},
      run: () => ({ msg: "said" }),
    }),
  },
  {
    method: "GET",
    path: "root:/livez",
    gate: anyone,
    endpoint: openEndpoint({
      summary: "A thing",
      tag: "Server",
      params: {},
      run: () => new Response("alive", { headers: { "Cache-Control": "max-age=5" } }),
    }),
  },
  {
    method: "GET",
    path: "root:/files/{path*}",
    gate: signedIn,
    endpoint: endpoint({
      summary: "A thing",
      tag: "Server",
      params: { path: text },
      run: (_, { path }) => ({ path }),
    }),
  },
];
