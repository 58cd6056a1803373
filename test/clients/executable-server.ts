// The built executable running on its own directory, set up by its own commands.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { builtBinary } from "../built-executable.ts";
import { listeningUrl, ProcessOutput } from "../process-output.ts";

export interface Account {
  user_id: number;
  email: string;
  api_key: string;
}

export interface BinaryServer {
  readonly url: string;
  readonly owner: Account;
  /** In the order in which they were requested. */
  readonly people: readonly Account[];
  close(): Promise<void>;
}

/** `people` are lines of a `--from` file. */
export async function openBinaryServer(people: readonly object[]): Promise<BinaryServer> {
  const binary = await builtBinary();
  const folder = mkdtempSync(join(tmpdir(), "skein-clients-"));
  const data = ["--data", join(folder, "data")];
  const ownerFlags = ["--name", "Town", "--owner", "olga@example.com", "--full-name", "Olga Owner"];
  const [owner] = await accountsPrintedBy(folder, binary, "init", ...data, ...ownerFlags, "--json");
  const file = join(folder, "people.jsonl");
  writeFileSync(file, people.map((person) => `${JSON.stringify(person)}\n`).join(""));
  const accounts = await accountsPrintedBy(
    folder,
    binary,
    "user",
    "create",
    ...data,
    "--from",
    file,
    "--json",
  );
  const server = start(folder, binary, "serve", ...data, "--listen", "127.0.0.1:0");
  return {
    url: await listeningUrl(ProcessOutput.from(server.stdout)),
    owner: owner!,
    people: accounts,
    async close() {
      server.kill("SIGTERM");
      await server.exited;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function start(folder: string, binary: string, ...args: string[]) {
  const env = { HOME: folder, TMPDIR: folder };
  return Bun.spawn([binary, ...args], {
    cwd: folder,
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
}

/** Returns the JSON lines that a command prints. */
async function accountsPrintedBy(
  folder: string,
  binary: string,
  ...args: string[]
): Promise<Account[]> {
  const child = start(folder, binary, ...args);
  const text = await new Response(child.stdout).text();
  if ((await child.exited) !== 0) throw new Error(`skein ${args.join(" ")} failed: ${text}`);
  return text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Account);
}
