// Hashes passwords and verifies them, a few at a time, so that sign-ins cannot take the processor.
import { availableParallelism } from "node:os";
import { tooManySignIns } from "../../contract/errors/people.ts";

const HASHING = { algorithm: "argon2id", memoryCost: 19_456, timeCost: 2 } as const;
const AT_ONCE_MAX = Math.max(1, Math.floor(availableParallelism() / 2));
const SIGN_INS_WAITING_MAX = 500;
const RETRY_SECONDS = 5;

/** Hash of a discarded random text: an unknown account takes as long to verify as a known one. */
const NOBODYS_HASH =
  "$argon2id$v=19$m=19456,t=2,p=1$GrzqJ13RLgHtCPJzQ4npmwZt1gz6tA3YcfFvZfZx0Q0" +
  "$AnlYjooZ1tnXmFn0aYkKqq/l4d4Vk2/baimQl+zHf+Y";

/** Processors belong to the process, not to a realm: these are all who wait for a turn. */
const waiting: (() => void)[] = [];
let running = 0;

export function hashPassword(password: string): Promise<string> {
  return inTurn(() => Bun.password.hash(password, HASHING));
}

/** Without a hash it takes the same time and returns false. */
export async function verifyPassword(password: string, hash: string | undefined): Promise<boolean> {
  if (waiting.length >= SIGN_INS_WAITING_MAX) throw tooManySignIns(RETRY_SECONDS);
  const isRight = await inTurn(() => Bun.password.verify(password, hash ?? NOBODYS_HASH));
  return isRight && hash !== undefined;
}

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running < AT_ONCE_MAX) running += 1;
  else await new Promise<void>((resolve) => waiting.push(resolve));
  try {
    return await work();
  } finally {
    // The request that waited longest is next.
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  }
}
