// A conversation in a list: its name, its newest line, who takes part, when, and how much is new.
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { addressOf } from "../../address.ts";
import { keyed, known } from "../../live.ts";
import { setColor } from "../../ui/colored.tsx";
import { Count } from "../../ui/count.tsx";
import { Icon } from "../../ui/icon.tsx";
import type { Place } from "../../views.ts";
import { formatBrief } from "../../words/dates.ts";
import { say } from "../../words/words.ts";
import { barOf, conversationName, topicName } from "../conversation/drawing.ts";
import { lineOf } from "../messages/preview.ts";
import type { Message } from "../messages/state.ts";
import { want } from "../messages/wanted.ts";
import { personOf } from "../people/state.ts";
import { isResolved, unresolved } from "../topics/resolved.ts";
import { policyOf, VISIBILITY } from "../topics/state.ts";
import { Faces, Who } from "./faces.tsx";
import { keyOfPlace, viewOfPlace } from "./places.ts";

interface Shown {
  place: Place;
  itemKey: string;
  isChosen: boolean;
  /** The newest message of it that is to be shown. */
  max_id: number;
  /** Newest first; without them, who wrote what `seen_ids` name. */
  participants?: readonly number[];
  seen_ids?: readonly number[];
  /** Before the name: nothing, or what kind of place it is. */
  lead: "none" | "small" | "large";
  hasChannel?: boolean;
  posinset?: { at: number; of: number };
  /** Actions of the selected row. */
  acts?: ComponentChildren;
}

export function PlaceRow(shown: Shown) {
  const { place, itemKey, isChosen, max_id, lead, hasChannel = false, acts } = shown;
  const key = keyOfPlace(place);
  const wanted = [max_id, ...(shown.seen_ids ?? [])];
  keyed(`unread:${key}`, `topic:${key}`, ...wanted.map((id) => `message:${id}`));
  const { unread, messages } = known()!;
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

function Lead({ place, lead }: Pick<Shown, "place" | "lead">) {
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

function Name({ place, isChosen, hasChannel }: Pick<Shown, "place" | "isChosen" | "hasChannel">) {
  const isDirect = "user_ids" in place;
  if (isDirect) keyed(...place.user_ids.map((id) => `user:${id}`));
  const name = isDirect ? conversationName(place.user_ids) : topicName(unresolved(place.topic));
  const isFollowed =
    !isDirect && policyOf(known()!.topics, place.stream_id, place.topic) === VISIBILITY.followed;
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
      {isFollowed && <span class="vh">{say("following")}</span>}
      {!isDirect && isResolved(place.topic) && <span class="vh">{say("resolved")}</span>}
      {hasChannel && !isDirect && <small>{barOf(place).channel?.name}</small>}
    </p>
  );
}

/** With a single other user, the sender is obvious. */
function Line({ place, message }: { place: Place; message: Message }) {
  const { people } = known()!;
  const { sender_id } = message;
  keyed(`user:${sender_id}`);
  if (message.is_me_message) {
    return (
      <>
        <b>{firstNameOf(message)}</b> {lineOf(message)}
      </>
    );
  }
  const isPlain = "user_ids" in place && place.user_ids.length < 2 && sender_id !== people.me;
  const name = sender_id === people.me ? say("yourself") : firstNameOf(message);
  return (
    <>
      {!isPlain && <b>{say("said-by", { name })} </b>}
      {lineOf(message)}
    </>
  );
}

function firstNameOf({ sender_id, sender_full_name }: Message): string {
  const name = personOf(known()!.people, sender_id)?.full_name ?? sender_full_name;
  return name.split(/\s/u)[0] ?? name;
}

/** The newest first, each once. */
function sendersOf(ids: readonly number[]): number[] {
  const { byId } = known()!.messages;
  const senders = [...ids].sort((a, b) => b - a).flatMap((id) => byId.get(id)?.sender_id ?? []);
  return [...new Set(senders)];
}
