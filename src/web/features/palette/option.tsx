// A row of the switcher: what kind of thing it is, its name with what was found in it, what is new.
import { type Command, commandOf, keysOf } from "../../commands.ts";
import { keyName } from "../../key-names.ts";
import { known } from "../../live.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { setColor } from "../../ui/colored.tsx";
import { Icon, type IconName } from "../../ui/icon.tsx";
import type { Place } from "../../views.ts";
import { say } from "../../words/words.ts";
import { barOf } from "../conversation/drawing.ts";
import { personOf } from "../people/state.ts";
import type { Entry } from "./candidates.ts";
import { markedParts } from "./ranking.ts";

interface Offered {
  entry: Entry;
  query: string;
  index: number;
  at: number;
  onPoint: () => void;
  onPress: (event: MouseEvent) => void;
}

export function Option({ entry, query, index, at, onPoint, onPress }: Offered) {
  const { name, target } = entry;
  return (
    <div
      class="item"
      role="option"
      id={`palette-${index}`}
      aria-selected={at === index}
      onPointerMove={onPoint}
      onClick={onPress}
    >
      <Sign target={target} />
      <bdi class="t">
        {markedParts(query, name).map(({ text, isFound }, part) =>
          isFound ? <mark key={part}>{text}</mark> : text,
        )}
      </bdi>
      <Beside entry={entry} />
    </div>
  );
}

interface Searching {
  query: string;
  index: number;
  at: number;
  onPoint: () => void;
  onPress: () => void;
}

/** The words themselves, in messages. */
export function SearchOption({ query, index, at, onPoint, onPress }: Searching) {
  return (
    <div
      class="item"
      role="option"
      id={`palette-${index}`}
      aria-selected={at === index}
      onPointerMove={onPoint}
      onClick={onPress}
    >
      <span class="slot">
        <Icon name="search" size={18} />
      </span>
      <span class="t">{say("search-messages-for", { words: query })}</span>
      <kbd>{keyName("Tab")}</kbd>
    </div>
  );
}

function Sign({ target }: { target: Entry["target"] }) {
  if (target.kind === "person" || (target.kind === "place" && "user_ids" in target.place)) {
    const { people } = known()!;
    const id = target.kind === "person" ? target.user_id : userOf(target.place);
    const person = personOf(people, id);
    return <span class="slot">{person && <Avatar person={person} size={24} />}</span>;
  }
  const stream_id =
    target.kind === "channel"
      ? target.stream_id
      : target.kind === "place" && "stream_id" in target.place
        ? target.place.stream_id
        : undefined;
  if (stream_id === undefined) {
    const icon = iconOf(target);
    return (
      <span class="slot">
        <Icon name={icon} size={18} />
      </span>
    );
  }
  const { icon, color } = barOf({ stream_id, topic: "" });
  return (
    <span class="slot ch" data-c="" ref={(node) => setColor(node, color)}>
      <Icon name={icon} size={18} />
    </span>
  );
}

function iconOf(target: Entry["target"]): IconName {
  if (target.kind === "help") return "help";
  return target.kind === "view" ? target.icon : "right";
}

const userOf = (place: Place): number =>
  "user_ids" in place ? (place.user_ids[0] ?? known()!.people.me) : 0;

/** Its key, or else what it is. */
function KeyOf({ command, otherwise }: { command: Command | undefined; otherwise: string }) {
  const [press] = command ? keysOf(command) : [];
  if (press === undefined) return <small>{otherwise}</small>;
  return <kbd>{keyName(press)}</kbd>;
}

/** The kind of entry, or its number of unread messages. */
function Beside({ entry: { key, target } }: { entry: Entry }) {
  const { unread } = known()!;
  if (target.kind === "command") {
    return <KeyOf command={target.command} otherwise={say("command")} />;
  }
  if (target.kind === "view") {
    const command = target.command === undefined ? undefined : commandOf(target.command);
    return <KeyOf command={command} otherwise={say("view")} />;
  }
  if (target.kind === "channel") {
    const count = unread.channels.get(target.stream_id)?.shown ?? 0;
    if (count > 0) return <small>{say("unread-count", { count })}</small>;
    return <small>{target.isIn ? say("channel") : say("not-in-channel")}</small>;
  }
  if (target.kind === "help") return <small>{say("help-pages")}</small>;
  if (target.kind === "person") return <small>{say("direct-message")}</small>;
  const count = unread.places.get(key)?.ids.length ?? 0;
  const { place } = target;
  const where = "user_ids" in place ? undefined : barOf(place).channel?.name;
  return (
    <small>
      {where !== undefined && <bdi>{where}</bdi>}
      {where !== undefined && count > 0 && " · "}
      {count > 0 && say("unread-count", { count })}
    </small>
  );
}

export function Hints() {
  return (
    <footer aria-hidden="true">
      <span>
        <kbd>{keyName("Enter")}</kbd>
        {say("hint-open")}
      </span>
      <span>
        <kbd>{keyName("Mod+Enter")}</kbd>
        {say("hint-new-tab")}
      </span>
      <span>
        <kbd>&gt;</kbd>
        {say("hint-commands")}
      </span>
      <span>
        <kbd>#</kbd>
        {say("hint-channels")}
      </span>
      <span>
        <kbd>@</kbd>
        {say("hint-people")}
      </span>
    </footer>
  );
}
