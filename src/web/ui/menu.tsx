// A menu: arrows move, a key beside an item does it, other letters look for one, Enter does.
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { isMac } from "../commands.ts";
import { keyName } from "../key-names.ts";
import { nameOfPress } from "../keys.ts";
import { Icon, type IconName } from "./icon.tsx";
import { closeLayer, openLayer } from "./layers.ts";
import { type Box, boxOf } from "./box.ts";
import { Popover } from "./popover.tsx";

export interface MenuItem {
  label: string;
  icon?: IconName;
  /** The name of a key that does it, too. */
  keys?: string;
  /** Said beside it, softly. */
  note?: ComponentChildren;
  kind?: "danger";
  isChecked?: boolean;
  run: () => void;
}

/** `undefined` draws a line. */
export type MenuItems = readonly (MenuItem | undefined)[];

/** To the menu that stands beside this one: 1 to the right, -1 to the left. */
export type Turn = (by: 1 | -1) => void;

/** Opens a menu beside a node, or where a finger or pointer was. */
export function openMenu(
  beside: Element | Box,
  label: string,
  items: MenuItems,
  turn?: Turn,
): void {
  const box = beside instanceof Element ? boxOf(beside) : beside;
  openLayer("menu", <Menu key={label} beside={box} label={label} items={items} turn={turn} />);
}

interface Opened {
  beside: Box;
  label: string;
  items: MenuItems;
  turn: Turn | undefined;
}

function Menu({ beside, label, items, turn }: Opened) {
  const list = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => focusAt(list.current, 0), []);
  const run = (item: MenuItem) => {
    closeLayer("menu");
    item.run();
  };
  const isOneOfSeveral = items.filter((item) => item?.isChecked !== undefined).length > 1;
  const checkedRole = isOneOfSeveral ? "menuitemradio" : "menuitemcheckbox";
  return (
    <Popover id="menu" beside={beside} label={label} role="menu">
      <div
        ref={list}
        role="none"
        onKeyDown={(event) => {
          const pressed = nameOfPress(event, isMac());
          const meant = items.find((item) => item?.keys === pressed);
          if (!meant) return onKey(event, list.current, turn);
          event.preventDefault();
          event.stopPropagation();
          run(meant);
        }}
      >
        {items.map((item, at) =>
          item === undefined ? (
            <hr key={at} />
          ) : (
            <button
              key={at}
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
              <span class="t">{item.label}</span>
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

function focusAt(list: HTMLElement | null, at: number): void {
  const items = itemsIn(list);
  items.at(at % Math.max(1, items.length))?.focus();
}

function onKey(event: KeyboardEvent, list: HTMLElement | null, turn?: Turn): void {
  const items = itemsIn(list);
  const at = items.indexOf(document.activeElement as HTMLElement);
  const steps: Readonly<Record<string, number>> = {
    ArrowDown: at + 1,
    ArrowUp: at - 1,
    Home: 0,
    End: -1,
  };
  const to = steps[event.key];
  if (to !== undefined) focusAt(list, to);
  else if (turn && event.key === "ArrowRight") turn(1);
  else if (turn && event.key === "ArrowLeft") turn(-1);
  else if (event.key === "Tab") closeLayer("menu");
  else if (event.key.length === 1 && event.key !== " " && !event.ctrlKey && !event.metaKey) {
    const letter = event.key.toLocaleLowerCase();
    const order = [...items.slice(at + 1), ...items.slice(0, at + 1)];
    const found = order.find((one) => textOf(one).startsWith(letter));
    if (!found) return;
    found.focus();
  } else return;
  event.preventDefault();
  event.stopPropagation();
}

const textOf = (item: HTMLElement) =>
  (item.querySelector(".t")?.textContent ?? "").trim().toLocaleLowerCase();
