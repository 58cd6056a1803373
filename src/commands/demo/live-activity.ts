// Keeps the sample organization active: scripted messages of users, and endless ones of bots.
import { ownValue } from "../../text/input/own-value.ts";
import { pingPresence } from "../../features/presence/actions.ts";
import { typeToPeople, typeToTopic } from "../../features/typing/actions.ts";
import { Refusal } from "../../contract/errors/general.ts";
import type { Realm } from "../../realm.ts";
import { buildLine, mastLine, Numbers } from "./bot-messages.ts";
import { PEOPLE, VISITOR } from "./people.ts";
import { type Line, readScript } from "./script.ts";
import { personNamed, react, recipientOf, sendScripted } from "./history.ts";
import text from "./live-activity.txt" with { type: "text" };
import { foldedAddress } from "../../text/email-address.ts";

const TYPING_MS = 4_000;
const ANSWER = { emoji_name: "+1", people: ["Noor"] };
const SEED = 11;
/** A bot posts after this many messages of users. */
const MESSAGES_PER_BOT_MESSAGE = 4;

/** With a pause of 0, no messages are posted. */
export function simulateActivity(realm: Realm, pause_seconds: number): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const simulation = pause_seconds === 0 ? undefined : new Simulation(realm, stopping.signal);
  const simulationEnd = simulation?.run(pause_seconds * 1000);
  return {
    async stop() {
      stopping.abort();
      await simulationEnd;
    },
  };
}

class Simulation {
  private readonly lines = readScript(text);
  private readonly numbers = new Numbers(SEED);
  private nextTalk = 0;
  /** The newest message that was checked for messages of the visitor. */
  private lastSeenId;

  constructor(
    private readonly realm: Realm,
    private readonly stopping: AbortSignal,
  ) {
    this.lastSeenId = realm.read.last("messages");
  }

  async run(pause_ms: number): Promise<void> {
    while (!this.stopping.aborted) {
      await this.bePresent();
      await this.sleep(pause_ms);
      if (!this.stopping.aborted) await this.next();
    }
  }

  /** Skips a message whose channel or topic the visitor has removed or changed. */
  private async next(): Promise<void> {
    const line = this.nextLine();
    try {
      await this.answer();
      if (ownValue(PEOPLE, line.sender)) await this.type(line);
      if (this.stopping.aborted) return;
      await this.realm.write((tx) => void sendScripted(tx, line));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
    }
  }

  private nextLine(): Line {
    this.nextTalk += 1;
    const isBotTurn = this.nextTalk % MESSAGES_PER_BOT_MESSAGE === 0;
    const line = isBotTurn ? undefined : this.lines.shift();
    return line ?? this.machineLine();
  }

  private machineLine(): Line {
    const baseLine = { when: undefined, reactions: [], votes: [], done: [] };
    if (this.numbers.below(2) === 0) {
      const { topic, content } = buildLine(this.numbers);
      return {
        ...baseLine,
        conversation: { channel: "build log", topic },
        sender: "Build bot",
        content,
      };
    }
    const conversation = { channel: "frost alarm", topic: "Readings" };
    return { ...baseLine, conversation, sender: "Mast bot", content: mastLine(this.numbers) };
  }

  private async type(line: Line): Promise<void> {
    const { realm } = this;
    const user = personNamed(realm.read, line.sender);
    const to = recipientOf(realm.read, line);
    const notify = (op: "start" | "stop") =>
      "user_ids" in to
        ? typeToPeople(realm, user, op, to.user_ids)
        : typeToTopic(realm, user, op, to.stream_id, to.topic);
    notify("start");
    await this.sleep(TYPING_MS);
    notify("stop");
  }

  private async answer(): Promise<void> {
    const { realm } = this;
    const { user_id } = realm.read.users.findBy("email", foldedAddress(VISITOR))!;
    const newer = [...realm.read.messages.range({ from: [this.lastSeenId + 1] })];
    this.lastSeenId = realm.read.last("messages");
    const own = newer.findLast(({ sender_id }) => sender_id === user_id);
    if (own) await realm.write((tx) => react(tx, own.id, ANSWER));
  }

  private async bePresent(): Promise<void> {
    const { realm } = this;
    for (const { email, away_minutes } of Object.values(PEOPLE)) {
      if (email === VISITOR || away_minutes > 0) continue;
      await pingPresence(realm, realm.read.users.findBy("email", foldedAddress(email))!, true);
    }
  }

  /** Resolves after this time, or when the demo ends. */
  private sleep(ms: number): Promise<void> {
    return new Promise((resolve) => {
      if (this.stopping.aborted) return resolve();
      const timer = setTimeout(resolve, ms);
      this.stopping.addEventListener("abort", () => (clearTimeout(timer), resolve()), {
        once: true,
      });
    });
  }
}
