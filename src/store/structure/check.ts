// Checks that every page of a closed database file is valid and referenced exactly once.
import { PageFile } from "./file.ts";
import { freePagesIn } from "./free.ts";
import { type Meta, newestMeta, type Tree } from "./meta.ts";
import { checkOverflow, HEAD_BYTES, type Node, OVERFLOW, PageFault } from "./page.ts";
import { type Bounds, TreeWalk } from "./tree.ts";

export interface Limits {
  /** In larger files, all branches are checked first, and leaves up to this number. */
  readonly pages_max: number;
  /** In milliseconds of `now`; what is not checked by then is skipped. */
  readonly ms_max: number;
  readonly now: () => number;
}

interface Checked {
  /** Messages about the first few faults. If empty, the file can be opened. */
  readonly faults: readonly string[];
  /** Number of tree pages that were not checked for lack of time. */
  readonly skipped_pages: number;
  readonly newest_commit: number;
}

export const UNLIMITED: Limits = { pages_max: Infinity, ms_max: Infinity, now: () => 0 };

const FAULTS_MAX = 20;

/** Checks a file that no process writes. An empty file counts as new. */
export function checkStructure(path: string, limits: Limits = UNLIMITED): Checked {
  using file = new PageFile(path);
  if (file.bytes === 0) return { faults: [], skipped_pages: 0, newest_commit: 0 };
  try {
    const meta = newestMeta(file);
    return new StructureCheck(file, meta, limits).run();
  } catch (error) {
    if (!(error instanceof PageFault)) throw error;
    return { faults: [error.message], skipped_pages: 0, newest_commit: 0 };
  }
}

interface Counts {
  branches: number;
  leaves: number;
  overflows: number;
  entries: number;
}

class StructureCheck {
  private readonly faults: string[] = [];
  /** A bit for each page, which is set if the page is referenced. */
  private readonly used: Uint8Array;
  /** Damaged branch pages, which are not followed. */
  private readonly barred = new Set<number>();
  private readonly end_ms: number;
  private pagesLeft: number;
  private skipped = 0;
  /** Number of free pages beyond the end of the file. */
  private unwritten = 0;

  constructor(
    private readonly file: PageFile,
    private readonly meta: Meta,
    private readonly limits: Limits,
  ) {
    this.used = new Uint8Array(Math.ceil(file.pages / 8));
    this.end_ms = limits.now() + limits.ms_max;
    this.pagesLeft = limits.pages_max;
    this.markUsed(0, 2);
  }

  run(): Checked {
    const { free, main } = this.meta;
    this.file.warm(
      Math.min(this.pagesLeft, this.file.pages) * this.meta.page_bytes,
      () => this.isLate,
    );
    for (const tree of [free, main]) this.checkTree(tree);
    this.checkEnd();
    const { faults, skipped, meta } = this;
    return { faults, skipped_pages: skipped, newest_commit: meta.commit };
  }

  private get isLate(): boolean {
    return this.limits.now() >= this.end_ms;
  }

  private get isFull(): boolean {
    return this.faults.length >= FAULTS_MAX;
  }

  /** Pages that were freed before they were ever written may be missing at the end. */
  private checkEnd(): void {
    const missingPages = this.meta.last_page + 1 - this.file.pages;
    if (missingPages <= this.unwritten || this.skipped > 0 || this.faults.length > 0) return;
    this.add(
      `the file ends ${missingPages} pages before its last page, and ${this.unwritten} are free`,
    );
  }

  /** Branches first, because they determine which other pages exist. */
  private checkTree(tree: Tree): void {
    const { root, depth } = tree;
    const counts: Counts = { branches: 0, leaves: 0, overflows: 0, entries: 0 };
    const faults_before = this.faults.length;
    const skipped_before = this.skipped;
    if (root !== undefined) {
      this.collectFaults(() => this.markUsed(root, 1), root);
      const walk = new TreeWalk(this.file, tree === this.meta.free, this.meta.commit);
      if (!this.barred.has(root)) {
        this.followBranches(walk, root, depth, { low: undefined, high: undefined }, counts);
        this.followLeaves(walk, root, depth, { low: undefined, high: undefined }, counts);
      }
    }
    if (this.faults.length > faults_before || this.skipped > skipped_before) return;
    for (const name of ["branches", "leaves", "overflows", "entries"] as const) {
      if (counts[name] === tree[name]) continue;
      const label = NAMES[name];
      this.add(`the newest commit counts ${tree[name]} ${label}, and ${counts[name]} are there`);
    }
  }

