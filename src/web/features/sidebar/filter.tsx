// The filter above the sidebar, which finds channels and topics.
import { useLayoutEffect, useMemo, useRef } from "preact/hooks";
import type { State } from "../../store/state.ts";
import { subscribe, getState } from "../../store/store.ts";
import { matchesWords } from "../../matching.ts";
import { takeCapturedText } from "../../ui/buffer-typing.ts";
import { Icon } from "../../ui/icon.tsx";
import { t } from "../../words/words.ts";
import type { KnownChannel } from "../channels/state.ts";
import { stableOrder } from "../lists/stable-order.ts";
import { loadRecent } from "../recent/load.ts";
import { ChannelRow } from "./channels.tsx";
import { filtered, isFiltering } from "./filtering.ts";
import { newestTopics, sidebarChannels } from "./selectors.ts";

const FOUND_TOPICS_MAX = 8;

export function Filter() {
  const input = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    filtered.value += takeCapturedText();
    input.current?.focus();
    // Loads topics of channels that were never expanded.
    void loadRecent().catch(() => undefined);
  }, []);
  const close = () => {
    isFiltering.value = false;
  };
  return (
    <label class="field">
      <Icon name="search" size={16} />
      <span class="vh">{t("filter-sidebar")}</span>
      <input
        ref={input}
        value={filtered.value}
        placeholder={t("filter-sidebar")}
        onInput={(event) => (filtered.value = event.currentTarget.value)}
        onKeyDown={(event) => {
          const [first, second] = document.querySelectorAll<HTMLElement>(
            ".sidebar-scroll .sidebar-row",
          );
          if (event.key === "Escape") close();
          else if (event.key === "Enter") {
            // If the first channel is listed only for its topics, Enter opens its first topic.
            (isFirstMatchChannel() ? first : second)?.click();
            close();
          } else return;
          event.preventDefault();
          event.stopPropagation();
        }}
      />
    </label>
  );
}

function isFirstMatchChannel(): boolean {
  const [first] = searchSidebar(getState(), filtered.value);
  return (
    !first || first.topics.length === 0 || matchesWords(filtered.value, first.channel.row.name)
  );
}

export function FilterResults() {
  subscribe("channels", "folders");
  const state = getState();
  for (const id of state.channels.channels.keys()) subscribe(`topics:${id}`);
  // While the filter is unchanged, later results do not reorder the rows.
  const order = useMemo(() => new Map<number, readonly string[]>(), [filtered.value]);
  const matches = searchSidebar(state, filtered.value).map(({ channel, topics }) => {
    const { stream_id } = channel.row;
    const stableRows = stableOrder(order.get(stream_id) ?? [], topics);
    order.set(stream_id, stableRows);
    return { channel, topics: stableRows };
  });
  if (matches.length === 0) {
    return (
      <p class="sidebar-note" role="status">
        {t("none-found", { words: filtered.value })}
      </p>
    );
  }
  return (
    <ul class="row-list">
      {matches.map(({ channel, topics }) => (
        <ChannelRow
          key={channel.row.stream_id}
          channel={channel}
          topics={filtered.value.trim() === "" ? [] : topics}
        />
      ))}
    </ul>
  );
}

/** Matches of the filter: channels by name, with their matching topics. */
function searchSidebar(state: State, text: string): { channel: KnownChannel; topics: string[] }[] {
  return sidebarChannels(state).flatMap((channel) => {
    const { stream_id, name } = channel.row;
    const matchingTopics = newestTopics(state, stream_id).filter((topic) =>
      matchesWords(text, topic.name),
    );
    const topics = matchingTopics.slice(0, FOUND_TOPICS_MAX).map((topic) => topic.name);
    return topics.length > 0 || matchesWords(text, name) ? [{ channel, topics }] : [];
  });
}
