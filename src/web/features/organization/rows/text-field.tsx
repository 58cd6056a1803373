// A text setting: saved when the field loses the focus; rejected input stays in the field.
import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { describedBy } from "../../settings/setting-frame.tsx";
import { changeOrganizationSetting, refusals } from "./actions.ts";
import type { Control, OrganizationRow } from "./kinds.ts";

interface TextSettingProps {
  row: OrganizationRow;
  control: Control & { kind: "text" };
  value: unknown;
  isDisabled: boolean;
}

export function TextSetting({ row: { name }, control, value, isDisabled }: TextSettingProps) {
  const initialText = String(value ?? "");
  const draftText = useSignal<string | undefined>(undefined);
  /** The field has had the focus since the last input, so that no event may replace its text. */
  const isTyping = useRef(false);
  const isWrong = refusals.errorOf(name) !== undefined;
  /** Shows the saved text, with the changes of others. A rejected one stays as it was typed. */
  const show = () => {
    if (!isTyping.current && refusals.errorOf(name) === undefined) draftText.value = undefined;
  };
  const save = async () => {
    const text = draftText.peek();
    if (text === undefined || (text === initialText && !isWrong)) return;
    await changeOrganizationSetting(name, text);
    if (draftText.peek() === text) show();
  };
  const onInput = ({ currentTarget }: { currentTarget: { value: string } }) => {
    draftText.value = currentTarget.value;
    isTyping.current = true;
  };
  const shared = {
    id: `setting-${name}`,
    value: draftText.value ?? initialText,
    disabled: isDisabled,
    maxLength: control.max,
    dir: "auto" as const,
    "aria-invalid": isWrong,
    "aria-describedby": describedBy(name),
    onInput,
    onChange: () => void save(),
    onBlur: () => {
      isTyping.current = false;
      if (draftText.peek()?.trim() === initialText.trim()) show();
    },
  };
  const error = isWrong ? "" : undefined;
  if (control.isLong) {
    return (
      <span class="field" data-wrong={error}>
        <textarea rows={3} {...shared} />
      </span>
    );
  }
  return (
    <span class="field" data-wrong={error}>
      <input autocomplete="off" {...shared} />
    </span>
  );
}
