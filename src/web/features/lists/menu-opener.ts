// Opens a menu beside its row once the menu's script is loaded.
import { view } from "../../store/address.ts";
import { type Box, boxAt, boxOf } from "../../ui/anchor-box.ts";

/** Beside the clicked element, or at the pointer. */
function boxFor(at: Element | MouseEvent): Box {
  if (at instanceof Element) return boxOf(at);
  at.preventDefault();
  return boxAt(at);
}

/** If the user has moved on, no menu opens. */
export async function openMenuBeside<T>(
  at: Element | MouseEvent,
  find: Promise<T>,
  open: (module: T, box: Box) => void,
): Promise<void> {
  const [box, openView] = [boxFor(at), view.peek()];
  const loaded = await find;
  if (view.peek() === openView) open(loaded, box);
}
