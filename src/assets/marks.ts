// Names of scripts that depend on what is in them alone, so that every checkout builds the same.
const MARK = /-([0-9a-z]{8})\.js$/;
/** Length of the content hash. Long enough to distinguish versions of a file. */
const MARK_LENGTH = 6;

/**
 * Returns the function that puts new marks in the place of those that Bun has given to scripts:
 * Bun's change with the path of the checkout and the current directory. `texts`: by their names,
 * which stand in each other.
 */
export function contentMarks(texts: ReadonlyMap<string, string>): (text: string) => string {
  const marks = [...texts.keys()].flatMap((name) => MARK.exec(name)?.[1] ?? []);
  const known = marks.length === 0 ? /(?!)/g : new RegExp(marks.join("|"), "g");
  const labels = labelsOf(texts, known);
  const renamed = (text: string) => text.replace(known, (mark) => labels.get(mark)!);
  const names = [...texts.keys()];
  if (new Set(names.map(renamed)).size < names.length) throw new Error("two scripts of one name");
  return renamed;
}

/** Scripts import each other in circles: each round takes in what is one import further away. */
function labelsOf(texts: ReadonlyMap<string, string>, known: RegExp): Map<string, string> {
  const scripts = [...texts].flatMap(([name, text]) => {
    const mark = MARK.exec(name)?.[1];
    if (mark === undefined) return [];
    const own = hashOf(name.replace(known, "") + text.replace(known, ""));
    return { mark, own, imported: text.match(known) ?? [] };
  });
  let labels = new Map(scripts.map(({ mark, own }) => [mark, own]));
  for (let round = 0; round < scripts.length; round += 1) {
    labels = new Map(
      scripts.map(({ mark, own, imported }) => {
        return [mark, hashOf([own, ...imported.map((other) => labels.get(other))].join(" "))];
      }),
    );
  }
  return new Map([...labels].map(([mark, label]) => [mark, label.slice(0, MARK_LENGTH)]));
}

function hashOf(text: string): string {
  return Bun.hash(text).toString(36).padStart(13, "0");
}
