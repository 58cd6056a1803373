/** `bun packaging/bytecode-order.ts`: records the functions that a start of the server uses. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildExecutable, BYTECODE_ORDER } from "../build.ts";

// The executable stores the bytecode of these functions together, so a start reads less of it. They
// are identified by a hash of their syntax, so the record becomes incomplete when code changes.

/** Lines of functions and modules. Those of strings would make the file 30 times as long. */
const KEPT_LINES = /^(?:v|[FMN] )/;

const folder = mkdtempSync(join(tmpdir(), "skein-order-"));
const [skein, data, recorded] = ["skein", "data", "recorded"].map((name) => join(folder, name));
try {
  await buildExecutable(skein!);
  const owner = ["--owner", "olga@example.com", "--full-name", "Olga", "--json"];
  const created = Bun.spawnSync([skein!, "init", "--data", data!, "--name", "Town", ...owner]);
  const { email, api_key } = JSON.parse(created.stdout.toString()) as Record<string, string>;

  const server = Bun.spawn([skein!, "serve", "--data", data!, "--listen", "127.0.0.1:0"], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, BUN_BYTECODE_ORDER_OUT: recorded! },
  });
  try {
    const url = await printedUrl(server.stdout);
    const headers = { Authorization: `Basic ${btoa(`${email}:${api_key}`)}` };
    for (const path of ["/api/v1/server_settings", "/api/v1/users/me"]) {
      const response = await fetch(`${url}${path}`, { headers });
      if (!response.ok) throw new Error(`${path}: ${await response.text()}`);
    }
  } finally {
    server.kill("SIGTERM");
    await server.exited;
  }

  const lines = readFileSync(recorded!, "utf8").split("\n");
  writeFileSync(BYTECODE_ORDER, lines.filter((line) => KEPT_LINES.test(line)).join("\n") + "\n");
} finally {
  rmSync(folder, { recursive: true });
}

async function printedUrl(stdout: ReadableStream<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let printed = "";
  for await (const bytes of stdout) {
    printed += decoder.decode(bytes, { stream: true });
    const url = /listens on (\S+)\n/.exec(printed)?.[1];
    if (url) return url;
  }
  throw new Error(`the server ended: ${printed}`);
}
