/** Creates damaged images of a database file by seed, as disks, copies and bugs cause them. */
import type { RandomChance } from "./sample-schema.ts";

export const PAGE_BYTES = 4_096;
const META_AT = 24;
const META_BYTES = 168;
const LAST_PAGE_AT = 144;
const COMMIT_AT = 152;

export interface Image {
  /** Description of the damage. */
  readonly what: string;
  readonly bytes: Buffer;
}

interface DamageContext {
  readonly bytes: Buffer;
  readonly random: RandomChance;
  /** The same file at an earlier time. */
  readonly earlier: Buffer;
}

/** Changes the bytes or returns others, with a description. */
type MakeDamage = (create: DamageContext) => string | { what: string; bytes: Buffer };

const pagesIn = (bytes: Buffer) => Math.floor(bytes.length / PAGE_BYTES);
const pageAt = (bytes: Buffer, page: number) => {
  return bytes.subarray(page * PAGE_BYTES, (page + 1) * PAGE_BYTES);
};

function flipIn(bytes: Buffer, random: RandomChance, from: number, length: number): number {
  const offset = from + random.below(length);
  bytes[offset]! ^= 1 << random.below(8);
  return offset;
}

const DAMAGES: Readonly<Record<string, MakeDamage>> = {
  bit({ bytes, random }) {
    return `bit of byte ${flipIn(bytes, random, 0, bytes.length)} flipped`;
  },
  head({ bytes, random }) {
    const page = random.below(pagesIn(bytes));
    return `bit of byte ${flipIn(bytes, random, page * PAGE_BYTES, 64)} flipped, near a head`;
  },
  meta({ bytes, random }) {
    const from = random.below(2) * PAGE_BYTES;
    return `bit of byte ${flipIn(bytes, random, from, META_BYTES)} flipped, in a head page`;
  },
  lastPageNumber({ bytes, random }) {
    const offset = flipIn(bytes, random, random.below(2) * PAGE_BYTES + LAST_PAGE_AT, 8);
    return `bit of byte ${offset} flipped, in the number of the last page`;
  },
  bytes({ bytes, random }) {
    const page = random.below(pagesIn(bytes));
    for (let n = 0; n < 16; n++) bytes[page * PAGE_BYTES + random.below(PAGE_BYTES)] = n * 17;
    return `16 bytes of page ${page} replaced`;
  },
  zeros({ bytes, random }) {
    const page = random.below(pagesIn(bytes));
    pageAt(bytes, page).fill(0);
    return `page ${page} zeroed`;
  },
  block({ bytes, random }) {
    const offset = random.below(bytes.length / 512) * 512;
    bytes.fill(random.pick([0, 255]), offset, offset + 512);
    return `block of 512 bytes at ${offset} filled`;
  },
  cut({ bytes, random }) {
    const length = random.below(bytes.length);
    return { what: `cut to ${length} bytes`, bytes: bytes.subarray(0, length) };
  },
  swap({ bytes, random }) {
    const [page, other] = [random.below(pagesIn(bytes)), random.below(pagesIn(bytes))];
    const saved = Buffer.from(pageAt(bytes, page));
    pageAt(bytes, page).set(pageAt(bytes, other));
    pageAt(bytes, other).set(saved);
    return `pages ${page} and ${other} swapped`;
  },
  copy({ bytes, random }) {
    const [page, other] = [random.below(pagesIn(bytes)), random.below(pagesIn(bytes))];
    pageAt(bytes, other).set(pageAt(bytes, page));
    pageAt(bytes, other).writeBigUInt64LE(BigInt(other));
    return `page ${page} copied over ${other}, with its number`;
  },
  stalePage({ bytes, random, earlier }) {
    const page = 2 + random.below(Math.min(pagesIn(bytes), pagesIn(earlier)) - 2);
    pageAt(bytes, page).set(pageAt(earlier, page));
    return `page ${page} as it was earlier`;
  },
  tornCopy({ bytes, random, earlier }) {
    const from = random.below(pagesIn(earlier)) * PAGE_BYTES;
    return {
      what: `copied from page ${from / PAGE_BYTES} on at a later time`,
      bytes: Buffer.concat([earlier.subarray(0, from), bytes.subarray(from)]),
    };
  },
  otherFile({ bytes, random }) {
    const [from, to] = random.once(2) ? [0, 1] : [1, 0];
    const meta = pageAt(bytes, from).subarray(META_AT, META_BYTES);
    meta.copy(bytes, to * PAGE_BYTES + META_AT);
    return `what head page ${from} says copied to head page ${to}`;
  },
  number({ bytes, random }) {
    const offset = random.below(2) * PAGE_BYTES + COMMIT_AT;
    const by = BigInt(random.pick([-2, -1, 1, 2, 1_000]));
    bytes.writeBigUInt64LE(bytes.readBigUInt64LE(offset) + by, offset);
    return `number of the commit at ${offset} changed by ${by}`;
  },
};

const KINDS = Object.keys(DAMAGES);

/** The nth image; kinds take turns. */
export function imageOf(full: Buffer, earlier: Buffer, index: number, random: RandomChance): Image {
  const kind = KINDS[index % KINDS.length]!;
  const bytes = Buffer.from(full);
  const done = DAMAGES[kind]!({ bytes, random, earlier });
  const created = typeof done === "string" ? { what: done, bytes } : done;
  return { ...created, what: `image ${index}, ${kind}: ${created.what}` };
}
