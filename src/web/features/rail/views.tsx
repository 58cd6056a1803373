// The views that are of no one place, with how much is new in them.
import { addressOf, onSheet } from "../../address.ts";
import { keyed, known } from "../../live.ts";
import { Count } from "../../ui/count.tsx";
import { Icon, type IconName } from "../../ui/icon.tsx";
import { EVERYTHING, isView, type View, viewOf } from "../../views.ts";
import { say } from "../../words/words.ts";
import { countDrafts } from "../drafts/count.ts";
import { pinnedMenu } from "../lists/menus.ts";

export const isShown = (address: string): boolean => address === addressOf(onSheet.value);

export function Views() {
  keyed("unread:all", "settings");
  const { people, unread, settings } = known()!;
  const { all } = unread;
  const isCounted = settings.settings["web_left_sidebar_unreads_count_summary"] !== false;
  return (
    <ul class="row-list">
      <ViewRow
        to={{ kind: "inbox" }}
        icon="inbox"
        name={say("inbox")}
        count={isCounted || onSheet.value.kind === "inbox" ? all.shown : 0}
      />
      <ViewRow to={{ kind: "recent" }} icon="clock" name={say("recent")} />
      <ViewRow to={EVERYTHING} icon="layers" name={say("everything")} />
      <ViewRow to={isView("mentioned")} icon="at" name={say("mentions")} mentions={all.mentions} />
      <Starred />
      <ViewRow to={reactionsView(people.me)} icon="smile" name={say("reactions")} />
      <Own />
      <Pinned />
    </ul>
  );
}

/** To what one wrote oneself. */
export const reactionsView = (me: number): View => ({
  kind: "messages",
  terms: [
    { operator: "has", operand: "reaction", negated: false },
    { operator: "sender", operand: `${me}`, negated: false },
  ],
});

function Starred() {
  keyed("starred", "settings");
  const { settings, messages } = known()!;
  const count = settings.settings["starred_message_counts"] ? messages.starred.size : 0;
  return <ViewRow to={isView("starred")} icon="star" name={say("starred")} count={count} isFaint />;
}

/** The user's drafts, and scheduled messages and reminders if there are any. */
function Own() {
  keyed("drafts", "scheduled_messages", "reminders");
  const { drafts, scheduled, reminders } = known()!.personal;
  return (
    <>
      <ViewRow
        to={{ kind: "drafts" }}
        icon="pencil"
        name={say("drafts")}
        count={countDrafts.value?.() ?? drafts.size}
        isFaint
      />
      {scheduled.size > 0 && (
        <ViewRow
          to={{ kind: "scheduled" }}
          icon="calendar"
          name={say("scheduled")}
          count={scheduled.size}
          isFaint
          isFailed={hasFailed(scheduled)}
        />
      )}
      {reminders.size > 0 && (
        <ViewRow
          to={{ kind: "reminders" }}
          icon="timer"
          name={say("reminders")}
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
  keyed("navigation_view");
  return [...known()!.personal.views.values()].map((one) => {
    const { fragment, is_pinned, name } = one;
    const onMenu = (event: MouseEvent) => void pinnedMenu(event, one);
    return is_pinned && name ? (
      <ViewRow key={fragment} to={viewOf(fragment)} icon="pin" name={name} onMenu={onMenu} />
    ) : null;
  });
}

interface Row {
  onMenu?: (event: MouseEvent) => void;
  to: View;
  icon: IconName;
  name: string;
  count?: number;
  mentions?: number;
  isFaint?: boolean;
  /** Something in it waits for the person. */
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
  onMenu,
}: Row) {
  const address = addressOf(to);
  const isHome = onSheet.value.kind === "home" && to.kind === "inbox";
  return (
    <li>
      <a
        class="rail-row"
        href={address}
        onContextMenu={onMenu}
        aria-current={isShown(address) || isHome ? "page" : undefined}
      >
        <Icon name={icon} size={18} />
        <bdi class="t">{name}</bdi>
        {isFailed && (
          <span class="rail-failed">
            <Icon name="alert" size={16} />
            <span class="vh">{say("scheduled-failed")}</span>
          </span>
        )}
        <Count
          count={Math.max(count, mentions)}
          mentions={mentions}
          isMuted={isFaint}
          isUnread={!isFaint}
        />
      </a>
    </li>
  );
}
