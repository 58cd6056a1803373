// The looks of pages that come after the first view: a style sheet of their own, fetched once.

/** URL of the later style sheet, inserted by the build. */
declare const SKEIN_LATER_STYLE: string;

let there: Promise<void> | undefined;

/** Rejects as an import does that could not be fetched; then it is asked for again. */
export function dress(): Promise<void> {
  return (there ??= new Promise<void>((resolve, reject) => {
    const link = document.createElement("link");
    link.rel = "stylesheet";
    link.href = SKEIN_LATER_STYLE;
    link.addEventListener("load", () => resolve());
    link.addEventListener("error", () => {
      link.remove();
      there = undefined;
      reject(new TypeError(`${link.href} could not be fetched`));
    });
    document.head.append(link);
  }));
}
