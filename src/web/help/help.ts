// The script of the help pages: a search over all of them, by pointer or keyboard.
import "../ime.ts";
import { type FoundPart, type HelpPart, searchHelp } from "./search.ts";
import { elementOf } from "../content/elements.ts";
import { elementFor } from "../content/required-element.ts";

const form = elementFor<HTMLFormElement>(document, "form[role=search]");
const field = elementFor<HTMLInputElement>(form, "input");
const list = elementFor(form, "ul");
const element = elementFor(form, "[role=status]");
/** The path from this page to the table of contents, to which paths of pages are relative. */
const { index = "", up = "", none = "" } = form.dataset;

let partsLoading: Promise<readonly HelpPart[]> | undefined;
let activeIndex = -1;
let requestCount = 0;

/** The search form works only with scripts. */
form.hidden = false;
field.addEventListener("focus", () => void loadHelp());
field.addEventListener("input", () => void search());
form.addEventListener("submit", (event) => {
  event.preventDefault();
  (options()[activeIndex] ?? options()[0])?.click();
});
form.addEventListener("keydown", onKey);
form.addEventListener("focusout", ({ relatedTarget }) => {
  if (!form.contains(elementOf(relatedTarget) ?? null)) showResults([]);
});
document.addEventListener("keydown", (event) => {
  const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey;
  if (event.key !== "/" || !isPlain || event.target === field) return;
  event.preventDefault();
  field.focus();
});

/** Loaded on first use, and again after a failure. */
function loadHelp(): Promise<readonly HelpPart[]> {
  partsLoading ??= fetch(index)
    .then((response): Promise<readonly HelpPart[]> => response.json())
    .catch(() => {
      partsLoading = undefined;
      return [];
    });
  return partsLoading;
}

async function search(): Promise<void> {
  const now = ++requestCount;
  const all = await loadHelp();
  if (now !== requestCount) return;
  const results = searchHelp(all, field.value);
  showResults(results);
  element.textContent = results.length === 0 && field.value.trim() !== "" ? none : "";
}

const options = () => [...list.querySelectorAll<HTMLAnchorElement>("a")];

function showResults(results: readonly FoundPart[]): void {
  list.replaceChildren(...results.map(rowOf));
  list.hidden = results.length === 0;
  field.setAttribute("aria-expanded", String(results.length > 0));
  element.textContent = "";
  choose(-1);
}

function rowOf({ part, excerpt, from, to }: FoundPart, index: number): HTMLLIElement {
  const row = document.createElement("li");
  row.role = "presentation";
  const link = document.createElement("a");
  link.id = `found-${index}`;
  link.role = "option";
  link.tabIndex = -1;
  link.href = `${up}${part.page}${part.id === "" ? "" : `#${part.id}`}`;
  const head = document.createElement("b");
  head.textContent = part.heading === "" ? part.title : `${part.title} › ${part.heading}`;
  const line = document.createElement("small");
  const mark = document.createElement("mark");
  mark.textContent = excerpt.slice(from, to);
  line.append(excerpt.slice(0, from), mark, excerpt.slice(to));
  link.append(head, line);
  row.append(link);
  return row;
}

function choose(position: number): void {
  const all = options();
  activeIndex = all.length === 0 ? -1 : Math.min(position, all.length - 1);
  for (const [index, link] of all.entries()) {
    link.setAttribute("aria-selected", String(index === activeIndex));
  }
  const link = all[activeIndex];
  if (link) field.setAttribute("aria-activedescendant", link.id);
  else field.removeAttribute("aria-activedescendant");
  link?.scrollIntoView({ block: "nearest" });
}

function onKey(event: KeyboardEvent): void {
  const { length } = options();
  if (event.key === "Escape") {
    field.value = "";
    showResults([]);
  } else if (event.key === "ArrowDown" && length > 0) choose((activeIndex + 1) % length);
  else if (event.key === "ArrowUp" && length > 0)
    choose(activeIndex <= 0 ? length - 1 : activeIndex - 1);
  else return;
  event.preventDefault();
}
