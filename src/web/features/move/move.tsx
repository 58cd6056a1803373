// The dialog for moving a message, with others of its topic if wanted.
import { type Signal, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { fetchMessages } from "../../api/calls.ts";
import { editMessage } from "../../api/message-calls.ts";
import { foldTopic } from "../../conversation-keys.ts";
import { sync } from "../../sync/session.ts";
import { subscribe, getState } from "../../store/store.ts";
import { optimistic, showRefusal } from "../../sync/optimistic.ts";
import { Dialog, SubmitFoot } from "../../ui/dialog.tsx";
import { closeLayer, openLayer, replacerOf } from "../../ui/layers.ts";
import { showToast } from "../../ui/toast.tsx";
import { t, type TextKey } from "../../words/words.ts";
import {
  countLosingAccess,
  channelsFor,
  COUNTED_MESSAGES_MAX,
  countOf,
  type MoveMode,
} from "./effects.ts";
import { canRetopic, canMoveToOtherChannel } from "../messages/permissions.ts";
import type { Message, ChannelMessage } from "../../contract/message.ts";
import { personOf } from "../people/state.ts";
import { topicName } from "../conversation/selectors.ts";
import { isResolved, resolved, unresolved } from "../topics/rules.ts";
import { optimisticMove } from "../topics/move-actions.ts";
import { TopicBox, topicIn } from "../recipient/topic-field.tsx";

const ID = "move-message";
const MODES: readonly (readonly [MoveMode, TextKey])[] = [
  ["change_one", "move-one"],
  ["change_later", "move-later"],
  ["change_all", "move-all"],
];

/** Direct messages cannot be moved. */
export function openMove(message: Message): void {
  if (message.type === "stream") openLayer(ID, <Move message={message} isTopic={false} />);
}

/** Moves the whole topic, usually to rename it. `find` returns one of its messages. */
export async function showMoveTopic(find: () => Promise<Message | undefined>): Promise<void> {
  const replace = replacerOf(ID);
  try {
    const message = await find();
    if (message?.type === "stream") replace(<Move message={message} isTopic />);
  } catch (error) {
    showRefusal(error);
  }
}

function Move({ message, isTopic }: { message: ChannelMessage; isTopic: boolean }) {
  subscribe("channels");
  const stream_id = useSignal(message.stream_id);
  const keepsResolved = isTopic && isResolved(message.subject);
  const topic = useSignal(keepsResolved ? unresolved(message.subject) : message.subject);
  const mode = useSignal<MoveMode>(isTopic ? "change_all" : "change_one");
  const tellsOld = useSignal(false);
  const tellsNew = useSignal(true);
  const from = { stream_id: message.stream_id, topic: message.subject };
  const isFixed = !canRetopic(getState(), message, message.timestamp);
  const newTopic = isFixed ? from.topic : topicIn(stream_id.value, topic.value);
  const isRenamed = newTopic !== unresolved(message.subject);
  const destination =
    keepsResolved && !(isRenamed && isKnown(stream_id.value, newTopic))
      ? asResolved(newTopic)
      : newTopic;
  const isChanged = stream_id.value !== from.stream_id || destination !== from.topic;
  const submit = () => {
    if (!isChanged || destination === undefined) return;
    const message_id = message.id;
    const to = { stream_id: stream_id.value, topic: destination };
    const request = editMessage.toRequest({
      message_id,
      propagate_mode: mode.value,
      ...(to.topic !== from.topic && { topic: to.topic }),
      ...(to.stream_id !== from.stream_id && { stream_id: to.stream_id }),
      send_notification_to_old_thread: tellsOld.value,
      send_notification_to_new_thread: tellsNew.value,
    });
    const { local, inverse } = optimisticMove({ message_id, mode: mode.value, from, to });
    closeLayer(ID);
    void optimistic(request, local, inverse, { change: { message_id, from, to } });
    showToast({ text: t("moved-to", { topic: topicName(to.topic) }) });
  };
  return (
    <Dialog
      id={ID}
      isAllowed={canMoveNow(message)}
      title={t(isTopic ? "move-topic" : "move-message")}
      onSubmit={submit}
      foot={
        <SubmitFoot id={ID} isDisabled={!isChanged || destination === undefined}>
          {t("move")}
        </SubmitFoot>
      }
    >
      <Destination message={message} stream_id={stream_id} topic={topic} isTopic={isTopic} />
      {!isTopic && <Modes message={message} mode={mode} />}
      <AccessLoss from={message.stream_id} to={stream_id.value} />
      <NoticeCheckbox textKey="notice-in-old-topic" value={tellsOld} />
      <NoticeCheckbox textKey="notice-in-new-topic" value={tellsNew} />
    </Dialog>
  );
}

/** Whether another topic has this name, with which the moved one is merged. */
const isKnown = (stream_id: number, topic: string | undefined): boolean =>
  topic !== undefined && getState().topics.byChannel.get(stream_id)?.has(foldTopic(topic)) === true;

/** A resolved topic stays resolved under its new name. */
const asResolved = (topic: string | undefined) => (topic ? resolved(topic) : topic);

/** Whether the topic or channel can be changed. The server also checks the time limit. */
function canMoveNow(message: Message): boolean {
  subscribe("realm", "groups", `user:${getState().people.me}`);
  const [state, seconds] = [getState(), message.timestamp];
  return canRetopic(state, message, seconds) || canMoveToOtherChannel(state, message, seconds);
}

function Modes({ message, mode }: { message: ChannelMessage; mode: Signal<MoveMode> }) {
  const count = useCount(message);
  return (
    <fieldset class="messages-choices">
      <legend class="label">{t("move-which")}</legend>
      {MODES.map(([value, textKey]) => (
        <label key={value}>
          <input
            class="radio"
            type="radio"
            name="mode"
            checked={mode.value === value}
            onChange={() => (mode.value = value)}
          />
          {t(textKey)} <small>{count.value && countOf(value, count.value)}</small>
        </label>
      ))}
    </fieldset>
  );
}

interface DestinationProps {
  message: ChannelMessage;
  stream_id: Signal<number>;
  topic: Signal<string>;
  isTopic: boolean;
}

function Destination({ message, stream_id, topic, isTopic }: DestinationProps) {
  const form = useRef<HTMLDivElement>(null);
  const state = getState();
  const seconds = Date.now() / 1000;
  useEffect(() => {
    const name = isTopic && form.current?.querySelector("input");
    if (!name) return;
    name.focus();
    name.select();
  }, []);
  return (
    <div class="form" ref={form}>
      {canMoveToOtherChannel(state, message, seconds) && (
        <label class="label">
          {t("channel")}
          <span class="field">
            <select
              value={`${stream_id.value}`}
              onChange={(event) => (stream_id.value = Number(event.currentTarget.value))}
            >
              {channelsFor(state, message.stream_id).map((row) => (
                <option key={row.stream_id} value={`${row.stream_id}`}>
                  {row.name}
                </option>
              ))}
            </select>
          </span>
        </label>
      )}
      {canRetopic(state, message, seconds) && (
        <TopicBox stream_id={stream_id.value} topic={topic} />
      )}
    </div>
  );
}

function AccessLoss({ from, to }: { from: number; to: number }) {
  const {
    channels: { channels },
    people,
  } = getState();
  const [source, target] = [channels.get(from), channels.get(to)];
  if (!source || !target) return null;
  const count = countLosingAccess(source, target, (id) => personOf(people, id)?.is_guest === true);
  const { name, invite_only, history_public_to_subscribers } = target.row;
  // Users who were not subscribed when it was sent lose access, and cannot be counted.
  const isHistoryHidden = from !== to && invite_only && !history_public_to_subscribers;
  if (count === 0 && !isHistoryHidden) return null;
  const text =
    count === undefined
      ? t("move-lose-access-some", { name })
      : t("move-lose-access", { count, name });
  return (
    <p class="hint" role="status">
      {isHistoryHidden ? t("move-lose-access-history", { name }) : text}
    </p>
  );
}

function NoticeCheckbox({ textKey, value }: { textKey: TextKey; value: Signal<boolean> }) {
  return (
    <label class="org-check">
      <input
        class="switch"
        type="checkbox"
        checked={value.value}
        onChange={(event) => (value.value = event.currentTarget.checked)}
      />
      {t(textKey)}
    </label>
  );
}

/** Counts the messages of the topic before and after this one. */
function useCount({ id, stream_id, subject }: Message) {
  const count = useSignal<Parameters<typeof countOf>[1] | undefined>(undefined);
  useEffect(() => {
    const narrow = [
      { operator: "channel", operand: stream_id },
      { operator: "topic", operand: subject },
    ];
    const range = {
      anchor: `${id}`,
      num_before: COUNTED_MESSAGES_MAX,
      num_after: COUNTED_MESSAGES_MAX,
    };
    fetchMessages(sync, { narrow, ...range, allow_empty_topic_name: true }).then(
      ({ messages, found_oldest, found_newest }) => {
        const before = messages.filter((message) => message.id < id).length;
        const after = messages.filter((message) => message.id > id).length;
        count.value = { before, after, isWhole: found_oldest && found_newest };
      },
      () => undefined,
    );
  }, []);
  return count;
}
