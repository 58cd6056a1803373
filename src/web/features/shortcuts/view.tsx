// All keys that do something here, to be looked through, changed, or switched off on this device.
import { useSignal } from "@preact/signals";
import { type Command, hasSingleKeys, isMac, keysOf, remapped } from "../../commands.ts";
import { nameOfPress, shownKey } from "../../keys.ts";
import { finds } from "../../matching.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Icon } from "../../ui/icon.tsx";
import { openLayer } from "../../ui/layers.ts";
import { say } from "../../words/words.ts";
import { keysChanged, takenBy } from "./keys.ts";

const LAYER = "shortcuts";

/** `commands`: what could be done before this lay over it. */
export function showShortcuts(commands: readonly Command[], onClose: () => void): void {
  openLayer(LAYER, <Shortcuts commands={commands} />, onClose);
}

function Shortcuts({ commands }: { commands: readonly Command[] }) {
  const words = useSignal("");
  const changing = useSignal<string | undefined>(undefined);
  const shown = commands
    .filter(
      (command) =>
        keysOf(command).length > 0 && !(command.isBare && command.id.startsWith("list-key")),
    )
    .filter((command) => finds(words.value, `${say(command.words)} ${keysOf(command).join(" ")}`));
  return (
    <Dialog id={LAYER} title={say("shortcuts")}>
      <label class="field">
        <Icon name="search" size={16} />
        <span class="vh">{say("find-shortcut")}</span>
        <input
          value={words.value}
          placeholder={say("find-shortcut")}
          onInput={(event) => (words.value = event.currentTarget.value)}
        />
      </label>
      <label class="single-keys">
        <input
          class="switch"
          type="checkbox"
          role="switch"
          checked={hasSingleKeys.value}
          onChange={(event) => (hasSingleKeys.value = event.currentTarget.checked)}
        />
        {say("single-keys")}
      </label>
      <ul class="shortcuts">
        {shown.map((command) => (
          <Shortcut
            key={command.id}
            command={command}
            commands={commands}
            isChanging={changing.value === command.id}
            onChange={(isChanging) => (changing.value = isChanging ? command.id : undefined)}
          />
        ))}
      </ul>
      {shown.length === 0 && <p role="status">{say("none-found", { words: words.value })}</p>}
    </Dialog>
  );
}

interface Shown {
  command: Command;
  commands: readonly Command[];
  isChanging: boolean;
  onChange: (isChanging: boolean) => void;
}

function Shortcut({ command, commands, isChanging, onChange }: Shown) {
  const trouble = useSignal<string | undefined>(undefined);
  const name = say(command.words);
  const press = (event: KeyboardEvent) => {
    event.preventDefault();
    event.stopPropagation();
    if (event.key === "Escape") return onChange(false);
    if (["Shift", "Control", "Alt", "Meta", "Tab"].includes(event.key)) return undefined;
    const key = nameOfPress(event, isMac());
    const other = takenBy(commands, command, key);
    if (other) {
      trouble.value = say("key-taken", { key, name: say(other.words) });
      return undefined;
    }
    remapped.value = keysChanged(remapped.value, command, [key]);
    return onChange(false);
  };
  const isOwn = remapped.value[command.id] !== undefined;
  return (
    <li>
      <span>{name}</span>
      {isChanging ? (
        <span class="changing">
          <button
            class="btn"
            type="button"
            ref={focused}
            onKeyDown={press}
            onBlur={() => onChange(false)}
          >
            {say("press-key")}
          </button>
          {trouble.value !== undefined && <small role="alert">{trouble.value}</small>}
        </span>
      ) : (
        <span class="keys">
          {keysOf(command).map((key) => (
            <kbd key={key}>{shownKey(key, isMac()).join(" ")}</kbd>
          ))}
          {isOwn && (
            <Button
              onClick={() => (remapped.value = keysChanged(remapped.value, command, undefined))}
            >
              {say("as-before")}
            </Button>
          )}
          {!command.isBare && (
            <IconButton
              icon="pencil"
              size="s"
              label={say("change-key", { name })}
              onClick={() => onChange(true)}
            />
          )}
        </span>
      )}
    </li>
  );
}

const focused = (button: HTMLButtonElement | null) => button?.focus();
