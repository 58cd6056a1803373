// Changes of the organization's settings: displayed at once, sent one after the other, with undo.
import { signal } from "@preact/signals";
import { desk } from "../../../here.ts";
import { take } from "../../../live.ts";
import type { Deed } from "../../../snapshot.ts";
import { refusalOf } from "../../../ui/saving.ts";
import { Refusals } from "../../settings/form.tsx";

/** How the server is asked, and what it tells of it then. */
export interface Asked {
  ask(): Promise<unknown>;
  readonly foretold: Deed;
}

export class Choices<Name extends string> {
  /** The last change, with the value before. */
  readonly saved = signal<{ name: Name; before: unknown } | undefined>(undefined);
  readonly refusals = new Refusals();
  /** Changes that are being sent. */
  private readonly asked = signal<Readonly<Record<string, unknown>>>({});
  private last: Promise<unknown> = Promise.resolve();

  /** `heldOf`: what the server has told of it. */
  constructor(private readonly heldOf: (name: Name) => unknown) {}

  /** The value as the user sees it, including changes that are being sent. */
  shownOf(name: Name): unknown {
    return name in this.asked.value ? this.asked.value[name] : this.heldOf(name);
  }

  /** Says whether it was done; the last one chosen is the last one kept. */
  choose(name: Name, value: unknown, asked: Asked): Promise<boolean> {
    this.asked.value = { ...this.asked.value, [name]: value };
    this.saved.value = undefined;
    const done = this.last.then(() => this.send(name, value, asked));
    this.last = done;
    return done;
  }

  /** Takes back what was changed last; that cannot be taken back again. */
  async undo(change: (name: Name, before: unknown) => Promise<boolean>): Promise<void> {
    const last = this.saved.value;
    if (last && (await change(last.name, last.before))) this.saved.value = undefined;
  }

  private async send(name: Name, value: unknown, { ask, foretold }: Asked): Promise<boolean> {
    const before = this.heldOf(name);
    // A saved value is displayed before its event arrives.
    const answered =
      desk.peek()?.doings.expect([foretold]) ?? ((isTaken) => isTaken && take([foretold]));
    try {
      await ask();
      answered(true);
      this.refusals.forget(name);
      this.saved.value = { name, before };
      return true;
    } catch (error) {
      answered(false);
      this.refusals.tell(name, refusalOf(error));
      return false;
    } finally {
      if (this.asked.value[name] === value) {
        const { [name]: _answered, ...waiting } = this.asked.value as Record<string, unknown>;
        this.asked.value = waiting;
      }
    }
  }
}
