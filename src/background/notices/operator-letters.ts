/** Notices to operators. */

import { deskAccountPath, deskListingPath, QUEUE_PATH, SYSTEM_PATH } from '../../base/paths.ts';
import { verbatim } from '../../people/mail/letter.ts';
import { plainName } from '../../people/mail/plain-name.ts';
import { letter, type SampledLetter } from '../../people/mail/samples.ts';
import { type Message, message, type Words } from '../../platform/languages/translate.ts';
import { type CheckName, docsOfCheck } from '../system/check.ts';
import type { NoticeKind } from './kinds.ts';
import type { NamedListing, Notice } from './letters.ts';

const namesText = (names: readonly string[]) => verbatim(names.map((name) => plainName(name)).join(', '));

/** `names`: names of the listings or accounts that the newest items are about. */
export const waitsForReview = letter(
  (baseUrl: string, waiting: number, names: readonly string[]): Notice => ({
    subject: message('{waiting, plural, one {# item} other {# items}} to decide on', { waiting }),
    letter: [
      waiting > names.length
        ? message('{waiting, number} items are waiting for your decision. The newest: {names}.', {
            waiting,
            names: namesText(names),
          })
        : message('Waiting for your decision: {names}.', { names: namesText(names) }),
      { link: message('Open the queue'), href: `${baseUrl}${QUEUE_PATH}` },
    ],
  }),
).withSamples(({ baseUrl }) => [
  [
    'review',
    message('Something is waiting for a decision (at most one email every 10 minutes)'),
    baseUrl,
    7,
    ['Calm Notes', 'Loud Notes'],
  ],
  [
    'daily_review',
    message('Something is waiting for a decision (at most one email a day)'),
    baseUrl,
    2,
    ['Calm Notes', 'Loud Notes'],
  ],
]);

export const newOwner = letter(
  ({ name, baseUrl }: NamedListing, ownerId: string, owner: string): Notice => ({
    subject: message('A new owner: {owner}', { owner }),
    letter: [
      message('{name} is the first listing of {owner}.', { owner, name }),
      { link: message('Open the account'), href: `${baseUrl}${deskAccountPath(ownerId)}` },
    ],
  }),
).withSamples(({ listing, id }) => [
  ['owners', message('Someone creates their first listing'), listing, id, 'Ada Lovelace'],
]);

export const ownerReplied = letter(
  ({ name, id, baseUrl }: NamedListing, reply: string): Notice => ({
    subject: message('{name}: the owner has replied', { name }),
    letter: [
      message('The owner of {name} has replied to your question:', { name }),
      reply,
      { link: message('Open the reports'), href: `${baseUrl}${deskListingPath(id)}#reports` },
    ],
  }),
).withSamples(({ listing }) => [
  ['review', message('An owner replies to a question'), listing, 'Yes, the offer is open until Friday.'],
]);

/** Subjects for checks whose names are not descriptive enough. */
const PROBLEMS: Readonly<Partial<Record<CheckName, Message>>> = {
  disk: message('Disk almost full'),
  writing: message('The database accepts no writes'),
};

export const unhealthy = letter(
  (baseUrl: string, check: CheckName, detail: Words): Notice => ({
    subject: PROBLEMS[check] ?? message('Problem with {check}', { check: verbatim(check) }),
    letter: [
      detail,
      { link: message('What to do'), href: baseUrl + docsOfCheck(check) },
      { link: message('Open the system page'), href: `${baseUrl}${SYSTEM_PATH}` },
      message('You’ll get this email again in a week if the problem persists.'),
    ],
  }),
).withSamples(({ baseUrl }) => [
  [
    'health',
    message('A check on the system page fails (at most one email a week)'),
    baseUrl,
    'disk',
    '310 MB free of 40 GB. At least 512 MB should be free.',
  ],
]);

export const challengeBegan = letter(
  (baseUrl: string, { unused, sent }: { readonly unused: number; readonly sent: number }): Notice => ({
    subject: message('Many sign-in emails are not used'),
    letter: [
      message(
        '{unused, number} of {sent, number} sign-in and password emails of the last hour were not used. Somebody may be sending emails to strangers through your marketplace, so browsers must now solve a challenge before another email is sent. This stops automatically.',
        { unused, sent },
      ),
      { link: message('What to do'), href: baseUrl + docsOfCheck('unused mail') },
    ],
  }),
).withSamples(({ baseUrl }) => [
  [
    'health',
    message('Many sign-in emails are not used (at most one email a day)'),
    baseUrl,
    { unused: 63, sent: 80 },
  ],
]);

/** The email examples of each kind have this order. */
export const OPERATOR_LETTERS: readonly SampledLetter<NoticeKind>[] = [
  waitsForReview,
  ownerReplied,
  newOwner,
  unhealthy,
  challengeBegan,
];
