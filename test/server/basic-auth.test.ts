// The plugin `basic-auth` in an app without any other part of this server.
import { expect, test } from "bun:test";
import { Elysia } from "elysia";
import {
  basicAuth,
  type BasicAuthOptions,
  type Credentials,
} from "../../src/server/plugins/basic-auth.ts";

interface Person {
  name: string;
}

const check = ({ username, password }: Credentials): Person | undefined =>
  username === "olga" && password === "pass:word" ? { name: "Olga" } : undefined;

function authenticatedApp(options: Partial<BasicAuthOptions<Person, unknown>> = {}) {
  const app = new Elysia()
    .use(basicAuth({ realm: "the tower", check, ...options }))
    .get("/me", ({ basicAuth: { user, error } }) => ({ name: user?.name, why: error?.message }))
    .get("/open/page", () => "open");
  return async (path: string, authorization?: string) => {
    const headers = new Headers();
    if (authorization !== undefined) headers.set("Authorization", authorization);
    const response = await app.handle(new Request(`http://localhost${path}`, { headers }));
    return {
      status: response.status,
      asks: response.headers.get("www-authenticate"),
      text: await response.text(),
    };
  };
}

const basicAuthorization = (text: string) => `Basic ${btoa(text)}`;
const right = basicAuthorization("olga:pass:word");

test("passes the admitted user to the handlers", async () => {
  const request = authenticatedApp();
  for (const header of [right, right.replace("Basic", "basic"), ` ${right} `, right]) {
    expect(await request("/me", header)).toEqual({
      status: 200,
      asks: null,
      text: '{"name":"Olga"}',
    });
  }
});

test("asks all others for a name and a password", async () => {
  const request = authenticatedApp({ realm: 'the "tower"' });
  const requests = 'Basic realm="the \\"tower\\"", charset="UTF-8"';
  const wrong = [
    basicAuthorization("olga:wrong"),
    basicAuthorization("olga"),
    basicAuthorization("pass:word"),
    "Basic",
    "Basic ?",
    "Bearer x",
  ];
  for (const header of [undefined, ...wrong]) {
    expect(await request("/me", header)).toEqual({
      status: 401,
      asks: requests,
      text: "Unauthorized",
    });
  }
});

test("rejects a once admitted user when the check fails", async () => {
  let isOpen = true;
  const request = authenticatedApp({
    check: (credentials) => (isOpen ? check(credentials) : undefined),
  });
  expect((await request("/me", right)).status).toBe(200);
  isOpen = false;
  expect((await request("/me", right)).status).toBe(401);
});

test("applies to scopes: path prefixes, or a function", async () => {
  for (const scope of ["/me", ["/me", "/you"], ({ url }: Request) => url.endsWith("/me")]) {
    const request = authenticatedApp({ scope });
    expect((await request("/me")).status).toBe(401);
    expect(await request("/open/page")).toEqual({ status: 200, asks: null, text: "open" });
  }
});

test("continues with wrong optional credentials, and passes on the reason", async () => {
  const refuse = (fault: string) => new Error(`it is ${fault}`);
  const request = authenticatedApp({ isOptional: true, refuse });
  expect((await request("/me")).text).toBe("{}");
  expect((await request("/me", right)).text).toBe('{"name":"Olga"}');
  expect((await request("/me", "Bearer x")).text).toBe('{"why":"it is scheme"}');
  expect((await request("/me", "Basic ?")).text).toBe('{"why":"it is malformed"}');
  expect((await request("/me", basicAuthorization("olga:wrong"))).text).toBe(
    '{"why":"it is wrong"}',
  );
});
