// The client for requests to other hosts: which it rejects, and size limits.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createServer, type Server, type Socket } from "node:net";
import { createServer as createSecure } from "node:tls";
import { GuardedClient, OutboundRefused, type OutboundRequest } from "../../src/outbound/client.ts";
import { cert, key } from "./certificate.ts";

const CLIENT = new URL("../../src/outbound/client.ts", import.meta.url).pathname;
const REQUEST = { types: ["text/html"], bytes_max: 1_000 };
const HTML = "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n";
const redirectResponse = (to: string, status = 302) =>
  `HTTP/1.1 ${status} Moved\r\nLocation: ${to}\r\nContent-Length: 0\r\n\r\n`;

/** Responses of the site by path; a function writes to the socket itself. */
const PAGES: Record<string, string | ((socket: Socket) => void)> = {
  "/page": `${HTML}Content-Length: 5\r\n\r\nhello`,
  "/chunked": `${HTML}Transfer-Encoding: chunked\r\n\r\n2\r\nhe\r\n3\r\nllo\r\n0\r\n\r\n`,
  "/moved": redirectResponse("/page"),
  "/moved/303": redirectResponse("../page", 303),
  "/moved/endless": redirectResponse("/moved/endless"),
  "/moved/3": redirectResponse("/moved/2"),
  "/moved/2": redirectResponse("/moved"),
  "/moved/4": redirectResponse("/moved/3"),
  "/moved/private": redirectResponse("http://10.0.0.1/"),
  "/moved/metadata": redirectResponse("http://169.254.169.254/latest"),
  "/moved/file": redirectResponse("file:///etc/passwd"),
  "/moved/name": redirectResponse("http://inside.example/"),
  "/gone": "HTTP/1.1 404 Not Found\r\nContent-Type: text/html\r\nContent-Length: 4\r\n\r\ngone",
  "/picture": "HTTP/1.1 200 OK\r\nContent-Type: image/png\r\n\r\nx",
  "/untyped": "HTTP/1.1 200 OK\r\n\r\nx",
  "/packed": `${HTML}Content-Encoding: gzip\r\n\r\nx`,
  "/long": `${HTML}Content-Length: 2000\r\n\r\n${"x".repeat(2_000)}`,
  "/headers": `HTTP/1.1 200 OK\r\nX: ${"x".repeat(100_000)}\r\n\r\n`,
  "/garbage": "SSH-2.0-OpenSSH_9.2\r\n",
  "/silent": () => {},
  "/slow": (socket) => {
    socket.write(`${HTML}\r\n`);
    const drip = setInterval(() => socket.write("x"), 20);
    socket.on("close", () => clearInterval(drip));
  },
  "/flood": (socket) => {
    socket.write(`${HTML}\r\n`);
    const writeUntilFull = () => {
      while (socket.writable && socket.write("x".repeat(65_536)));
    };
    socket.on("drain", writeUntilFull);
    writeUntilFull();
  },
};

let site: Server;
let port: number;
let requests: string[] = [];
beforeAll(async () => {
  site = createServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", (data) => {
      const request = data.toString();
      requests.push(request);
      const page = PAGES[request.split(" ")[1]!] ?? "HTTP/1.1 500 What\r\n\r\n";
      if (typeof page === "string") socket.end(page);
      else page(socket);
    });
  });
  port = await listenOn(site);
});
afterAll(() => site.close());

const listenOn = (server: Server) =>
  new Promise<number>((resolve) => {
    server.listen(0, "127.0.0.1", () => resolve((server.address() as { port: number }).port));
  });

/** Addresses of names; each row is the response to one more query. */
function resolver(names: Record<string, string[][]>) {
  const requests: string[] = [];
  const resolve = async (name: string) => {
    const responses = names[name] ?? [];
    const response =
      responses[requests.filter((other) => other === name).length] ?? responses.at(-1) ?? [];
    requests.push(name);
    return response.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
  };
  return { asked: requests, resolve };
}

const NAMES = { "site.example": [["127.0.0.1"]], "inside.example": [["10.0.0.1"]] };
const client = (names: Record<string, string[][]> = NAMES, allow = ["127.0.0.1"], ms = 5_000) =>
  new GuardedClient(allow, resolver(names).resolve, ms);
const requestTo = (path: string) => ({ ...REQUEST, url: `http://site.example:${port}${path}` });

async function refusalOf(request: OutboundRequest, by = client()): Promise<string> {
  requests = [];
  const error = await by.send(request).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof OutboundRefused)) throw new Error(`not refused, but: ${String(error)}`);
  return error.message;
}

