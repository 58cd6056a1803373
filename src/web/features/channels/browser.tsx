// All channels that one may know of, with what one looks for in them, and one of them beside.
import { type Signal, useSignal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import { go, remembered } from "../../address.ts";
import { oneOfDevice } from "../../device.ts";
import { keyed, known } from "../../live.ts";
import { Button } from "../../ui/button.tsx";
import { Colored } from "../../ui/colored.tsx";
import { Icon } from "../../ui/icon.tsx";
import { List } from "../../ui/list/list.tsx";
import { SearchField } from "../../ui/form/search-field.tsx";
import { Segments } from "../../ui/form/segments.tsx";
import { say, type Word } from "../../words/words.ts";
import { BackButton } from "../frame/back.tsx";
import { Strip } from "../frame/strip.tsx";
import { channelMenu } from "../lists/menus.ts";
import { openAside } from "../lists/open.ts";
import { useTop } from "../lists/sheet.tsx";
import { channelIcon } from "../typeahead/names.ts";
import { join } from "./actions.ts";
import { isAdministrator, mayJoin, mayMakeChannels } from "./asker.ts";
import { browsed, type Row, type Sort, SORTS } from "./browsing.ts";
import { ChannelDetail } from "./detail.tsx";
import { channelHome } from "./home.ts";
import { toggleMembership, useChannelKeys } from "./keys.ts";
import { type Filter, FILTERS, foldersView, listView, newChannelView } from "./route.ts";
import type { KnownChannel } from "./state.ts";
import { saidOf } from "./said.ts";

const WORDS: Readonly<Record<Filter, Word>> = {
  all: "filter-all",
  subscribed: "only-mine",
  available: "channels-others",
  archived: "archived",
};
const sort = oneOfDevice<Sort>("channels-sort", SORTS);

export function ChannelBrowser({ filter }: { filter: Filter }) {
  keyed("channels", "folders", "groups", "realm");
  const state = known()!;
  const words = useSignal("");
  const scroller = useTop();
  const chosen = useSignal(remembered.peek().row);
  useChannelKeys();
  const rows = browsed(state, { filter, words: words.value, sort: sort.value });
  const steady = useMemo(() => rows, [rows.map(({ key }) => key).join()]);
  const channel = state.channels.channels.get(Number(chosen.value));
  return (
    <>
      <Bar filter={filter} />
      <div class="split">
        <div
          class="scroll channel-list"
          tabIndex={-1}
          role="region"
          aria-label={say("channels")}
          ref={scroller}
        >
          <div class="col">
            <Wishes filter={filter} words={words} />
            <Rows rows={steady} chosen={chosen} />
            {rows.length === 0 && (
              <p class="empty-note">
                {words.value === ""
                  ? say("channels-none")
                  : say("none-found", { words: words.value })}
              </p>
            )}
          </div>
        </div>
        {channel && <ChannelDetail key={channel.row.stream_id} channel={channel} />}
      </div>
    </>
  );
}

function Bar({ filter }: { filter: Filter }) {
  keyed("channels", "groups", "realm");
  const state = known()!;
  return (
    <div>
      <header class="bar">
        <BackButton isTop />
        <div class="bar-main">
          <h1>{say("channels")}</h1>
          <p class="sub">{countsOf(filter)}</p>
        </div>
        <div class="bar-acts">
          {isAdministrator(state) && (
            <Button kind="quiet" icon="folder" onClick={() => go(foldersView)}>
              {say("folders")}
            </Button>
          )}
          {mayMakeChannels(state) && (
            <Button kind="primary" icon="plus" onClick={() => go(newChannelView)}>
              {say("new-channel")}
            </Button>
          )}
        </div>
      </header>
      <Strip />
    </div>
  );
}

function countsOf(filter: Filter): string {
  const all = [...known()!.channels.channels.values()];
  const shown = all.filter(({ row }) => row.is_archived === (filter === "archived"));
  const own = shown.filter(({ standing }) => standing === "subscribed").length;
  return say("channels-count", { count: shown.length, own });
}

function Wishes({ filter, words }: { filter: Filter; words: Signal<string> }) {
  return (
    <div class="filters">
      <SearchField words={words} label={say("filter-channels")} leads />
      <Segments
        all={FILTERS}
        chosen={filter}
        nameOf={(one) => say(WORDS[one])}
        choose={(one) => go(listView(one), { replace: true })}
      />
      <label class="field">
        <span class="vh">{say("sort")}</span>
        <select
          value={sort.value}
          onChange={({ currentTarget }) => (sort.value = SORTS[currentTarget.selectedIndex]!)}
        >
          {SORTS.map((one) => (
            <option key={one} value={one}>
              {say(`sort-${one}`)}
            </option>
          ))}
        </select>
      </label>
    </div>
  );
}

function Rows({ rows, chosen }: { rows: readonly Row[]; chosen: Signal<string | undefined> }) {
  return (
    <List
      items={rows}
      chosen={chosen}
      onOpen={({ channel }, isAside) => {
        if (!channel) return;
        // Enter joins what one is not in, and opens what one is.
        const { stream_id } = channel.row;
        if (mayJoin(known()!, channel) && !isAside) void join(stream_id);
        else (isAside ? openAside : go)(channelHome(stream_id));
      }}
      keys={{
        S: ({ channel }) => channel !== undefined && toggleMembership(channel),
        V: ({ channel }) => channel !== undefined && go(channelHome(channel.row.stream_id)),
      }}
      draw={({ key, name, channel }, isChosen) =>
        channel ? (
          <ChannelRow key={key} itemKey={key} channel={channel} isChosen={isChosen} />
        ) : (
          <header class="list-head" key={key} data-key={key}>
            <Icon name={name === undefined ? "hash" : "folder"} size={18} />
            <h2>
              <bdi>{name ?? say("in-no-folder")}</bdi>
            </h2>
          </header>
        )
      }
    />
  );
}

interface Drawn {
  itemKey: string;
  channel: KnownChannel;
  isChosen: boolean;
}

function ChannelRow({ itemKey, channel: given, isChosen }: Drawn) {
  const { stream_id } = given.row;
  keyed(`channel:${stream_id}`, `subscribers:${stream_id}`);
  const channel = known()!.channels.channels.get(stream_id) ?? given;
  const { row, standing } = channel;
  return (
    <li
      class="list-row"
      data-key={itemKey}
      data-selected={isChosen ? "" : undefined}
      onContextMenu={(event) => void channelMenu(event, stream_id)}
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
                tabIndex={isChosen ? 0 : -1}
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
            <bdi>{saidOf(row) || "\u00a0"}</bdi>
          </p>
        </div>
      </div>
      <div class="end">
        {standing === "subscribed" ? (
          <span class="tag">{say("member")}</span>
        ) : (
          mayJoin(known()!, channel) && (
            <Button
              icon="plus"
              aria-label={say("join-named", { name: row.name })}
              tabIndex={isChosen ? 0 : -1}
              onClick={() => void join(stream_id)}
            >
              {say("join-channel")}
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
  const members = say("members", { count: row.subscriber_count });
  const { stream_weekly_traffic: traffic } = row;
  return traffic === null ? members : `${members} · ${say("a-week", { count: traffic })}`;
}
