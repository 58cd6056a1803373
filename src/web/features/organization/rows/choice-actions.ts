// Changes of the organization's settings: displayed at once, sent one after the other, with undo.
import { signal } from "@preact/signals";
import { personal } from "../../../sync/session.ts";
import { applyLocal } from "../../../store/store.ts";
import type { LocalEvent } from "../../../contract/snapshot.ts";
import { errorOf } from "../../../ui/saving.ts";
import { SaveErrors } from "../../../ui/form/save-errors.ts";

/** The request for a change, and the events that it causes. */
interface ChoiceRequest {
  ask(): Promise<unknown>;
  readonly localEvent: LocalEvent;
}

export class Choices<Name extends string> {
  /** The last change, with the value before. */
  readonly saved = signal<{ name: Name; before: unknown } | undefined>(undefined);
  readonly refusals = new SaveErrors();
  /** Changes that are being sent. */
  private readonly pendingChoices = signal<Readonly<Partial<Record<string, unknown>>>>({});
  private last: Promise<unknown> = Promise.resolve();

  /** `heldOf`: the value according to the server. */
  constructor(private readonly confirmedValueOf: (name: Name) => unknown) {}

  /** The value as the user sees it, including changes that are being sent. */
  shownOf(name: Name): unknown {
    return name in this.pendingChoices.value
      ? this.pendingChoices.value[name]
      : this.confirmedValueOf(name);
  }

  /** Resolves to whether the change succeeded. If there are several changes, the last one wins. */
  choose(name: Name, value: unknown, request: ChoiceRequest): Promise<boolean> {
    this.pendingChoices.value = { ...this.pendingChoices.value, [name]: value };
    this.saved.value = undefined;
    const change = this.last.then(() => this.send(name, value, request));
    this.last = change;
    return change;
  }

  /** Undoes the last change; the undo itself cannot be undone. */
  async undo(change: (name: Name, before: unknown) => Promise<boolean>): Promise<void> {
    const last = this.saved.value;
    if (last && (await change(last.name, last.before))) this.saved.value = undefined;
  }

  private async send(
    name: Name,
    value: unknown,
    { ask, localEvent }: ChoiceRequest,
  ): Promise<boolean> {
    const before = this.confirmedValueOf(name);
    // A saved value is displayed before its event arrives.
    const onResponse =
      personal.peek()?.mutations.expect([localEvent]) ??
      ((isTaken) => isTaken && applyLocal([localEvent]));
    try {
      await ask();
      onResponse(true);
      this.refusals.forget(name);
      this.saved.value = { name, before };
      return true;
    } catch (error) {
      onResponse(false);
      this.refusals.show(name, errorOf(error));
      return false;
    } finally {
      if (this.pendingChoices.value[name] === value) {
        const pendingChoices = { ...this.pendingChoices.value };
        delete pendingChoices[name];
        this.pendingChoices.value = pendingChoices;
      }
    }
  }
}
