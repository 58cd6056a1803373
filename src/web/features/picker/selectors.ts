// Candidates for selecting users, groups and channels, most likely first.
import { compareNames, folded } from "../../matching.ts";
import type { State } from "../../store/state.ts";

export interface Picked {
  kind: "person" | "group" | "channel";
  id: number;
}

export const keyOf = ({ kind, id }: Picked): string => `${kind} ${id}`;

interface CandidateQuery {
  text: string;
  kinds: readonly Picked["kind"][];
  /** Already chosen, so not offered. */
  picked: readonly Picked[];
  canBePicked?: ((pick: Picked) => boolean) | undefined;
  /** Also finds deactivated accounts, after the others. */
  includesDeactivated?: boolean | undefined;
  groupName: (id: number) => string;
}

const CANDIDATES_MAX = 8;
/** Folding a name costs more than searching it, and names rarely change. */
const names = new Map<string, string>();

function searchTextOf(name: string): string {
  let searchText = names.get(name);
  if (searchText === undefined)
    names.set(name, (searchText = ` ${folded(name).replaceAll(/[\s\-_.,'()]+/g, " ")}`));
  return searchText;
}

export function candidates(state: State, query: CandidateQuery): Picked[] {
  const words = folded(query.text).split(/\s+/u).filter(Boolean);
  const picked = new Set(query.picked.map(keyOf));
  const matches: { pick: Picked; rank: number; name: string }[] = [];
  const offer = (pick: Picked, name: string) => {
    const searchText = searchTextOf(name);
    if (!words.every((word) => searchText.includes(` ${word}`))) return;
    if (picked.has(keyOf(pick)) || query.canBePicked?.(pick) === false) return;
    const isFirst = words[0] !== undefined && searchText.startsWith(` ${words[0]}`);
    matches.push({ pick, rank: isFirst ? 0 : 1, name });
  };
  const includesKind = (kind: Picked["kind"]) => query.kinds.includes(kind);
  if (includesKind("group"))
    for (const group of state.groups.groups.values()) {
      if (group.deactivated || group.name === "role:internet") continue;
      offer({ kind: "group", id: group.id }, query.groupName(group.id));
    }
  // If nothing is typed, roles and groups are listed. Users are too many.
  if (words.length === 0 && matches.length > 0)
    return matches.slice(0, CANDIDATES_MAX).map(({ pick }) => pick);
  const { active, deactivated } = state.people;
  const former = query.includesDeactivated ? deactivated.values() : [];
  if (includesKind("person"))
    for (const { user_id, full_name } of [...active.values(), ...former])
      offer({ kind: "person", id: user_id }, full_name);
  if (includesKind("channel"))
    for (const { row } of state.channels.channels.values())
      if (!row.is_archived) offer({ kind: "channel", id: row.stream_id }, row.name);
  const best = matches.filter(({ rank }) => rank === 0);
  const few = best.length >= CANDIDATES_MAX ? best : matches;
  return few
    .sort((a, b) => a.rank - b.rank || compareNames(a.name, b.name))
    .slice(0, CANDIDATES_MAX)
    .map(({ pick }) => pick);
}
