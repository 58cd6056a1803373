// Addresses to listen on and the resulting public URL.
import { expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { networkInterfaces, tmpdir } from "node:os";
import { join } from "node:path";
import {
  listenAddress,
  reachableUrls,
  rejectEqualAddresses,
  urlOf,
} from "../../src/commands/listen.ts";
import { Browser, PASSWORD } from "../browser.ts";
import { Server } from "./skein.ts";

const INTERFACES = {
  lo: [
    { address: "127.0.0.1", family: "IPv4", internal: true },
    { address: "::1", family: "IPv6", internal: true },
  ],
  eth0: [
    { address: "fe80::1", family: "IPv6", internal: false },
    { address: "2001:db8::7", family: "IPv6", internal: false },
    { address: "169.254.3.4", family: "IPv4", internal: false },
    { address: "192.0.2.7", family: "IPv4", internal: false },
  ],
} as const;
type Interfaces = Parameters<typeof reachableUrls>[2];
const interfaces = INTERFACES as unknown as Interfaces;

test("lists reachable addresses first, then this machine", () => {
  const [four, six, loopback] = [
    "http://192.0.2.7:9400",
    "http://[2001:db8::7]:9400",
    "http://localhost:9400",
  ];
  expect(reachableUrls("0.0.0.0", 9400, interfaces)).toEqual([four, loopback]);
  expect(reachableUrls("::", 9400, interfaces)).toEqual([four, six, loopback]);
  expect(reachableUrls("0.0.0.0", 9400, { lo: interfaces["lo"] })).toEqual([loopback]);
  expect(urlOf("127.0.0.1", 9400)).toBe("http://127.0.0.1:9400");
  expect(urlOf("::1", 9400)).toBe("http://[::1]:9400");
});

test("rejects addresses that cannot be used at the same time", () => {
  const address = (text: string) => listenAddress(text);
  const check = (listen: string, metrics: string, http?: string) => () =>
    rejectEqualAddresses({
      "--listen": address(listen),
      "--http": http === undefined ? undefined : address(http),
      "--metrics": address(metrics),
    });
  for (const host of ["127.0.0.1", "0.0.0.0", "[::]", "localhost"]) {
    expect(check(`${host}:9791`, "127.0.0.1:9791")).toThrow(
      "--metrics must use another port or host than --listen: both use port 9791",
    );
  }
  expect(check("0.0.0.0:443", "127.0.0.1:80", "0.0.0.0:80")).toThrow("--metrics must use");
  expect(check("0.0.0.0:80", "127.0.0.1:9791", "0.0.0.0:80")).toThrow("--http must use");
  for (const [listen, metrics] of [
    ["127.0.0.1:9791", "127.0.0.1:9792"],
    ["127.0.0.1:0", "127.0.0.1:0"],
    ["0.0.0.0:9791", "[::1]:9791"],
    ["192.0.2.7:9791", "127.0.0.1:9791"],
  ] as const) {
    expect(check(listen, metrics)).not.toThrow();
  }
});

test("prints the addresses of a server that listens everywhere, and --url", async () => {
  const folder = mkdtempSync(join(tmpdir(), "skein-listen-"));
  const args = ["--listen", "0.0.0.0:0", "--data", folder];
  try {
    const server = await Server.start(args);
    const [, first] = /^Links use (\S+)\. .*--url/m.exec(server.output)!;
    expect(server.output).toMatch(/^Skein can be reached at .*http:\/\/localhost:\d+$/m);
    expect(server.output).toContain(`Set up the organization: ${first}/setup/`);
    expect(new URL(first!).port).toBe(new URL(server.url).port);
    await server.stop();

    const withUrl = await Server.start([...args, "--url", "https://chat.example.com"]);
    expect(withUrl.output).toContain("Set up the organization: https://chat.example.com/setup/");
    expect(withUrl.output).not.toContain("Links use");
    await withUrl.stop();

    // If the public URL is a loopback address, invitations show the address for other devices.
    for (const [host, is_listening] of [
      ["0.0.0.0", true],
      ["127.0.0.1", false],
    ] as const) {
      const own = ["--listen", `${host}:0`, "--data", join(folder, host)];
      const local = await Server.start([...own, "--url", "http://localhost:9400"]);
      const [, path] = /Set up the organization: http:\/\/localhost:9400(\S+)/.exec(local.output)!;
      const { port } = new URL(local.url);
      const browser = new Browser({ url: `http://127.0.0.1:${port}` });
      await browser.open(path!);
      await browser.submit(path!, {
        ...{ name: "Town", full_name: "Olga", email: "olga@example.com", password: PASSWORD },
      });
      const network = await browser.request("GET /invites/local-network/");
      const urls = reachableUrls("0.0.0.0", 9400, networkInterfaces()).slice(0, -1);
      expect(network).toMatchObject({ urls, is_listening });
      await local.stop();
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});
