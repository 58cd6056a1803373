// Runs on the sign-in page: the user is signed out, so account data is deleted from the browser.
import { purgeEnded } from "../ending/purge.ts";

void purgeEnded();
