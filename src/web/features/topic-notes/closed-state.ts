// The notes that the user has closed on this device, until they change.
import { topicKey } from "../../conversation-keys.ts";
import { getState } from "../../store/store.ts";

/** Deleted when the session ends, because it names topics. */
const KEY = "skein:closed-notes";
/** The oldest entries are forgotten. */
const CLOSED_MAX = 200;

interface NotedTopic {
  stream_id: number;
  topic: string;
}

/** The closed version of each note, by user and topic. */
type ClosedNotes = Map<string, number>;

const keyOf = ({ stream_id, topic }: NotedTopic): string =>
  `${getState().people.me} ${topicKey(stream_id, topic)}`;

export const isNoteClosed = (note: NotedTopic, version: number): boolean =>
  read().get(keyOf(note)) === version;

export function rememberClosed(note: NotedTopic, version: number, isClosed: boolean): void {
  if (isNoteClosed(note, version) === isClosed) return;
  const closed = read();
  closed.delete(keyOf(note));
  if (isClosed) closed.set(keyOf(note), version);
  try {
    localStorage.setItem(KEY, JSON.stringify([...closed].slice(-CLOSED_MAX)));
  } catch {
    // Storage is blocked or full.
  }
}

/** Read each time, because other tabs write, too. */
function read(): ClosedNotes {
  try {
    const rows: unknown = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return new Map(Array.isArray(rows) ? rows.filter(isRow) : []);
  } catch {
    return new Map();
  }
}

const isRow = (row: unknown): row is [string, number] =>
  Array.isArray(row) && typeof row[0] === "string" && typeof row[1] === "number";
