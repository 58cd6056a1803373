// Members of a channel: search, adding by user, group or channel, and removal.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { matchesWords } from "../../../matching.ts";
import { subscribe, getState } from "../../../store/store.ts";
import { showRefusal } from "../../../sync/optimistic.ts";
import { Button } from "../../../ui/button.tsx";
import { useSaving } from "../../../ui/saving.ts";
import { SearchField } from "../../../ui/form/search-field.tsx";
import { showToast } from "../../../ui/toast.tsx";
import { t } from "../../../words/words.ts";
import { PersonLine } from "../../people/person-line.tsx";
import type { Picked } from "../../picker/selectors.ts";
import { AddForm, ADD_FIELD } from "../../picker/add-form.tsx";
import { leaveChannel } from "../actions.ts";
import { canAddTo, canRemoveFrom } from "../permissions.ts";
import { SwitchField } from "./fields.tsx";
import type { KnownChannel } from "../state.ts";
import {
  nameOfPerson,
  peopleOf,
  firstSubscribers,
  addToChannel,
  unsubscribe,
} from "../subscriber-actions.ts";

/** Further members are found by search. */
const MEMBERS_SHOWN_MAX = 50;

export function Members({ channel }: { channel: KnownChannel }) {
  const { stream_id, subscriber_count } = channel.row;
  subscribe(`channel:${stream_id}`, `subscribers:${stream_id}`, "groups", "realm", "users");
  const text = useSignal("");
  const state = getState();
  const all = channel.subscribers;
  if (!all) {
    return (
      <>
        <h2>{t("members", { count: subscriber_count })}</h2>
        <p class="intro">{t("members-hidden")}</p>
      </>
    );
  }
  const matches = [...all].filter((id) => matchesWords(text.value, nameOfPerson(id)));
  const visible = firstSubscribers(matches, MEMBERS_SHOWN_MAX);
  const count = [...all].filter((id) => state.people.active.has(id)).length;
  const more = matches.length - visible.length;
  return (
    <>
      <h2>{t("members", { count: channel.isPartial ? subscriber_count : count })}</h2>
      {canAddTo(state, channel) && <Add channel={channel} />}
      {count > 8 && <SearchField text={text} label={t("filter-members")} class="page-filter" />}
      <ul class="people-rows">
        {visible.map((user_id) => (
          <PersonLine key={user_id} user_id={user_id}>
            {canRemoveSubscriber(channel, user_id) && (
              <Button
                kind="quiet"
                aria-label={t("remove-named", { name: nameOfPerson(user_id) })}
                onClick={() => void removeSubscriber(channel, user_id)}
              >
                {t("remove")}
              </Button>
            )}
          </PersonLine>
        ))}
      </ul>
      {more > 0 && <p class="hint">{t("more-found", { count: more })}</p>}
      {matches.length === 0 && text.value !== "" && (
        <p class="hint">{t("none-found", { words: text.value })}</p>
      )}
    </>
  );
}

function canRemoveSubscriber(channel: KnownChannel, user_id: number): boolean {
  const state = getState();
  if (user_id === state.people.me) return true;
  // Users can add and remove their own bots.
  const owner = state.people.active.get(user_id)?.bot_owner_id;
  return owner === state.people.me || canRemoveFrom(state, channel);
}

async function removeSubscriber(channel: KnownChannel, user_id: number): Promise<void> {
  const { stream_id } = channel.row;
  if (user_id === getState().people.me) {
    await leaveChannel(stream_id);
    return;
  }
  try {
    await unsubscribe(stream_id, user_id);
    const undo = () => void addToChannel(stream_id, [user_id], false).catch(showRefusal);
    const text = t("member-removed", { name: nameOfPerson(user_id) });
    showToast(canAddTo(getState(), channel) ? { text, undo } : { text });
  } catch (error) {
    showRefusal(error);
  }
}

function Add({ channel }: { channel: KnownChannel }) {
  subscribe(`channel:${channel.row.stream_id}`);
  const saving = useSaving();
  const picked = useSignal<Picked[]>([]);
  const isNotified = useSignal(true);
  const { stream_id } = channel.row;
  const addedIds = useAddedIds(channel, picked.value);
  const add = async () => {
    const ids = await peopleOf(picked.value);
    const out = ids.filter((id) => !channel.subscribers?.has(id));
    const ask = async () => {
      if (out.length > 0) await addToChannel(stream_id, out, isNotified.value);
    };
    if (!(await saving.save(ADD_FIELD, ask))) return;
    picked.value = [];
    showToast({ text: t("subscribers-added", { count: out.length }) });
  };
  return (
    <AddForm
      class="add-members"
      picked={picked}
      saving={saving}
      placeholder={t("people-groups-channels")}
      kinds={["person", "group", "channel"]}
      canBePicked={(pick) => canBeAdded(channel, pick)}
      submitLabel={t("add-count", { count: addedIds.length })}
      onAdd={() => void add()}
    >
      <SwitchField
        label={t("notify-by-message")}
        value={isNotified.value}
        error={undefined}
        onChange={(value) => (isNotified.value = value)}
      />
    </AddForm>
  );
}

/** Excludes members and the channel itself. */
function canBeAdded({ row, subscribers }: KnownChannel, { kind, id }: Picked): boolean {
  if (kind === "person") return !subscribers?.has(id);
  return kind !== "channel" || id !== row.stream_id;
}

/** The chosen users who are not members yet. */
function useAddedIds(channel: KnownChannel, picked: readonly Picked[]): readonly number[] {
  const addedIds = useSignal<readonly number[]>([]);
  useEffect(() => {
    let isCurrent = true;
    void peopleOf(picked).then(
      (ids) => {
        if (isCurrent) addedIds.value = ids.filter((id) => !channel.subscribers?.has(id));
      },
      () => undefined,
    );
    return () => {
      isCurrent = false;
    };
  }, [picked]);
  return addedIds.value;
}
