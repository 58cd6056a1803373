// Channels in the rail, pinned and by folder; the one that is open has its topics on its thread.
import { computed, useComputed } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { addressOf, go, onSheet } from "../../address.ts";
import { isTexts, ofDevice } from "../../device.ts";
import { keyed, known } from "../../live.ts";
import { IconButton } from "../../ui/button.tsx";
import { setColor } from "../../ui/colored.tsx";
import { RowBoundary } from "../../failures/boundary.tsx";
import { Count } from "../../ui/count.tsx";
import { Icon } from "../../ui/icon.tsx";
import { topicView, type View } from "../../views.ts";
import { say } from "../../words/words.ts";
import { channelHome } from "../channels/home.ts";
import type { KnownChannel } from "../channels/state.ts";
import { barOf, topicName } from "../conversation/drawing.ts";
import { may } from "../groups/may.ts";
import { isResolved, unresolved } from "../topics/resolved.ts";
import { foldTopic, topicKey } from "../topics/state.ts";
import { loadTopics } from "../topics/whole.ts";
import { useSteady } from "../lists/steady.ts";
import { railSections, railTopics, type Section } from "./rows.ts";
import { isShown } from "./views.tsx";
import { channelMenu, topicMenu } from "../lists/menus.ts";

const closed = ofDevice<string[]>("rail-closed", [], isTexts);

export function Channels() {
  keyed("channels", "folders", "settings");
  return (
    <>
      {railSections(known()!).map((section) => (
        <Sectioned key={section.key} section={section} />
      ))}
      <a
        class="rail-row"
        href={addressOf(ALL_CHANNELS)}
        data-muted=""
        aria-current={isShown(addressOf(ALL_CHANNELS)) ? "page" : undefined}
      >
        <Icon name="list" size={18} />
        <bdi class="t">{say("browse-channels")}</bdi>
      </a>
    </>
  );
}

function nameOf({ key, name }: Section): string {
  return name ?? (key === "pinned" ? say("pinned") : say("channels"));
}

function Sectioned({ section }: { section: Section }) {
  const { key, channels } = section;
  const isClosed = closed.value.includes(key);
  const toggle = () => {
    const others = closed.value.filter((one) => one !== key);
    closed.value = isClosed ? others : [...others, key];
  };
  const open = openChannel();
  const shown = isClosed ? channels.filter(({ row }) => row.stream_id === open) : channels;
  return (
    <>
      <div class="rail-head">
        <h2>
          <button type="button" aria-expanded={!isClosed} onClick={toggle}>
            <bdi>{nameOf(section)}</bdi>
            {isClosed && <Icon name="right" size={16} />}
          </button>
        </h2>
        {key === "channels" && (
          <IconButton
            icon="plus"
            size="xs"
            label={say(mayMake() ? "new-channel" : "browse-channels")}
            onClick={() => go(mayMake() ? NEW_CHANNEL : ALL_CHANNELS)}
          />
        )}
      </div>
      {shown.length > 0 && (
        <ul class="row-list">
          {shown.map((channel) => (
            <RowBoundary key={channel.row.stream_id} look="rail-row">
              <ChannelRow channel={channel} />
            </RowBoundary>
          ))}
        </ul>
      )}
    </>
  );
}

const pageOf = (path: string): View => ({ kind: "page", page: "channels", path: [path] });
const ALL_CHANNELS = pageOf("all");
const NEW_CHANNEL = pageOf("new");

/** The page lets the user choose the kind. */
function mayMake(): boolean {
  const state = known()!;
  const kinds = ["public", "private", "web_public"] as const;
  return kinds.some((kind) => may(state, `can_create_${kind}_channel_group`));
}

const COUNTING = { all: 1, none: 3 } as const;

const operandOf = (shown: View, operator: string): string | undefined =>
  shown.kind === "messages"
    ? shown.terms.find((one) => one.operator === operator && !one.negated)?.operand
    : undefined;

const opened = computed(() => {
  const shown = onSheet.value;
  if (shown.kind === "topics") return shown.stream_id;
  const operand = operandOf(shown, "channel");
  return operand === undefined ? undefined : Number(operand);
});

/** The channel of the view, whose topics are unfolded. */
export const openChannel = (): number | undefined => opened.value;

/** Limits rendering to the rows that a change of the view affects. */
const useFound = <T,>(find: () => T): T => useComputed(find).value;

