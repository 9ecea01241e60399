import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { DAY_MS, MINUTE_MS } from '../../../platform/text/durations.ts';
import {
  type Charge,
  digitsLimits,
  EMAIL_SIGN_IN_BY_NETWORK,
  factorLimits,
  MAX_MAILED_CODES,
} from './limits.ts';
import { PACES_BY_DOMAIN } from './new-account-price.ts';

const DOCUMENT = readFileSync(new URL('../../../../docs/security.md', import.meta.url), 'utf8');

/** Possible codes of eight and of six digits. */
const MAILED_CODES = 10 ** 8;
const AUTHENTICATOR_CODES = 10 ** 6;
/** The code of now, the one before and the one after. */
const VALID_AUTHENTICATOR_CODES = 3;

/** A counter starts again when its window ends, so a day can contain this many windows. */
const aDay = (attempts: number, windowMs: number): number => attempts * Math.ceil(DAY_MS / windowMs);

/** Guesses a day, however many networks take part: only counters of a person or a browser limit them. */
function guessesADay(counted: readonly Charge[], subject: string): number {
  const limits = counted
    .filter(([, of]) => of === subject)
    .map(
      ([{ attempts, windowMs }, , beyond = []]) =>
        aDay(attempts, windowMs) +
        Math.min(
          ...beyond.filter(([, of]) => of === subject).map(([limit]) => aDay(limit.attempts, limit.windowMs)),
          ...(beyond.length === 0 ? [0] : []),
        ),
    );
  return Math.min(...limits);
}

test('strangers guess a mailed code of an address with a probability below 0.001 % a day', () => {
  const guesses = guessesADay(digitsLimits('ada@example.com', null, null), 'ada@example.com');
  expect(guesses).toBe(318);
  expect((guesses * MAX_MAILED_CODES) / MAILED_CODES).toBeLessThan(0.000_01);
  expect(DOCUMENT).toContain(`at most ${guesses} guesses a day`);
  expect(DOCUMENT).toContain(`(${guesses} × ${MAX_MAILED_CODES} / 10⁸)`);
});

test('a known browser guesses a mailed code with a probability below 0.003 % a day', () => {
  const guesses = guessesADay(digitsLimits('ada@example.com', null, 'browser'), 'browser');
  expect(guesses).toBe(960);
  expect((guesses * MAX_MAILED_CODES) / MAILED_CODES).toBeLessThan(0.000_03);
  expect(DOCUMENT).toContain(`at most ${guesses} guesses a day in each`);
  expect(DOCUMENT).toContain(`(${guesses} × ${MAX_MAILED_CODES} / 10⁸)`);
});

test('an attacker who knows the password guesses an authenticator code with a probability of 0.015 % a day', () => {
  const guesses = guessesADay(factorLimits('account', null, null), 'account');
  expect(guesses).toBe(50);
  expect((guesses * VALID_AUTHENTICATOR_CODES) / AUTHENTICATOR_CODES).toBeLessThanOrEqual(0.000_15);
  expect(DOCUMENT).toContain(`has ${guesses} guesses a day at an authenticator code`);
});

test('a limit of strangers never applies to a known browser', () => {
  for (const limits of [digitsLimits, factorLimits]) {
    expect(limits('ada@example.com', '192.0.2.1', 'browser').map(([, subject]) => subject)).toEqual([
      'browser',
    ]);
  }
});

test('500 new people of one company behind one address can ask within a minute and sign in within ten', () => {
  const people = 500;
  expect(EMAIL_SIGN_IN_BY_NETWORK.attempts).toBeGreaterThanOrEqual(people);
  for (const { attempts, windowMs } of PACES_BY_DOMAIN) {
    const windows = Math.max(1, (9 * MINUTE_MS) / windowMs);
    expect(attempts * windows).toBeGreaterThanOrEqual(people);
  }
});
