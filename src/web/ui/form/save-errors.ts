// Shows the errors of saved choices beside their rows, or in a toast.
import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { ApiError } from "../../contract/api-error.ts";
import { t } from "../../words/words.ts";
import { showToast } from "../toast.tsx";

/**
 * The error text: from the server, or that it could not be reached, or that a file was too large.
 */
export function errorText(error: unknown): string {
  if (!(error instanceof ApiError)) return t("settings-not-saved");
  return error.text === "" ? t("upload-stopped") : error.text;
}

/** The names of the fields that an error is about. */
export function fieldsOf(error: unknown): ReadonlySet<string> {
  if (!(error instanceof ApiError)) return new Set();
  const { field, errors } = error.body;
  const names = typeof errors === "object" && errors !== null ? Object.keys(errors) : [];
  return new Set(typeof field === "string" ? [...names, field] : names);
}

/** Runs an action outside of any form and shows errors at the bottom. */
export async function runWithToast(step: () => Promise<unknown>): Promise<boolean> {
  try {
    await step();
    return true;
  } catch (error) {
    showToast({ text: errorText(error), isAlert: true });
    return false;
  }
}

/** Errors of choices, shown beside their rows, or in a toast if those are not displayed. */
export class SaveErrors {
  private readonly all = signal<Readonly<Record<string, string>>>({});
  private readonly shown = new Map<string, number>();

  errorOf(name: string): string | undefined {
    return this.all.value[name];
  }

  show(name: string, text: string): void {
    if (this.shown.has(name)) this.all.value = { ...this.all.peek(), [name]: text };
    else showToast({ text, isAlert: true });
  }

  /** Clears the error after a new choice or a success. */
  forget(name: string): void {
    if (!(name in this.all.peek())) return;
    const { [name]: _mended, ...others } = this.all.peek();
    this.all.value = others;
  }

  /** Subscribes a row; its error is cleared when the row is left. */
  useRow(name: string): string | undefined {
    useEffect(() => {
      this.shown.set(name, (this.shown.get(name) ?? 0) + 1);
      return () => {
        const remaining = this.shown.get(name)! - 1;
        if (remaining > 0) return void this.shown.set(name, remaining);
        this.shown.delete(name);
        this.forget(name);
      };
    }, [name]);
    return this.errorOf(name);
  }
}
