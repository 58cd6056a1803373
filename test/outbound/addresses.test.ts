// Which IP addresses count as public, and how an operator allows others.
import { describe, expect, test } from "bun:test";
import { isPublic, isWithin, RangeInvalid, rangesOf } from "../../src/outbound/addresses.ts";

describe("public", () => {
  test.each([
    ...["1.1.1.1", "8.8.8.8", "100.63.255.255", "100.128.0.0", "172.15.255.255", "172.32.0.0"],
    ...["169.253.255.255", "192.167.255.255", "198.17.255.255", "198.20.0.0", "223.255.255.255"],
    ...["2606:4700:4700::1111", "2a00:1450::1", "2001:4860:4860::8888", "3ffe::1"],
  ])("%s", (address) => expect(isPublic(address)).toBe(true));
});

describe("not public", () => {
  test.each([
    ...["0.0.0.0", "0.1.2.3", "10.0.0.1", "100.64.0.1", "100.127.255.255", "127.0.0.1"],
    ...[
      "127.255.255.254",
      "168.63.129.16",
      "169.254.169.254",
      "172.16.0.1",
      "172.31.255.255",
      "192.0.0.8",
    ],
    ...["192.0.2.1", "192.88.99.1", "192.168.0.1", "198.18.0.1", "198.19.255.255"],
    ...["198.51.100.1", "203.0.113.1", "224.0.0.1", "239.1.1.1", "240.0.0.1", "255.255.255.255"],
    ...["::", "::1", "::127.0.0.1", "::ffff:127.0.0.1", "::ffff:7f00:1", "::ffff:8.8.8.8"],
    ...["64:ff9b::7f00:1", "64:ff9b::8.8.8.8", "64:ff9b:1::1", "100::1", "2001::1", "2001:db8::1"],
    ...[
      "2002:7f00:1::",
      "3fff::1",
      "5f00::1",
      "fc00::1",
      "fd12:3456::1",
      "fe80::1",
      "fe80::1%eth0",
    ],
    ...["2606:4700::1%eth0", "fec0::1", "ff02::1", "", "localhost", "127.1", "0177.0.0.1", "1.1.1"],
  ])("%s", (address) => expect(isPublic(address)).toBe(false));
});

test.each([
  ["10.1.0.0/16", "10.1.255.1", "10.2.0.0"],
  ["127.0.0.1", "127.0.0.1", "127.0.0.2"],
  ["fd00::/8", "fdff::1", "fc00::1"],
  ["::1", "::1", "::2"],
])("%s holds %s and not %s", (range, inside, outside) => {
  const ranges = rangesOf([range]);
  expect([isWithin(ranges, inside), isWithin(ranges, outside)]).toEqual([true, false]);
});

test.each([
  "10.0.0.0/33",
  "::/129",
  "10.0.0",
  "10.0.0.0/",
  "local",
  "",
  "10.0.0.0/8/8",
  "fe80::%1",
])("%p is no range", (text) => expect(() => rangesOf([text])).toThrow(RangeInvalid));
