/** Parsing of raw parameters from queries and bodies of every kind. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import {
  bodyTooLarge,
  malformedEncoding,
  malformedForm,
  tooManyParameters,
} from "../../src/contract/errors/general.ts";
import { type CountingServer, credentials, open, sendRaw, payloadOf } from "./sample-server.ts";
import { mona, routes } from "./sample-routes.ts";

let counter: CountingServer;
beforeAll(async () => void (counter = await open(routes)));
afterAll(() => counter.stop());

test("parameters in the body of any method override the query", async () => {
  for (const method of ["PATCH", "DELETE"]) {
    const body = new URLSearchParams({ note: "body" });
    const { body: both } = await counter.request(`${method} /things/1?note=query`, {
      ...mona,
      body,
    });
    expect(both.note).toBe("body");
    expect((await counter.request(`${method} /things/1?note=query`, mona)).body.note).toBe("query");
  }
  expect((await counter.request("GET /things?note=a+b%26c%C3%A9", mona)).body.note).toBe("a b&cé");
});

test("the last of a repeated parameter counts", async () => {
  expect((await counter.request("GET /things?note=1&note=2", mona)).body.note).toBe("2");
  const body = new URLSearchParams([
    ["note", "1"],
    ["note", "2"],
  ]);
  expect((await counter.request("POST /things", { ...mona, body })).body.note).toBe("2");
});

test("reads plain fields of a multipart form, and skips its files", async () => {
  const body = new FormData();
  body.set("note", "line one\r\nline two é");
  body.set("list", "[1,2]");
  body.set("picture", new Blob([new Uint8Array([255, 254, 0])]), "a.png");
  expect((await counter.request("POST /things", { ...mona, body })).body).toMatchObject({
    note: "line one\r\nline two é",
    list: [1, 2],
  });
});

test("accepts empty multipart fields, and escaped names", async () => {
  const send = async (body: string, boundary = "B") => {
    const headers = {
      ...mona.headers,
      "Content-Type": `multipart/form-data; boundary=${boundary}`,
    };
    return await counter.request("POST /things", { headers, body });
  };
  const field = (head: string, value: string) => `--B\r\n${head}\r\n\r\n${value}\r\n--B--\r\n`;
  const disposition = 'Content-Disposition: form-data; name="note"';
  expect((await send(field(disposition, ""))).body.note).toBe("");
  expect((await send(field("content-disposition: form-data; name=note", "x"))).body.note).toBe("x");
  expect((await send(field(disposition, "x"), '"B"')).body.note).toBe("x");
  const escaped = await send(field('Content-Disposition: form-data; name="a%22b\\"c"', "x"));
  expect(escaped.body.ignored_parameters_unsupported).toEqual(['a"b"c']);
  for (const malformed of [
    "nothing",
    `${disposition}\r\n\r\nx`,
    `--B\r\n${disposition}`,
    `--B\r\n${disposition}\r\n\r\nx`,
  ]) {
    const { status, body } = await send(malformed);
    expect([status, body]).toEqual(payloadOf(malformedForm()));
  }
});

test("reports unknown parameters sorted, except client", async () => {
  const { body } = await counter.request("GET /things?zebra=1&client=x&ant=2&note=n", mona);
  expect(body.ignored_parameters_unsupported).toEqual(["ant", "zebra"]);
  expect(body.client).toBe("x");
  const response = await counter.request("GET /things?client=x&note=n", mona);
  expect("ignored_parameters_unsupported" in response.body).toBe(false);
  const long = await counter.request("GET /long?dont_block=1");
  expect(long.body.ignored_parameters_unsupported).toEqual(["dont_block"]);
  const refusal = await counter.request("POST /things?list=x&zebra=1", mona);
  expect("ignored_parameters_unsupported" in refusal.body).toBe(false);
});

test("a stray percent sign is literal", async () => {
  expect((await counter.request("GET /things?note=100%&note2=%zz", mona)).body.note).toBe("100%");
  const body = "note=%zz+%4+%C3%A9%";
  const headers = { ...mona.headers, "Content-Type": "application/x-www-form-urlencoded" };
  expect((await counter.request("POST /things", { headers, body })).body.note).toBe("%zz %4 é%");
});

test("rejects text that is not UTF-8", async () => {
  const header = `Authorization: ${credentials("Mona").Authorization}`;
  const form = "Content-Type: application/x-www-form-urlencoded";
  for (const path of ["things?note=%ff", "things?note=%ED%A0%80", "users/%ff"]) {
    const { status, body } = await counter.request(`GET /${path}`, mona);
    expect([path, status, body]).toEqual([path, ...payloadOf(malformedEncoding())]);
  }
  const multipart = { ...mona.headers, "Content-Type": "multipart/form-data; boundary=B" };
  const part = '--B\r\nContent-Disposition: form-data; name="note"\r\n\r\n\xff\r\n--B--';
  const parts = { headers: multipart, body: Buffer.from(part, "latin1") };
  const inPart = await counter.request("POST /things", parts);
  expect([inPart.status, inPart.body]).toEqual(payloadOf(malformedEncoding()));
  const body = Buffer.from("note=\xff", "latin1");
  const head = `POST /api/v1/things HTTP/1.1\r\nHost: 127.0.0.1\r\n${header}\r\n${form}\r\n`;
  const bytes = Buffer.concat([
    Buffer.from(`${head}Connection: close\r\nContent-Length: ${body.length}\r\n\r\n`),
    body,
  ]);
  expect(await sendRaw(counter.url, bytes)).toContain("400 Bad Request");
});

test("ignores bodies of other types", async () => {
  const headers = { ...mona.headers, "Content-Type": "application/json" };
  const { status, body } = await counter.request("POST /things", { headers, body: '{"note":"x"}' });
  expect([status, body.note]).toEqual([200, undefined]);
});

test("rejects a too large form, with or without a length", async () => {
  const large = "x".repeat(2_000_000);
  const headers = { ...mona.headers, "Content-Type": "application/x-www-form-urlencoded" };
  const response = await counter.request("POST /things", { headers, body: `note=${large}` });
  expect([response.status, response.body]).toEqual(payloadOf(bodyTooLarge()));
  expect([response.status, response.body.code]).toEqual([413, "BAD_REQUEST"]);
  const chunks = async function* () {
    yield Buffer.from("note=");
    for (let count = 0; count < 20; count++) yield Buffer.from(large.slice(0, 100_000));
  };
  const streamed = await counter.request("POST /things", { headers, body: chunks() as never });
  expect(streamed.status).toBe(413);
  const body = new FormData();
  body.set("note", large);
  expect((await counter.request("PATCH /things/1", { ...mona, body })).status).toBe(413);
});

test("reads a chunked form completely", async () => {
  const headers = { ...mona.headers, "Content-Type": "application/x-www-form-urlencoded" };
  const chunks = async function* () {
    yield Buffer.from("note=a");
    yield Buffer.from("b&list=[1]");
  };
  const { body } = await counter.request("POST /things", { headers, body: chunks() as never });
  expect(body).toMatchObject({ note: "ab", list: [1] });
});

test("rejects too many parameters", async () => {
  const query = Array.from({ length: 1001 }, (_, index) => `p${index}=1`).join("&");
  const body = new URLSearchParams(query);
  const response = await counter.request("POST /things", { ...mona, body });
  expect([response.status, response.body]).toEqual(payloadOf(tooManyParameters()));
  const reply = await counter.request(`GET /things?${query}`, mona);
  expect(reply.body.msg).toBe("Too many parameters");
});

test("rejects too large headers", async () => {
  const long = `X-Long: ${"x".repeat(20_000)}`;
  const head = `GET /api/v1/users/me HTTP/1.1\r\nHost: 127.0.0.1\r\n${long}\r\n`;
  expect(await sendRaw(counter.url, `${head}\r\n`)).toStartWith("HTTP/1.1 431");
});

test("an endpoint can read the body itself", async () => {
  const body = "x".repeat(2_000_000);
  const { body: response } = await counter.request("POST /raw?note=n", { ...mona, body });
  expect(response).toMatchObject({ note: "n", size: 2_000_000 });
});
