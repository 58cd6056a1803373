// Writes a Slack export with any number of messages, day by day, as the bench imports it.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { zipFolder } from "../../src/features/moving/archive/zip-writer.ts";
import { TEXTS } from "../fill.ts";

interface SlackPlan {
  /** Identifies the workspace, so that another one can be imported into the same organization. */
  team: string;
  messages: number;
  threads: number;
}

const USERS = 200;
const CHANNELS = 20;
/** In all channels together. */
const MESSAGES_A_DAY = 4_000;
const REPLIES = 4;
const REACTED_EVERY = 20;
/** 2018-01-20. */
const START_SECONDS = 1_516_406_400;
const DAY_SECONDS = 86_400;
const MICROSECONDS = 1_000_000;

const userId = (index: number) => `U0BENCH${index % USERS}`;
const channelName = (index: number) => `bench-${index % CHANNELS}`;

/** Writes the zip file `to`. */
export async function writeSlackExport(to: string, plan: SlackPlan): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "skein-bench-slack-"));
  try {
    writeLists(folder, plan);
    for (let day = 0; day * MESSAGES_A_DAY < plan.messages; day++) writeDay(folder, plan, day);
    await zipFolder(folder, to, "export", START_SECONDS);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function writeLists(folder: string, { team }: SlackPlan): void {
  const users = Array.from({ length: USERS }, (_, index) => ({
    id: userId(index),
    team_id: team,
    name: `slack${index}`,
    profile: { real_name: `Slack Person ${index}`, email: `slack${index}@example.com` },
  }));
  const members = users.map(({ id }) => id);
  const channels = Array.from({ length: CHANNELS }, (_, index) => {
    mkdirSync(join(folder, channelName(index)));
    return { id: `C0BENCH${index}`, name: channelName(index), created: START_SECONDS, members };
  });
  writeFileSync(join(folder, "users.json"), JSON.stringify(users));
  writeFileSync(join(folder, "channels.json"), JSON.stringify(channels));
}

function writeDay(folder: string, { messages, threads }: SlackPlan, day: number): void {
  const first = day * MESSAGES_A_DAY;
  const count = Math.min(MESSAGES_A_DAY, messages - first);
  const date = new Date((START_SECONDS + day * DAY_SECONDS) * 1000).toISOString().slice(0, 10);
  const every = Math.max(REPLIES + 1, Math.floor(messages / Math.max(1, threads)));
  for (let channel = 0; channel < CHANNELS; channel++) {
    const rows: object[] = [];
    for (let index = channel; index < count; index += CHANNELS)
      rows.push(rowOf(first + index, every));
    writeFileSync(join(folder, channelName(channel), `${date}.json`), JSON.stringify(rows));
  }
}

/** Consecutive messages of a channel differ by `CHANNELS`; every `every`th begins a thread. */
function rowOf(index: number, every: number): object {
  const [channel, inChannel] = [index % CHANNELS, Math.floor(index / CHANNELS)];
  const root = inChannel - (inChannel % every);
  const isRoot = root === inChannel;
  const isInThread = inChannel - root <= REPLIES;
  const text = `${isRoot ? `Thread ${index}: ` : ""}${TEXTS[index % TEXTS.length]!}`;
  const elements = [{ type: "rich_text_section", elements: [{ type: "text", text }] }];
  return {
    client_msg_id: crypto.randomUUID(),
    type: "message",
    user: userId(index),
    text,
    ts: tsOf(index),
    blocks: [{ type: "rich_text", block_id: "b", elements }],
    ...(isInThread && { thread_ts: tsOf(root * CHANNELS + channel) }),
    ...(isRoot && { reply_count: REPLIES }),
    ...(index % REACTED_EVERY === 0 && {
      reactions: [{ name: "+1", users: [userId(index + 1), userId(index + 2)], count: 2 }],
    }),
  };
}

function tsOf(index: number): string {
  const day = Math.floor(index / MESSAGES_A_DAY);
  const second = Math.floor(((index % MESSAGES_A_DAY) / MESSAGES_A_DAY) * DAY_SECONDS);
  const micros = String(index % MICROSECONDS).padStart(6, "0");
  return `${START_SECONDS + day * DAY_SECONDS + second}.${micros}`;
}
