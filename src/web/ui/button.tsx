// Buttons: quiet, primary, and icon-only.
import type { ComponentChildren, JSX } from "preact";
import { Icon } from "./icon.tsx";
import type { IconName } from "../content/icon-names.ts";

type NativeButtonProps = Omit<
  JSX.IntrinsicElements["button"],
  "icon" | "size" | "type" | "children"
>;

interface ButtonProps extends NativeButtonProps {
  kind?: "primary" | "quiet" | "danger";
  icon?: IconName;
  size?: "wide";
  isPressed?: boolean;
  disabled?: boolean;
  type?: "button" | "submit";
  children: ComponentChildren;
}

export function Button({
  kind,
  icon,
  size,
  isPressed,
  children,
  type = "button",
  ...rest
}: ButtonProps) {
  return (
    <button
      class="btn"
      type={type}
      data-kind={kind}
      data-size={size}
      aria-pressed={isPressed}
      {...rest}
    >
      {icon && <Icon name={icon} size={18} />}
      {children}
    </button>
  );
}

interface IconButtonProps extends NativeButtonProps {
  icon: IconName;
  /** The action and its object: "React to Bo’s message". */
  label: string;
  size?: "s" | "xs";
  isPressed?: boolean;
  disabled?: boolean;
}

export function IconButton({ icon, label, size, isPressed, ...rest }: IconButtonProps) {
  const pixels = size === undefined ? 20 : size === "s" ? 18 : 16;
  return (
    <button
      class="icon-btn"
      type="button"
      data-size={size}
      aria-label={label}
      aria-pressed={isPressed}
      title={label}
      {...rest}
    >
      <Icon name={icon} size={pixels} />
    </button>
  );
}
