// Keyboard commands for the open topic.
import { addressOf, view } from "../../address.ts";
import { offer } from "../../commands.ts";
import { placeOfMessage } from "../../feed/items.ts";
import { known, now } from "../../live.ts";
import { type Place, placeOf } from "../../views.ts";
import { selectedMessage, selectedRow } from "../conversation/current.ts";
import { keyOfPlace, lastingView } from "../lists/places.ts";
import { readPlaces } from "../unread/actions.ts";
import { toggleFollowed, toggleMuted, toggleResolved } from "./actions.ts";
import { isOpen, mayResolve } from "./may.ts";
import { copyLink } from "../lists/open.ts";

const here = () => {
  const shown = view.value;
  const state = known();
  return shown.kind === "messages" && state ? placeOf(shown.terms, state.people.me) : undefined;
};

/** The one that is open, or that of the message that has the focus. */
const topicHere = () => {
  const place = here() ?? placeAt();
  return place && "stream_id" in place ? place : undefined;
};

function placeAt(): Place | undefined {
  const message = selectedRow()?.contains(document.activeElement) ? selectedMessage() : undefined;
  return message && placeOfMessage(message, now().people.me);
}

const onTopic = (act: (stream_id: number, topic: string) => void) => (): boolean => {
  const place = topicHere();
  if (place) act(place.stream_id, place.topic);
  return place !== undefined;
};

const isOpenTopic = () => {
  const place = topicHere();
  return place !== undefined && isOpen(place.stream_id);
};

offer(
  {
    id: "mute-topic",
    words: "mute-this-topic",
    keys: ["M"],
    when: isOpenTopic,
    run: onTopic(toggleMuted),
  },
  {
    id: "follow-topic",
    words: "follow-this-topic",
    keys: ["f"],
    when: isOpenTopic,
    run: onTopic(toggleFollowed),
  },
  {
    id: "resolve-topic",
    words: "resolve-this-topic",
    keys: ["T"],
    when: () => known() !== undefined && mayResolve(topicHere()?.stream_id ?? 0),
    run: onTopic((stream_id, topic) => void toggleResolved(stream_id, topic)),
  },
  {
    // In a feed the message that one is at has its own, with the same key.
    id: "copy-place-link",
    words: "copy-topic-link",
    keys: ["Y"],
    when: () => here() !== undefined,
    run: () => {
      const place = here();
      if (place) copyLink(addressOf(lastingView(place)));
    },
  },
  {
    id: "read-place",
    words: "mark-topic-read",
    when: () => here() !== undefined,
    run: () => {
      const place = here();
      const unread = place && known()!.unread.places.get(keyOfPlace(place));
      readPlaces(unread ? [unread] : []);
    },
  },
);
