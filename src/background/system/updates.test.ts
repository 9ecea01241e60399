import { expect, test } from 'vitest';
import { isNewer } from './updates.ts';

test.each([
  ['1.2.4', '1.2.3', true],
  ['1.10.0', '1.9.9', true],
  ['2.0.0', '1.99.99', true],
  ['1.2.3', '1.2.3', false],
  ['1.2.3+build.5', '1.2.3', false],
  ['1.2.2', '1.2.3', false],
  ['1.3.0-rc.1', '1.2.3', false],
  ['1.2.3', '1.2.3-rc.1', true],
  ['1.2.3', '1.3.0-rc.1', false],
])('%s is offered to %s: %s', (latest, current, expected) => {
  expect(isNewer(latest, current)).toBe(expected);
});
