// Opens the card of a user, with a surface of its size until its script has loaded.
import { getState } from "../../store/store.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { boxOf } from "../../ui/anchor-box.ts";
import { lazyLayer } from "../../ui/loading/lazy-layer.tsx";
import { Popover } from "../../ui/popover.tsx";
import { t } from "../../words/words.ts";
import { personOf } from "./state.ts";

const CARD = "card";
const open = lazyLayer(() => import("./card.tsx"));

/** `isByKeys`: moves the focus into the card; a card that opens on hover does not take it. */
export function openCard(node: Element, user_id: number, isByKeys = true): Promise<void> {
  const person = personOf(getState().people, user_id);
  if (!person) return Promise.resolve();
  const [anchor, name] = [boxOf(node), person.full_name];
  const layer = {
    id: CARD,
    Surface: ({ children }: { children: preact.ComponentChildren }) => (
      <Popover
        {...{ id: CARD, anchor, label: t("card-of", { name }), class: "people-card" }}
        isFocused={isByKeys}
      >
        <header>
          <Avatar person={person} size={56} />
          <h2>
            <bdi>{name}</bdi>
          </h2>
        </header>
        {children}
      </Popover>
    ),
  };
  return open(layer, ({ showCard }) => showCard(anchor, user_id, isByKeys));
}
