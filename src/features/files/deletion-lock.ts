// Prevents the deletion of bytes that the data of a running backup refers to.
import { perRealm } from "../../realm.ts";

class DeletionLock {
  private lock: PromiseWithResolvers<void> | undefined;

  get isHeld(): boolean {
    return this.lock !== undefined;
  }

  acquire(): void {
    this.lock = Promise.withResolvers();
  }

  release(): void {
    this.lock?.resolve();
    this.lock = undefined;
  }

  /** Resolves when no backup holds the files. */
  async untilReleased(): Promise<void> {
    while (this.lock) await this.lock.promise;
  }
}

export const deletionLock = perRealm(() => new DeletionLock());
