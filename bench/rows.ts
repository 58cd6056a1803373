// The rows of the bench, by the names that choose them.
import type { Row } from "./row.ts";
import { backup } from "./rows/backup.ts";
import { checksums } from "./rows/checksums.ts";
import { bystander, fanout, flight } from "./rows/fanout.ts";
import { joining, subscribers } from "./rows/members.ts";
import { idle, queues } from "./rows/memory.ts";
import { moves } from "./rows/moves.ts";
import { moving, importWhileServing } from "./rows/moving.ts";
import { narrows } from "./rows/narrows.ts";
import { channels, crowded, grouped, permission } from "./rows/organization.ts";
import { overhead } from "./rows/overhead.ts";
import { attack, populous, presence } from "./rows/people.ts";
import { reading } from "./rows/reading.ts";
import { rendering } from "./rows/rendering.ts";
import { searches } from "./rows/searches.ts";
import { disk, send, senders } from "./rows/send.ts";
import { start } from "./rows/start.ts";
import { newest, register } from "./rows/stored.ts";
import { texts } from "./rows/texts.ts";
import { upload } from "./rows/upload.ts";
import { webFind, webTyping } from "./rows/web-keys.ts";
import { webPages } from "./rows/web-pages.ts";
import { webHeap } from "./rows/web-memory.ts";
import { webBurst, webFling, webIdle, webStart, webSwitch } from "./rows/web.ts";
import { search } from "./search.ts";

export const rows: Readonly<Record<string, Row>> = {
  send,
  senders,
  disk,
  checksums,
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
  searches,
  narrows,
  reading,
  moves,
  rendering,
  texts,
  permission,
  crowded,
  grouped,
  channels,
  presence,
  attack,
  populous,
  upload,
  backup,
  moving,
  movingServed: importWhileServing,
  webStart,
  webSwitch,
  webTyping,
  webBurst,
  webHeap,
  webFling,
  webIdle,
  webFind,
  webPages,
};
