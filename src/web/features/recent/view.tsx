// Every conversation by its newest message, further back as one asks for more.
import { useSignal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import { go, remembered } from "../../address.ts";
import { oneOfDevice } from "../../device.ts";
import { keyed, known } from "../../live.ts";
import { finds } from "../../matching.ts";
import type { State } from "../../state.ts";
import { Button } from "../../ui/button.tsx";
import { List } from "../../ui/list/list.tsx";
import { say } from "../../words/words.ts";
import { conversationName, topicName } from "../conversation/drawing.ts";
import { Tip } from "../founding/tip.tsx";
import { Filters } from "../lists/filters.tsx";
import { openAside } from "../lists/open.ts";
import { viewOfPlace } from "../lists/places.ts";
import { PlaceRow } from "../lists/row.tsx";
import { ListSheet } from "../lists/sheet.tsx";
import { useSteady } from "../lists/steady.ts";
import { toggleMuted } from "../topics/actions.ts";
import { readPlaces } from "../unread/actions.ts";
import { useAgain } from "../lists/again.ts";
import { isRecentLoaded, loadMore, loadRecent, recentKnown } from "./load.ts";
import { type RecentPlace, recentPlaces } from "./places.ts";

const FILTERS = ["all", "unread", "own", "direct"] as const;
type Filter = (typeof FILTERS)[number];
const filter = oneOfDevice<Filter>("recent-filter", FILTERS);

export function Recent() {
  keyed("recent", "dms", "channels");
  const state = known()!;
  for (const id of state.channels.channels.keys()) keyed(`topics:${id}`);
  if (filter.value === "unread") keyed("unread:all");
  const words = useSignal("");
  const isFailed = useSignal(false);
  const chosen = useSignal(remembered.peek().row);
  const told = (is: boolean) => () => void (isFailed.value = is);
  const load = (ask: () => Promise<void>) => void ask().then(told(false), told(true));
  useAgain(() => load(loadRecent));
  const found = recentPlaces(state, recentKnown).filter((one) => isShown(state, one, words.value));
  const items = useSteady(found, ({ key }) => key);
  const key = items.map((one) => `${one.key}:${one.max_id}:${one.participants}`).join("\n");
  const steady = useMemo(() => items, [key]);
  return (
    <ListSheet title={say("recent")} sub={say("recent-sub")} label={say("recent-label")}>
      <div class="col">
        <Filters all={FILTERS} chosen={filter} words={words} />
        <div class="recent-list" aria-busy={!isRecentLoaded()}>
          {!isRecentLoaded() && !isFailed.value && items.length === 0 && <Blanks />}
          <List
            items={steady}
            chosen={chosen}
            onOpen={({ place }, isAside) =>
              isAside ? openAside(viewOfPlace(place)) : go(viewOfPlace(place))
            }
            keys={KEYS}
            draw={(one, isChosen) => <Row key={one.key} recent={one} isChosen={isChosen} />}
          />
        </div>
        {items.length === 0 && isRecentLoaded() && (
          <p class="empty-note">
            {words.value === "" ? say("recent-none") : say("none-found", { words: words.value })}
          </p>
        )}
        <div class="list-foot">
          {isFailed.value && <p role="alert">{say("load-failed")}</p>}
          {recentKnown.down_to !== null && (isRecentLoaded() || isFailed.value) && (
            <Button onClick={() => load(loadMore)}>{say("load-more")}</Button>
          )}
        </div>
        {items.length > 0 && <Tip step="intro_recent_view_modal" words="tip-recent" />}
      </div>
    </ListSheet>
  );
}

function Row({ recent, isChosen }: { recent: RecentPlace; isChosen: boolean }) {
  const { key, place, max_id, participants } = recent;
  return (
    <PlaceRow
      place={place}
      itemKey={key}
      isChosen={isChosen}
      max_id={max_id}
      participants={participants}
      lead="small"
      hasChannel
    />
  );
}

const BLANKS = 8;
/** Rows of the height that is to come. */
export function Blanks() {
  return (
    <ul class="blanks" aria-hidden="true">
      {Array.from({ length: BLANKS }, (_, at) => (
        <li key={at} class="list-row" />
      ))}
    </ul>
  );
}

const KEYS: Readonly<Record<string, (item: RecentPlace) => boolean | void>> = {
  e: ({ key }) => {
    const place = known()!.unread.places.get(key);
    readPlaces(place ? [place] : []);
  },
  M: ({ place }) => {
    if ("user_ids" in place) return false;
    toggleMuted(place.stream_id, place.topic);
    return true;
  },
};

function isShown(state: State, { key, place, participants }: RecentPlace, words: string): boolean {
  const isDirect = "user_ids" in place;
  if (filter.value === "direct" && !isDirect) return false;
  if (filter.value === "unread" && !state.unread.places.has(key)) return false;
  if (filter.value === "own" && !isDirect && !participants.includes(state.people.me)) return false;
  return words.trim() === "" || finds(words, nameOf(state, place));
}

function nameOf({ channels }: State, place: RecentPlace["place"]): string {
  if ("user_ids" in place) return conversationName(place.user_ids);
  const channel = channels.channels.get(place.stream_id)?.row.name ?? "";
  return `${topicName(place.topic)} ${channel}`;
}
