// Forwards a message to another conversation as a quotation, with an optional comment.
import { type Signal, useSignal } from "@preact/signals";
import { go } from "../../../store/address.ts";
import { subscribe, getState } from "../../../store/store.ts";
import { openPersonalStore } from "../../../sync/optimistic.ts";
import { conversationOfTarget, type Target } from "../../recipient/target-rules.ts";
import { Dialog, SubmitFoot } from "../../../ui/dialog.tsx";
import { FieldError } from "../../../ui/form/text-field.tsx";
import { SignalField } from "../../../ui/form/signal-field.tsx";
import { openLayer, useCloseLayer } from "../../../ui/layers.ts";
import { firstOf } from "../../../content/item-at.ts";
import { useSaving } from "../../../ui/saving.ts";
import { showToast } from "../../../ui/toast.tsx";
import { t } from "../../../words/words.ts";
import { conversationName } from "../../conversation/selectors.ts";
import { recentConversations } from "../../conversations/state.ts";
import { viewOfConversation } from "../../lists/selectors.ts";
import { channelsFor } from "../../move/effects.ts";
import { Picker } from "../../picker/picker.tsx";
import type { Picked } from "../../picker/selectors.ts";
import { TopicBox, topicIn } from "../../recipient/topic-field.tsx";
import { quoteMarkdown } from "../quote-actions.ts";
import type { Message } from "../../../contract/message.ts";

const ID = "forward";
/** The choice that shows a field for people, also those without a conversation. */
const PEOPLE = "people";

export function openForward(message: Message): void {
  openLayer(ID, <Forward message={message} />);
}

function Forward({ message }: { message: Message }) {
  subscribe("channels", "realm");
  const state = getState();
  const [channel] = channelsFor(state, message.stream_id ?? -1);
  const [direct] = recentConversations(state.conversations);
  const to = useSignal(channel ? `c${channel.stream_id}` : `d${direct?.user_ids ?? ""}`);
  const topic = useSignal("");
  const note = useSignal("");
  const people = useSignal<readonly Picked[]>([]);
  const target = to.value === PEOPLE ? directTo(people.value) : targetOf(to.value, topic.value);
  const saving = useSaving();
  const close = useCloseLayer(ID);
  const forward = async (to: Target) => {
    const text = `${note.value.trim()}\n\n${await quoteMarkdown(message)}`.trim();
    await openPersonalStore().mutations.send(to, text).stored;
  };
  const submit = async () => {
    if (!target || !(await saving.save(ID, () => forward(target)))) return;
    close();
    const targetView = viewOfConversation(conversationOfTarget(target));
    showToast({ text: t("forwarded"), undo: () => go(targetView), undoLabel: t("show") });
  };
  return (
    <Dialog
      id={ID}
      title={t("forward")}
      onSubmit={() => void submit()}
      foot={
        <SubmitFoot id={ID} isDisabled={!target || saving.busy.value !== undefined}>
          {t("send")}
        </SubmitFoot>
      }
    >
      <Fields message={message} to={to} topic={topic} people={people} note={note} />
      <FieldError text={saving.errors.value[ID]} />
    </Dialog>
  );
}

interface ForwardValues {
  message: Message;
  to: Signal<string>;
  topic: Signal<string>;
  people: Signal<readonly Picked[]>;
  note: Signal<string>;
}

function Fields({ message, to, topic, people, note }: ForwardValues) {
  const state = getState();
  const channels = channelsFor(state, message.stream_id ?? -1);
  const directs = recentConversations(state.conversations);
  const isChannel = to.value.startsWith("c");
  return (
    <div class="form">
      <label class="label">
        {t("forward-to")}
        <span class="field">
          <select value={to.value} onChange={(event) => (to.value = event.currentTarget.value)}>
            <optgroup label={t("channels")}>
              {channels.map(({ stream_id, name }) => (
                <option key={stream_id} value={`c${stream_id}`}>
                  {name}
                </option>
              ))}
            </optgroup>
            <optgroup label={t("direct-messages")}>
              {directs.map(({ user_ids }) => (
                <option key={`${user_ids}`} value={`d${user_ids}`}>
                  {conversationName(user_ids)}
                </option>
              ))}
              <option value={PEOPLE}>{t("forward-people")}</option>
            </optgroup>
          </select>
        </span>
      </label>
      {to.value === PEOPLE && (
        <Picker
          label={t("people")}
          placeholder={t("new-direct-example")}
          picked={people.value}
          kinds={["person"]}
          onChange={(all) => (people.value = all)}
        />
      )}
      {isChannel && <TopicBox stream_id={Number(to.value.slice(1))} topic={topic} />}
      <SignalField label={t("forward-note")} text={note} rows={3} />
    </div>
  );
}

function directTo(people: readonly Picked[]): Target | undefined {
  const { me } = getState().people;
  const others = people.map(({ id }) => id).filter((id) => id !== me);
  return people.length === 0 ? undefined : { type: "direct", user_ids: others };
}

/** Undefined while the channel requires a topic. */
function targetOf(to: string, text: string): Target | undefined {
  const ids = to.slice(1).split(",").filter(Boolean).map(Number);
  if (!to.startsWith("c")) return { type: "direct", user_ids: ids };
  const stream_id = firstOf(ids);
  const topic = topicIn(stream_id, text);
  return topic === undefined ? undefined : { type: "channel", stream_id, topic };
}
