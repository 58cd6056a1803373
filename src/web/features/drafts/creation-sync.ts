// Creates a draft on the server once, even if a request to create it got no response.
import { NoResponse } from "../../api/http.ts";
import type { ConversationRef } from "../../views.ts";
import type { ServerDrafts } from "./server-sync.ts";

/** A request to create a draft that may have reached the server. */
interface Unanswered {
  readonly content: string;
  readonly changed: number;
}

/** Server times are in seconds. */
const secondOf = (milliseconds: number) => Math.floor(milliseconds / 1000);

export class DraftCreation {
  private readonly unanswered = new Map<string, Unanswered>();

  constructor(
    private readonly shared: ServerDrafts,
    private readonly keyOf: (conversation: ConversationRef) => string,
  ) {}

  /**
   * Changes the draft, or creates one if the id is undefined. Returns the id. If the server has
   * created one by an unanswered request, changes that one.
   */
  async store(
    draft_id: number | undefined,
    to: ConversationRef,
    content: string,
    changed: number,
  ): Promise<number> {
    const key = this.keyOf(to);
    const known_id = draft_id ?? (await this.createdId(key));
    this.unanswered.delete(key);
    if (known_id !== undefined) {
      await this.shared.edit(known_id, to, content, changed);
      return known_id;
    }
    try {
      return await this.shared.add(to, content, changed);
    } catch (error) {
      if (error instanceof NoResponse) this.unanswered.set(key, { content, changed });
      throw error;
    }
  }

  private async createdId(key: string): Promise<number | undefined> {
    const request = this.unanswered.get(key);
    if (!request) return undefined;
    // The caller knows all drafts that events have reported.
    const newest = this.shared.newest();
    const found = (await this.shared.fetchAll()).find(
      ({ id, to, content, changed }) =>
        id > newest &&
        this.keyOf(to) === key &&
        content.trim() === request.content.trim() &&
        secondOf(changed) === secondOf(request.changed),
    );
    return found?.id;
  }
}
