import { expect, test } from 'vitest';
import {
  type Announcement,
  announcementSettings,
  announcementTexts,
  NO_ANNOUNCEMENT,
  phaseOf,
} from './announcement.ts';

const START = '2026-11-20T10:00:00.000Z';
const END = '2026-11-20T12:00:00.000Z';
const START_MS = Date.parse(START);
const END_MS = Date.parse(END);
const TEXT = { ...NO_ANNOUNCEMENT, text: 'Maintenance tonight' };

test.each<[string, Announcement, number, string]>([
  ['no text', { ...TEXT, text: null }, START_MS, 'none'],
  ['no times', TEXT, START_MS, 'current'],
  ['before the start', { ...TEXT, startsAt: START }, START_MS - 1, 'planned'],
  ['at the start', { ...TEXT, startsAt: START }, START_MS, 'current'],
  ['before the end', { ...TEXT, startsAt: START, endsAt: END }, END_MS - 1, 'current'],
  ['at the end', { ...TEXT, startsAt: START, endsAt: END }, END_MS, 'over'],
])('the phase with %s', (_, announcement, now, phase) => {
  expect(phaseOf(announcement, now)).toBe(phase);
});

const { text, startsAt, endsAt } = announcementSettings('Europe/Berlin');
const NO_OTHER = () => '';

test('times are read in the zone of the marketplace, and a day as end includes the whole day', () => {
  expect(startsAt.parse('2026-11-20T11:00')).toBe(START);
  expect(startsAt.parse('2026-11-20 11:00')).toBe(START);
  expect(startsAt.parse('2026-11-20T10:00Z')).toBe(START);
  expect(endsAt.parse('2026-11-20', NO_OTHER)).toBe('2026-11-20T22:59:59.999Z');
  expect(startsAt.parse(' ')).toBeNull();
});

test.each([
  ['2026-02-30', 'The start must be a day such as 2026-11-20'],
  ['tonight', 'found "tonight"'],
  ['2026-11-20T11:00+0100', 'The start must be a day'],
])('the start %j is refused', (typed, sentence) => {
  expect(() => startsAt.parse(typed)).toThrow(sentence);
});

test('an end that is not after the start is refused', () => {
  const start = (name: string) => (name === 'startsAt' ? '2026-11-20T11:00' : '');
  expect(() => endsAt.parse('2026-11-20T11:00', start)).toThrow('The end must be after the start.');
  expect(endsAt.parse('2026-11-20T13:00', start)).toBe(END);
});

test('the form shows the times as they were typed, also in the hour that occurs twice', () => {
  const twice = { ...TEXT, startsAt: '2026-10-25T01:30:00.000Z', endsAt: '2026-11-20T22:59:59.999Z' };
  expect(announcementTexts(twice, 'Europe/Berlin')).toMatchObject({
    startsAt: '2026-10-25T01:30:00.000Z',
    endsAt: '2026-11-20',
  });
  expect(announcementTexts({ ...TEXT, startsAt: START }, 'Europe/Berlin').startsAt).toBe('2026-11-20T11:00');
});

test('the text cannot change the direction of the page, and its length counts characters', () => {
  expect(() => text.parse('Sale \u202etomorrow')).toThrow('changes the text direction');
  expect(text.parse('😀'.repeat(280))).toHaveLength(560);
  expect(() => text.parse('😀'.repeat(281))).toThrow('at most 280 are allowed');
});
