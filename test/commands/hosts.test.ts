// Commands on a server with several organizations.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { additionalOrganizations } from "../../src/commands/hosts.ts";
import type { Json } from "../test-server.ts";
import { type CommandResult, linesOf, Server, skein } from "./skein.ts";

const EAST = "http://east.example.com";

let folder: string;
const servers: Server[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "skein-hosts-"));
});

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.stop("SIGKILL")));
  rmSync(folder, { recursive: true, force: true });
});

const first = { url: "https://chat.example.com:8443", data: "/srv/first" };

test("a host inherits scheme and port from the first, unless it has its own", () => {
  const hosts = "b.example.com=/srv/b, [::1]=/srv/c,d.example.com:1=/srv/d,http://e=/srv/x=y";
  expect(additionalOrganizations(first, hosts, "Example.com")).toEqual({
    organizations: [
      { url: "https://b.example.com:8443", data: "/srv/b" },
      { url: "https://[::1]:8443", data: "/srv/c" },
      { url: "https://d.example.com:1", data: "/srv/d" },
      { url: "http://e", data: "/srv/x=y" },
    ],
    root_host: "Example.com",
  });
  expect(additionalOrganizations({ ...first, url: "" }, "")).toEqual({ organizations: [] });
  const plain = additionalOrganizations({ ...first, url: "https://a" }, "b=/srv/b");
  expect(plain.organizations[0]!.url).toBe("https://b");
});

test.each([
  ["b.example.com", undefined, "--hosts must be NAME=DIR"],
  ["=/srv/b", undefined, "--hosts must be NAME=DIR"],
  ["b.example.com/x=/srv/b", undefined, "--hosts must be a URL"],
  ["::1=/srv/b", undefined, "--hosts must be a URL"],
  ["CHAT.example.com.=/srv/b", undefined, "the host chat.example.com is given twice"],
  ["http://chat.example.com=/srv/b", undefined, "the host chat.example.com is given twice"],
  ["b=/srv/b,B=/srv/c", undefined, "the host b is given twice"],
  ["b=/srv/b,c=/srv/./b", undefined, "two organizations use the same directory /srv/b"],
  ["b=/srv/first/", undefined, "two organizations use the same directory /srv/first"],
  ["b=/srv/b", "chat.example.com", "the host chat.example.com is given twice"],
  ["", "not a host", "--root-host must be a host name"],
])("--hosts %s with the root %s is refused: %s", (hosts, root, text) => {
  expect(() => additionalOrganizations(first, hosts, root)).toThrow(text);
});

test("the first host needs its own URL", () => {
  expect(() => additionalOrganizations({ ...first, url: "" }, "b=/srv/b")).toThrow(
    "--url is missing",
  );
  expect(() => additionalOrganizations({ ...first, url: "" }, "", "example.com")).toThrow(
    "--url is missing",
  );
});

/** Starts the server and waits until it has printed a line for each organization. */
async function serve(hosts: string, ...extra: string[]): Promise<Server> {
  const data = join(folder, "east");
  const server = await Server.start(["--data", data, "--url", EAST, "--hosts", hosts, ...extra], 2);
  servers.push(server);
  return server;
}

async function create(name: string): Promise<Record<string, unknown>> {
  const person = ["--name", name, "--owner", "olga@example.com", "--full-name", "Olga"];
  return linesOf(await skein(["init", "--data", join(folder, name), ...person, "--json"]))[0]!;
}

async function requests(
  server: Server,
  host: string,
  { email, api_key }: Record<string, unknown>,
  line = "GET /users/me",
  params: Record<string, string> = {},
): Promise<Json> {
  const [method = "", path = ""] = line.split(" ");
  const headers = { Host: host, Authorization: `Basic ${btoa(`${email}:${api_key}`)}` };
  const url = new URL(`${server.url}/api/v1${path}`);
  const form = new URLSearchParams(params);
  if (method === "GET") url.search = form.toString();
  const body = method === "GET" ? {} : { body: form };
  return (await fetch(url, { method, headers, ...body })).json();
}

const userOf = async (name: string, email: string) => {
  const person = ["--email", email, "--full-name", "Bo"];
  const result = await skein(["user", "create", "--data", join(folder, name), ...person, "--json"]);
  return linesOf(result)[0]!;
};

const expectFailure = ({ code, err }: CommandResult, ...words: string[]) => {
  expect(code).not.toBe(0);
  for (const word of words) expect(err).toContain(word);
  expect(err).not.toContain("    at ");
};

