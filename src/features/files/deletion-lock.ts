// Prevents the deletion of bytes that the data of a running backup refers to.
import { perRealm } from "../../realm.ts";

class DeletionLock {
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

  /** Resolves when no backup holds the files. */
  async untilReleased(): Promise<void> {
    while (this.held) await this.held.promise;
  }
}

export const deletionLock = perRealm(() => new DeletionLock());
