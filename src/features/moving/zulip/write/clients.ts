// The client programs that sent messages, with the ids that Zulip uses for them.
import type { OutRow } from "./json-file.ts";

export class Clients {
  private readonly ids = new Map<string, number>([["website", 1]]);

  idOf(name: string): number {
    const existing = this.ids.get(name);
    if (existing !== undefined) return existing;
    const id = this.ids.size + 1;
    this.ids.set(name, id);
    return id;
  }

  /** Must be called after all messages have been written. */
  *rows(): Iterable<OutRow> {
    for (const [name, id] of this.ids) yield { id, name };
  }
}
