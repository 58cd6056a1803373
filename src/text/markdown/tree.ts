// The tree that the renderer builds: elements and text, never markup typed by a user.

/** A string is source text, in which an entity such as `&copy;` stays one. */
export type Node = string | Literal | Trusted | Element;

/** Text in which nothing is an entity: names, code. */
export interface Literal {
  literal: string;
}

/** Markup that this program or KaTeX made. */
export interface Trusted {
  html: string;
}

export interface Element {
  tag: string;
  attributes: Attributes;
  children: Node[];
  /** Its blocks stand on lines of their own. */
  flow: boolean;
}

export type Attributes = Readonly<Record<string, string | true>>;

const NONE: Attributes = {};

export function element(tag: string, attributes: Attributes = NONE, children: Node[] = []) {
  return { tag, attributes, children, flow: false } satisfies Element;
}

export function flow(tag: string, attributes: Attributes = NONE, children: Node[] = []) {
  return { tag, attributes, children, flow: true } satisfies Element;
}

export function literal(text: string): Literal {
  return { literal: text };
}

export function isElement(node: Node | undefined): node is Element {
  return typeof node === "object" && "tag" in node;
}

const BLOCKS = new Set(
  "p h1 h2 h3 h4 h5 h6 ul ol li blockquote table thead tbody tr th td hr div".split(" "),
);

export function isBlock(node: Node | undefined): node is Element {
  return isElement(node) && BLOCKS.has(node.tag);
}

/** The words of a node, without formulas. */
export function textOf(node: Node): string {
  if (typeof node === "string") return node;
  if ("literal" in node) return node.literal;
  return "html" in node ? "" : node.children.map(textOf).join("");
}

/** Where a block stands: in an item of a tight list, in text whose indent is taken off, or else. */
export type Mode = "tight" | "detabbed" | "";

export interface Place {
  parent: Element;
  mode: Mode;
  depth: number;
}
