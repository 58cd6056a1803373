// Renders link previews: image, title and description.
import type { LinkedPage } from "../linked-page.ts";
import { element, literal } from "./tree.ts";
import type { Element } from "./tree.ts";

export function embed(href: string, { title, description, image }: LinkedPage): Element {
  const style = `background-image: url("${image}")`;
  const words: Element[] = [];
  if (title !== "") {
    const anchor = element("a", { href, title }, [literal(title)]);
    words.push(element("div", { class: "message_embed_title" }, [anchor]));
  }
  if (description !== "") {
    words.push(element("div", { class: "message_embed_description" }, [literal(description)]));
  }
  return element("div", { class: "message_embed" }, [
    element("a", { class: "message_embed_image", href, style }),
    element("div", { class: "data-container" }, words),
  ]);
}
