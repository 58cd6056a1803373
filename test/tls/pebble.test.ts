// Certificates from Pebble, the ACME project's test authority; skipped where it is not installed.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { selfSigned } from "../../src/outbound/certificates/self-signed.ts";
import { ProcessOutput } from "../process-output.ts";
import { NAME, TlsServer } from "./tls-server.ts";

const isInstalled = Bun.which("pebble") !== null && Bun.which("pebble-challtestsrv") !== null;
let folder: string;
const children: Bun.Subprocess[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "skein-pebble-"));
});

afterEach(async () => {
  for (const child of children.splice(0)) {
    child.kill("SIGKILL");
    await child.exited;
  }
  rmSync(folder, { recursive: true, force: true });
});

function start(command: string[], env = {}): ProcessOutput {
  const child = Bun.spawn(command, {
    stdio: ["ignore", "pipe", "ignore"],
    env: { ...process.env, ...env },
  });
  children.push(child);
  return ProcessOutput.from(child.stdout);
}

/** Reserves ports one after another, so that none is returned twice. */
function freePorts(count: number): number[] {
  const taken = Array.from({ length: count }, () =>
    Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data() {} } }),
  );
  const ports = taken.map(({ port }) => port);
  for (const item of taken) item.stop(true);
  return ports;
}

/** Starts an authority that rejects a fifth of all nonces, and the DNS server that it queries. */
async function startPebble() {
  const [listen, manage, http, tls, dns, names] = freePorts(6).map((port) => `127.0.0.1:${port}`);
  const portOf = (address = "") => Number(address.split(":")[1]);
  const off = ["-http01", "", "-https01", "", "-tlsalpn01", "", "-defaultIPv6", ""];
  const zone = start(["pebble-challtestsrv", "-dns01", dns!, "-management", names!, ...off]);
  const own = await selfSigned(["localhost", "127.0.0.1"], Date.now());
  const [ca, key, config] = ["ca.pem", "key.pem", "pebble.json"].map((name) => join(folder, name));
  writeFileSync(ca!, own.cert);
  writeFileSync(key!, own.key);
  const pebble = {
    ...{ listenAddress: listen, managementListenAddress: manage, certificate: ca, privateKey: key },
    ...{ httpPort: portOf(http), tlsPort: portOf(tls), ocspResponderURL: "" },
    externalAccountBindingRequired: false,
  };
  writeFileSync(config!, JSON.stringify({ pebble }));
  const env = { PEBBLE_VA_NOSLEEP: "1", PEBBLE_WFE_NONCEREJECT: "20" };
  const processOutput = start(["pebble", "-strict", "-config", config!, "-dnsserver", dns!], env);
  await Promise.all([
    zone.untilMatch((lines) => lines.includes("management")),
    processOutput.untilMatch((lines) => /Root CA certificate|ACME directory/.test(lines)),
  ]);
  const believing = { tls: { ca: own.cert } } as RequestInit;
  const fetchRoots = async () => (await fetch(`https://${manage}/roots/0`, believing)).text();
  return { url: `https://${listen}/dir`, http: http!, names: names!, ca: ca!, roots: fetchRoots };
}

/** Starts a server that also trusts the authority's own certificate. */
async function startServer(pebble: Awaited<ReturnType<typeof startPebble>>, args: string[]) {
  const acme = ["--acme-url", pebble.url, ...args];
  const env = { NODE_EXTRA_CA_CERTS: pebble.ca };
  const server = await TlsServer.start(join(folder, "data"), acme, NAME, env);
  await server.untilLogged("serving with a new certificate");
  server.ca = await pebble.roots();
  return server;
}

test.skipIf(!isInstalled)("gets a certificate of Pebble with an HTTP challenge", async () => {
  const pebble = await startPebble();
  await using server = await startServer(pebble, ["--https", NAME, "--http", pebble.http]);
  expect((await server.ask("/readyz")).status).toBe(200);
  expect(await server.cert("renew")).toMatchObject({ names: [NAME], is_trusted: true });
});

test.skipIf(!isInstalled)(
  "gets a wildcard certificate of Pebble with a DNS challenge",
  async () => {
    const pebble = await startPebble();
    const hook = join(folder, "hook");
    writeFileSync(
      hook,
      `#!/bin/sh
case "$1" in add) verb=set-txt ;; *) verb=clear-txt ;; esac
exec curl -sf -d "{\\"host\\": \\"$2.\\", \\"value\\": \\"$3\\"}" http://${pebble.names}/$verb
`,
    );
    chmodSync(hook, 0o755);
    const zone = ["--https", `${NAME},*.${NAME}`, "--acme-dns", hook];
    await using server = await startServer(pebble, zone);
    expect((await server.peerCertificate()).subjectaltname).toContain(`DNS:*.${NAME}`);
    expect((await server.ask("/readyz")).status).toBe(200);
  },
);
