// The people and channels that names stand for, as one types them into a search.
import { known } from "../../live.ts";
import { finds, folded } from "../../matching.ts";
import { say } from "../../words/words.ts";
import { foldTopic } from "../topics/state.ts";
import type { Person } from "../people/state.ts";
import type { Directory, Edited } from "./query.ts";

/** Names as they are now; of names that are begun, if no more is to come. */
export function directory(isOver: boolean, edited?: Edited): Directory {
  const { people, channels, topics } = known()!;
  return {
    me: people.me,
    edited,
    channel: (name) => {
      const rows = Array.from(channels.channels.values(), ({ row }) => row);
      return called(rows, name, (row) => row.name, isOver)?.stream_id;
    },
    person: (name) => {
      // The text of the pill, which may be edited.
      if (folded(name) === folded(say("you"))) return people.me;
      const find = (all: Map<number, Person>) =>
        called([...all.values()], name, (one) => one.full_name, isOver)?.user_id;
      return find(people.active) ?? find(people.deactivated);
    },
    topic: (name) => isOver || [...topics.known.values()].some((all) => all.has(foldTopic(name))),
  };
}

/** Exactly so, or else the only one of whose name it is a word, or at last a beginning. */
function called<T>(
  all: readonly T[],
  name: string,
  nameOf: (one: T) => string,
  isOver: boolean,
): T | undefined {
  const plain = folded(name);
  const exact = all.find((one) => folded(nameOf(one)) === plain);
  if (exact) return exact;
  const [own, other] = all.filter((one) => folded(nameOf(one)).split(" ").includes(plain));
  if (own && !other) return own;
  if (!isOver) return undefined;
  const [first, second] = all.filter((one) => finds(name, nameOf(one)));
  return second === undefined ? first : undefined;
}
