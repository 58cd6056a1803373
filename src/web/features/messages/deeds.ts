// All that can be done in a feed besides reading it: fetched beside the first messages.
import "../conversation/commands.ts";
// Loaded first, since the following modules may override their keys.
import "../compose/unsent.ts";
import "../conversation/acts.ts";
import "../frame/back-closes.ts";
import "../frame/focus-again.ts";
import "../conversation/press.ts";
import "../files/acts.ts";
import "../files/plays.ts";
import "../files/spoilers.ts";
import "../files/unplayable.ts";
import "../people/hover.ts";
import "../reactions/commands.ts";
import "../widgets/actions.ts";
import "./commands.ts";
import "./menu.ts";
