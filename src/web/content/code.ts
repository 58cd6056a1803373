// Code blocks: their language label and copy button.
import { t } from "../words/words.ts";
import { element, iconButton } from "./node.ts";

interface PlaygroundSource {
  playgroundsOf(language: string): readonly { id: number; name: string }[];
}

export function enrichCode(content: DocumentFragment, context: PlaygroundSource): void {
  for (const node of content.querySelectorAll<HTMLElement>(".codehilite")) {
    const { codeLanguage } = node.dataset;
    const head = element("div", "lang", element("span", "", codeLanguage ?? ""));
    const copy = iconButton("copy", t("copy-code"), "copy-code");
    copy.dataset["size"] = "xs";
    const tries = context.playgroundsOf(codeLanguage ?? "").map(tryButton);
    head.append(element("span", "acts", ...tries, copy));
    node.className = "codeblock";
    node.querySelector("pre")?.setAttribute("tabindex", "0");
    // Code is left-to-right, whatever surrounds it.
    node.dir = "ltr";
    node.prepend(head);
  }
}

function tryButton({ id, name }: { id: number; name: string }): HTMLElement {
  const button = element("button", "try", t("try-code", { name }));
  button.type = "button";
  button.dataset["act"] = "try-code";
  button.dataset["on"] = `${id}`;
  return button;
}
