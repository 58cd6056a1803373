// What the operator may ask about how a server is kept.
import { type Examination, examine } from "../../features/doctor/doctor-later.ts";
import type { Realm } from "../../realm.ts";

export const upkeepCommands = {
  async doctor(realm: Realm, asked: Omit<Examination, "is_serving">, is_serving: boolean) {
    return examine(realm, { ...asked, is_serving });
  },
};
