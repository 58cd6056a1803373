// The rows of the bench, by the names that choose them.
import type { Row } from "./row.ts";
import { bystander, fanout, flight } from "./rows/fanout.ts";
import { joining, subscribers } from "./rows/members.ts";
import { idle, queues } from "./rows/memory.ts";
import { channels, crowded, grouped, permission } from "./rows/organization.ts";
import { overhead } from "./rows/overhead.ts";
import { attack, populous, presence } from "./rows/people.ts";
import { disk, send, senders } from "./rows/send.ts";
import { start } from "./rows/start.ts";
import { newest, register } from "./rows/stored.ts";
import { search } from "./search.ts";

export const rows: Readonly<Record<string, Row>> = {
  send,
  senders,
  disk,
  fanout,
  flight,
  bystander,
  subscribers,
  queues,
  idle,
  start,
  newest,
  register,
  joining,
  overhead,
  search,
  permission,
  crowded,
  grouped,
  channels,
  presence,
  attack,
  populous,
};
