// Selects colors for new subscriptions.
import type { Reader } from "../../../realm.ts";
import type { User } from "../../../schema/records.ts";
import { colorBit, COLORS, unusedColor } from "../rules.ts";

interface Palette {
  /** Colors in use, as bits. */
  used: number;
  /** Number of subscriptions, including ended ones. */
  count: number;
}

/** Selects colors that the user does not use yet. */
export class Colors {
  private readonly palettes = new Map<number, Palette>();

  /**
   * `areNew`: users without subscriptions. `inTurn`: assumes that each user has the first colors.
   */
  constructor(
    private readonly reader: Reader,
    private readonly options: { areNew?: boolean; inTurn?: boolean },
  ) {}

  next({ user_id }: User): string {
    if (this.options.inTurn) {
      return COLORS[this.reader.subscriptions.countBy("user", user_id) % COLORS.length]!;
    }
    let palette = this.palettes.get(user_id);
    if (!palette) this.palettes.set(user_id, (palette = this.read(user_id)));
    const color = unusedColor(palette.used, palette.count++);
    palette.used |= colorBit(color);
    return color;
  }

  private read(user_id: number): Palette {
    const { subscriptions } = this.reader;
    if (this.options.areNew) return { used: 0, count: 0 };
    const palette = { used: 0, count: 0 };
    for (const { color } of subscriptions.scanIndex("user", [user_id])) {
      palette.used |= colorBit(color);
      palette.count++;
    }
    return palette;
  }
}
