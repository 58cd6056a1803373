// Calls for pinned messages and topic notes, loaded with the parts that show them.
import type { getPins, postPin, removePin } from "../../features/pins/actions.ts";
import type { getNote, getNoteHistory, putNote } from "../../features/topic-notes/actions.ts";
import { type AnswerOf, call } from "./call.ts";

export type Pin = AnswerOf<typeof getPins>["pins"][number];
export type TopicNoteResponse = AnswerOf<typeof getNote>;
export type NoteVersion = AnswerOf<typeof getNoteHistory>["versions"][number];

export const fetchPins = call<typeof getPins>("GET", "/skein_pins", "view");
export const pin = call<typeof postPin>("POST", "/skein_pins", "send", true);
export const unpin = call<typeof removePin>("DELETE", "/skein_pins/{message_id}", "send", true);
export const fetchNote = call<typeof getNote>("GET", "/skein_topic_notes", "view");
export const fetchNoteHistory = call<typeof getNoteHistory>(
  "GET",
  "/skein_topic_notes/history",
  "view",
);
export const saveNote = call<typeof putNote>("PUT", "/skein_topic_notes", "send");
