// Shared parts of settings forms: sending, errors and fields.
import { type Signal, signal, useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useId } from "preact/hooks";
import { Refused } from "../../api/http.ts";
import { showToast } from "../../ui/toast.tsx";
import { say } from "../../words/words.ts";

/** The server's words, or that it could not be reached, or that a file was stopped before it. */
export function wordsOf(error: unknown): string {
  if (!(error instanceof Refused)) return say("settings-not-saved");
  return error.words === "" ? say("upload-stopped") : error.words;
}

/** Runs an action outside of any form and shows errors at the bottom. */
export async function attempt(step: () => Promise<unknown>): Promise<boolean> {
  try {
    await step();
    return true;
  } catch (error) {
    showToast({ words: wordsOf(error), isAlert: true });
    return false;
  }
}

/** Why choices were not taken: told beside their rows, or at the foot where those are not shown. */
export class Refusals {
  private readonly all = signal<Readonly<Record<string, string>>>({});
  private readonly shown = new Map<string, number>();

  of(name: string): string | undefined {
    return this.all.value[name];
  }

  tell(name: string, words: string): void {
    if (this.shown.has(name)) this.all.value = { ...this.all.peek(), [name]: words };
    else showToast({ words, isAlert: true });
  }

  /** Clears the error after a new choice or a success. */
  forget(name: string): void {
    if (!(name in this.all.peek())) return;
    const { [name]: _mended, ...others } = this.all.peek();
    this.all.value = others;
  }

  /** For its row: what was refused is forgotten when one leaves it. */
  useRow(name: string): string | undefined {
    useEffect(() => {
      this.shown.set(name, (this.shown.get(name) ?? 0) + 1);
      return () => {
        const left = this.shown.get(name)! - 1;
        if (left > 0) return void this.shown.set(name, left);
        this.shown.delete(name);
        this.forget(name);
      };
    }, [name]);
    return this.of(name);
  }
}

interface Sending {
  /** In the server's words; "" for nothing. */
  readonly refusal: Signal<string>;
  /** The same, if it is about the field of that name; of "": about none of them. */
  of(field: string): string;
  readonly isBusy: Signal<boolean>;
  /** True when it was taken. What was typed stays in any case. */
  send(step: () => Promise<unknown>): Promise<boolean>;
}

/** `fields`: of each, how the server says that it is about it, where it does not name it. */
export function useSending(fields: Readonly<Record<string, RegExp>> = {}): Sending {
  const refusal = useSignal("");
  const about = useSignal("");
  const isBusy = useSignal(false);
  const send = async (step: () => Promise<unknown>) => {
    if (isBusy.value) return false;
    isBusy.value = true;
    refusal.value = "";
    try {
      await step();
      return true;
    } catch (error) {
      const { msg = "", errors = {} } = (error as Partial<Refused>).body ?? {};
      const said = [...Object.keys(errors as object), String(msg)];
      const isAbout = (name: string) => said.includes(name) || fields[name]!.test(`${msg}`);
      about.value = Object.keys(fields).find(isAbout) ?? "";
      refusal.value = wordsOf(error);
      return false;
    } finally {
      isBusy.value = false;
    }
  };
  const of = (field: string) => (about.value === field ? refusal.value : "");
  return { refusal, of, isBusy, send };
}

interface Given {
  label: string;
  value: Signal<string>;
  /** Why it was refused. */
  refusal?: string | undefined;
  type?: "text" | "password" | "email" | "date" | "url";
  autocomplete?: string;
  maxLength?: number;
  inputMode?: "numeric";
  placeholder?: string;
  onChange?: () => void;
}

export function TextField({ label, value, refusal = "", ...rest }: Given) {
  const id = useId();
  return (
    <div class="settings-field">
      <label for={id}>{label}</label>
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
      <Refusal id={`${id}-refusal`} words={refusal} />
    </div>
  );
}

export function Refusal({ id, words }: { id?: string; words: string }) {
  if (words === "") return null;
  return (
    <p class="settings-refused" role="alert" id={id}>
      {words}
    </p>
  );
}

/** A form that sends by Enter too. */
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
