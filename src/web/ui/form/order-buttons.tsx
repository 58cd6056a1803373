// Buttons that move an item up or down, and pass the focus on at the ends of the list.
import { useLayoutEffect, useRef } from "preact/hooks";
import { t } from "../../words/words.ts";
import { IconButton } from "../button.tsx";

interface MoversProps {
  name: string;
  /** Position in the ordered list. */
  index: number;
  ids: readonly number[];
  order: (ids: number[]) => void;
}

export function OrderButtons({ name, index, ids, order }: MoversProps) {
  const pressedButton = useRef<HTMLButtonElement | undefined>(undefined);
  useLayoutEffect(() => {
    const { current } = pressedButton;
    pressedButton.current = undefined;
    if (!current?.disabled) return;
    const other = index === 0 ? current.nextElementSibling : current.previousElementSibling;
    if (other instanceof HTMLElement) other.focus();
  }, [index]);
  const move = (waitingChoice: 1 | -1, button: HTMLButtonElement) => {
    pressedButton.current = button;
    const moved = [...ids];
    moved.splice(index + waitingChoice, 0, ...moved.splice(index, 1));
    order(moved);
  };
  return (
    <>
      <IconButton
        icon="up"
        size="s"
        label={t("move-up", { name })}
        disabled={index === 0}
        onClick={({ currentTarget }) => move(-1, currentTarget)}
      />
      <IconButton
        icon="down"
        size="s"
        label={t("move-down", { name })}
        disabled={index === ids.length - 1}
        onClick={({ currentTarget }) => move(1, currentTarget)}
      />
    </>
  );
}
