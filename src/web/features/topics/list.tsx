// All topics of a channel: the newest first, with what is unread and what one wants of them.
import { type Signal, useSignal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import { go, remembered } from "../../address.ts";
import { oneOfDevice } from "../../device.ts";
import { keyed, known } from "../../live.ts";
import { finds } from "../../matching.ts";
import type { State } from "../../state.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { Colored } from "../../ui/colored.tsx";
import { Icon } from "../../ui/icon.tsx";
import { List } from "../../ui/list/list.tsx";
import { topicView } from "../../views.ts";
import { say } from "../../words/words.ts";
import { join } from "../channels/actions.ts";
import { ChannelActs, PanelToggle } from "../conversation/bar.tsx";
import { NewChannel } from "../conversation/empty.tsx";
import { barOf, topicName } from "../conversation/drawing.ts";
import { Filters } from "../lists/filters.tsx";
import { openAside } from "../lists/open.ts";
import { PlaceRow } from "../lists/row.tsx";
import { ListSheet } from "../lists/sheet.tsx";
import { useSteady } from "../lists/steady.ts";
import { newestTopics } from "../rail/rows.ts";
import { Blanks } from "../recent/view.tsx";
import { readPlaces } from "../unread/actions.ts";
import { toggleMuted, toggleResolved, unreadOf } from "./actions.ts";
import { useAgain } from "../lists/again.ts";
import { loadTopics } from "./whole.ts";
import { isResolved } from "./resolved.ts";
import { policyOf, topicKey, VISIBILITY } from "./state.ts";
import { channelMenu } from "../lists/menus.ts";
import { subOf } from "../channels/said.ts";

const FILTERS = ["all", "open", "unread", "followed"] as const;
type Filter = (typeof FILTERS)[number];
const filter = oneOfDevice<Filter>("topics-filter", FILTERS);

interface Row {
  key: string;
  topic: string;
  max_id: number;
}

export function TopicList({ stream_id }: { stream_id: number }) {
  keyed(`channel:${stream_id}`, `topics:${stream_id}`, `unread:channel/${stream_id}`);
  const state = known()!;
  const words = useSignal("");
  const isFailed = useSignal(false);
  const chosen = useSignal(remembered.peek().row);
  const isWhole = state.topics.whole.has(stream_id);
  const told = (is: boolean) => () => void (isFailed.value = is);
  const channel = state.channels.channels.get(stream_id);
  // Out of sight there is nothing to ask for.
  const ask = () => channel && void loadTopics(stream_id).then(told(false), told(true));
  useAgain(ask, channel && stream_id);
  const rows = useSteady(rowsOf(state, stream_id, words.value), ({ key }) => key);
  const steady = useMemo(
    () => rows,
    [rows.map(({ key, max_id }) => `${key}:${max_id}`).join("\n")],
  );
  const bar = barOf({ stream_id, topic: "" });
  if (!channel)
    return <ListSheet title={say("channel")} label={say("topics")} children={<NoChannel />} />;
  return (
    <ListSheet
      title={
        <>
          <Colored color={bar.color} class="ch">
            <Icon name={bar.icon} />
          </Colored>
          <bdi class="tp">{channel.row.name}</bdi>
        </>
      }
      sub={subOf(channel.row)}
      label={say("topics")}
      lead={<ChannelActs stream_id={stream_id} isList />}
      acts={<Acts stream_id={stream_id} isIn={channel.standing === "subscribed"} />}
    >
      <div class="col">
        <Filters all={FILTERS} chosen={filter} words={words} />
        <div class="recent-list" aria-busy={!isWhole && !isFailed.value}>
          {!isWhole && !isFailed.value && rows.length === 0 && <Blanks />}
          <Topics stream_id={stream_id} rows={steady} chosen={chosen} />
        </div>
        {isFailed.value && (
          <p class="empty-note" role="alert">
            {say("load-failed")}
          </p>
        )}
        {rows.length === 0 && isWhole && <None words={words.value} stream_id={stream_id} />}
      </div>
    </ListSheet>
  );
}

interface Listed {
  stream_id: number;
  rows: readonly Row[];
  chosen: Signal<string | undefined>;
}

function Topics({ stream_id, rows, chosen }: Listed) {
  return (
    <List
      items={rows}
      chosen={chosen}
      onOpen={({ topic }, isAside) => (isAside ? openAside : go)(topicView(stream_id, topic))}
      keys={keysOf(stream_id)}
      draw={({ key, topic, max_id }, isChosen) => (
        <PlaceRow
          key={key}
          place={{ stream_id, topic }}
          itemKey={key}
          isChosen={isChosen}
          max_id={max_id}
          seen_ids={[max_id]}
          lead="none"
        />
      )}
    />
  );
}

function Acts({ stream_id, isIn }: { stream_id: number; isIn: boolean }) {
  return (
    <>
      {!isIn && (
        <Button icon="plus" onClick={() => void join(stream_id)}>
          {say("join-channel")}
        </Button>
      )}
      <PanelToggle />
      <IconButton
        icon="dots"
        label={say("more")}
        aria-haspopup="menu"
        onClick={({ currentTarget }) => void channelMenu(currentTarget, stream_id)}
      />
    </>
  );
}

function rowsOf(state: State, stream_id: number, words: string): Row[] {
  const { topics, unread } = state;
  return newestTopics(state, stream_id)
    .filter(({ name }) => {
      const policy = policyOf(topics, stream_id, name);
      if (filter.value === "open" && isResolved(name)) return false;
      if (filter.value === "followed" && policy !== VISIBILITY.followed) return false;
      if (filter.value === "unread" && !unread.places.has(topicKey(stream_id, name))) return false;
      return finds(words, topicName(name));
    })
    .map(({ name, max_id }) => ({ key: topicKey(stream_id, name), topic: name, max_id }));
}

const keysOf = (stream_id: number): Record<string, (item: Row) => boolean | void> => ({
  e: ({ topic }) => readPlaces(unreadOf(stream_id, topic)),
  M: ({ topic }) => toggleMuted(stream_id, topic),
  T: ({ topic }) => void toggleResolved(stream_id, topic),
});

function None({ words, stream_id }: { words: string; stream_id: number }) {
  if (words !== "" || filter.value !== "all") {
    return (
      <p class="empty-note">
        {words === "" ? say("topics-none-so") : say("none-found", { words })}
      </p>
    );
  }
  return <NewChannel stream_id={stream_id} />;
}

function NoChannel() {
  return <p class="empty-note">{say("no-such-channel")}</p>;
}
