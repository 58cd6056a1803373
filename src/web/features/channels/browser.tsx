// The list of all visible channels with a search field, and the details of the selected channel.
import { type Signal, useSignal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import { go } from "../../store/address.ts";
import { remembered } from "../../ui/history-entry.ts";
import { deviceChoice } from "../../device-storage.ts";
import { subscribe, getState } from "../../store/store.ts";
import { Button } from "../../ui/button.tsx";
import { Colored } from "../../ui/colored.tsx";
import { Icon } from "../../ui/icon.tsx";
import { List } from "../../ui/list/list.tsx";
import { SearchField } from "../../ui/form/search-field.tsx";
import { Segments } from "../../ui/form/segments.tsx";
import { t, type TextKey } from "../../words/words.ts";
import { SidebarButton } from "../page/sidebar-button.tsx";
import { ConnectionBanner } from "../page/connection-banner.tsx";
import { itemAt } from "../../content/item-at.ts";
import { openMenuBeside } from "../lists/menu-opener.ts";
import { openInNewTab } from "../lists/open-view.ts";
import { useScrollPosition } from "../lists/list-view.tsx";
import { channelIcon } from "../typeahead/names.ts";
import { joinChannel } from "./actions.ts";
import { isAdministrator, canJoin, canCreateChannels } from "./permissions.ts";
import { browsedRows, type BrowsedRow, type ChannelSort, SORTS } from "./browser-rows.ts";
import { ChannelDetail } from "./detail.tsx";
import { channelHome } from "./home-selectors.ts";
import { toggleMembership, useChannelKeys } from "./commands.ts";
import {
  type ChannelFilter,
  FILTERS,
  foldersView,
  listView,
  newChannelView,
} from "./route-rules.ts";
import type { KnownChannel } from "./state.ts";
import { descriptionText } from "./selectors.ts";

const WORDS: Readonly<Record<ChannelFilter, TextKey>> = {
  all: "filter-all",
  subscribed: "only-mine",
  available: "channels-others",
  archived: "archived",
};
const sort = deviceChoice<ChannelSort>("channels-sort", SORTS);

export function ChannelBrowser({ filter }: { filter: ChannelFilter }) {
  subscribe("channels", "folders", "groups", "realm");
  const state = getState();
  const text = useSignal("");
  const scroller = useScrollPosition();
  const selectedRow = useSignal(remembered.peek().row);
  useChannelKeys();
  const rows = browsedRows(state, { filter, text: text.value, sort: sort.value });
  const stableRows = useMemo(() => rows, [rows.map(({ key }) => key).join()]);
  const channel = state.channels.channels.get(Number(selectedRow.value));
  return (
    <>
      <Bar filter={filter} />
      <div class="split">
        <div
          class="scroll channel-list"
          tabIndex={-1}
          role="region"
          aria-label={t("channels")}
          ref={scroller}
        >
          <div class="col">
            <Filters filter={filter} text={text} />
            <Rows rows={stableRows} selected={selectedRow} />
            {rows.length === 0 && (
              <p class="empty-note">
                {text.value === "" ? t("channels-none") : t("none-found", { words: text.value })}
              </p>
            )}
          </div>
        </div>
        {channel && <ChannelDetail key={channel.row.stream_id} channel={channel} />}
      </div>
    </>
  );
}

function Bar({ filter }: { filter: ChannelFilter }) {
  subscribe("channels", "groups", "realm");
  const state = getState();
  return (
    <div>
      <header class="bar">
        <SidebarButton isTop />
        <div class="bar-main">
          <h1>{t("channels")}</h1>
          <p class="sub">{countsOf(filter)}</p>
        </div>
        <div class="bar-acts">
          {isAdministrator(state) && (
            <Button kind="quiet" icon="folder" onClick={() => go(foldersView)}>
              {t("folders")}
            </Button>
          )}
          {canCreateChannels(state) && (
            <Button kind="primary" icon="plus" onClick={() => go(newChannelView)}>
              {t("new-channel")}
            </Button>
          )}
        </div>
      </header>
      <ConnectionBanner />
    </div>
  );
}

function countsOf(filter: ChannelFilter): string {
  const all = [...getState().channels.channels.values()];
  const visible = all.filter(({ row }) => row.is_archived === (filter === "archived"));
  const subscribedCount = visible.filter(({ membership }) => membership === "subscribed").length;
  return t("channels-count", { count: visible.length, own: subscribedCount });
}

function Filters({ filter, text }: { filter: ChannelFilter; text: Signal<string> }) {
  return (
    <div class="filters">
      <SearchField text={text} label={t("filter-channels")} isFocused />
      <Segments
        all={FILTERS}
        selected={filter}
        nameOf={(filter) => t(WORDS[filter])}
        choose={(filter) => go(listView(filter), { replace: true })}
      />
      <label class="field">
        <span class="vh">{t("sort")}</span>
        <select
          value={sort.value}
          onChange={({ currentTarget }) =>
            (sort.value = itemAt(SORTS, currentTarget.selectedIndex))
          }
        >
          {SORTS.map((criterion) => (
            <option key={criterion} value={criterion}>
              {t(`sort-${criterion}`)}
            </option>
          ))}
        </select>
      </label>
    </div>
  );
}

function Rows({
  rows,
  selected,
}: {
  rows: readonly BrowsedRow[];
  selected: Signal<string | undefined>;
}) {
  return (
    <List
      items={rows}
      selected={selected}
      onOpen={({ channel }, isInNewTab) => {
        if (!channel) return;
        // Enter joins the selected channel, or opens it if the user is subscribed.
        const { stream_id } = channel.row;
        if (canJoin(getState(), channel) && !isInNewTab) void joinChannel(stream_id);
        else (isInNewTab ? openInNewTab : go)(channelHome(stream_id));
      }}
      keys={{
        S: ({ channel }) => channel !== undefined && toggleMembership(channel),
        V: ({ channel }) => channel !== undefined && go(channelHome(channel.row.stream_id)),
      }}
      renderItem={({ key, name, channel }, isSelected) =>
        channel ? (
          <ChannelRow key={key} itemKey={key} channel={channel} isSelected={isSelected} />
        ) : (
          <header class="list-head" key={key} data-key={key}>
            <Icon name={name === undefined ? "hash" : "folder"} size={18} />
            <h2>
              <bdi>{name ?? t("in-no-folder")}</bdi>
            </h2>
          </header>
        )
      }
    />
  );
}

interface ChannelRowProps {
  itemKey: string;
  channel: KnownChannel;
  isSelected: boolean;
}

function ChannelRow({ itemKey, channel: initialChannel, isSelected }: ChannelRowProps) {
  const { stream_id } = initialChannel.row;
  subscribe(`channel:${stream_id}`, `subscribers:${stream_id}`);
  const channel = getState().channels.channels.get(stream_id) ?? initialChannel;
  const { row, membership } = channel;
  return (
    <li
      class="list-row"
      data-key={itemKey}
      data-selected={isSelected ? "" : undefined}
      onContextMenu={(event) => openMenu(event, stream_id)}
    >
      <div class="lead">
        <Colored color={row.color} class="ch">
          <Icon name={row.is_archived ? "offline" : channelIcon(row)} />
        </Colored>
        <div>
          <p class="top">
            <b>
              <a
                href={`#channels/${stream_id}`}
                data-focus=""
                dir="auto"
                tabIndex={isSelected ? 0 : -1}
                onClick={(event) => {
                  const { ctrlKey, metaKey, shiftKey } = event;
                  if (isNarrow() || ctrlKey || metaKey || shiftKey) return;
                  event.preventDefault();
                  event.currentTarget.focus({ preventScroll: true });
                }}
              >
                {row.name}
              </a>
            </b>
            <small>{figuresOf(channel)}</small>
          </p>
          <p class="pre">
            <bdi>{descriptionText(row) || "\u00a0"}</bdi>
          </p>
        </div>
      </div>
      <div class="end">
        {membership === "subscribed" ? (
          <span class="tag">{t("member")}</span>
        ) : (
          canJoin(getState(), channel) && (
            <Button
              icon="plus"
              aria-label={t("join-named", { name: row.name })}
              tabIndex={isSelected ? 0 : -1}
              onClick={() => void joinChannel(stream_id)}
            >
              {t("join-channel")}
            </Button>
          )
        )}
      </div>
    </li>
  );
}

/** On narrow screens, rows open the channel's own page. */
const isNarrow = () => matchMedia("(width < 900px)").matches;

function figuresOf({ row }: KnownChannel): string {
  const members = t("members", { count: row.subscriber_count });
  const { stream_weekly_traffic: traffic } = row;
  return traffic === null ? members : `${members} · ${t("a-week", { count: traffic })}`;
}

function openMenu(event: MouseEvent, stream_id: number): void {
  void openMenuBeside(event, import("./menu.ts"), (menu, box) =>
    menu.openChannelMenu(box, stream_id),
  );
}
