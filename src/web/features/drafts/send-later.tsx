// The menu for sending later: common times, and a custom one.
import { useSignal } from "@preact/signals";
import { HOUR_MS } from "../../../contract/units.ts";
import { Dialog, SubmitFoot } from "../../ui/dialog.tsx";
import { closeLayer, openLayer } from "../../ui/layers.ts";
import { openMenu } from "../../ui/menu.tsx";
import { formatMoment } from "../../words/dates.ts";
import { fieldOf, parseMoment, nextHour } from "../../words/moments.ts";
import { t } from "../../words/words.ts";
import { AHEAD_MS, presets } from "../editor/send-times.ts";

/** `schedule` takes milliseconds. */
export function openScheduleMenu(anchor: Element, schedule: (sendAt: number) => void): void {
  const menuItems = presets(Date.now()).map(({ textKey, time }) => ({
    icon: "clock" as const,
    label: t(textKey),
    note: formatMoment(time / 1000),
    run: () => schedule(time),
  }));
  const pick = {
    icon: "calendar" as const,
    label: t("other-time"),
    run: () => openLayer("later", <PickTime schedule={schedule} />),
  };
  openMenu(anchor, t("send-later"), [...menuItems, undefined, pick]);
}

function PickTime({ schedule }: { schedule: (sendAt: number) => void }) {
  const moment = useSignal(fieldOf(nextHour(Date.now())));
  const time = parseMoment(moment.value);
  const isLate = time > Date.now() + AHEAD_MS;
  const onScheduled = () => {
    if (!isLate) return;
    closeLayer("later");
    schedule(time);
  };
  return (
    <Dialog
      id="later"
      title={t("send-later")}
      onSubmit={onScheduled}
      foot={
        <SubmitFoot id="later" isDisabled={!isLate}>
          {t("schedule")}
        </SubmitFoot>
      }
    >
      <label class="label" for="later-at">
        {t("when")}
      </label>
      <div class="field">
        <input
          id="later-at"
          type="datetime-local"
          value={moment.value}
          min={fieldOf(nextHour(Date.now() - HOUR_MS))}
          onInput={(event) => (moment.value = event.currentTarget.value)}
        />
      </div>
      <p class="hint">{isLate ? formatMoment(time / 1000) : t("time-must-be-future")}</p>
    </Dialog>
  );
}
