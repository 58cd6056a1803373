// A changed text on its way: seen at once as the server will render it, and kept until it has it.
import { editMessage } from "../../api/deed-calls.ts";
import { desk } from "../../here.ts";
import { now } from "../../live.ts";
import { optimistic } from "../../optimistic.ts";
import { contentOf } from "../../render/loading.ts";
import type { Deed } from "../../snapshot.ts";
import type { Message } from "../messages/state.ts";

interface Edited {
  content: string;
  prev_content_sha256: string | undefined;
}

/** Resolves once it is on the disk; what is refused stays there for the person to decide. */
export async function save(message_id: number, edited: Edited): Promise<void> {
  const { doings } = desk.peek()!;
  const earlier = doings.changeOf(message_id, true);
  const message = now().messages.byId.get(message_id);
  const foretold = message ? [changed(message, edited.content)] : [];
  const inverse = earlier?.inverse ?? foretold.map((deed) => takenBack(deed, message!));
  const change = { message_id, content: edited.content };
  const done = optimistic(editMessage.asked({ message_id, ...edited }), foretold, inverse, {
    change,
  });
  if (earlier) await doings.replaced(earlier.key);
  await done;
}

function changed({ id, stream_id, flags }: Message, content: string): Deed {
  const rendered = contentOf(content, now());
  return {
    type: "update_message" as const,
    user_id: now().people.me,
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
  } as unknown as Deed;
}

const takenBack = (deed: Deed, { content, is_me_message }: Message): Deed =>
  ({ ...deed, rendered_content: content, is_me_message }) as unknown as Deed;
