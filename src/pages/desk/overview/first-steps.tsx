import type { FirstStep, FirstSteps } from '../../../background/system/first-steps.ts';
import {
  BRAND_PATH,
  GENERAL_PATH,
  HIDE_FIRST_STEPS_PATH,
  NEW_LISTING_PATH,
  SECOND_FACTOR_CARD_PATH,
  SYSTEM_PATH,
} from '../../../base/paths.ts';
import { PostButton } from '../../ui/button.tsx';
import { Steps } from '../../ui/steps.tsx';
import { MAIL_GUIDE } from '../outbox/pages.tsx';

export const STEPS: Readonly<Record<FirstStep, readonly [title: string, href: string, about: string]>> = {
  brand: ['Name and style your marketplace', BRAND_PATH, 'Name, colour and logo, on pages and in emails.'],
  mail: ['Set up mail', MAIL_GUIDE, 'Needed to send sign-in codes and notifications.'],
  documents: [
    'Link your legal notice and privacy policy',
    `${GENERAL_PATH}#field-imprint`,
    'Linked at the end of every page and email. Add your terms too, if you have any.',
  ],
  app: ['Publish an app', NEW_LISTING_PATH, 'Or wait for an owner to submit one.'],
  backup: ['Make a backup', `${SYSTEM_PATH}#backup`, 'To get one every day, set BACKUP_DIR.'],
  secondFactor: [
    'Add a second factor',
    SECOND_FACTOR_CARD_PATH,
    'An authenticator app or a passkey protects the desk.',
  ],
};

export const stepsLeft = (steps: FirstSteps): readonly FirstStep[] =>
  (Object.keys(STEPS) as FirstStep[]).filter((name) => !steps[name]);

export function FirstStepsList({ steps }: { steps: FirstSteps }) {
  const names = Object.keys(STEPS) as FirstStep[];
  const [next] = stepsLeft(steps);
  return (
    <section class="section" aria-labelledby="first-steps">
      <div class="spread">
        <h2 id="first-steps">First steps</h2>
        <PostButton action={HIDE_FIRST_STEPS_PATH} tone="quiet" small label="Hide first steps">
          Hide
        </PostButton>
      </div>
      <Steps
        steps={names.map((name) => {
          const [title, href, about] = STEPS[name];
          return {
            title: steps[name] ? title : <a href={href}>{title}</a>,
            state: steps[name] ? 'done' : name === next ? 'now' : 'open',
            body: steps[name] ? undefined : about,
          };
        })}
      />
    </section>
  );
}
