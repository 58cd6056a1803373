// A field for a time limit: common durations, a custom number of units, or none.
import { useSignal } from "@preact/signals";
import { t } from "../../../words/words.ts";
import { describedBy } from "../../settings/setting-frame.tsx";
import { changeOrganizationSetting } from "./actions.ts";
import type { Limit, OrganizationRow } from "./kinds.ts";

interface LimitFieldProps {
  row: OrganizationRow;
  control: Limit;
  value: unknown;
  isDisabled: boolean;
}

const [NONE, OTHER] = ["none", "other"];

export function LimitField({ row: { name }, control, value, isDisabled }: LimitFieldProps) {
  const { none, unit, each, options } = control;
  const isOther = useSignal(false);
  const amount = typeof value === "number" && value !== none.value ? value : undefined;
  const all = amount === undefined || options.includes(amount) ? options : [...options, amount];
  const choose = (text: string) => {
    isOther.value = text === OTHER;
    if (text !== OTHER)
      void changeOrganizationSetting(name, text === NONE ? none.value : Number(text));
  };
  const selectedOption = amount === undefined ? NONE : String(amount);
  return (
    <span class="org-limit">
      <span class="field">
        <select
          id={`setting-${name}`}
          disabled={isDisabled}
          aria-describedby={describedBy(name)}
          value={isOther.value ? OTHER : selectedOption}
          onChange={({ currentTarget }) => choose(currentTarget.value)}
        >
          {[...all]
            .sort((a, b) => a - b)
            .map((limit) => (
              <option key={limit} value={String(limit)}>
                {timeWords(limit, control)}
              </option>
            ))}
          <option value={NONE}>{t(none.textKey)}</option>
          <option value={OTHER}>{t("other-time")}</option>
        </select>
      </span>
      {isOther.value && (
        <label class="field">
          <input
            type="number"
            min={1}
            step={1}
            autoFocus
            value={amount === undefined ? "" : Math.ceil(amount / each)}
            onChange={({ currentTarget }) => {
              const count = Math.floor(currentTarget.valueAsNumber);
              if (!(count > 0)) return;
              isOther.value = false;
              void changeOrganizationSetting(name, count * each);
            }}
          />
          {t(unit === "days" ? "org-in-days" : "org-in-minutes")}
        </label>
      )}
    </span>
  );
}

/** The duration in the largest unit that divides it. */
function timeWords(amount: number, { unit, each }: Pick<Limit, "unit" | "each">): string {
  if (unit === "days") return t("retention-days", { count: amount / each });
  const minutes = amount / each;
  if (minutes % 1440 === 0) return t("retention-days", { count: minutes / 1440 });
  if (minutes % 60 === 0) return t("org-hours", { count: minutes / 60 });
  return t("settings-minutes", { count: Math.round(minutes * 10) / 10 });
}
