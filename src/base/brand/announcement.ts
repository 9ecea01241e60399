/** The announcement: a sentence of the operator at the top of pages, from its start until its end. */
import { invalid } from '../../platform/errors.ts';
import { type Message, message } from '../../platform/languages/translate.ts';
import { choice, initialOf, loggedNames, type Setting, type ValuesOf } from '../../platform/text/setting.ts';
import { optional, parseText, quote } from '../../platform/text/text.ts';
import { type EpochMs, type Iso, toIso } from '../../platform/text/time-text.ts';
import {
  DEFAULT_TIME_ZONE,
  parseEnd,
  parseStart,
  typedEnd,
  typedStart,
  zoneText,
} from '../../platform/text/time-zone.ts';

const MAX_ANNOUNCEMENT_LENGTH = 280;

/** `zone`: the time zone in which days and times are read. */
export const announcementSettings = (zone: string) =>
  ({
    /** `null`: nothing is announced. */
    text: {
      label: message('Text'),
      loggedAs: message('Announcement'),
      hint: message('One or two sentences. Leave it empty to announce nothing.'),
      control: 'text',
      rows: 2,
      parse: (text) =>
        optional(text, (typed) => parseText(typed, message('The announcement'), MAX_ANNOUNCEMENT_LENGTH)),
    },
    level: choice({
      label: message('Level'),
      loggedAs: message('Level of the announcement'),
      choices: [
        {
          value: 'info',
          label: message('Information'),
          hint: message('Such as a new category or a holiday.'),
        },
        {
          value: 'warning',
          label: message('Warning'),
          hint: message('Such as maintenance that is planned for tonight.'),
        },
        { value: 'incident', label: message('Incident'), hint: message('Something doesn’t work right now.') },
      ],
      refusal: message('Choose the level.'),
      initial: 'info',
    }),
    audience: choice({
      label: message('Who sees it'),
      loggedAs: message('Audience of the announcement'),
      choices: [
        {
          value: 'everyone',
          label: message('Everyone'),
          hint: message('On every page, also before people sign in.'),
        },
        { value: 'owners', label: message('Owners'), hint: message('On the dashboard only.') },
      ],
      refusal: message('Choose who sees the announcement.'),
      initial: 'everyone',
    }),
    startsAt: {
      label: message('Start'),
      loggedAs: message('Start of the announcement'),
      hint: message('In {zone}. Leave it empty to start immediately.', { zone: () => zoneText(zone) }),
      control: 'time',
      parse: (text): Iso | null =>
        optional(text, (typed) => parseTime(parseStart, zone, typed, message('The start'))),
    },
    endsAt: {
      label: message('End'),
      loggedAs: message('End of the announcement'),
      hint: message('In {zone}. Leave it empty to show the announcement until you delete its text.', {
        zone: () => zoneText(zone),
      }),
      control: 'time',
      parse: (text, textOf): Iso | null =>
        optional(text, (typed) => {
          const end = parseTime(parseEnd, zone, typed, message('The end'));
          const start = parseStart(zone, spaced(textOf('startsAt')));
          if (start !== null && start >= end) throw invalid(message('The end must be after the start.'));
          return end;
        }),
    },
  }) as const satisfies Readonly<Record<string, Setting>>;

export type Announcement = ValuesOf<ReturnType<typeof announcementSettings>>;

const INITIAL = announcementSettings(DEFAULT_TIME_ZONE);
export const NO_ANNOUNCEMENT = initialOf<Announcement>(INITIAL);

/** Name of each setting in the audit log. */
export const ANNOUNCEMENT_NAMES = loggedNames<Announcement>(INITIAL);

const spaced = (text: string): string => text.trim().replace(' ', 'T');

function parseTime(parse: typeof parseStart, zone: string, text: string, what: Message): Iso {
  const at = parse(zone, spaced(text));
  if (at !== null) return at;
  throw invalid(
    message('{what} must be a day such as 2026-11-20 or a time such as 2026-11-20T10:00; found {text}.', {
      what,
      text: quote(text),
    }),
  );
}

export const announcementTexts = (announcement: Announcement, zone: string) => ({
  ...announcement,
  startsAt: typedStart(zone, announcement.startsAt),
  endsAt: typedEnd(zone, announcement.endsAt),
});

export type AnnouncementPhase = 'none' | 'planned' | 'current' | 'over';

/** `endsAt` is exclusive. */
export function phaseOf({ text, startsAt, endsAt }: Announcement, now: EpochMs): AnnouncementPhase {
  if (text === null) return 'none';
  const at = toIso(now);
  if (endsAt !== null && at >= endsAt) return 'over';
  return startsAt !== null && at < startsAt ? 'planned' : 'current';
}
