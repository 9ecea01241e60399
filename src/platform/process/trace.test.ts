import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { parseTraceparent, traceBindings, traceparentOf } from './trace.ts';

const ID = '4bf92f3577b34da6a3ce929d0e0e4736';
const PARENT = '00f067aa0ba902b7';
const VALID = `00-${ID}-${PARENT}-01`;

test.each([
  ['the example of the specification', VALID, '01'],
  ['a trace that is not sampled', `00-${ID}-${PARENT}-00`, '00'],
  ['a random trace ID', `00-${ID}-${PARENT}-03`, '03'],
  ['flags that this version does not define', `00-${ID}-${PARENT}-ff`, '03'],
  ['a later version', `01-${ID}-${PARENT}-01`, '01'],
  ['a later version with more fields', `cc-${ID}-${PARENT}-01-what.the=future"holds`, '01'],
  ['a later version with an empty field', `cc-${ID}-${PARENT}-01-`, '01'],
])('%s is accepted', (_, header, flags) => {
  expect(parseTraceparent(header)).toBe(`${ID}-${flags}`);
});

test.each([
  ['no header', undefined],
  ['an empty header', ''],
  ['the version ff', `ff-${ID}-${PARENT}-01`],
  ['more fields in version 00', `${VALID}-00`],
  ['a trailing dash in version 00', `${VALID}-`],
  ['a later version with a longer field', `01-${ID}-${PARENT}-011`],
  ['a later version that is too long', `01-${ID}-${PARENT}-01-${'a'.repeat(256)}`],
  ['a trace ID of zeros', `00-${'0'.repeat(32)}-${PARENT}-01`],
  ['a parent ID of zeros', `00-${ID}-${'0'.repeat(16)}-01`],
  ['upper case', VALID.toUpperCase()],
  ['one upper-case digit', VALID.replace('b', 'B')],
  ['other characters', VALID.replace('4b', '"\n')],
  ['a short trace ID', `00-${ID.slice(1)}-${PARENT}-01`],
  ['a space', ` ${VALID.slice(1)}`],
  ['two headers in one', `${VALID},${VALID}`],
  ['a line break at the end', `01-${ID}-${PARENT}-0\n`],
])('%s is ignored', (_, header) => {
  expect(parseTraceparent(header)).toBeNull();
});

test('each request that is sent has the same trace and flags, and its own parent ID', () => {
  const sent = [1, 2].map(() => traceparentOf(`${ID}-01`, (bytes) => randomBytes(bytes)));
  for (const header of sent) {
    expect(parseTraceparent(header)).toBe(`${ID}-01`);
    expect(header).not.toContain(PARENT);
  }
  expect(sent[0]).not.toBe(sent[1]);
  expect(parseTraceparent(traceparentOf(`${ID}-01`, (bytes) => new Uint8Array(bytes)))).not.toBeNull();
});

test('a line of the log contains the trace ID, or nothing', () => {
  expect(traceBindings(`${ID}-01`)).toEqual({ trace_id: ID });
  expect(traceBindings(null)).toEqual({});
});
