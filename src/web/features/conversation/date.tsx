// Asks for a day to go to.
import { useSignal } from "@preact/signals";
import { Button } from "../../ui/button.tsx";
import { closeLayer, openLayer } from "../../ui/layers.ts";
import type { Box } from "../../ui/box.ts";
import { Popover } from "../../ui/popover.tsx";
import { dateOf } from "../../words/dates.ts";
import { say } from "../../words/words.ts";
import { useLayoutEffect, useRef } from "preact/hooks";

const ID = "jump-to-date";

/** `at`: the day that is shown first, in seconds; `take` is given the day as `2026-11-22`. */
export function askDate(beside: Box, at: number, take: (date: string) => void): void {
  openLayer(ID, <AskDate beside={beside} at={at} take={take} />);
}

interface Asked {
  beside: Box;
  at: number;
  take: (date: string) => void;
}

function AskDate({ beside, at, take }: Asked) {
  const date = useSignal(dateOf(at));
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => field.current?.focus(), []);
  return (
    <Popover id={ID} beside={beside} label={say("jump-to-date")}>
      <form
        class="conversation-date"
        onSubmit={(event) => {
          event.preventDefault();
          if (date.value === "") return;
          closeLayer(ID);
          take(date.value);
        }}
      >
        <label class="field">
          <span class="vh">{say("jump-to-date")}</span>
          <input
            ref={field}
            type="date"
            value={date.value}
            onInput={(event) => (date.value = event.currentTarget.value)}
          />
        </label>
        <Button type="submit">{say("jump")}</Button>
      </form>
    </Popover>
  );
}
