// Hashes and verifies passwords, a few at a time, so that sign-ins do not use all processors.
import { availableParallelism } from "node:os";
import { tooManySignIns } from "../../contract/errors/people.ts";

const HASHING = { algorithm: "argon2id", memoryCost: 19_456, timeCost: 2 } as const;
const AT_ONCE_MAX = Math.max(1, Math.floor(availableParallelism() / 2));
const SIGN_INS_WAITING_MAX = 500;
const RETRY_SECONDS = 5;

/** Hash of a discarded random text: an unknown account takes as long to verify as a known one. */
const DUMMY_HASH =
  "$argon2id$v=19$m=19456,t=2,p=1$GrzqJ13RLgHtCPJzQ4npmwZt1gz6tA3YcfFvZfZx0Q0" +
  "$AnlYjooZ1tnXmFn0aYkKqq/l4d4Vk2/baimQl+zHf+Y";

/** Work that waits for a free slot. Slots belong to the process, since processors do too. */
const queue: (() => void)[] = [];
let running = 0;

export function hashPassword(password: string): Promise<string> {
  return withLimit(() => Bun.password.hash(password, HASHING));
}

/** Takes the same time without a hash, and returns false. An imported hash may be malformed. */
export async function verifyPassword(password: string, hash: string | undefined): Promise<boolean> {
  if (queue.length >= SIGN_INS_WAITING_MAX) throw tooManySignIns(RETRY_SECONDS);
  const isMatch = await withLimit(() =>
    Bun.password.verify(password, hash ?? DUMMY_HASH).catch(() => false),
  );
  return isMatch && hash !== undefined;
}

/** Whether the hash is of another kind than `hashPassword` makes, such as an imported one. */
export const isOutdated = (hash: string) => !hash.startsWith("$argon2id$");

async function withLimit<T>(work: () => Promise<T>): Promise<T> {
  if (running < AT_ONCE_MAX) running += 1;
  else await new Promise<void>((resolve) => queue.push(resolve));
  try {
    return await work();
  } finally {
    // Continues with the request that has waited longest.
    const next = queue.shift();
    if (next) next();
    else running -= 1;
  }
}