test("each organization is set up, and survives a kill", async () => {
  const olga = await create("east");
  const hosts = `west.example.com=${join(folder, "west")}`;
  const server = await serve(hosts);
  expect(server.output).toContain(`Users can sign in to east at ${EAST}`);
  expect(server.output).toMatch(/^Set up the organization: http:\/\/west\.example\.com\/setup/m);

  const other = await create("west");
  const bo = await userOf("west", "bo@example.com");
  expect(await requests(server, "east.example.com", olga)).toMatchObject({ full_name: "Olga" });
  expect(await requests(server, "west.example.com", other)).toMatchObject({ full_name: "Olga" });
  expect(await requests(server, "west.example.com", bo)).toMatchObject({ full_name: "Bo" });
  expect(await requests(server, "east.example.com", bo)).toMatchObject({
    msg: "Account is not associated with this subdomain",
  });

  await server.stop("SIGKILL");
  const restarted = await serve(hosts);
  expect(restarted.output).toContain("Users can sign in to west at http://west.example.com");
  expect(await requests(restarted, "east.example.com", olga)).toMatchObject({ full_name: "Olga" });
  expect(await requests(restarted, "west.example.com", bo)).toMatchObject({ full_name: "Bo" });
  expect(await restarted.stop()).toBe(0);

  // A directory is self-contained: it can be moved and served alone.
  renameSync(join(folder, "west"), join(folder, "moved"));
  const single = await Server.start(["--data", join(folder, "moved")]);
  servers.push(single);
  expect(await requests(single, "any.example.com", bo)).toMatchObject({ full_name: "Bo" });
});

test("queues of each continue after a kill, with only their own events", async () => {
  const people = { east: await create("east"), west: await create("west") };
  const hosts = `west.example.com=${join(folder, "west")}`;
  const server = await serve(hosts);
  const queues: Record<string, Json> = {};
  for (const [name, olga] of Object.entries(people)) {
    const host = `${name}.example.com`;
    queues[name] = await requests(server, host, olga, "POST /register");
    const message = { type: "channel", to: "general", topic: "tea", content: `of the ${name}` };
    const response = await requests(server, host, olga, "POST /messages", message);
    expect(response).toMatchObject({ result: "success" });
  }
  await server.stop("SIGKILL");

  const restarted = await serve(hosts);
  for (const [name, olga] of Object.entries(people)) {
    const { queue_id, last_event_id } = queues[name];
    const params = { queue_id, last_event_id: String(last_event_id), dont_block: "true" };
    const { events } = await requests(
      restarted,
      `${name}.example.com`,
      olga,
      "GET /events",
      params,
    );
    const response = events.filter(({ type }: Json) => type === "message");
    expect(response.map(({ message }: Json) => message.content)).toEqual([`of the ${name}`]);
  }
});

test("serves none if one cannot be opened, and names it", async () => {
  const start = (hosts: string) => {
    const data = ["--data", join(folder, "east"), "--listen", "127.0.0.1:0"];
    return skein(["serve", ...data, "--url", EAST, "--hosts", hosts]);
  };
  mkdirSync(join(folder, "spoilt"));
  writeFileSync(join(folder, "spoilt", "data.mdb"), "this is no database".repeat(1_000));
  const spoilt = `spoilt.example.com=${join(folder, "spoilt")}`;
  expectFailure(await start(spoilt), "http://spoilt.example.com", join(folder, "spoilt"));
  expectFailure(await skein(["user", "list", "--data", join(folder, "spoilt")]), "not a database");

  writeFileSync(join(folder, "file"), "");
  expectFailure(await start(`file.example.com=${join(folder, "file")}`), "http://file.example.com");

  const busy = await Server.start(["--data", join(folder, "busy")]);
  servers.push(busy);
  const expected = `busy.example.com=${join(folder, "busy")}`;
  expectFailure(await start(expected), "http://busy.example.com", `in use by process ${busy.pid}`);
  // There are no leftovers that would prevent the organization from being served.
  expect((await create("east"))["realm_name"]).toBe("east");
});

test("rejects invalid hosts at startup", async () => {
  const hosts = ["--hosts", "b.example.com"];
  const data = ["--data", join(folder, "east")];
  expectFailure(await skein(["serve", ...data, ...hosts]), "--url is missing", "skein help serve");
  expectFailure(
    await skein(["serve", ...data, "--url", EAST, ...hosts]),
    "--hosts must be NAME=DIR",
  );
});
