// The built-in views in the sidebar, with their counts.
import { addressOf, sheetView } from "../../store/address.ts";
import { subscribe, getState } from "../../store/store.ts";
import { Count } from "../../ui/count.tsx";
import { Icon } from "../../ui/icon.tsx";
import type { IconName } from "../../content/icon-names.ts";
import { EVERYTHING, isView, type View, viewOf } from "../../views.ts";
import { t } from "../../words/words.ts";
import { countDrafts } from "../drafts/count-state.ts";
import { pinnedMenu, type RowMenu, viewMenu } from "../menus/menus.ts";
import { LazyRowMenuButton } from "./lazy-buttons.tsx";

export const isShown = (address: string): boolean => address === addressOf(sheetView.value);

export function Views() {
  subscribe("unread:all", "settings");
  const { people, unread, settings } = getState();
  const { all } = unread;
  const isCounted = settings.settings["web_left_sidebar_unreads_count_summary"] !== false;
  return (
    <ul class="row-list">
      <ViewRow
        to={{ kind: "inbox" }}
        icon="inbox"
        name={t("inbox")}
        count={isCounted || sheetView.value.kind === "inbox" ? all.shown : 0}
      />
      <ViewRow to={{ kind: "recent" }} icon="clock" name={t("recent")} />
      <ViewRow to={EVERYTHING} icon="layers" name={t("everything")} />
      <ViewRow to={isView("mentioned")} icon="at" name={t("mentions")} mentions={all.mentions} />
      <Starred />
      <ViewRow to={reactionsView(people.me)} icon="smile" name={t("reactions")} />
      <OwnLists />
      <Pinned />
    </ul>
  );
}

/** Reactions to the user's own messages. */
const reactionsView = (me: number): View => ({
  kind: "messages",
  terms: [
    { operator: "has", operand: "reaction", negated: false },
    { operator: "sender", operand: `${me}`, negated: false },
  ],
});

function Starred() {
  subscribe("starred", "settings");
  const { settings, messages } = getState();
  const count = settings.settings["starred_message_counts"] ? messages.starred.size : 0;
  return <ViewRow to={isView("starred")} icon="star" name={t("starred")} count={count} isFaint />;
}

/** The user's drafts, and scheduled messages and reminders if there are any. */
function OwnLists() {
  subscribe("drafts", "scheduled_messages", "reminders");
  const { drafts, scheduled, reminders } = getState().personal;
  return (
    <>
      <ViewRow
        to={{ kind: "drafts" }}
        icon="pencil"
        name={t("drafts")}
        count={countDrafts.value?.() ?? drafts.size}
        isFaint
      />
      {scheduled.size > 0 && (
        <ViewRow
          to={{ kind: "scheduled" }}
          icon="calendar"
          name={t("scheduled")}
          count={scheduled.size}
          isFaint
          isFailed={hasFailed(scheduled)}
        />
      )}
      {reminders.size > 0 && (
        <ViewRow
          to={{ kind: "reminders" }}
          icon="timer"
          name={t("reminders")}
          count={reminders.size}
          isFaint
          isFailed={hasFailed(reminders)}
        />
      )}
    </>
  );
}

const hasFailed = (all: ReadonlyMap<number, { failed: boolean }>): boolean =>
  [...all.values()].some(({ failed }) => failed);

/** Pinned views, with the user's names. */
function Pinned() {
  subscribe("navigation_view");
  return [...getState().personal.views.values()].map((pinnedView) => {
    const { fragment, is_pinned, name } = pinnedView;
    const onMenu: RowMenu = (target) => void pinnedMenu(target, pinnedView);
    return is_pinned && name ? (
      <ViewRow key={fragment} to={viewOf(fragment)} icon="pin" name={name} onMenu={onMenu} />
    ) : null;
  });
}

interface ViewRowProps {
  onMenu?: RowMenu;
  to: View;
  icon: IconName;
  name: string;
  count?: number;
  mentions?: number;
  isFaint?: boolean;
  /** Something in it needs the user's attention. */
  isFailed?: boolean;
}

function ViewRow({
  to,
  icon,
  name,
  count = 0,
  mentions = 0,
  isFaint = false,
  isFailed,
  onMenu = (target) => void viewMenu(target, to, name),
}: ViewRowProps) {
  const address = addressOf(to);
  const isHome = sheetView.value.kind === "home" && to.kind === "inbox";
  return (
    <li>
      <a
        class="sidebar-row"
        href={address}
        onContextMenu={onMenu}
        aria-current={isShown(address) || isHome ? "page" : undefined}
      >
        <Icon name={icon} size={18} />
        <bdi class="t">{name}</bdi>
        {isFailed && (
          <span class="sidebar-failed">
            <Icon name="alert" size={16} />
            <span class="vh">{t("scheduled-failed")}</span>
          </span>
        )}
        <Count
          count={Math.max(count, mentions)}
          mentions={mentions}
          isMuted={isFaint}
          isUnread={!isFaint}
        />
      </a>
      <LazyRowMenuButton name={name} open={onMenu} />
    </li>
  );
}