describe("does not connect to a private address", () => {
  test.each([
    ...["http://127.0.0.1", "http://2130706433", "http://017700000001", "http://0x7f.0.0.1"],
    ...["http://0177.0.0.1", "http://127.1", "http://127.0.0.1.", "http://①②⑦.⓪.⓪.①", "http://0"],
    ...["http://[::1]", "http://[::]", "http://[::ffff:127.0.0.1]", "http://[::ffff:7f00:1]"],
    ...["http://[::127.0.0.1]", "http://[64:ff9b::127.0.0.1]", "http://[2002:7f00:1::]"],
    ...["http://[fe80::1]", "http://[fd00::1]", "http://[0:0:0:0:0:ffff:7f00:0001]"],
  ])("%s", async (origin) => {
    expect(
      await refusalOf({ ...REQUEST, url: `${origin}:${port}/page` }, client({}, [])),
    ).toContain("which is not public");
    expect(requests).toEqual([]);
  });

  test.each([
    ["a name within", { "a.example": [["10.0.0.1"]] }],
    ["a name with one address within", { "a.example": [["127.0.0.1", "192.168.0.1"]] }],
    ["a name with an address mapped", { "a.example": [["::ffff:10.0.0.1"]] }],
    ["a name without an address", { "a.example": [[]] }],
  ])("%s", async (_title, names) => {
    await refusalOf({ ...REQUEST, url: `http://a.example:${port}/page` }, client(names));
    expect(requests).toEqual([]);
  });

  test("checks addresses of the system's resolver too", async () => {
    const publicClient = new GuardedClient([]);
    const params = { ...REQUEST, url: `http://localhost:${port}/page` };
    await expect(publicClient.send(params)).rejects.toThrow(OutboundRefused);
    expect((await new GuardedClient(["127.0.0.0/8", "::1"]).send(params)).status).toBe(200);
  });

  test.each(["/moved/private", "/moved/metadata", "/moved/name"])(
    "does not connect to private addresses by %s",
    async (path) => {
      expect(await refusalOf(requestTo(path))).toContain("which is not public");
      expect(requests).toHaveLength(1);
    },
  );
});

test("sends secrets unencrypted only to addresses that the operator allows", async () => {
  const url = `http://a.example:${port}/page`;
  const params = { ...REQUEST, url, method: "POST", is_secret: true } as const;
  const foreignClient = client({ "a.example": [["192.0.1.1"]] }, []);
  expect(await refusalOf(params, foreignClient)).toContain("must be encrypted");
  const { status } = await client({ "a.example": [["127.0.0.1"]] }).send(params);
  expect(status).toBe(200);
});

test("does not follow redirects of a PUT", async () => {
  const { status } = await client().send({ ...requestTo("/moved"), method: "PUT" });
  expect(status).toBe(302);
});

test("resolves a changing name once, and connects to the checked address", async () => {
  const { asked: requests, resolve } = resolver({ "a.example": [["127.0.0.1"], ["10.0.0.1"]] });
  const reboundClient = new GuardedClient(["127.0.0.1"], resolve);
  const url = `http://a.example:${port}`;
  expect((await reboundClient.send({ ...REQUEST, url: `${url}/page` })).status).toBe(200);
  expect(requests).toEqual(["a.example"]);
  expect(await refusalOf({ ...REQUEST, url: `${url}/page` }, reboundClient)).toContain("10.0.0.1");
});

test("checks a redirect to the same name again", async () => {
  const reboundClient = client({ "site.example": [["127.0.0.1"], ["10.0.0.1"]] });
  expect(await refusalOf(requestTo("/moved"), reboundClient)).toContain("10.0.0.1");
  expect(requests).toHaveLength(1);
});

test.each([
  ["ftp://site.example/", "not a web address"],
  ["file:///etc/passwd", "not a web address"],
  ["//site.example/page", "not a web address"],
  ["nothing", "not a web address"],
  [`http://site.example/${"a".repeat(4_000)}`, "not a web address"],
  ["http://me:secret@site.example/", "password"],
  ["http://site.example:25/", "port 25"],
  ["https://site.example:22/", "port 22"],
])("%.40s is not asked", async (url, text) => {
  expect(await refusalOf({ ...REQUEST, url })).toContain(text);
});

