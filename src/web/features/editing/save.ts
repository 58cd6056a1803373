// Saves an edit: displays it at once, and keeps it until the server confirms it.
import { renderContext } from "../../store/render-context.ts";
import { editMessage } from "../../api/message-calls.ts";
import { getState } from "../../store/store.ts";
import { optimistic, openPersonalStore } from "../../sync/optimistic.ts";
import { contentOf } from "../../render/loading.ts";
import type { LocalUpdate } from "../../contract/snapshot.ts";
import type { Message } from "../../contract/message.ts";

interface SavedEdit {
  content: string;
  prev_content_sha256: string | undefined;
}

/** Resolves when the edit is stored on disk. A rejected edit stays there until the user decides. */
export async function save(message_id: number, edited: SavedEdit): Promise<void> {
  const { mutations } = openPersonalStore();
  const earlier = mutations.changeOf(message_id, true);
  const message = getState().messages.byId.get(message_id);
  const update = message && localUpdateOf(message, edited.content);
  const local = update ? [update] : [];
  const inverse = earlier?.inverse ?? (update ? [rolledBack(update, message)] : []);
  const change = { message_id, content: edited.content };
  const request = optimistic(editMessage.toRequest({ message_id, ...edited }), local, inverse, {
    change,
  });
  if (earlier) await mutations.superseded(earlier.key);
  await request;
}

function localUpdateOf({ id, stream_id, flags }: Message, content: string): LocalUpdate {
  const rendered = contentOf(content, renderContext(getState()));
  return {
    type: "update_message",
    user_id: getState().people.me,
    message_id: id,
    message_ids: [id],
    ...(stream_id !== undefined && { stream_id }),
    rendering_only: false,
    flags,
    content,
    orig_content: "",
    rendered_content: rendered.html,
    is_me_message: rendered.is_me_message,
    edit_timestamp: Math.floor(Date.now() / 1000),
  };
}

const rolledBack = (update: LocalUpdate, { content, is_me_message }: Message): LocalUpdate => {
  return { ...update, rendered_content: content, is_me_message };
};
