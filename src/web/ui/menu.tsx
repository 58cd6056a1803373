// A menu: arrows move, Enter activates, shortcuts run items, and other letters search for items.
import type { ComponentChildren, ComponentType } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { isMac } from "./keys/commands.ts";
import { keyName } from "./keys/key-names.ts";
import { nameOfPress } from "./keys/keys.ts";
import { Icon } from "./icon.tsx";
import type { IconName } from "../content/icon-names.ts";
import { closeLayer, openLayer } from "./layers.ts";
import { type Box, boxOf } from "./anchor-box.ts";
import { Popover } from "./popover.tsx";
import { t } from "../words/words.ts";

export interface MenuItem {
  label: string;
  icon?: IconName;
  /** The name of its shortcut. */
  keys?: string;
  /** Additional text in a muted color. */
  note?: ComponentChildren;
  kind?: "danger";
  /** The item opens a dialog or menu, so its label ends with an ellipsis. */
  asks?: boolean;
  isChecked?: boolean;
  run: () => void;
}

/** `undefined` is a separator. */
export type MenuItems = readonly (MenuItem | undefined)[];

/** Opens the neighboring menu: 1 to the right, -1 to the left. */
type OnTurn = (direction: 1 | -1) => void;

/** Choices in a row above the items: `close` closes the menu before one runs. */
export type MenuLead = ComponentType<{ close: () => void }>;

interface MenuOptions {
  turn?: OnTurn | undefined;
  lead?: MenuLead | undefined;
}

/** Opens a menu beside a node, or where a finger or pointer was; on a phone, as a bottom sheet. */
export function openMenu(
  anchor: Element | Box,
  label: string,
  items: MenuItems,
  more: MenuOptions = {},
): void {
  const box = anchor instanceof Element ? boxOf(anchor) : anchor;
  openLayer("menu", <Menu key={label} anchor={box} label={label} items={items} {...more} />);
}

interface OpenedMenu extends MenuOptions {
  anchor: Box;
  label: string;
  items: MenuItems;
}

function Menu({ anchor, label, items, turn, lead: Lead }: OpenedMenu) {
  const list = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => focusFirst(list.current), []);
  const run = (item: MenuItem) => {
    closeLayer("menu");
    item.run();
  };
  const isOneOfSeveral = items.filter((item) => item?.isChecked !== undefined).length > 1;
  const checkedRole = isOneOfSeveral ? "menuitemradio" : "menuitemcheckbox";
  return (
    <Popover id="menu" anchor={anchor} label={label} role="menu">
      <div
        ref={list}
        role="none"
        onKeyDown={(event) => {
          const pressedKeys = nameOfPress(event, isMac());
          const pressedItem = items.find((item) => item?.keys === pressedKeys);
          if (!pressedItem) return onKey(event, list.current, turn);
          event.preventDefault();
          event.stopPropagation();
          run(pressedItem);
        }}
      >
        {Lead && (
          <div class="menu-lead" role="none">
            <Lead close={() => closeLayer("menu")} />
          </div>
        )}
        {items.map((item, index) =>
          item === undefined ? (
            <hr key={index} />
          ) : (
            <button
              key={index}
              class="item"
              type="button"
              role={item.isChecked === undefined ? "menuitem" : checkedRole}
              aria-checked={item.isChecked}
              data-kind={item.kind}
              tabIndex={-1}
              onClick={() => run(item)}
              onPointerMove={(event) => event.currentTarget.focus({ preventScroll: true })}
            >
              {item.icon && <Icon name={item.icon} size={18} />}
              <span class="t">
                {item.asks ? t("asks-more", { label: item.label }) : item.label}
              </span>
              {item.note && <small>{item.note}</small>}
              {item.keys && <kbd>{keyName(item.keys)}</kbd>}
              {item.isChecked && <Icon name="check" size={16} />}
            </button>
          ),
        )}
      </div>
    </Popover>
  );
}

const itemsIn = (list: HTMLElement | null) => [
  ...(list?.querySelectorAll<HTMLElement>("[role^=menuitem]") ?? []),
];

/** Focuses the current choice first, so that Enter changes nothing by mistake. */
function focusFirst(list: HTMLElement | null): void {
  const selected = list?.querySelector<HTMLElement>("[role=menuitemradio][aria-checked=true]");
  if (selected) selected.focus();
  else focusAt(list, 0);
}

function focusAt(list: HTMLElement | null, index: number): void {
  const items = itemsIn(list);
  items.at(index % Math.max(1, items.length))?.focus();
}

function onKey(event: KeyboardEvent, list: HTMLElement | null, turn?: OnTurn): void {
  const items = itemsIn(list);
  const index = items.findIndex((item) => item === document.activeElement);
  const steps: Readonly<Record<string, number>> = {
    ArrowDown: index + 1,
    ArrowUp: index - 1,
    Home: 0,
    End: -1,
  };
  const to = steps[event.key];
  if (to !== undefined) focusAt(list, to);
  // The choices above the items stand side by side.
  else if (inLead(items[index]) && event.key === "ArrowRight") focusAt(list, index + 1);
  else if (inLead(items[index]) && event.key === "ArrowLeft") focusAt(list, index - 1);
  else if (turn && event.key === "ArrowRight") turn(1);
  else if (turn && event.key === "ArrowLeft") turn(-1);
  else if (event.key === "Tab") closeLayer("menu");
  else if (event.key.length === 1 && event.key !== " " && !event.ctrlKey && !event.metaKey) {
    const item = typedItem(items, index, event);
    if (!item) return;
    item.focus();
  } else return;
  event.preventDefault();
  event.stopPropagation();
}

/** Letters typed faster than this are the beginning of one label. */
const TYPING_MS = 700;
let typedPrefix = "";
let typedAt = 0;

/** Typing the same letter again selects the next item that begins with it. */
function typedItem(
  items: readonly HTMLElement[],
  index: number,
  { key, timeStamp }: KeyboardEvent,
): HTMLElement | undefined {
  const character = key.toLocaleLowerCase();
  const isContinued = timeStamp - typedAt < TYPING_MS && typedPrefix !== character;
  typedPrefix = isContinued ? typedPrefix + character : character;
  typedAt = timeStamp;
  const from = isContinued ? index : index + 1;
  const order = [...items.slice(from), ...items.slice(0, from)];
  return order.find((element) => textOf(element).startsWith(typedPrefix));
}

const inLead = (item: HTMLElement | undefined) => item?.closest(".menu-lead") != null;

const textOf = (item: HTMLElement) =>
  (item.querySelector(".t")?.textContent ?? "").trim().toLocaleLowerCase();
