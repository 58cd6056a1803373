// Marks the differences between two versions of HTML word by word in the newer one.
import { diffArrays } from "diff";

/**
 * With more changed tokens, the whole text counts as replaced, because time grows with their square
 * and readers gain nothing.
 */
const CHANGES_MAX = 300;

/**
 * Returns the newer HTML with added and removed text marked. Its elements are those of the newer
 * version.
 */
export function htmlDiff(before: string, after: string): string {
  const [oldTokens, now] = [tokensOf(before), tokensOf(after)];
  const marked = new MarkedHtml();
  let start = 0;
  while (start < oldTokens.length && start < now.length && oldTokens[start] === now[start]) start++;
  let [oldEnd, nowEnd] = [oldTokens.length, now.length];
  while (oldEnd > start && nowEnd > start && oldTokens[oldEnd - 1] === now[nowEnd - 1]) {
    oldEnd--;
    nowEnd--;
  }
  for (const token of now.slice(0, start)) marked.addUnchanged(token);
  compare(oldTokens.slice(start, oldEnd), now.slice(start, nowEnd), marked);
  for (const token of now.slice(nowEnd)) marked.addUnchanged(token);
  return `<div>${marked.html()}</div>`;
}

/** Tags, words, text between words, and URLs. */
function tokensOf(html: string): string[] {
  const tokens: string[] = [];
  let link: { address: string; text: string } | undefined;
  for (const token of html.match(/<(?:"[^"]*"|[^"<>])*>|[^\s<]+|\s+|</g) ?? []) {
    if (token.startsWith("<a ")) link = { address: attributeIn(token, "href"), text: "" };
    else if (token === "</a>") {
      if (link && link.address !== link.text) tokens.push(addressToken("Link", link.address));
      link = undefined;
    } else if (link && !token.startsWith("<")) link.text += token;
    tokens.push(token);
    if (link === undefined && token.startsWith("<img ")) tokens.push(ofPicture(token));
  }
  return tokens;
}

/**
 * Starts the token with the attributes of a tag, which is displayed only if the attributes changed.
 */
const HIDDEN = "\0";

function addressToken(kind: string, address: string): string {
  return address === "" ? HIDDEN : `${HIDDEN} ${kind}: ${address}`;
}

/** Identifies emoji by name, and other images by URL. */
function ofPicture(tag: string): string {
  if (attributeIn(tag, "class") === "emoji") return `${HIDDEN} ${attributeIn(tag, "alt")}`;
  const address = attributeIn(tag, "data-original-src") || attributeIn(tag, "src");
  return addressToken("Picture", address);
}

function attributeIn(tag: string, name: string): string {
  const start = tag.indexOf(` ${name}="`);
  if (start < 0) return "";
  const from = start + name.length + 3;
  return tag.slice(from, tag.indexOf('"', from)).replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

function compare(oldTokens: readonly string[], now: readonly string[], marked: MarkedHtml): void {
  const changes = diffArrays([...oldTokens], [...now], { maxEditLength: CHANGES_MAX }) ?? [
    { value: oldTokens, removed: true },
    { value: now, added: true },
  ];
  for (const { value, removed, added } of changes) {
    for (const token of value) {
      if (removed) marked.remove(token);
      else if (added) marked.insert(token);
      else marked.addUnchanged(token);
    }
  }
}

/** Marks enclose only text, so that elements stay correctly nested. */
class MarkedHtml {
  private readonly parts: string[] = [];
  private removedText = "";
  private inserted = "";

  addUnchanged(token: string): void {
    if (token.startsWith(HIDDEN)) return;
    this.flush();
    this.parts.push(token);
  }

  remove(token: string): void {
    if (!token.startsWith("<")) this.removedText += token.replace(HIDDEN, "");
    else if (this.removedText !== "" && !/\s$/.test(this.removedText)) this.removedText += " ";
  }

  insert(token: string): void {
    if (token.startsWith("<")) this.addUnchanged(token);
    else this.inserted += token.replace(HIDDEN, "");
  }

  html(): string {
    this.flush();
    return this.parts.join("");
  }

  private flush(): void {
    if (this.removedText !== "") this.parts.push(span("highlight_text_deleted", this.removedText));
    if (this.inserted !== "") this.parts.push(span("highlight_text_inserted", this.inserted));
    this.removedText = this.inserted = "";
  }
}

const span = (name: string, html: string) => `<span class="${name}">${html}</span>`;