test.each(["/page", "/chunked", "/moved", "/moved/303", "/moved/3"])("%s is read", async (path) => {
  const { status, url, content_type, body } = await client().send(requestTo(path));
  expect([status, content_type]).toEqual([200, "text/html; charset=utf-8"]);
  expect(url).toEndWith(path === "/chunked" ? path : "/page");
  expect(new TextDecoder().decode(body)).toBe("hello");
});

test("accepts any content type if none is required", async () => {
  for (const path of ["/picture", "/untyped"]) {
    const { body } = await client().send({ ...requestTo(path), types: null });
    expect(new TextDecoder().decode(body)).toBe("x");
  }
});

test("sends only the necessary headers", async () => {
  requests = [];
  await client().send({ ...requestTo("/page?a=1#part"), url: `${requestTo("/page").url}#part` });
  const [line, ...headers] = requests[0]!.trim().split("\r\n");
  expect(line).toBe("GET /page HTTP/1.1");
  expect(headers.map((header) => header.toLowerCase()).sort()).toEqual([
    "accept-encoding: identity",
    "accept: text/html",
    "connection: close",
    `host: site.example:${port}`,
    "user-agent: skein",
  ]);
});

test("sends a POST, and does not follow its redirects", async () => {
  requests = [];
  const posted = {
    method: "POST",
    body: "a=1",
    headers: { "Content-Type": "text/plain" },
  } as const;
  expect((await client().send({ ...requestTo("/page"), ...posted })).status).toBe(200);
  expect(requests[0]).toMatch(/^POST \/page [^]*content-type: text\/plain[^]*\r\n\r\na=1$/i);
  expect(await client().send({ ...requestTo("/moved"), ...posted })).toMatchObject({ status: 302 });
});

test("reads only the status of an error", async () => {
  const { status, body } = await client().send(requestTo("/gone"));
  expect([status, body.length]).toEqual([404, 0]);
});

test.each([
  ["/picture", "image/png"],
  ["/untyped", "content type is missing"],
  ["/packed", "gzip"],
  ["/long", "longer than 1000 bytes"],
  ["/flood", "longer than 1000 bytes"],
  ["/moved/endless", "too often"],
  ["/moved/4", "too often"],
  ["/moved/file", "not a web address"],
])("%s is refused", async (path, text) => expect(await refusalOf(requestTo(path))).toContain(text));

test.each(["/headers", "/garbage"])("fails for %s", async (path) => {
  await expect(client().send(requestTo(path))).rejects.toThrow();
});

test.each(["/long", "/flood"])("reads the beginning of %s", async (path) => {
  const { body } = await client().send({ ...requestTo(path), truncates: true });
  expect(body.length).toBe(1_000);
});

describe("times out", () => {
  const impatientClient = client(NAMES, ["127.0.0.1"], 150);

  test.each(["/silent", "/slow"])("%s", async (path) => {
    await expect(impatientClient.send({ ...requestTo(path), bytes_max: 1e9 })).rejects.toThrow();
  });

  test("a name whose resolution hangs", async () => {
    const stuckClient = new GuardedClient([], () => new Promise(() => {}), 50);
    expect(await refusalOf(requestTo("/page"), stuckClient)).toContain("in time");
  });
});

test("connects to a TLS host by its name, and verifies it", async () => {
  const names: string[] = [];
  const secure = createSecure({
    key,
    cert,
    SNICallback(name, done) {
      names.push(name);
      done(null);
    },
  });
  secure.on("tlsClientError", () => {});
  const url = `https://site.example:${await listenOn(secure)}/page`;
  await expect(client().send({ ...REQUEST, url })).rejects.toThrow(/self.signed/);
  expect(names).toEqual(["site.example"]);
  secure.close();
});

test("ignores proxies of the environment", async () => {
  const proxy = createServer((socket) => socket.destroy());
  const address = `http://127.0.0.1:${await listenOn(proxy)}`;
  const proxies = ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"].flatMap((n) => [n, n.toLowerCase()]);
  const code =
    `const { GuardedClient } = await import(${JSON.stringify(CLIENT)});` +
    `const asked = { url: "http://127.0.0.1:${port}/page", types: ["text/html"], bytes_max: 9 };` +
    `console.log((await new GuardedClient(["127.0.0.1"]).send(asked)).status);`;
  const child = Bun.spawn([process.execPath, "-e", code], {
    env: { ...Object.fromEntries(proxies.map((name) => [name, address])), NODE_USE_ENV_PROXY: "1" },
    stdout: "pipe",
  });
  expect((await new Response(child.stdout).text()).trim()).toBe("200");
  proxy.close();
});
