// Recent direct conversations in the sidebar, with presence.
import { addressOf } from "../../store/address.ts";
import { subscribe, getState } from "../../store/store.ts";
import { RowBoundary } from "../../ui/loading/boundary.tsx";
import { Count } from "../../ui/count.tsx";
import { directView } from "../../views.ts";
import { t } from "../../words/words.ts";
import { conversationName } from "../conversation/selectors.ts";
import { conversationKey } from "../../conversation-keys.ts";
import { AvatarWithPresence } from "../lists/avatars.tsx";
import { useStableOrder } from "../lists/stable-order.ts";
import { directMenu, type RowMenu } from "../menus/menus.ts";
import { LazyHeadingButtons, LazyRowMenuButton } from "./lazy-buttons.tsx";
import { sidebarConversations } from "./selectors.ts";
import { isShown } from "./views.tsx";

export function Conversations() {
  subscribe("dms", "unread:directs");
  const rows = useStableOrder(sidebarConversations(getState()), conversationKey);
  return (
    <>
      <div class="sidebar-head">
        <h2>{t("direct-messages")}</h2>
        <LazyHeadingButtons />
      </div>
      {rows.length > 0 && (
        <ul class="row-list">
          {rows.map((user_ids) => (
            <RowBoundary key={conversationKey(user_ids)} variant="sidebar-row">
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
  subscribe(`unread:${key}`, ...user_ids.map((id) => `user:${id}` as const));
  const { people, unread } = getState();
  const address = addressOf(directView(user_ids, people.me));
  const { ids = [], mentions = 0 } = unread.conversations.get(key) ?? {};
  const name = conversationName(user_ids);
  const onMenu: RowMenu = (target) => void directMenu(target, user_ids);
  return (
    <li>
      <a
        class="sidebar-row"
        href={address}
        data-unread={ids.length > 0 ? "dm" : undefined}
        aria-current={isShown(address) ? "page" : undefined}
        onContextMenu={onMenu}
      >
        <AvatarWithPresence user_ids={user_ids} size={20} />
        <bdi class="t">{name}</bdi>
        <Count count={ids.length} mentions={mentions} />
      </a>
      <LazyRowMenuButton name={name} open={onMenu} />
    </li>
  );
}
