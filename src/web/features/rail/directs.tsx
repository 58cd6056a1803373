// Direct conversations in the rail: the newest, with who of them is there.
import { addressOf } from "../../address.ts";
import { keyed, known } from "../../live.ts";
import { RowBoundary } from "../../failures/boundary.tsx";
import { Count } from "../../ui/count.tsx";
import { IconButton } from "../../ui/button.tsx";
import { directView } from "../../views.ts";
import { say } from "../../words/words.ts";
import { conversationName } from "../conversation/drawing.ts";
import { conversationKey } from "../conversations/state.ts";
import { Who } from "../lists/faces.tsx";
import { openPalette } from "../palette/open.ts";
import { useSteady } from "../lists/steady.ts";
import { railConversations } from "./rows.ts";
import { isShown } from "./views.tsx";

export function Conversations() {
  keyed("dms", "unread:directs");
  const rows = useSteady(railConversations(known()!), conversationKey);
  return (
    <>
      <div class="rail-head">
        <h2>{say("direct-messages")}</h2>
        <IconButton
          icon="plus"
          size="xs"
          label={say("new-direct")}
          onClick={() => void openPalette("@")}
        />
      </div>
      {rows.length > 0 && (
        <ul class="row-list">
          {rows.map((user_ids) => (
            <RowBoundary key={conversationKey(user_ids)} look="rail-row">
              <ConversationRow user_ids={user_ids} />
            </RowBoundary>
          ))}
        </ul>
      )}
    </>
  );
}

function ConversationRow({ user_ids }: { user_ids: readonly number[] }) {
  const key = conversationKey(user_ids);
  keyed(`unread:${key}`, ...user_ids.map((id) => `user:${id}`));
  const { people, unread } = known()!;
  const address = addressOf(directView(user_ids, people.me));
  const { ids = [], mentions = 0 } = unread.places.get(key) ?? {};
  return (
    <li>
      <a
        class="rail-row"
        href={address}
        data-unread={ids.length > 0 ? "dm" : undefined}
        aria-current={isShown(address) ? "page" : undefined}
      >
        <Who user_ids={user_ids} size={20} />
        <bdi class="t">{conversationName(user_ids)}</bdi>
        <Count count={ids.length} mentions={mentions} />
      </a>
    </li>
  );
}
