// Marking many messages as read: everything, and one channel.
import { FETCH_MESSAGES_MAX } from "../../src/features/messages/rules.ts";
import { Load, startSkein } from "../processes.ts";
import { median } from "../ratio.ts";
import { postRequest } from "../requests.ts";
import { type Line, lineWithin } from "../row.ts";
import type { Datasets } from "../datasets.ts";

const UNREAD = 100_000;
const ROUNDS = 7;

/** The first user reads; all messages are in one channel. */
export async function reading(datasets: Datasets): Promise<Line[]> {
  const schema = { people: 16, channels: 1, subscribers: 16 };
  const dataset = await datasets.createCopy({ ...schema, messages: UNREAD, unread: UNREAD });
  const [reader] = dataset.people;
  await using skein = await startSkein(dataset.directory);
  using load = new Load();
  const { port } = skein;
  const request = async (path: string, params: Record<string, unknown>) => {
    const startedAt = performance.now();
    const [response = ""] = await load.ask("ask", {
      port,
      requests: [postRequest(reader!, path, params)],
    });
    return { took: performance.now() - startedAt, answer: response };
  };
  /** Marks messages as unread, with the most messages that a request may list. */
  const makeUnread = async () => {
    let [anchor, updated] = ["oldest", 0];
    for (let done = 0; done < UNREAD; done += FETCH_MESSAGES_MAX) {
      const window = {
        anchor,
        include_anchor: false,
        num_before: 0,
        num_after: FETCH_MESSAGES_MAX,
      };
      const change = { narrow: [], op: "remove", flag: "read" };
      const { answer: response } = await request("/messages/flags/narrow", {
        ...window,
        ...change,
      });
      const { last_processed_id, updated_count } = JSON.parse(response) as Record<string, number>;
      anchor = String(last_processed_id);
      updated += updated_count!;
    }
    if (updated !== UNREAD) throw new Error(`${updated} messages became unread`);
  };
  const lines: Line[] = [];
  for (const [label, path, params] of [
    ["all", "/mark_all_as_read", {}],
    ["a channel's", "/mark_stream_as_read", { stream_id: dataset.channels[0] }],
  ] as const) {
    const all: number[] = [];
    for (let round = 0; round <= ROUNDS; round++) {
      if (round > 0) await makeUnread();
      const { took: duration } = await request(path, params);
      if (round > 0) all.push(duration);
    }
    const count = UNREAD.toLocaleString("en-US");
    const row = { label: `marking ${count} messages as read, ${label}`, goal: 20, unit: "ms" };
    lines.push(lineWithin(row, median(all), all));
  }
  return lines;
}
