// The first steps of an operator: the executable, the printed link, and two users who chat.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { builtBinary } from "./built-executable.ts";
import { type Client, zulip } from "./clients/library.ts";
import { listeningUrl, ProcessOutput } from "./process-output.ts";

const OWNER = { email: "olga@example.com", password: "a long secret of olga" };
const FRIEND = { email: "bo@example.com", password: "a long secret of bo" };
const MESSAGES = ["dear all", "dear bo"] as const;

let folder: string;
let binary: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "skein-newcomer-"));
  binary = await builtBinary();
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("a user opens the printed link, creates an organization, and two users chat", async () => {
  const first = await serve();
  const link = /^Set up the organization: (\S+)$/m.exec(first.printed)![1]!;
  expect(link).toStartWith(`${first.url}/setup/`);
  const setUpFields = { name: "Town", full_name: "Olga", ...OWNER };
  const page = await fetch(link, { method: "POST", body: new URLSearchParams(setUpFields) });
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining("Town")]);

  writeFileSync(join(folder, "password"), `${FRIEND.password}\n`);
  const person = ["--email", FRIEND.email, "--full-name", "Bo"];
  const create = ["user", "create", ...person, "--password-file", "password", "--json"];
  const created = JSON.parse(await new Response(start(...create).stdout).text());
  const [olga, bo] = await Promise.all([OWNER, FRIEND].map((user) => signIn(first.url, user)));

  const queue = await bo!.queues.register({ event_types: ["message"] });
  const poll = (last_event_id: number) =>
    bo!.events.retrieve({ queue_id: queue.queue_id, last_event_id, dont_block: false });
  const channelMessage = { type: "stream", to: "general", topic: "hello", content: MESSAGES[0] };
  const directMessage = {
    type: "direct",
    to: JSON.stringify([created.user_id]),
    content: MESSAGES[1],
  };
  let last: number = queue.last_event_id;
  for (const message of [channelMessage, directMessage]) {
    const received = poll(last);
    const { id } = await olga!.messages.send(message);
    const [event] = (await received).events;
    expect(event.message).toMatchObject({
      id,
      content: message.content,
      sender_full_name: "Olga",
    });
    last = event.id;
  }

  const log = await first.stop();
  const secrets = [
    OWNER.password,
    FRIEND.password,
    created.api_key,
    link.split("/").at(-1),
    ...MESSAGES,
  ];
  expect(log.map((line) => JSON.parse(line).message)).toEqual(["listening", "stopped"]);
  expect(secrets.filter((secret) => log.join().includes(secret))).toEqual([]);

  const second = await serve();
  expect(second.printed).toContain(`Users can sign in to Town at ${second.url}`);
  expect(second.printed).not.toContain("/setup/");
  await second.stop();
  expect(existsSync(join(folder, "skein-data", "data.mdb"))).toBe(true);
});

const signIn = (realm: string, { email, password }: typeof OWNER): Promise<Client> =>
  zulip({ realm, username: email, password });

/** Sets variables instead of flags. */
function start(...args: string[]) {
  const env = {
    HOME: folder,
    TMPDIR: folder,
    SKEIN_LISTEN: "127.0.0.1:0",
    SKEIN_RATE_LIMITS: "off",
  };
  return Bun.spawn([binary, ...args], {
    cwd: folder,
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
}

/** Starts a server, and waits for its first line. `stop` returns the lines of its log. */
async function serve() {
  const child = start("serve");
  const log = ProcessOutput.from(child.stderr);
  const printed = ProcessOutput.from(child.stdout);
  await printed.untilMatch((lines) => /^(Users can sign in|The link works)/m.test(lines));
  const stop = async () => {
    child.kill("SIGTERM");
    expect(await child.exited).toBe(0);
    return (await log.readWhole()).trim().split("\n");
  };
  return { printed: printed.textSoFar, url: await listeningUrl(printed), stop };
}
