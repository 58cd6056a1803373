// A field over the rail that finds channels, and topics under theirs.
import { useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { keyed, known } from "../../live.ts";
import { finds } from "../../matching.ts";
import { caughtTyping } from "../../ui/ahead.ts";
import { Icon } from "../../ui/icon.tsx";
import { say } from "../../words/words.ts";
import { steadied } from "../lists/steady.ts";
import { loadRecent } from "../recent/load.ts";
import { ChannelRow } from "./channels.tsx";
import { filtered, isFiltering } from "./filtering.ts";
import { foundInRail } from "./rows.ts";

export function Filter() {
  const input = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    filtered.value += caughtTyping();
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
      <span class="vh">{say("filter-rail")}</span>
      <input
        ref={input}
        value={filtered.value}
        placeholder={say("filter-rail")}
        onInput={(event) => (filtered.value = event.currentTarget.value)}
        onKeyDown={(event) => {
          const [first, second] = document.querySelectorAll<HTMLElement>(".rail-scroll .rail-row");
          if (event.key === "Escape") close();
          else if (event.key === "Enter") {
            // A channel that stands there for its topics was not looked for.
            (isFirstMeant() ? first : second)?.click();
            close();
          } else return;
          event.preventDefault();
          event.stopPropagation();
        }}
      />
    </label>
  );
}

function isFirstMeant(): boolean {
  const [first] = foundInRail(known()!, filtered.value);
  return !first || first.topics.length === 0 || finds(filtered.value, first.channel.row.name);
}

export function Found() {
  keyed("channels", "folders");
  const state = known()!;
  for (const id of state.channels.channels.keys()) keyed(`topics:${id}`);
  // While the same is looked for, what comes meanwhile moves nothing away from under a key.
  const order = useMemo(() => new Map<number, readonly string[]>(), [filtered.value]);
  const found = foundInRail(state, filtered.value).map(({ channel, topics }) => {
    const { stream_id } = channel.row;
    const steady = steadied(order.get(stream_id) ?? [], topics);
    order.set(stream_id, steady);
    return { channel, topics: steady };
  });
  if (found.length === 0) {
    return (
      <p class="rail-note" role="status">
        {say("none-found", { words: filtered.value })}
      </p>
    );
  }
  return (
    <ul class="row-list">
      {found.map(({ channel, topics }) => (
        <ChannelRow
          key={channel.row.stream_id}
          channel={channel}
          topics={filtered.value.trim() === "" ? [] : topics}
        />
      ))}
    </ul>
  );
}
