// A text of the organization: saved when one leaves it; what is refused stays as it was typed.
import { untracked, useSignal, useSignalEffect } from "@preact/signals";
import { describedBy } from "../../settings/frame.tsx";
import { change, refusals } from "./actions.ts";
import type { Control, OrganizationRow } from "./kinds.ts";

interface Shown {
  row: OrganizationRow;
  control: Control & { kind: "text" };
  value: unknown;
  isOff: boolean;
}

export function TextSetting({ row: { name }, control, value, isOff }: Shown) {
  const known = useSignal(String(value ?? ""));
  known.value = String(value ?? "");
  const text = useSignal(known.value);
  // Shows changes of others. An error keeps the input.
  useSignalEffect(() => {
    const now = known.value;
    if (untracked(() => refusals.of(name)) === undefined) text.value = now;
  });
  const isWrong = refusals.of(name) !== undefined;
  const keep = () => {
    if (text.value !== known.value || isWrong) void change(name, text.value);
  };
  const shared = {
    id: `setting-${name}`,
    value: text.value,
    disabled: isOff,
    maxLength: control.max,
    dir: "auto" as const,
    "aria-invalid": isWrong,
    "aria-describedby": describedBy(name),
  };
  const wrong = isWrong ? "" : undefined;
  if (control.isLong) {
    return (
      <span class="field" data-wrong={wrong}>
        <textarea
          rows={3}
          {...shared}
          onInput={({ currentTarget }) => (text.value = currentTarget.value)}
          onChange={keep}
        />
      </span>
    );
  }
  return (
    <span class="field" data-wrong={wrong}>
      <input
        autocomplete="off"
        {...shared}
        onInput={({ currentTarget }) => (text.value = currentTarget.value)}
        onChange={keep}
      />
    </span>
  );
}
