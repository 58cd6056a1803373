/** Creates damaged images of a database file by seed, as disks, copies and bugs would. */
import type { Chance } from "./sample-schema.ts";

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

interface Making {
  readonly bytes: Buffer;
  readonly chance: Chance;
  /** The same file at an earlier time. */
  readonly earlier: Buffer;
}

/** Changes the bytes or returns others, with a description. */
type Damage = (making: Making) => string | { what: string; bytes: Buffer };

const pagesIn = (bytes: Buffer) => Math.floor(bytes.length / PAGE_BYTES);
const pageAt = (bytes: Buffer, page: number) => {
  return bytes.subarray(page * PAGE_BYTES, (page + 1) * PAGE_BYTES);
};

function flipIn(bytes: Buffer, chance: Chance, from: number, length: number): number {
  const offset = from + chance.below(length);
  bytes[offset]! ^= 1 << chance.below(8);
  return offset;
}

const DAMAGES: Readonly<Record<string, Damage>> = {
  bit({ bytes, chance }) {
    return `bit of byte ${flipIn(bytes, chance, 0, bytes.length)} flipped`;
  },
  head({ bytes, chance }) {
    const page = chance.below(pagesIn(bytes));
    return `bit of byte ${flipIn(bytes, chance, page * PAGE_BYTES, 64)} flipped, near a head`;
  },
  meta({ bytes, chance }) {
    const from = chance.below(2) * PAGE_BYTES;
    return `bit of byte ${flipIn(bytes, chance, from, META_BYTES)} flipped, in a head page`;
  },
  last({ bytes, chance }) {
    const at = flipIn(bytes, chance, chance.below(2) * PAGE_BYTES + LAST_PAGE_AT, 8);
    return `bit of byte ${at} flipped, in the number of the last page`;
  },
  bytes({ bytes, chance }) {
    const page = chance.below(pagesIn(bytes));
    for (let n = 0; n < 16; n++) bytes[page * PAGE_BYTES + chance.below(PAGE_BYTES)] = n * 17;
    return `16 bytes of page ${page} replaced`;
  },
  zeros({ bytes, chance }) {
    const page = chance.below(pagesIn(bytes));
    pageAt(bytes, page).fill(0);
    return `page ${page} zeroed`;
  },
  block({ bytes, chance }) {
    const at = chance.below(bytes.length / 512) * 512;
    bytes.fill(chance.pick([0, 255]), at, at + 512);
    return `block of 512 bytes at ${at} filled`;
  },
  cut({ bytes, chance }) {
    const length = chance.below(bytes.length);
    return { what: `cut to ${length} bytes`, bytes: bytes.subarray(0, length) };
  },
  swap({ bytes, chance }) {
    const [one, other] = [chance.below(pagesIn(bytes)), chance.below(pagesIn(bytes))];
    const held = Buffer.from(pageAt(bytes, one));
    pageAt(bytes, one).set(pageAt(bytes, other));
    pageAt(bytes, other).set(held);
    return `pages ${one} and ${other} swapped`;
  },
  copy({ bytes, chance }) {
    const [one, other] = [chance.below(pagesIn(bytes)), chance.below(pagesIn(bytes))];
    pageAt(bytes, other).set(pageAt(bytes, one));
    pageAt(bytes, other).writeBigUInt64LE(BigInt(other));
    return `page ${one} copied over ${other}, with its number`;
  },
  stale({ bytes, chance, earlier }) {
    const page = 2 + chance.below(Math.min(pagesIn(bytes), pagesIn(earlier)) - 2);
    pageAt(bytes, page).set(pageAt(earlier, page));
    return `page ${page} as it was earlier`;
  },
  torn({ bytes, chance, earlier }) {
    const from = chance.below(pagesIn(earlier)) * PAGE_BYTES;
    return {
      what: `copied from page ${from / PAGE_BYTES} on at a later time`,
      bytes: Buffer.concat([earlier.subarray(0, from), bytes.subarray(from)]),
    };
  },
  other({ bytes, chance }) {
    const [from, to] = chance.once(2) ? [0, 1] : [1, 0];
    const meta = pageAt(bytes, from).subarray(META_AT, META_BYTES);
    meta.copy(bytes, to * PAGE_BYTES + META_AT);
    return `what head page ${from} says copied to head page ${to}`;
  },
  number({ bytes, chance }) {
    const offset = chance.below(2) * PAGE_BYTES + COMMIT_AT;
    const by = BigInt(chance.pick([-2, -1, 1, 2, 1_000]));
    bytes.writeBigUInt64LE(bytes.readBigUInt64LE(offset) + by, offset);
    return `number of the commit at ${offset} changed by ${by}`;
  },
};

const KINDS = Object.keys(DAMAGES);

/** The nth image; kinds take turns. */
export function imageOf(whole: Buffer, earlier: Buffer, nth: number, chance: Chance): Image {
  const kind = KINDS[nth % KINDS.length]!;
  const bytes = Buffer.from(whole);
  const done = DAMAGES[kind]!({ bytes, chance, earlier });
  const made = typeof done === "string" ? { what: done, bytes } : done;
  return { ...made, what: `image ${nth}, ${kind}: ${made.what}` };
}
