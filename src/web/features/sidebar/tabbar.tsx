// The tab bar of phones, with the four main views.
import { addressOf, sheetView } from "../../store/address.ts";
import { subscribe, getState } from "../../store/store.ts";
import { shortened } from "../../ui/count.tsx";
import { Icon } from "../../ui/icon.tsx";
import type { IconName } from "../../content/icon-names.ts";
import { isView, type View } from "../../views.ts";
import { t } from "../../words/words.ts";
import { DoNotDisturbIndicator } from "../notifications/do-not-disturb-indicator.tsx";
import { openDrawer } from "./drawer-state.ts";
import { openOwnMenu } from "./menu.ts";
import { isShown } from "./views.tsx";

export function TabBar() {
  subscribe("unread:all");
  const currentView = sheetView.value;
  const { all } = getState().unread;
  return (
    <nav class="tabbar" aria-label={t("main-views")}>
      <Tab
        to={{ kind: "inbox" }}
        icon="inbox"
        name={t("inbox")}
        count={all.shown}
        isHere={currentView.kind === "home"}
      />
      <button type="button" onClick={openDrawer}>
        <Icon name="hash" />
        <span>{t("channels")}</span>
      </button>
      <Tab to={isView("mentioned")} icon="at" name={t("mentions")} count={all.mentions} isMention />
      <button
        type="button"
        aria-haspopup="menu"
        onClick={({ currentTarget }) => openOwnMenu(currentTarget, t("yourself"))}
      >
        <Icon name="person" />
        <span>{t("yourself")}</span>
        <DoNotDisturbIndicator isBadge />
      </button>
    </nav>
  );
}

interface TabProps {
  to: View;
  icon: IconName;
  name: string;
  count: number;
  isMention?: boolean;
  isHere?: boolean;
}

function Tab({ to, icon, name, count, isMention = false, isHere = false }: TabProps) {
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
          <span class="vh">{t("unread")}</span>
        </>
      )}
    </a>
  );
}
