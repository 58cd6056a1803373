// Addresses of views: what the client writes it can read, including addresses by other clients.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { directUrl, narrowUrl } from "../../src/text/channel-fragment.ts";
import { narrowFragment, narrowOf } from "../../src/text/narrow-fragment.ts";
import { fragmentOf, conversationOf, topicView, viewOf } from "../../src/web/views.ts";

const NAMES = { channel: () => "field notes", person: () => "Bo Ruiz" };

test("parses any terms as they were formatted", () => {
  const operators = fc.constantFrom("topic", "has", "is", "near", "with", "search", "id");
  const term = fc.record({
    operator: operators,
    operand: fc.string({ unit: "grapheme" }).filter((item) => item !== "private"),
    negated: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(term, { maxLength: 8 }), (terms) => {
      expect(narrowOf(narrowFragment(terms).replace(/^#narrow\/?/, "") || "")).toEqual(
        terms.length === 0 ? [] : terms,
      );
    }),
  );
});

test("URLs in messages and emails lead to the conversation", () => {
  const text = fc.string({ unit: "grapheme", minLength: 1 });
  fc.assert(
    fc.property(text, fc.string({ unit: "grapheme" }), fc.nat(), (name, topic, nearId) => {
      const url = narrowUrl({ stream_id: 5, name }, topic, { near: nearId });
      expect(viewOf(url.slice(1))).toEqual(topicView(5, topic, { operator: "near", id: nearId }));
    }),
  );
  const direct = viewOf(directUrl([3, 9, 12], 77).slice(1));
  if (direct.kind !== "messages") throw new Error("no conversation");
  expect(conversationOf(direct.terms, 9)).toEqual({ user_ids: [3, 12] });
});

test.each([
  ["#narrow/stream/5-design/subject/new.20logo", "#narrow/channel/5-field-notes/topic/new.20logo"],
  ["#narrow/pm-with/9-Bo-Ruiz", "#narrow/dm/9-Bo-Ruiz"],
  ["#narrow/is/private", "#narrow/is/dm"],
  ["#narrow/-sender/12", "#narrow/-sender/12-Bo-Ruiz"],
  ["#narrow/channel/5/topic/", "#narrow/channel/5-field-notes/topic/"],
  ["#all_messages", "#feed"],
  ["#recent_topics", "#recent"],
  ["#streams/5/design", "#channels/5/design"],
  ["#topics/channel/5-design", "#topics/channel/5-field-notes"],
  ["", ""],
])("%s is shown as %s", (written, expected) => {
  expect(fragmentOf(viewOf(written), NAMES)).toBe(expected);
});

test.each(["#narrow/topic/.E9", "#narrow/channel", "#narrow//x", "#nowhere", "#topics/channel/x"])(
  "%s leads nowhere, and says so",
  (fragment) => {
    expect(viewOf(fragment).kind).toBe("unknown");
  },
);
