// Creates a draft on the server once, even if a request to create it got no response.
import { NoResponse } from "../../api/http.ts";
import type { ConversationRef } from "../../views.ts";
import type { ServerDrafts } from "./server-sync.ts";

/** A request to create a draft that may have reached the server. */
interface Unanswered {
  readonly content: string;
  readonly changed: number;
  /** The draft that it created, once the server has listed it. */
  readonly draft_id?: number;
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
    if (known_id !== undefined) {
      await this.edit(known_id, to, content, changed);
      return known_id;
    }
    this.unanswered.delete(key);
    try {
      return await this.shared.add(to, content, changed);
    } catch (error) {
      if (error instanceof NoResponse) this.unanswered.set(key, { content, changed });
      throw error;
    }
  }

  private async edit(id: number, to: ConversationRef, content: string, changed: number) {
    try {
      await this.shared.edit(id, to, content, changed);
    } catch (error) {
      // The next change must find the draft that this request may have created.
      if (error instanceof NoResponse) throw error;
      this.unanswered.delete(this.keyOf(to));
      throw error;
    }
    this.unanswered.delete(this.keyOf(to));
  }

  private async createdId(key: string): Promise<number | undefined> {
    const request = this.unanswered.get(key);
    if (!request || request.draft_id !== undefined) return request?.draft_id;
    // The caller knows all drafts that events have reported.
    const newest = this.shared.newest();
    const found = (await this.shared.fetchAll()).find(
      ({ id, to, content, changed }) =>
        id > newest &&
        this.keyOf(to) === key &&
        content.trim() === request.content.trim() &&
        secondOf(changed) === secondOf(request.changed),
    );
    if (found) this.unanswered.set(key, { ...request, draft_id: found.id });
    return found?.id;
  }
}
