// Keyboard commands for the open topic.
import { addressOf, view } from "../../store/address.ts";
import { registerCommands } from "../../ui/keys/commands.ts";
import { placeOfMessage } from "../../feed/items.ts";
import { known, now } from "../../store/store.ts";
import { type ConversationRef, conversationOf } from "../../views.ts";
import { selectedMessage, selectedRow } from "../conversation/selection-state.ts";
import { keyOfPlace, permalinkView } from "../lists/selectors.ts";
import { readPlaces } from "../unread/actions.ts";
import { toggleFollowed, toggleMuted, toggleResolved } from "./actions.ts";
import { isOpen, canResolve } from "./permissions.ts";
import { copyLink } from "../lists/open-view.ts";

const here = () => {
  const shown = view.value;
  const state = known();
  return shown.kind === "messages" && state
    ? conversationOf(shown.terms, state.people.me)
    : undefined;
};

/** The open topic, or that of the focused message. */
const topicHere = () => {
  const place = here() ?? placeAt();
  return place && "stream_id" in place ? place : undefined;
};

function placeAt(): ConversationRef | undefined {
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

registerCommands(
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
    when: () => known() !== undefined && canResolve(topicHere()?.stream_id ?? 0),
    run: onTopic((stream_id, topic) => void toggleResolved(stream_id, topic)),
  },
  {
    // In a feed, the message has its own command with the same key.
    id: "copy-place-link",
    words: "copy-topic-link",
    keys: ["Y"],
    when: () => here() !== undefined,
    run: () => {
      const place = here();
      if (place) copyLink(addressOf(permalinkView(place)));
    },
  },
  {
    id: "read-place",
    words: "mark-topic-read",
    when: () => here() !== undefined,
    run: () => {
      const place = here();
      const unread = place && now().unread.places.get(keyOfPlace(place));
      readPlaces(unread ? [unread] : []);
    },
  },
);
