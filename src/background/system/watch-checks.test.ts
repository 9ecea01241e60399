import { expect, test } from 'vitest';
import { toIso } from '../../platform/text/time-text.ts';
import { failed, passed } from './check.ts';
import { failingAfter, STEADY_MS } from './watch-checks.ts';

const START_MS = Date.parse('2026-11-20T10:00:00.000Z');
const AT = toIso(START_MS);
const [BAD, GOOD] = [failed('disk', 'full'), passed('disk', 'fine')];

test.each([
  ['a check that passes', {}, [GOOD], {}, []],
  ['a check that begins to fail', {}, [BAD], { disk: null }, [['system.check_failed', 'disk']]],
  ['a check that still fails', { disk: null }, [BAD, failed('mail', 'x')].slice(0, 1), { disk: null }, []],
  ['a check that passes for the first time', { disk: null }, [GOOD], { disk: AT }, []],
  ['a check that fails again soon', { disk: AT }, [BAD], { disk: null }, []],
  [
    'a check with one good and one bad result',
    {},
    [GOOD, BAD],
    { disk: null },
    [['system.check_failed', 'disk']],
  ],
  ['a check without a result', { disk: null }, [], { disk: AT }, []],
  [
    'a check that passed for a while',
    { disk: toIso(START_MS - STEADY_MS) },
    [GOOD],
    {},
    [['system.check_recovered', 'disk']],
  ],
  ['a check that passed just now', { disk: toIso(START_MS - STEADY_MS + 1) }, [GOOD], null, []],
  ['a time of a clock that was ahead', { disk: toIso(START_MS + STEADY_MS) }, [GOOD], { disk: AT }, []],
] as const)('%s', (_, before, checks, after, edges) => {
  const next = failingAfter(before, checks, START_MS);
  expect(next.after).toEqual(after ?? before);
  expect(next.edges.map(({ type, check }) => [type, check])).toEqual(edges);
});
