// The plug-in `basic-auth` in an app that has nothing else of this server.
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

function asking(options: Partial<BasicAuthOptions<Person, unknown>> = {}) {
  const app = new Elysia()
    .use(basicAuth({ realm: "the tower", check, ...options }))
    .get("/me", ({ basicAuth: { user, error } }) => ({ name: user?.name, why: error?.message }))
    .get("/open/page", () => "open");
  return async (path: string, authorization?: string) => {
    const headers = new Headers();
    if (authorization !== undefined) headers.set("Authorization", authorization);
    const answer = await app.handle(new Request(`http://localhost${path}`, { headers }));
    return {
      status: answer.status,
      asks: answer.headers.get("www-authenticate"),
      text: await answer.text(),
    };
  };
}

const basic = (said: string) => `Basic ${btoa(said)}`;
const right = basic("olga:pass:word");

test("whoever is let in is known to the handlers", async () => {
  const ask = asking();
  for (const header of [right, right.replace("Basic", "basic"), ` ${right} `, right]) {
    expect(await ask("/me", header)).toEqual({ status: 200, asks: null, text: '{"name":"Olga"}' });
  }
});

test("all others are asked for a name and a password", async () => {
  const ask = asking({ realm: 'the "tower"' });
  const asks = 'Basic realm="the \\"tower\\"", charset="UTF-8"';
  const wrong = [
    basic("olga:wrong"),
    basic("olga"),
    basic("pass:word"),
    "Basic",
    "Basic ?",
    "Bearer x",
  ];
  for (const header of [undefined, ...wrong]) {
    expect(await ask("/me", header)).toEqual({ status: 401, asks, text: "Unauthorized" });
  }
});

test("who was let in once is let in no more when the check says so", async () => {
  let isOpen = true;
  const ask = asking({ check: (said) => (isOpen ? check(said) : undefined) });
  expect((await ask("/me", right)).status).toBe(200);
  isOpen = false;
  expect((await ask("/me", right)).status).toBe(401);
});

test("a scope is where it asks: beginnings of paths, or what a function says", async () => {
  for (const scope of ["/me", ["/me", "/you"], ({ url }: Request) => url.endsWith("/me")]) {
    const ask = asking({ scope });
    expect((await ask("/me")).status).toBe(401);
    expect(await ask("/open/page")).toEqual({ status: 200, asks: null, text: "open" });
  }
});

test("where it is optional, who shows the wrong thing goes on, and why is told", async () => {
  const refuse = (fault: string) => new Error(`it is ${fault}`);
  const ask = asking({ isOptional: true, refuse });
  expect((await ask("/me")).text).toBe("{}");
  expect((await ask("/me", right)).text).toBe('{"name":"Olga"}');
  expect((await ask("/me", "Bearer x")).text).toBe('{"why":"it is scheme"}');
  expect((await ask("/me", "Basic ?")).text).toBe('{"why":"it is malformed"}');
  expect((await ask("/me", basic("olga:wrong"))).text).toBe('{"why":"it is wrong"}');
});
