// A dialog for choosing a date to go to.
import { useSignal } from "@preact/signals";
import { Button } from "../../../ui/button.tsx";
import { closeLayer, openLayer } from "../../../ui/layers.ts";
import type { Box } from "../../../ui/anchor-box.ts";
import { Popover } from "../../../ui/popover.tsx";
import { dateOf } from "../../../words/dates.ts";
import { t } from "../../../words/words.ts";
import { useLayoutEffect, useRef } from "preact/hooks";

const ID = "jump-to-date";

/** `seconds`: the initial date, since 1970; `onPick` receives the chosen date as `2026-11-22`. */
export function askDate(anchor: Box, seconds: number, onPick: (date: string) => void): void {
  openLayer(ID, <DateDialog anchor={anchor} seconds={seconds} onPick={onPick} />);
}

interface AskDateProps {
  anchor: Box;
  seconds: number;
  onPick: (date: string) => void;
}

function DateDialog({ anchor, seconds, onPick }: AskDateProps) {
  const date = useSignal(dateOf(seconds));
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => field.current?.focus(), []);
  return (
    <Popover id={ID} anchor={anchor} label={t("jump-to-date")}>
      <form
        class="conversation-date"
        onSubmit={(event) => {
          event.preventDefault();
          if (date.value === "") return;
          closeLayer(ID);
          onPick(date.value);
        }}
      >
        <label class="field">
          <span class="vh">{t("jump-to-date")}</span>
          <input
            ref={field}
            type="date"
            value={date.value}
            onInput={(event) => (date.value = event.currentTarget.value)}
          />
        </label>
        <Button type="submit">{t("jump")}</Button>
      </form>
    </Popover>
  );
}
