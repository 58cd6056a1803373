// Maps names that the user types in a search to users and channels.
import { getState } from "../../store/store.ts";
import { matchesWords, folded } from "../../matching.ts";
import { t } from "../../words/words.ts";
import { foldTopic } from "../../conversation-keys.ts";
import type { Person } from "../people/state.ts";
import { parseDate, searchZone, todayIn } from "./date-selectors.ts";
import type { Directory, EditedToken } from "./query-rules.ts";

/** Finds current names; also beginnings of names if the user has finished typing. */
export function directory(isComplete: boolean, edited?: EditedToken): Directory {
  const state = getState();
  const { people, channels, topics } = state;
  return {
    me: people.me,
    edited,
    channel: (name) => {
      const rows = Array.from(channels.channels.values(), ({ row }) => row);
      return findByUniqueName(rows, name, (row) => row.name, isComplete)?.stream_id;
    },
    person: (name) => {
      // The text of the pill, which may be edited.
      if (folded(name) === folded(t("you"))) return people.me;
      const find = (all: Map<number, Person>) =>
        findByUniqueName([...all.values()], name, (person) => person.full_name, isComplete)
          ?.user_id;
      return find(people.active) ?? find(people.deactivated);
    },
    topic: (name) =>
      isComplete || [...topics.byChannel.values()].some((all) => all.has(foldTopic(name))),
    date: (operator, text) => parseDate(operator, text, todayIn(searchZone(state))),
  };
}

/**
 * An exact match, or the only name that contains it as a word, or the only one that begins with it.
 */
function findByUniqueName<T>(
  all: readonly T[],
  name: string,
  nameOf: (item: T) => string,
  isComplete: boolean,
): T | undefined {
  const plain = folded(name);
  const exact = all.find((item) => folded(nameOf(item)) === plain);
  if (exact) return exact;
  const [only, other] = all.filter((item) => folded(nameOf(item)).split(" ").includes(plain));
  if (only && !other) return only;
  if (!isComplete) return undefined;
  const [first, second] = all.filter((item) => matchesWords(name, nameOf(item)));
  return second === undefined ? first : undefined;
}
