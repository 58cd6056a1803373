// Selects the recipient of a message: a channel and topic, or users.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { subscribe, getState } from "../../store/store.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { IconButton } from "../../ui/button.tsx";
import { Colored } from "../../ui/colored.tsx";
import { Icon } from "../../ui/icon.tsx";
import { useBackHandler } from "../../ui/layers.ts";
import { t } from "../../words/words.ts";
import { topicName } from "../conversation/selectors.ts";
import { personOf } from "../people/state.ts";
import { type ComboChoice, Combo } from "./combo.tsx";
import { suggester } from "../typeahead/suggester.ts";
import { channelIcon, channelOf } from "../typeahead/names.ts";
import { recipientDraft, type RecipientDraft } from "../compose/session-state.ts";
import { channelsBy } from "../typeahead/suggest-places.ts";
import { loadTopics } from "../typeahead/load.ts";
import { TopicField } from "./topic-field.tsx";
import { topicsPolicy } from "./topics-policy.ts";
import { descriptionText } from "../channels/selectors.ts";

interface RecipientPickerProps {
  recipient: RecipientDraft;
  /** Called when a recipient is chosen, to focus the text. */
  onDone: () => void;
  onLeave: () => void;
}

export function RecipientPicker({ recipient, onDone, onLeave }: RecipientPickerProps) {
  useBackHandler(onLeave);
  return (
    <div class="compose-to" data-recipient="">
      <span class="knot" />
      {recipient.kind === "channel" ? (
        <ChannelRecipient recipient={recipient} onDone={onDone} />
      ) : (
        <PeopleRecipient recipient={recipient} onDone={onDone} />
      )}
      <span class="compose-leave">
        <IconButton icon="x" label={t("leave-target")} size="xs" onClick={onLeave} />
      </span>
    </div>
  );
}

type ToChannel = Extract<RecipientDraft, { kind: "channel" }>;

function ChannelRecipient({ recipient, onDone }: { recipient: ToChannel; onDone: () => void }) {
  subscribe("channels");
  const { stream_id, topic, isNew } = recipient;
  const channel = stream_id === undefined ? undefined : channelOf(stream_id);
  useEffect(() => {
    if (stream_id !== undefined) void loadTopics(stream_id);
  }, [stream_id]);
  if (!channel) return <ChannelField recipient={recipient} />;
  const policy = topicsPolicy(channel, getState().organization.fields);
  return (
    <>
      <Icon name={channelIcon(channel)} class="ch" size={16} />
      <button
        type="button"
        class="compose-channel"
        title={t("choose-channel")}
        onClick={() => (recipientDraft.value = { ...recipient, stream_id: undefined, isNew: true })}
      >
        <bdi>{channel.name}</bdi>
      </button>
      <span class="sl" aria-hidden="true">
        ›
      </span>
      {policy === "empty_topic_only" ? (
        <bdi>{topicName("")}</bdi>
      ) : (
        <label class="compose-labelled">
          <span aria-hidden="true">{t("topic")}</span>
          <TopicField
            stream_id={channel.stream_id}
            topic={topic}
            placeholder={t(policy === "disable_empty_topic" ? "enter-topic" : "enter-topic-or-not")}
            isNeeded={policy === "disable_empty_topic"}
            hasFocus={isNew}
            onTopic={(text) => (recipientDraft.value = { ...recipient, topic: text })}
            onDone={onDone}
          />
        </label>
      )}
    </>
  );
}

function ChannelField({ recipient }: { recipient: ToChannel }) {
  const inputText = useSignal("");
  const choicesFor = (text: string): ComboChoice[] =>
    channelsBy(text, getState()).map((channel) => ({
      key: `${channel.stream_id}`,
      row: (
        <>
          <Colored color={channel.color} class="ch">
            <Icon name={channelIcon(channel)} />
          </Colored>
          <bdi class="t">{channel.name}</bdi>
          <small>{descriptionText(channel)}</small>
        </>
      ),
      choose() {
        inputText.value = "";
        recipientDraft.value = { ...recipient, stream_id: channel.stream_id };
      },
    }));
  return (
    <>
      <Icon name="hash" size={16} />
      <Combo
        name="channel"
        label={t("channel")}
        placeholder={t("choose-channel")}
        value={inputText.value}
        choicesFor={choicesFor}
        onInput={(text) => (inputText.value = text)}
        hasFocus={recipient.isNew}
      />
    </>
  );
}

type ToPeople = Extract<RecipientDraft, { kind: "direct" }>;

function PeopleRecipient({ recipient, onDone }: { recipient: ToPeople; onDone: () => void }) {
  subscribe("users");
  const { people } = getState();
  const { user_ids, isNew } = recipient;
  const inputText = useSignal("");
  const put = (ids: number[]) => (recipientDraft.value = { ...recipient, user_ids: ids });
  const choicesFor = (text: string): ComboChoice[] =>
    text.trim() === "" && user_ids.length > 0
      ? []
      : suggester
          .peopleBy(text, getState())
          .filter(({ user_id }) => !user_ids.includes(user_id))
          .map((person) => ({
            key: `${person.user_id}`,
            row: (
              <>
                <Avatar person={person} size={24} />
                <bdi class="t">{person.full_name}</bdi>
                {person.user_id === people.me && <small>{t("you")}</small>}
              </>
            ),
            choose() {
              inputText.value = "";
              put([...user_ids, person.user_id].sort((a, b) => a - b));
            },
          }));
  return (
    <>
      <Icon name="chat" size={16} />
      {user_ids.map((id) => (
        <span class="pill" key={id}>
          <bdi>{personOf(people, id)?.full_name ?? t("unknown-user")}</bdi>
          <IconButton
            icon="x"
            size="xs"
            label={t("remove-named", { name: personOf(people, id)?.full_name ?? "" })}
            onClick={() => put(user_ids.filter((other) => other !== id))}
          />
        </span>
      ))}
      <Combo
        name="people"
        label={t("people")}
        placeholder={user_ids.length === 0 ? t("choose-people") : t("more-people")}
        value={inputText.value}
        choicesFor={choicesFor}
        onInput={(text) => (inputText.value = text)}
        onBack={() => put(user_ids.slice(0, -1))}
        onDone={() => inputText.value === "" && choicesFor("").length === 0 && onDone()}
        hasFocus={isNew}
      />
    </>
  );
}
