// Shared parts of settings forms: sending, errors and fields.
import { type Signal, useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import { useIsRemoved } from "../loading/is-removed.ts";
import { showToast } from "../toast.tsx";
import { errorText, fieldsOf } from "./save-errors.ts";

interface FormState {
  /** The error in the server's words; "" if there is none. */
  readonly refusal: Signal<string>;
  /** The same error if it belongs to the field of that name; with "", if it belongs to no field. */
  errorOf(field: string): string;
  readonly isBusy: Signal<boolean>;
  /** Resolves to true on success. The input stays in any case. */
  send(step: () => Promise<unknown>): Promise<boolean>;
}

/** `fields`: for each field of the form, the names that the server has for it. */
export function useSending(fields: Readonly<Record<string, readonly string[]>> = {}): FormState {
  const refusal = useSignal("");
  const about = useSignal("");
  const isBusy = useSignal(false);
  const isRemoved = useIsRemoved();
  const send = async (step: () => Promise<unknown>) => {
    if (isBusy.value) return false;
    isBusy.value = true;
    refusal.value = "";
    try {
      await step();
      return true;
    } catch (error) {
      const invalid = fieldsOf(error);
      const entry = Object.entries(fields).find(([, names]) =>
        names.some((name) => invalid.has(name)),
      );
      about.value = entry?.[0] ?? "";
      refusal.value = errorText(error);
      if (isRemoved.current) showToast({ text: refusal.value, isAlert: true });
      return false;
    } finally {
      isBusy.value = false;
    }
  };
  const errorFor = (field: string) => (about.value === field ? refusal.value : "");
  return { refusal, errorOf: errorFor, isBusy, send };
}

interface FormFieldProps {
  label: string;
  /** A signal, or an object whose setter receives the input. */
  value: { value: string };
  /** The error message. */
  refusal?: string | undefined;
  type?: "text" | "password" | "email" | "date" | "url";
  autocomplete?: string;
  maxLength?: number;
  inputMode?: "numeric";
  placeholder?: string;
  onChange?: () => void;
  onBlur?: () => void;
  /** Beside the label. */
  beside?: ComponentChildren;
}

export function TextField({ label, value, refusal = "", beside, ...rest }: FormFieldProps) {
  const id = useId();
  return (
    <div class="settings-field">
      <span>
        <label for={id}>{label}</label> {beside}
      </span>
      <span class="field" data-wrong={refusal === "" ? undefined : ""}>
        <input
          id={id}
          value={value.value}
          aria-invalid={refusal !== ""}
          aria-describedby={refusal === "" ? undefined : `${id}-refusal`}
          onInput={({ currentTarget }) => (value.value = currentTarget.value)}
          {...(rest as object)}
        />
      </span>
      <Refusal id={`${id}-refusal`} text={refusal} />
    </div>
  );
}

export function Refusal({ id, text }: { id?: string; text: string }) {
  if (text === "") return null;
  return (
    <p class="settings-refused" role="alert" id={id}>
      {text}
    </p>
  );
}

/** A form that Enter submits. */
export function Form({ send, children }: { send: () => void; children: ComponentChildren }) {
  return (
    <form
      class="settings-form"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      {children}
    </form>
  );
}
