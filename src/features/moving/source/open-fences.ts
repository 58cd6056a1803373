// Follows the fences of a Markdown text line by line.

const MARK = /^(?:`{3,}|~{3,})/;
const TAG = /^ *\{?\.?([\w+\-./#]*)/;
const QUOTES: ReadonlySet<string> = new Set(["quote", "quoted", "spoiler"]);

interface Fence {
  /** The line that opens the fence, and the line that closes it. */
  readonly opening: string;
  readonly closing: string;
  readonly isCode: boolean;
}

/** The kind of a line: text is formatted, and code is not. */
export type LineKind = "text" | "fence" | "code";

export class OpenFences {
  constructor(private readonly fences: Fence[] = []) {}

  copy(): OpenFences {
    return new OpenFences([...this.fences]);
  }

  get isCode(): boolean {
    return this.fences.at(-1)?.isCode === true;
  }

  /** The lines that reopen all open fences. */
  get openings(): readonly string[] {
    return this.fences.map(({ opening }) => opening);
  }

  /** The lines that close all open fences. */
  get closings(): readonly string[] {
    return this.fences.map(({ closing }) => closing).toReversed();
  }

  read(line: string): LineKind {
    const innermost = this.fences.at(-1);
    if (innermost && line.trimEnd() === innermost.closing) {
      this.fences.pop();
      return "fence";
    }
    if (innermost?.isCode) return "code";
    const opened = openedBy(line);
    if (!opened) return "text";
    this.fences.push(opened);
    return "fence";
  }
}

/** Finds the same fences as the renderer. */
function openedBy(line: string): Fence | undefined {
  const opening = line.trimEnd();
  const [closing] = MARK.exec(opening) ?? [];
  if (closing === undefined) return undefined;
  const rest = opening.slice(closing.length);
  const [start = "", tag = ""] = TAG.exec(rest) ?? [];
  const behind = rest.slice(start.length);
  const kind = tag.toLowerCase();
  // The header of a spoiler may contain backticks.
  const isInline = kind === "spoiler" ? behind.endsWith(closing) : /[~`]/.test(behind);
  const isText = tag === "" && behind.replace(/\}$/, "").trim() !== "";
  if (isInline || isText) return undefined;
  return { opening, closing, isCode: !QUOTES.has(kind) };
}
