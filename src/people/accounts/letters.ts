import type { Brand } from '../../base/brand/brand.ts';
import { ACCOUNT_PATH, PRIVACY_GUIDE_PATH } from '../../base/paths.ts';
import { message } from '../../platform/languages/translate.ts';
import { type MailWords, verbatim } from '../mail/letter.ts';
import { letter } from '../mail/samples.ts';

export const accountEnds = letter(
  (
    baseUrl: string,
    { name }: Pick<Brand, 'name'>,
    { when, reason }: { readonly when: () => string; readonly reason: 'asked' | 'unused' },
  ): MailWords => ({
    subject: message('Your account will be deleted'),
    letter: [
      reason === 'unused'
        ? message(
            'You haven’t used your {name} account for a long time, so it will be deleted on {when}. To keep it, sign in before then.',
            { name: verbatim(name), when },
          )
        : message(
            'Your {name} account will be deleted on {when}. To keep it, sign in before then and open your account page.',
            { name: verbatim(name), when },
          ),
      {
        link: reason === 'unused' ? message('Sign in') : message('Open my account'),
        href: `${baseUrl}${ACCOUNT_PATH}`,
      },
      { link: message('What is deleted and what stays'), href: `${baseUrl}${PRIVACY_GUIDE_PATH}` },
    ],
  }),
).withSamples(({ baseUrl, brand, end: when }) => [
  ['always', message('An account’s deletion is requested'), baseUrl, brand, { when, reason: 'asked' }],
  [
    'always',
    message('An inactive account is about to be deleted'),
    baseUrl,
    brand,
    { when, reason: 'unused' },
  ],
]);
