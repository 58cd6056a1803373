// The foot of a phone: the four ways to everything.
import { addressOf, onSheet } from "../../address.ts";
import { keyed, known } from "../../live.ts";
import { shortened } from "../../ui/count.tsx";
import { Icon, type IconName } from "../../ui/icon.tsx";
import { isView, placeOf, type View } from "../../views.ts";
import { say } from "../../words/words.ts";
import { QuietSign } from "../notifications/quiet-sign.tsx";
import { openDrawer } from "./drawer.ts";
import { openOwnMenu } from "./menu.ts";
import { isShown } from "./views.tsx";

export function TabBar() {
  keyed("unread:all");
  const shown = onSheet.value;
  const { unread, people } = known()!;
  // A conversation has all the room there is.
  if (shown.kind === "messages" && placeOf(shown.terms, people.me)) return null;
  const { all } = unread;
  return (
    <nav class="tabbar" aria-label={say("main-places")}>
      <Tab
        to={{ kind: "inbox" }}
        icon="inbox"
        name={say("inbox")}
        count={all.shown}
        isHere={shown.kind === "home"}
      />
      <button type="button" onClick={openDrawer}>
        <Icon name="hash" />
        <span>{say("channels")}</span>
      </button>
      <Tab
        to={isView("mentioned")}
        icon="at"
        name={say("mentions")}
        count={all.mentions}
        isMention
      />
      <button
        type="button"
        aria-haspopup="menu"
        onClick={({ currentTarget }) => openOwnMenu(currentTarget, say("yourself"))}
      >
        <Icon name="person" />
        <span>{say("yourself")}</span>
        <QuietSign isBadge />
      </button>
    </nav>
  );
}

interface Shown {
  to: View;
  icon: IconName;
  name: string;
  count: number;
  isMention?: boolean;
  isHere?: boolean;
}

function Tab({ to, icon, name, count, isMention = false, isHere = false }: Shown) {
  const address = addressOf(to);
  return (
    <a href={address} aria-current={isShown(address) || isHere ? "page" : undefined}>
      <Icon name={icon} />
      <span>{name}</span>
      {count > 0 && (
        <>
          <span class="badge" data-at={isMention ? "" : undefined}>
            {shortened(count)}
          </span>
          <span class="vh">{say("unread")}</span>
        </>
      )}
    </a>
  );
}
