// Members of a channel: search, adding by user, group or channel, and removal.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { finds } from "../../../matching.ts";
import { keyed, known, now } from "../../../live.ts";
import { showRefusal } from "../../../optimistic.ts";
import { Wrong } from "../../../ui/form/text-field.tsx";
import { Button } from "../../../ui/button.tsx";
import { useSaving } from "../../../ui/saving.ts";
import { SearchField } from "../../../ui/form/search-field.tsx";
import { showToast } from "../../../ui/toast.tsx";
import { say } from "../../../words/words.ts";
import { PersonLine } from "../../people/line.tsx";
import type { Picked } from "../../picker/candidates.ts";
import { Picker } from "../../picker/picker.tsx";
import { leave } from "../actions.ts";
import { mayAddTo, mayRemoveFrom } from "../asker.ts";
import { SwitchField } from "./fields.tsx";
import type { KnownChannel } from "../state.ts";
import { nameOfPerson, peopleOf, shownFirst, subscribe, unsubscribe } from "../subscribers.ts";

/** More are found by their names. */
const SHOWN_MAX = 50;

export function Members({ channel }: { channel: KnownChannel }) {
  const { stream_id, subscriber_count } = channel.row;
  keyed(`channel:${stream_id}`, `subscribers:${stream_id}`, "groups", "realm", "users");
  const words = useSignal("");
  const state = known()!;
  const all = channel.subscribers;
  if (!all) {
    return (
      <>
        <h2>{say("members", { count: subscriber_count })}</h2>
        <p class="intro">{say("members-hidden")}</p>
      </>
    );
  }
  const found = [...all].filter((id) => finds(words.value, nameOfPerson(id)));
  const shown = shownFirst(found, SHOWN_MAX);
  const count = [...all].filter((id) => state.people.active.has(id)).length;
  const more = found.length - shown.length;
  return (
    <>
      <h2>{say("members", { count: channel.isPartial ? subscriber_count : count })}</h2>
      {mayAddTo(state, channel) && <Add channel={channel} />}
      {count > 8 && <SearchField words={words} label={say("filter-members")} class="page-filter" />}
      <ul class="people-rows">
        {shown.map((user_id) => (
          <PersonLine key={user_id} user_id={user_id}>
            {mayTakeOut(channel, user_id) && (
              <Button
                kind="quiet"
                aria-label={say("take-out", { name: nameOfPerson(user_id) })}
                onClick={() => void takeOut(channel, user_id)}
              >
                {say("remove")}
              </Button>
            )}
          </PersonLine>
        ))}
      </ul>
      {more > 0 && <p class="hint">{say("more-found", { count: more })}</p>}
      {found.length === 0 && words.value !== "" && (
        <p class="hint">{say("none-found", { words: words.value })}</p>
      )}
    </>
  );
}

function mayTakeOut(channel: KnownChannel, user_id: number): boolean {
  const state = now();
  if (user_id === state.people.me) return true;
  // Users can add and remove their own bots.
  const owner = state.people.active.get(user_id)?.bot_owner_id;
  return owner === state.people.me || mayRemoveFrom(state, channel);
}

async function takeOut(channel: KnownChannel, user_id: number): Promise<void> {
  const { stream_id } = channel.row;
  if (user_id === now().people.me) {
    await leave(stream_id);
    return;
  }
  try {
    await unsubscribe(stream_id, user_id);
    const undo = () => void subscribe(stream_id, [user_id], false).catch(showRefusal);
    const words = say("taken-out", { name: nameOfPerson(user_id) });
    showToast(mayAddTo(now(), channel) ? { words, undo } : { words });
  } catch (error) {
    showRefusal(error);
  }
}

function Add({ channel }: { channel: KnownChannel }) {
  keyed(`channel:${channel.row.stream_id}`);
  const saving = useSaving();
  const picked = useSignal<Picked[]>([]);
  const isTold = useSignal(true);
  const { stream_id } = channel.row;
  const coming = useComing(channel, picked.value);
  const add = async () => {
    const ids = await peopleOf(picked.value);
    const out = ids.filter((id) => !channel.subscribers?.has(id));
    const ask = async () => {
      if (out.length > 0) await subscribe(stream_id, out, isTold.value);
    };
    if (!(await saving.save("add", ask))) return;
    picked.value = [];
    showToast({ words: say("were-added", { count: out.length }) });
  };
  return (
    <form
      class="form add-members"
      onSubmit={(event) => {
        event.preventDefault();
        if (picked.value.length > 0) void add();
      }}
    >
      <div>
        <Picker
          label={say("add-people")}
          placeholder={say("people-groups-channels")}
          picked={picked.value}
          kinds={["person", "group", "channel"]}
          mayBe={(one) => mayBeAdded(channel, one)}
          isWrong={saving.wrong.value["add"] !== undefined}
          onChange={(next) => {
            picked.value = next;
            saving.forget("add");
          }}
        />
        <Wrong words={saving.wrong.value["add"]} />
      </div>
      {picked.value.length > 0 && (
        <>
          <SwitchField
            label={say("tell-them")}
            value={isTold.value}
            wrong={undefined}
            onChange={(value) => (isTold.value = value)}
          />
          <div class="save-row">
            <Button kind="primary" type="submit" disabled={saving.busy.value !== undefined}>
              {say("add-count", { count: coming.length })}
            </Button>
          </div>
        </>
      )}
    </form>
  );
}

/** Excludes members and the channel itself. */
function mayBeAdded({ row, subscribers }: KnownChannel, { kind, id }: Picked): boolean {
  if (kind === "person") return !subscribers?.has(id);
  return kind !== "channel" || id !== row.stream_id;
}

/** The chosen users who are not members yet. */
function useComing(channel: KnownChannel, picked: readonly Picked[]): readonly number[] {
  const coming = useSignal<readonly number[]>([]);
  useEffect(() => {
    let isCurrent = true;
    void peopleOf(picked).then(
      (ids) => {
        if (isCurrent) coming.value = ids.filter((id) => !channel.subscribers?.has(id));
      },
      () => undefined,
    );
    return () => {
      isCurrent = false;
    };
  }, [picked]);
  return coming.value;
}
