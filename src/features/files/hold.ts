// While a backup is made, no bytes go that its copy of the data still names.
import { perRealm } from "../../realm.ts";

class Hold {
  private held: PromiseWithResolvers<void> | undefined;

  get isHeld(): boolean {
    return this.held !== undefined;
  }

  take(): void {
    this.held = Promise.withResolvers();
  }

  release(): void {
    this.held?.resolve();
    this.held = undefined;
  }

  /** Resolves when nothing holds them. */
  async over(): Promise<void> {
    while (this.held) await this.held.promise;
  }
}

export const fileHold = perRealm(() => new Hold());
