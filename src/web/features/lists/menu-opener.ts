// Opens a menu beside its row once the menu's script is loaded.
import { view } from "../../store/address.ts";
import { type Box, boxAt, boxOf } from "../../ui/anchor-box.ts";

/** Beside the clicked element, or at the pointer. */
function boxFor(target: Element | MouseEvent): Box {
  if (target instanceof Element) return boxOf(target);
  target.preventDefault();
  return boxAt(target);
}

/** If the user has moved on, no menu opens. */
export async function openMenuBeside<T>(
  target: Element | MouseEvent,
  find: Promise<T>,
  open: (module: T, box: Box) => void,
): Promise<void> {
  const [box, openView] = [boxFor(target), view.peek()];
  const loaded = await find;
  if (view.peek() === openView) open(loaded, box);
}
