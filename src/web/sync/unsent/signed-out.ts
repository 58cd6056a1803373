// Runs on the sign-in page: the server says that nobody is signed in, so no account's data stays.
import { purgeEnded } from "../ending/purge.ts";

void purgeEnded();
