// Types of suggestions.
import type { Channel } from "../channels/state.ts";
import type { Person } from "../people/state.ts";

/** `insertion`: the text that replaces the word. */
export type Suggestion = { readonly insertion: string } & (
  | { kind: "person"; person: Person; wroteAt: number | undefined; isOutside: boolean }
  | { kind: "group"; id: number; name: string; count: number; notified: number }
  | { kind: "wildcard"; name: string; count: number | undefined }
  | { kind: "channel"; channel: Channel }
  | { kind: "topic"; channel: Channel; topic: string; isNew: boolean }
  | {
      kind: "emoji";
      name: string;
      code: string;
      glyph: string | undefined;
      url: string | undefined;
    }
  | { kind: "slash"; name: string }
  | { kind: "code"; name: string }
);
