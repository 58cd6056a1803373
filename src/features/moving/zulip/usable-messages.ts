// Selects the messages of a Zulip export that can be imported: their ids ascend over all files.
import type { Reporting } from "../report.ts";
import type { TableRow } from "../archive/json-tables.ts";
import { int, seconds, text } from "./read/rows.ts";

/** Leaves room for the ids of later messages, which must be safe integers. */
const MESSAGE_ID_MAX = 2 ** 48;

export interface UsableMessage extends TableRow {
  readonly id: number;
  readonly timestamp: number;
}

export class UsableMessages {
  /** The highest id so far. */
  newest = 0;

  /** `losses` counts the messages that are left out. */
  constructor(private readonly losses?: Reporting) {}

  /** Yields the usable messages of a file. Must be called for all files in order. */
  async *in(rows: AsyncIterable<TableRow>): AsyncIterable<UsableMessage> {
    let last: UsableMessage | undefined;
    for await (const { row, location } of rows) {
      const id = int(row, "id");
      const timestamp = seconds(row, "date_sent") ?? seconds(row, "pub_date");
      const isWhole = timestamp !== undefined && text(row, "content") !== undefined;
      if (id === undefined || id < 1 || id > MESSAGE_ID_MAX || !isWhole) {
        this.losses?.lost("A message has no id, time or text: it is left out.", location);
        continue;
      }
      const message = { row, location, id, timestamp };
      if (id <= this.newest || id === last?.id) this.leaveOut(message);
      // The id is below the last one, so the last one is out of order.
      else if (last && id < last.id) {
        this.leaveOut(last);
        last = message;
      } else {
        if (last) yield this.accepted(last);
        last = message;
      }
    }
    if (last) yield this.accepted(last);
  }

  private accepted(message: UsableMessage): UsableMessage {
    this.newest = message.id;
    return message;
  }

  private leaveOut({ location }: UsableMessage): void {
    const kind =
      "A message has an id that is not above that of the message before: it is left out.";
    this.losses?.lost(kind, location);
  }
}
