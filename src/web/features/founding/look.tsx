// How it looks to oneself: light or dark, and how close things stand.
import { keyed, now } from "../../live.ts";
import { say, type Word } from "../../words/words.ts";
import { changeOwnSetting } from "../settings/actions.ts";
import { DENSITIES, density } from "../settings/density.ts";
import { PartForm, type Part } from "./part.tsx";

const SCHEMES = [
  [1, "settings-system"],
  [3, "settings-light"],
  [2, "settings-dark"],
] as const;

export function Look({ next }: Part) {
  keyed("setting:color_scheme");
  const scheme = now().settings.settings["color_scheme"];
  return (
    <PartForm send={next}>
      <Choices legend="colors">
        {SCHEMES.map(([value, words]) => (
          <Choice
            key={value}
            name="scheme"
            words={words}
            isChosen={scheme === value}
            choose={() => changeOwnSetting("color_scheme", value)}
          />
        ))}
      </Choices>
      <Choices legend="founding-density">
        {DENSITIES.map((value) => (
          <Choice
            key={value}
            name="density"
            words={`founding-${value}`}
            isChosen={density.value === value}
            choose={() => (density.value = value)}
          />
        ))}
      </Choices>
    </PartForm>
  );
}

function Choices({ legend, children }: { legend: Word; children: preact.ComponentChildren }) {
  return (
    <fieldset>
      <legend>{say(legend)}</legend>
      <div class="choices">{children}</div>
    </fieldset>
  );
}

interface Chosen {
  name: string;
  words: Word;
  isChosen: boolean;
  choose: () => void;
}

function Choice({ name, words, isChosen, choose }: Chosen) {
  return (
    <label class="choice">
      <input class="radio" type="radio" name={name} checked={isChosen} onChange={choose} />
      <b>{say(words)}</b>
    </label>
  );
}
