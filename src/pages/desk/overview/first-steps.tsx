import type { FirstStep, FirstSteps } from '../../../background/system/first-steps.ts';
import {
  BRAND_PATH,
  DESK_INVITATIONS_PATH,
  GENERAL_PATH,
  HIDE_FIRST_STEPS_PATH,
  NEW_LISTING_PATH,
  SECOND_FACTOR_CARD_PATH,
  SYSTEM_PATH,
} from '../../../base/paths.ts';
import { type Message, message, t } from '../../../platform/languages/translate.ts';
import { PostButton } from '../../ui/button.tsx';
import { Section } from '../../ui/card.tsx';
import { linkTo } from '../../ui/site.tsx';
import { Steps } from '../../ui/steps.tsx';
import { MAIL_GUIDE } from '../outbox/pages.tsx';

export const STEPS: Readonly<Record<FirstStep, readonly [title: Message, href: string, about: Message]>> = {
  brand: [
    message('Name and style your marketplace'),
    BRAND_PATH,
    message('Name, colour and logo, on pages and in emails.'),
  ],
  mail: [
    message('Set up mail'),
    MAIL_GUIDE,
    message(
      'Needed to send sign-in codes and notifications. Set SMTP_URL and MAIL_FROM in claimcheck.env in the data folder, and restart.',
    ),
  ],
  documents: [
    message('Link your legal notice and privacy policy'),
    `${GENERAL_PATH}#field-imprint`,
    message(
      'Linked at the end of every page and email. On the same page, choose the language and the time zone.',
    ),
  ],
  app: [
    message('Publish an app'),
    NEW_LISTING_PATH,
    message('For an owner, or your own. Or <a>invite owners</a> to publish theirs.'),
  ],
  backup: [
    message('Make a backup'),
    `${SYSTEM_PATH}#backup`,
    message('To get one every day, set BACKUP_DIR in claimcheck.env, and restart.'),
  ],
  secondFactor: [
    message('Add a second factor'),
    SECOND_FACTOR_CARD_PATH,
    message('An authenticator app or a passkey protects the desk.'),
  ],
};

export const stepsLeft = (steps: FirstSteps): readonly FirstStep[] =>
  (Object.keys(STEPS) as FirstStep[]).filter((name) => !steps[name]);

export function FirstStepsList({ steps }: { steps: FirstSteps }) {
  const names = Object.keys(STEPS) as FirstStep[];
  const [next] = stepsLeft(steps);
  return (
    <Section
      title={t('First steps')}
      id="first-steps"
      action={
        <PostButton action={HIDE_FIRST_STEPS_PATH} tone="quiet" small label={t('Hide first steps')}>
          {t('Hide')}
        </PostButton>
      }
    >
      <Steps
        steps={names.map((name) => {
          const [title, href, about] = STEPS[name];
          return {
            title: steps[name] ? t(title) : <a href={href}>{t(title)}</a>,
            state: steps[name] ? 'done' : name === next ? 'now' : 'open',
            body: steps[name] ? undefined : t(about, { a: linkTo(DESK_INVITATIONS_PATH) }),
          };
        })}
      />
    </Section>
  );
}
