// The place of the composer under a view; what is in it is fetched once the view is shown.
import { signal, useSignalEffect } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { NarrowTerm } from "../../../text/narrow-fragment.ts";
import { placeOfMessage } from "../../feed/items.ts";
import { isLocal } from "../../feed/local.ts";
import { answeredPlace } from "../../feed/receding.ts";
import { narrowKey } from "../../feed/narrow.ts";
import { keyed, known } from "../../live.ts";
import { afterPress, lateScript } from "../../shown.ts";
import { Button } from "../../ui/button.tsx";
import { type Place, placeOf } from "../../views.ts";
import { say } from "../../words/words.ts";
import type { State } from "../../state.ts";
import { aim, answered, selected } from "./session.ts";

type Loaded = (typeof import("./loaded.ts"))["parts"];
const loaded = signal<Loaded | undefined>(undefined);

async function load(): Promise<void> {
  loaded.value = (await lateScript(() => import("./loaded.ts"))).parts;
}

interface Placed {
  /** Undefined: the view has no messages, and one may still write to somewhere else. */
  terms: readonly NarrowTerm[] | undefined;
  /** The view's name; in another one nobody goes on writing to what was chosen here. */
  at: string;
  /** A search is for reading: there is no call to write in it. */
  isSearch: boolean;
}

export function Composer({ terms, at, isSearch }: Placed) {
  useEffect(() => void load(), []);
  const key = terms ? narrowKey(terms) : at;
  const shown = useRef(key);
  // At once, as what was written belongs to the target that it had in the view before.
  if (shown.current !== key) {
    shown.current = key;
    selected.value = answered.value = aim.value = undefined;
  }
  useSignalEffect(() => keyed("channels"));
  const state = known();
  const bound = state && boundTo(terms, state);
  const isOneOfMany = state && terms && placeOf(terms, state.people.me) === undefined;
  useEffect(() => {
    answeredPlace.value = isOneOfMany ? bound : undefined;
  });
  if (!state) return null;
  const parts = loaded.value;
  if (!aim.value && !bound) {
    return terms && parts && !isSearch ? <Closed terms={terms} onNew={parts.beginIn} /> : null;
  }
  return (
    <div class="col compose-wrap">
      {parts ? (
        <parts.OpenComposer terms={terms} bound={bound} />
      ) : (
        // As large as the composer, so that nothing moves when it loads.
        <div class="compose" data-waiting="" aria-busy="true" />
      )}
    </div>
  );
}

/** The conversation that is open, or that of the selected message. */
function boundTo(terms: readonly NarrowTerm[] | undefined, state: State): Place | undefined {
  if (!terms) return undefined;
  const { me } = state.people;
  const place = placeOf(terms, me);
  const id = answered.value ?? selected.value;
  if (place || id === undefined || isLocal(id)) return place;
  const message = state.messages.byId.get(id);
  return message && placeOfMessage(message, me);
}

/** In a view of many conversations, the user first chooses where to write. */
function Closed({ terms, onNew }: { terms: readonly NarrowTerm[]; onNew: Loaded["beginIn"] }) {
  return (
    <div class="col compose-wrap compose-closed">
      <Button icon="pencil" onClick={() => onNew(terms, "channel")}>
        {say("new-message")}
      </Button>
      <Button icon="at" onClick={() => onNew(terms, "direct")}>
        {say("new-direct")}
      </Button>
    </div>
  );
}

/** Selection is focus: the row that has it, or had it last. */
addEventListener("focusin", ({ target }) => {
  if (!(target instanceof Element)) return;
  const row = target.closest<HTMLElement>(".feed article.msg");
  // Its composer takes room.
  if (row) afterPress(() => (selected.value = Number(row.dataset["id"])));
});
