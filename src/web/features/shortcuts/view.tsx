// All keys that do something here, to be looked through, changed, or switched off on this device.
import { useSignal } from "@preact/signals";
import { type Command, hasSingleKeys, isMac, keysOf, remapped } from "../../commands.ts";
import { keyName } from "../../key-names.ts";
import { nameOfPress } from "../../keys.ts";
import { finds } from "../../matching.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { openLayer } from "../../ui/layers.ts";
import { SearchField } from "../../ui/form/search-field.tsx";
import { say } from "../../words/words.ts";
import { IN_TEXT, keysChanged, takenBy } from "./keys.ts";

export const SHORTCUTS = "keyboard-shortcuts";

/** `commands`: what could be done before this lay over it. */
export function showShortcuts(commands: readonly Command[], onClose: () => void): void {
  openLayer(SHORTCUTS, <Shortcuts commands={[...commands, ...IN_TEXT]} />, onClose);
}

function Shortcuts({ commands }: { commands: readonly Command[] }) {
  const words = useSignal("");
  const changing = useSignal<string | undefined>(undefined);
  const shown = rowsOf(commands).filter(({ name, keys }) =>
    finds(words.value, `${name} ${keys.join(" ")} ${keys.map(keyName).join(" ")}`),
  );
  const count = shown.reduce((sum, { keys }) => sum + keys.length, 0);
  return (
    <Dialog id={SHORTCUTS} title={say("shortcuts")}>
      <SearchField words={words} label={say("find-shortcut")} />
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
      <p class="hint">
        <a href="/help/" target="_blank" rel="noopener">
          {say("help-more")}
        </a>
      </p>
      <p class="hint" role="status">
        {shown.length === 0
          ? say("none-found", { words: words.value })
          : say("shortcuts-count", { count })}
      </p>
      <ul class="shortcuts">
        {shown.map(({ name, keys, command }) => (
          <Shortcut
            key={command.id}
            name={name}
            keys={keys}
            command={command}
            commands={commands}
            isChanging={changing.value === command.id}
            onChange={(isChanging) => (changing.value = isChanging ? command.id : undefined)}
          />
        ))}
      </ul>
    </Dialog>
  );
}

interface Named {
  name: string;
  keys: readonly string[];
  /** The command whose key can be changed. */
  command: Command;
}

/** Commands of one name are one row with the keys of all; of two with one key the later has it. */
function rowsOf(commands: readonly Command[]): Named[] {
  const taken = new Map<string, Command>();
  for (const command of commands) for (const key of keysOf(command)) taken.set(key, command);
  const rows = new Map<string, Named>();
  for (const command of commands) {
    const name = say(command.words);
    const keys = keysOf(command).filter((key) => taken.get(key) === command || command.isBare);
    const { keys: before = [], command: first = command } = rows.get(name) ?? {};
    // Two names may be one key here.
    const all = [...new Map([...before, ...keys].map((key) => [keyName(key), key])).values()];
    const own = first.isBare ? command : first;
    if (all.length > 0) rows.set(name, { name, keys: all, command: own });
  }
  return [...rows.values()];
}

interface Shown extends Named {
  commands: readonly Command[];
  isChanging: boolean;
  onChange: (isChanging: boolean) => void;
}

function Shortcut({ name, keys, command, commands, isChanging, onChange }: Shown) {
  const trouble = useSignal<string | undefined>(undefined);
  const press = (event: KeyboardEvent) => {
    event.preventDefault();
    event.stopPropagation();
    if (event.key === "Escape") return onChange(false);
    if (["Shift", "Control", "Alt", "Meta", "Tab"].includes(event.key)) return undefined;
    const key = nameOfPress(event, isMac());
    const other = takenBy(commands, command, key);
    if (other) {
      trouble.value = say("key-taken", { key: keyName(key), name: say(other.words) });
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
          {keys.map((key) => (
            <kbd key={key}>{keyName(key)}</kbd>
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