export function ChannelRow({
  channel: { row },
  topics,
}: {
  channel: KnownChannel;
  /** Topics that match the filter, in place of the usual ones. */
  topics?: readonly string[];
}) {
  const { stream_id } = row;
  const policy = "web_stream_unreads_count_display_policy";
  const keys = [`channel:${stream_id}`, `unread:channel/${stream_id}`, `setting:${policy}`];
  keyed(...keys);
  const { unread, settings } = known()!;
  const count = unread.channels.get(stream_id);
  const counting = settings.settings[policy];
  const address = useFound(() => {
    keyed(...keys);
    // Updated when the user goes elsewhere, so that nothing moves under the pointer.
    void onSheet.value;
    return addressOf(channelHome(stream_id));
  });
  const words = barOf({ stream_id, topic: "" });
  const isMuted = row.is_muted === true;
  const isFaint = isMuted && !count?.shown;
  const shown = (isFaint ? count?.muted : count?.shown) ?? 0;
  const isOpen = useFound(() => openChannel() === stream_id);
  const isHere =
    isOpen && onSheet.value.kind === "messages" && operandOf(onSheet.value, "topic") === undefined;
  return (
    <li data-c="" ref={(node) => setColor(node, row.color)}>
      <a
        class="rail-row"
        href={address}
        data-unread={(count?.shown ?? 0) > 0 ? "" : undefined}
        data-muted={isMuted ? "" : undefined}
        aria-current={isHere ? "page" : undefined}
        onContextMenu={(event) => void channelMenu(event, stream_id)}
      >
        <Icon name={words.icon} size={18} of="ch" />
        <bdi class="t">{row.name}</bdi>
        <Count
          count={shown}
          mentions={count?.mentions ?? 0}
          isMuted={isFaint}
          isDot={counting === COUNTING.none || (isFaint && counting !== COUNTING.all)}
        />
      </a>
      {topics ? (
        topics.length > 0 && <TopicRows stream_id={stream_id} topics={topics} />
      ) : (
        <>{isOpen && <Topics stream_id={stream_id} />}</>
      )}
    </li>
  );
}

/** The topics of the open channel. Loaded when it is first expanded. */
function Topics({ stream_id }: { stream_id: number }) {
  keyed(`topics:${stream_id}`, `unread:channel/${stream_id}`);
  useEffect(() => {
    // Known topics are displayed meanwhile, or if the request fails.
    loadTopics(stream_id).catch(() => undefined);
  }, [stream_id]);
  const current = operandOf(onSheet.value, "topic");
  const topics = useSteady(railTopics(known()!, stream_id, current), foldTopic);
  return <TopicRows stream_id={stream_id} topics={topics} hasAll />;
}

interface Shown {
  stream_id: number;
  topics: readonly string[];
  hasAll?: boolean;
}

function TopicRows({ stream_id, topics, hasAll = false }: Shown) {
  const all = addressOf({ kind: "topics", stream_id });
  return (
    <ul class="rail-topics">
      {topics.map((topic) => (
        <RowBoundary key={foldTopic(topic)} look="rail-row">
          <TopicRow stream_id={stream_id} topic={topic} />
        </RowBoundary>
      ))}
      {hasAll && (
        <li>
          <a
            class="rail-row"
            href={all}
            data-muted=""
            aria-current={isShown(all) ? "page" : undefined}
          >
            <bdi class="t">{say("all-topics")}</bdi>
          </a>
        </li>
      )}
    </ul>
  );
}

function TopicRow({ stream_id, topic }: { stream_id: number; topic: string }) {
  const key = topicKey(stream_id, topic);
  keyed(`unread:${key}`, `topic:${key}`);
  const { ids = [], mentions = 0, isMuted = false } = known()!.unread.places.get(key) ?? {};
  const address = addressOf(topicView(stream_id, topic));
  const isDone = isResolved(topic);
  const isHere = useFound(() => {
    const current = operandOf(onSheet.value, "topic");
    if (current === undefined || openChannel() !== stream_id) return false;
    return foldTopic(current) === foldTopic(topic);
  });
  return (
    <li>
      <a
        class="rail-row"
        href={address}
        data-unread={ids.length > 0 && !isMuted ? "" : undefined}
        data-muted={isMuted || isDone ? "" : undefined}
        aria-current={isHere ? "page" : undefined}
        onContextMenu={(event) => void topicMenu(event, stream_id, topic)}
      >
        {isDone && <Icon name="check" size={16} />}
        <bdi class="t">{topicName(unresolved(topic))}</bdi>
        {isDone && <span class="vh">{say("resolved")}</span>}
        <Count count={ids.length} mentions={mentions} isMuted={isMuted} />
      </a>
    </li>
  );
}
