// All actions of a feed besides reading, loaded in parallel with the first messages.
import "./commands.ts";
// Loaded first, since the following modules may override their keys.
import "./unsent-clicks.ts";
import "./clicks.ts";
import "../page/back-closes.ts";
import "../page/restore-focus.ts";
import "./touch/long-press.ts";
import "./touch/swipe.ts";
import "../files/cards/file-cards.ts";
import "../files/picture-clicks.ts";
import "../files/play-animations.ts";
import "../files/spoilers.ts";
import "../files/unplayable-media.ts";
import "../people/hover.ts";
import "../reactions/commands.ts";
import "../widgets/actions.ts";
import "../messages/commands.ts";
import "../messages/menu.ts";
