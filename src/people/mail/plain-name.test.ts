import { describe, expect, test } from 'vitest';
import { cpuMsOf } from '../../../test/support/cpu-time.ts';
import { MAX_MAILED_LENGTH, mailedAddress, plainName } from './plain-name.ts';

describe('names in mail', () => {
  test('are unchanged if they are plain', () => {
    for (const name of [
      '20% off the first year',
      'Müller & Söhne',
      'v2.0 (beta)',
      'e.g. notes',
      '日本語。です',
      '👩‍💻 Dev',
      '❤️ Notes',
      'क्‍ष',
      '10.000.000 downloads',
      'From 2026-11-01 10:00 to 2026-12-31 10:00',
      '(beta) 2025–2026',
    ])
      expect(plainName(name)).toBe(name);
  });

  test.each([
    ['PAYPAL: account locked, verify at https://evil.example/login', 'PAYPAL: account locked, verify at …'],
    ['see HTTP://EVIL.EXAMPLE', 'see …'],
    ['see (https:evil.example)', 'see …'],
    ['see hxxp://evil.example', 'see …'],
    ['see www.evil.example now', 'see … now'],
    ['see evil.example/login', 'see …'],
    ['see evil．example/login', 'see …'],
    ['see https：／／evil.example', 'see …'],
    ['write to pay@evil.example', 'write to …'],
    ['write to pay＠evil.example', 'write to …'],
    ['mailto:pay', '…'],
    ['Booking.com', 'Booking com'],
    ['evil.xn--p1ai', 'evil xn--p1ai'],
    ['a.b.evil.example', 'a b evil example'],
    ['evil。com', 'evil com'],
    ['evil․com', 'evil com'],
    ['ev\u00adil\u200b.\u2060com', 'evil com'],
    ['evil.\u200dcom', 'evil com'],
    ['उदाहरण.भारत', 'उदाहरण भारत'],
    ['काम.संगठन now', 'काम संगठन now'],
    ['evil.c\u0323om', 'evil c\u0323om'],
    ['evil.\ufe0fcom', 'evil com'],
    ['пример.р\ufe0fф', 'пример р\ufe0fф'],
    ['пример.р\u034fф', 'пример рф'],
    ['evil.\u3164com', 'evil com'],
    ['❤.example', '❤ example'],
    ['Locked: call +1 (888) 555-0100 now', 'Locked: call … now'],
    ['Locked: call 1.888.555.0100', 'Locked: call …'],
    ['Locked: call ＋４９ ３０ １２３４５', 'Locked: call …'],
    ['Anruf:0900/1234567', 'Anruf: …'],
    ['one\r\nBcc: two\u2028three\u0085four\tfive', 'one Bcc: two three four five'],
    ['\u202egnp.exe', 'gnp exe'],
    ['\ud800', '\ufffd'],
  ])('%j is mailed as %j', (name, mailed) => {
    expect(plainName(name)).toBe(mailed);
  });

  test.each([
    ['ada.lovelace+shop@example.com', 'ada.lovelace+shop@example.com'],
    ['ada-2026-11@example.com', 'ada-2026-11@example.com'],
    ['locked.call.1-888-555-0100@example.com', '…@example.com'],
    [`your-account-is-locked-pay-at-once-or-lose-it@example.com`, '…@example.com'],
  ])('the address %j is mailed as %j', (email, mailed) => {
    expect(mailedAddress(email)).toBe(mailed);
  });

  test('are cut, and long text costs no time', async () => {
    expect([...plainName('é'.repeat(1_000))]).toHaveLength(MAX_MAILED_LENGTH + 1);
    for (const unit of ['a.', 'a@', '://', '. ', '\u0301e', '\u200d', 'www.', '/.']) {
      const text = unit.repeat(1_000_000);
      expect(await cpuMsOf(() => plainName(text), 500), unit).toBeLessThanOrEqual(500);
    }
  });

  test('give the same result if they are made plain twice', () => {
    for (const name of ['a@b', 'see www.evil.example', 'Booking.com', 'x'.repeat(200)])
      expect(plainName(plainName(name))).toBe(plainName(name));
  });
});
