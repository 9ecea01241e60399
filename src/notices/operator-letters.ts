import { type Message, message } from '../languages/translate.ts';
import { type CheckName, docsOfCheck } from '../system/check.ts';
import type { NamedListing, Notice } from './letters.ts';

/** `names`: the listings and accounts of the newest items. */
export const waitsForReview = (baseUrl: string, waiting: number, names: readonly string[]): Notice => ({
  subject: message('{waiting, plural, one {# item} other {# items}} to decide', { waiting }),
  letter: [
    waiting > names.length
      ? message('{waiting, number} items wait for your decision. The newest are about {names}.', {
          waiting,
          names: names.join(', '),
        })
      : message('Waiting for your decision: {names}.', { names: names.join(', ') }),
    { link: message('Open the queue'), href: `${baseUrl}/desk/queue` },
  ],
});

export const newOwner = ({ name, baseUrl }: NamedListing, ownerId: string, owner: string): Notice => ({
  subject: message('A new owner: {owner}', { owner }),
  letter: [
    message('{name} is the first listing of {owner}.', { owner, name }),
    { link: message('Open the account'), href: `${baseUrl}/desk/accounts/${ownerId}` },
  ],
});

/** Subjects for checks whose names say too little. */
const PROBLEMS: Readonly<Partial<Record<CheckName, Message>>> = {
  disk: message('Disk almost full'),
  writing: message('The database accepts no writes'),
};

/** `detail` is what `claimcheck doctor` says, in English. */
export const unhealthy = (baseUrl: string, check: CheckName, detail: string): Notice => ({
  subject: PROBLEMS[check] ?? message('Problem with {check}', { check }),
  letter: [
    detail,
    { link: message('What to do'), href: baseUrl + docsOfCheck(check) },
    { link: message('Open the system page'), href: `${baseUrl}/desk/system` },
    message('You’ll get this email again in a week if the problem persists.'),
  ],
});