  private followBranches(
    walk: TreeWalk,
    page: number,
    level: number,
    bounds: Bounds,
    counts: Counts,
  ): void {
    if (level === 1) return;
    counts.branches++;
    this.collectFaults(() => {
      for (const child of walk.children(page, bounds)) {
        if (this.isFull) return;
        this.collectFaults(() => this.markUsed(child.page, 1), child.page);
        if (this.barred.has(child.page)) continue;
        this.followBranches(walk, child.page, level - 1, child, counts);
      }
    }, page);
  }

  private followLeaves(
    walk: TreeWalk,
    page: number,
    level: number,
    bounds: Bounds,
    counts: Counts,
  ): void {
    if (this.barred.has(page) || this.isFull) return;
    if (level > 1) {
      for (const child of walk.children(page, bounds)) {
        this.followLeaves(walk, child.page, level - 1, child, counts);
      }
    } else if (this.pagesLeft <= 0 || this.isLate) this.skipped++;
    else {
      counts.leaves++;
      this.pagesLeft--;
      this.collectFaults(() => this.checkLeaf(walk, page, bounds, counts), page);
    }
  }

  private checkLeaf(walk: TreeWalk, page: number, bounds: Bounds, counts: Counts): void {
    const leaf = this.file.read(page);
    const nodes = walk.leaf(leaf, page, bounds);
    counts.entries += nodes.length;
    for (const node of nodes) {
      const value = this.valueOf(leaf, node, counts, walk.isFree);
      if (value) for (const { first, span } of freePagesIn(value)) this.takeFree(first, span);
    }
  }

  /** Returns values of the free list. Others are read only if they have overflow pages. */
  private valueOf(
    leaf: Buffer,
    { elsewhere, value_at, length }: Node,
    counts: Counts,
    isWanted: boolean,
  ): Buffer | undefined {
    if (!elsewhere) return isWanted ? leaf.subarray(value_at, value_at + length) : undefined;
    const { first, span } = elsewhere;
    this.markUsed(first, span);
    this.pagesLeft--;
    counts.overflows += span;
    const read = isWanted ? span * this.meta.page_bytes : HEAD_BYTES;
    const bytes = this.file.read(first, read);
    const { commit } = this.meta;
    checkOverflow(bytes, { number: first, kind: OVERFLOW, commit }, span);
    return isWanted ? bytes.subarray(HEAD_BYTES, HEAD_BYTES + length) : undefined;
  }

  /** Only free pages may be beyond the end of the file. */
  private takeFree(first: number, span: number): void {
    const available = Math.max(0, Math.min(span, this.file.pages - first));
    if (first + span - 1 > this.meta.last_page) {
      throw new PageFault(`the free page ${first} is beyond the last page`);
    }
    this.unwritten += span - available;
    if (available > 0) this.markUsed(first, available);
  }

  /** Marks pages as used. A second use is a fault. */
  private markUsed(first: number, span: number): void {
    const end = Math.min(this.meta.last_page + 1, this.file.pages);
    if (first + span > end) throw new PageFault(`page ${first + span - 1} is beyond the last page`);
    for (let page = first; page < first + span; page++) {
      const bit = 1 << (page & 7);
      if (this.used[page >>> 3]! & bit) throw new PageFault(`two places lead to page ${page}`);
      this.used[page >>> 3]! |= bit;
    }
  }

  /** A fault in one page does not stop the check of others. */
  private collectFaults(look: () => void, page: number): void {
    try {
      look();
    } catch (error) {
      if (!(error instanceof PageFault)) throw error;
      this.barred.add(page);
      this.add(error.message);
    }
  }

  private add(text: string): void {
    if (!this.isFull) this.faults.push(text);
  }
}

const NAMES = {
  branches: "branches of a tree",
  leaves: "leaves of a tree",
  overflows: "pages of long values",
  entries: "rows",
};
