// Loads the style sheet of pages that are not part of the first view, once.

/** URL of the later style sheet, inserted by the build. */
declare const SKEIN_LATER_STYLE: string;

let loading: Promise<void> | undefined;

/** Rejects like a failed import; the next call tries again. */
export function loadStyles(): Promise<void> {
  return (loading ??= new Promise<void>((resolve, reject) => {
    const link = document.createElement("link");
    link.rel = "stylesheet";
    link.href = SKEIN_LATER_STYLE;
    link.addEventListener("load", () => resolve());
    link.addEventListener("error", () => {
      link.remove();
      loading = undefined;
      reject(new TypeError(`${link.href} could not be fetched`));
    });
    document.head.append(link);
  }));
}
