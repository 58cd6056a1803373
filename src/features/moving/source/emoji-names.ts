// Converts the names of emoji in other products to their names here.
import { emojiCode } from "../../../text/emoji.ts";
import { emojiNameOf } from "../../emoji/rules.ts";
import type { Reporting } from "../report.ts";

const FLAGS = ["cn", "de", "es", "fr", "gb", "it", "jp", "kr", "ru", "uk", "us"];

/** Reads pairs of a name in another product and the name here. */
export const namesIn = (pairs: string): ReadonlyMap<string, string> =>
  new Map(
    pairs
      .trim()
      .split(/\s+/)
      .map((pair) => pair.split("=") as [string, string]),
  );

/** Names of other products that a different emoji has here: their `x` is a cross mark. */
const OTHERS = namesIn(`
  ok=squared_ok up=squared_up moon=waxing_moon medal=military_medal ticket=pass
  football=american_football camping=campsite post_office=japan_post mouse=dormouse cow=calf
  tiger=tiger_cub rabbit=bunny cat=kitten horse=pony dog=puppy pig=piglet feet=paw_prints
  kiss=lipstick_kiss dizzy=seeing_stars dollar=dollar_bills euro=euro_banknotes chart=stock_market
  date=calendar calendar=date pencil=memo newspaper=headlines sound=softer metro=subway
  tram=oncoming_tram train=tram truck=moving_truck traffic_light=horizontal_traffic_light
  construction=work_in_progress scooter=kick_scooter hourglass=times_up point_up=wait_one_second
  golf=hole_in_one x=cross_mark loop=double_loop o=circle secret=japanese_secret_button
  metal=rock_on
`);

const RENAMED: ReadonlyMap<string, string> = new Map([
  ["simple_smile", "slightly_smiling_face"],
  ...FLAGS.map((country) => [country, `flag_${country}`] as const),
  ...OTHERS,
]);

/** Returns undefined if no Unicode emoji has the name. */
export function unicodeEmojiName(name: string): string | undefined {
  // Slack writes `man-shrugging`, and here it is `man_shrugging`.
  const names = [RENAMED.get(name) ?? name, name, name.replaceAll("-", "_")];
  return names.find((name) => emojiCode(name) !== undefined);
}

const EMOJI = /:([\w+-]{1,100}):(?::skin-tone-[2-6]:)?/g;

/** Converts the names of emoji in a text; those for which `nameOf` has none stay. */
export function withEmojiNames(
  text: string,
  nameOf: (name: string) => string | undefined = unicodeEmojiName,
): string {
  if (!text.includes(":")) return text;
  return text.replaceAll(EMOJI, (_all, name: string) => `:${nameOf(name) ?? name}:`);
}

/** Skin tones at the end of a name, lightest first: of Mattermost, and of Rocket.Chat. */
const TONES = [
  ["_light_skin_tone", "_tone1"],
  ["_medium_light_skin_tone", "_tone2"],
  ["_medium_skin_tone", "_tone3"],
  ["_medium_dark_skin_tone", "_tone4"],
  ["_dark_skin_tone", "_tone5"],
].flatMap((ends, index) => ends.map((end) => [end, 0x1f3fb + index] as const));
// `_medium_light_skin_tone` ends with `_light_skin_tone`.
const LONGEST_FIRST = TONES.toSorted(([a], [b]) => b.length - a.length);

/** The emoji of an archive from a product whose emoji names differ from those of Slack. */
export class EmojiNames {
  /** Names here by the names in the archive. */
  private readonly custom = new Map<string, string>();
  private readonly taken = new Set<string>();

  constructor(
    /** Added to the name of a custom emoji if another emoji has that name. */
    private readonly suffix: string,
    /** The name here for a Unicode emoji name that only the other product uses. */
    private readonly ownName: (name: string) => string | undefined,
  ) {}

  /** Returns the name that a custom emoji gets here; undefined: its name has no valid letter. */
  addCustom(given: string): string | undefined {
    const customName = this.custom.get(given);
    if (customName !== undefined) return customName;
    const simplified = emojiNameOf(given.toLowerCase()).replaceAll(/[^a-z0-9_-]/g, "_");
    if (!/[a-z0-9]/.test(simplified)) return undefined;
    const names = [simplified, `${simplified}_${this.suffix}`];
    const name = names.find(
      (candidate) => !this.taken.has(candidate) && unicodeEmojiName(candidate) === undefined,
    );
    if (name === undefined) return undefined;
    this.taken.add(name);
    this.custom.set(given, name);
    return name;
  }

  /** The fields of a reaction. `letters`: the characters of a Unicode emoji. */
  reactionOf(given: string): { name: string; letters?: string } {
    const custom = this.custom.get(given) ?? this.custom.get(given.toLowerCase());
    if (custom !== undefined) return { name: custom };
    const { name, tone } = this.unicodeName(given);
    const code = emojiCode(name ?? "");
    if (name === undefined || code === undefined) return { name: given };
    const points = code.split("-").map((part) => Number.parseInt(part, 16));
    const letters = String.fromCodePoint(...points, ...(tone === undefined ? [] : [tone]));
    return { name, letters };
  }

  inText(text: string): string {
    return withEmojiNames(text, (name) => this.custom.get(name) ?? this.unicodeName(name).name);
  }

  private unicodeName(given: string): { name: string | undefined; tone?: number } {
    const name = this.ownName(given) ?? unicodeEmojiName(given);
    const [end, tone] = LONGEST_FIRST.find(([suffix]) => given.endsWith(suffix)) ?? [];
    if (name !== undefined || end === undefined || tone === undefined) return { name };
    const base = given.slice(0, -end.length);
    return { name: this.ownName(base) ?? unicodeEmojiName(base), tone };
  }
}

interface CustomEmoji {
  readonly given: string;
  /** The name here, if the emoji can have one. */
  readonly name: string | undefined;
  /** The entry with the picture, if the archive has it. */
  readonly entry: string | undefined;
  readonly location: string;
}

/** Counts a custom emoji that is left out or renamed. */
export function reportEmoji(
  { given, name, entry, location }: CustomEmoji,
  reporting: Reporting,
): void {
  const kinds = {
    unnamed: "The name of a custom emoji has no valid letter: the emoji is left out.",
    absent: "The picture of a custom emoji is not in the archive: the emoji is left out.",
    renamed: "A custom emoji is renamed, since another emoji has its name.",
  };
  if (name === undefined) reporting.lost(kinds.unnamed, `${location} :${given}:`);
  else if (entry === undefined) reporting.lost(kinds.absent, `${location} :${given}:`);
  else if (name !== emojiNameOf(given.toLowerCase())) {
    reporting.lost(kinds.renamed, `:${given}: → :${name}:`);
  }
}
