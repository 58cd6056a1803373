// All that can be done in a feed besides reading it: fetched beside the first messages.
// First: what others offer with the same keys wins over it.
import "../conversation/commands.ts";
import "../compose/unsent.ts";
import "../conversation/acts.ts";
import "../conversation/press.ts";
import "../files/acts.ts";
import "../files/plays.ts";
import "../people/hover.ts";
import "../reactions/commands.ts";
import "../widgets/actions.ts";
import "./commands.ts";
import "./menu.ts";
