import { expect, test } from 'vitest';
import { cpuMsOf } from '../../../../test/support/cpu-time.ts';
import { typedCode } from './authenticator.ts';

test.each([
  '123456',
  '123 456',
  '１２３４５６',
  '١٢٣٤٥٦',
  '१२३४५६',
  '123\u00a0456',
  '‎123-456',
  'Your code is 123 456.',
])('typedCode finds the authenticator code in %j', (text) => {
  expect(typedCode(text)).toBe('123456');
});

test('typedCode accepts a backup code with hyphens, spaces or full-width characters', () => {
  for (const text of ['Ab3dE-fG4hI-jK5lM-nO6pQ', 'Ab3dE fG4hI jK5lM nO6pQ', 'Ａb３dＥ‐fG4hI‐jK5lM‐nO6pQ']) {
    expect(typedCode(text)).toBe('Ab3dEfG4hIjK5lMnO6pQ');
  }
});

test('typedCode processes long hostile input in under 500 ms', async () => {
  for (const text of ['1'.repeat(60_000), '٣'.repeat(60_000), '-'.repeat(60_000), '1-'.repeat(30_000)]) {
    expect(await cpuMsOf(() => typedCode(text), 500)).toBeLessThanOrEqual(500);
  }
});
