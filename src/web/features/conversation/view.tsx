// The messages of a view, under its bar.
import { type Signal, useSignal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { act, actByKey } from "../../feed/acts.ts";
import { isContiguous, narrowKey } from "../../feed/narrow.ts";
import type { NarrowTerm } from "../../../text/narrow-fragment.ts";
import { untilThere } from "../../scripts.ts";
import { whenShown } from "../../shown.ts";
import { later } from "../../ui/lazy.tsx";
import { say } from "../../words/words.ts";
import type { Message } from "../messages/state.ts";
import { OpenView, type Told } from "./open.ts";

const Hint = later(async () => (await import("./hint.tsx")).Hint);
const Empty = later(async () => (await import("./empty.tsx")).Empty);
const Marathon = later(async () => (await import("./marathon.tsx")).Marathon);

/** Reading needs none of it, so it does not wait for it; a press that comes before does. */
const loadDeeds = () => untilThere(() => import("../messages/deeds.ts"));
void whenShown.then(loadDeeds);

/** Messages by terms; drawn anew when these name another view. */
export function Messages({ terms }: { terms: readonly NarrowTerm[] }) {
  const scroller = useRef<HTMLDivElement>(null);
  const column = useRef<HTMLDivElement>(null);
  const trouble = useSignal<Told["trouble"]["value"]>(undefined);
  const isEmpty = useSignal(false);
  const spoken = useSignal("");
  const isRefused = trouble.value === "refused";
  const key = narrowKey(terms);
  const stands = terms.find(({ operator }) => operator === "near")?.operand ?? "";

  // A layout effect, so that no frame is painted without known data.
  useLayoutEffect(() => {
    let announcer: ReturnType<typeof announcing> | undefined;
    const arrived = (messages: readonly Message[]) => {
      announcer ??= announcing(spoken);
      void announcer.then((announce) => announce(messages));
    };
    const told = { trouble, isEmpty, arrived };
    const opened = new OpenView(terms, scroller.current!, column.current!, told);
    return () => opened.close();
  }, [key, stands]);

  return (
    <div class="messages">
      {!isEmpty.value && <Hint />}
      <Marathon key={key} terms={terms} />
      <div
        class="feed scroll"
        role="region"
        aria-label={say("messages")}
        ref={scroller}
        tabIndex={-1}
        // Search results are read from the top.
        data-top={isContiguous(terms) ? undefined : ""}
        onClick={pressed}
        onKeyDown={(event) => actByKey(event)}
      >
        <div class="col" ref={column} />
        {trouble.value === "failed" && (
          <p class="feed-note" role="alert">
            {say("load-failed")}
          </p>
        )}
        {(isRefused || (isEmpty.value && !trouble.value)) && (
          <Empty terms={terms} isRefused={isRefused} />
        )}
      </div>
      <p class="vh" role="status">
        {spoken.value}
      </p>
    </div>
  );
}

const announcing = async (spoken: Signal<string>) =>
  (await untilThere(() => import("./announcing.ts"))).announcing(spoken);

/** With Ctrl or the middle button, a link opens in a new tab. */
function pressed(event: MouseEvent): void {
  if (event.ctrlKey || event.metaKey || event.button !== 0) return;
  if (!act(event)) void loadDeeds().then(() => act(event));
}
