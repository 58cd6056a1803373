// A conversation in a list: name, newest message, participants, time and unread count.
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { addressOf } from "../../store/address.ts";
import { subscribe, now } from "../../store/store.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { setColor } from "../../ui/colored.tsx";
import { Count } from "../../ui/count.tsx";
import { Icon } from "../../ui/icon.tsx";
import type { ConversationRef } from "../../views.ts";
import { formatBrief } from "../../words/dates.ts";
import { t } from "../../words/words.ts";
import { barOf } from "../conversation/bar/selectors.ts";
import { conversationName, topicName } from "../conversation/selectors.ts";
import { lineOf } from "../messages/preview-selectors.ts";
import type { Message } from "../../contract/message.ts";
import { want } from "../messages/load-missing-actions.ts";
import { personOf } from "../people/state.ts";
import { isResolved, unresolved } from "../topics/rules.ts";
import { policyOf, VISIBILITY } from "../topics/state.ts";
import { Who } from "./avatars.tsx";
import { keyOfPlace, viewOfPlace } from "./selectors.ts";

const FACES_MAX = 3;

interface PlaceRowProps {
  place: ConversationRef;
  itemKey: string;
  isChosen: boolean;
  /** The newest message to display. */
  max_id: number;
  /** Newest first; if absent, the senders of `seen_ids`. */
  participants?: readonly number[];
  seen_ids?: readonly number[];
  /** The icon before the name, if any. */
  lead: "none" | "small" | "large";
  hasChannel?: boolean;
  posinset?: { at: number; of: number };
  /** Actions of the selected row. */
  acts?: ComponentChildren;
}

export function PlaceRow(shown: PlaceRowProps) {
  const { place, itemKey, isChosen, max_id, lead, hasChannel = false, acts } = shown;
  const key = keyOfPlace(place);
  const wanted = [max_id, ...(shown.seen_ids ?? [])];
  subscribe(`unread:${key}`, `topic:${key}`, ...wanted.map((id) => `message:${id}` as const));
  const { unread, messages } = now();
  useEffect(() => want(wanted), [wanted.join()]);
  const here = unread.places.get(key);
  const message = messages.byId.get(max_id);
  const count = here?.ids.length ?? 0;
  const isMuted = here?.isMuted ?? false;
  return (
    <li
      class="list-row"
      data-key={itemKey}
      data-unread={count > 0 && !isMuted ? "" : undefined}
      data-at={(here?.mentions ?? 0) > 0 ? "" : undefined}
      data-selected={isChosen ? "" : undefined}
      aria-posinset={shown.posinset?.at}
      aria-setsize={shown.posinset?.of}
    >
      <div class="lead">
        <Lead place={place} lead={lead} />
        <div>
          <Name place={place} isChosen={isChosen} hasChannel={hasChannel} />
          <p class="pre" dir="auto">
            {message ? <Line place={place} message={message} /> : "\u00a0"}
          </p>
        </div>
      </div>
      <div class="end">
        {isChosen && acts && <span class="act">{acts}</span>}
        {"stream_id" in place && (
          <Faces user_ids={shown.participants ?? sendersOf(shown.seen_ids ?? [])} />
        )}
        <time>{message ? formatBrief(message.timestamp, Date.now() / 1000) : ""}</time>
        <span class="count-slot">
          <Count count={count} mentions={here?.mentions ?? 0} isMuted={isMuted} />
        </span>
      </div>
    </li>
  );
}

function Lead({ place, lead }: Pick<PlaceRowProps, "place" | "lead">) {
  if ("user_ids" in place) {
    return <Who user_ids={place.user_ids} size={lead === "large" ? 32 : 24} />;
  }
  if (lead !== "small") return <span />;
  const { icon, color } = barOf(place);
  return (
    <span class="ch" data-c="" ref={(node) => setColor(node, color)}>
      <Icon name={icon} />
    </span>
  );
}

function Name({
  place,
  isChosen,
  hasChannel,
}: Pick<PlaceRowProps, "place" | "isChosen" | "hasChannel">) {
  const isDirect = "user_ids" in place;
  if (isDirect) subscribe(...place.user_ids.map((id) => `user:${id}` as const));
  const name = isDirect ? conversationName(place.user_ids) : topicName(unresolved(place.topic));
  const isFollowed =
    !isDirect && policyOf(now().topics, place.stream_id, place.topic) === VISIBILITY.followed;
  return (
    <p class="top">
      {isFollowed && <Icon name="follow" size={16} />}
      {!isDirect && isResolved(place.topic) && <Icon name="resolve" size={16} />}
      <b>
        <a
          href={addressOf(viewOfPlace(place))}
          data-focus=""
          tabIndex={isChosen ? 0 : -1}
          dir="auto"
        >
          {name}
        </a>
      </b>
      {isFollowed && <span class="vh">{t("following")}</span>}
      {!isDirect && isResolved(place.topic) && <span class="vh">{t("resolved")}</span>}
      {hasChannel && !isDirect && <small>{barOf(place).channel?.name}</small>}
    </p>
  );
}

/** With a single other user, the sender is obvious. */
function Line({ place, message }: { place: ConversationRef; message: Message }) {
  const { people } = now();
  const { sender_id } = message;
  subscribe(`user:${sender_id}`);
  if (message.is_me_message) {
    return (
      <>
        <b>{firstNameOf(message)}</b> {lineOf(message)}
      </>
    );
  }
  const isPlain = "user_ids" in place && place.user_ids.length < 2 && sender_id !== people.me;
  const name = sender_id === people.me ? t("yourself") : firstNameOf(message);
  return (
    <>
      {!isPlain && <b>{t("said-by", { name })} </b>}
      {lineOf(message)}
    </>
  );
}

function firstNameOf({ sender_id, sender_full_name }: Message): string {
  const name = personOf(now().people, sender_id)?.full_name ?? sender_full_name;
  return name.split(/\s/u)[0] ?? name;
}

/** Newest first, each once. */
function sendersOf(ids: readonly number[]): number[] {
  const { byId } = now().messages;
  const senders = [...ids].sort((a, b) => b - a).flatMap((id) => byId.get(id)?.sender_id ?? []);
  return [...new Set(senders)];
}

/** Shows the avatars of participants, up to a limit. */
function Faces({ user_ids }: { user_ids: readonly number[] }) {
  const { people } = now();
  const shown = user_ids.flatMap((id) => personOf(people, id) ?? []).slice(0, FACES_MAX);
  if (shown.length === 0) return null;
  return (
    <span class="faces" role="img" aria-label={shown.map(({ full_name }) => full_name).join(", ")}>
      {shown.map((person) => (
        <Avatar key={person.user_id} person={person} size={24} />
      ))}
    </span>
  );
}
