import { INVITATION_PATH, STOP_INVITATIONS_PATH } from '../../base/paths.ts';
import { listText, type Message, message } from '../../platform/languages/translate.ts';
import { type MailWords, verbatim } from '../mail/letter.ts';
import { plainName } from '../mail/plain-name.ts';
import { letter } from '../mail/samples.ts';
import { invitationLink } from '../members/letters.ts';
import { INVITATION_DAYS } from '../members/member.ts';
import { spelledCode } from '../sign-in/codes/one-time-code.ts';
import { type InvitedRole, MAX_NOTE_LENGTH } from './invitation.ts';

interface MarketInvitationLetter {
  readonly code: string;
  readonly marketplace: string;
  readonly role: InvitedRole;
  readonly plan: string | null;
  /** The operator who invites; `null`: unknown. */
  readonly by: string | null;
  readonly note: string | null;
  /** Names of listings that the account contains already. */
  readonly prepared: readonly string[];
  readonly stopUrl: string;
}

type Texts = readonly [subject: Message, lead: Message];

interface Named {
  readonly name: () => string;
  readonly by: string | null;
}

const publishTexts = ({ name, by }: Named): Texts => [
  message('Publish your app on {name}', { name }),
  by === null
    ? message('You are invited to publish your app on {name}, with offers that people can claim.', { name })
    : message('{by} invites you to publish your app on {name}, with offers that people can claim.', {
        by,
        name,
      }),
];

const runTexts = ({ name, by }: Named): Texts => [
  message('Run {name} with us', { name }),
  by === null
    ? message(
        'You are invited to run {name} as an operator. Operators approve listings, set plans and see all accounts.',
        { name },
      )
    : message(
        '{by} invites you to run {name} as an operator. Operators approve listings, set plans and see all accounts.',
        { by, name },
      ),
];

/** The account of a new owner contains listings already. */
const takeOverTexts = ({ name, by }: Named, names: readonly string[]): Texts => {
  const listings = () => listText(names.map((one) => plainName(one)));
  return [
    message('Take over {listings} on {name}', { listings, name }),
    by === null
      ? message(
          '{listings} was prepared for you on {name}. Accept the invitation to take it over. You can change everything.',
          { listings, name },
        )
      : message(
          '{by} has prepared {listings} for you on {name}. Accept the invitation to take it over. You can change everything.',
          { by, listings, name },
        ),
  ];
};

function textsOf(named: Named, role: InvitedRole, prepared: readonly string[]): Texts {
  if (role === 'operator') return runTexts(named);
  return prepared.length > 0 ? takeOverTexts(named, prepared) : publishTexts(named);
}

export const marketInvitation = letter(
  (
    baseUrl: string,
    { code, marketplace, role, plan, by, note, prepared, stopUrl }: MarketInvitationLetter,
  ): MailWords => {
    const [subject, lead] = textsOf({ name: verbatim(marketplace), by }, role, prepared);
    return {
      subject,
      letter: [
        lead,
        ...(plan === null
          ? []
          : [message('Your account will be on the plan {plan}.', { plan: verbatim(plan) })]),
        ...(note === null ? [] : [quotedNote(by, plainName(note, MAX_NOTE_LENGTH))]),
        { link: message('Open the invitation'), href: invitationLink(baseUrl, code) },
        message('Or open {url} and enter this code:', { url: verbatim(baseUrl + INVITATION_PATH) }),
        { code: spelledCode(code) },
        message(
          'The invitation can be accepted once, within {days, plural, one {# day} other {# days}}. Don’t forward this email: whoever opens the link can accept the invitation in your name. If you didn’t expect it, ignore it, or stop all invitations with the link at its end.',
          { days: INVITATION_DAYS },
        ),
      ],
      stopUrl,
    };
  },
).withSamples(({ baseUrl, brand, code, plan, listing }) => {
  const stopUrl = `${baseUrl}${STOP_INVITATIONS_PATH}/example`;
  const common = { code, marketplace: brand.name, by: 'Ada Lovelace', stopUrl, note: null, prepared: [] };
  const note = 'We met at the makers’ fair and would love to have your app.';
  return [
    [
      'always',
      message('An operator invites somebody to publish'),
      baseUrl,
      { ...common, role: 'owner', plan, note },
    ],
    [
      'always',
      message('An operator invites the owner of a listing that they have prepared'),
      baseUrl,
      { ...common, role: 'owner', plan: null, prepared: [listing.name] },
    ],
    [
      'always',
      message('An operator invites another operator'),
      baseUrl,
      { ...common, role: 'operator', plan: null },
    ],
  ];
});

/** In quotation marks and after a name, so that the sentence doesn't pass for the words of the service. */
const quotedNote = (by: string | null, note: string): Message =>
  by === null
    ? message('“{note}”', { note: verbatim(note) })
    : message('{by} writes: “{note}”', { by, note: verbatim(note) });
