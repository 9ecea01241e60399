/** The quickest way to a first verified claim, on the first page of the documentation. */
import { ButtonLink } from '../ui/button.tsx';
import type { Markup } from '../ui/markup.ts';
import { guidePath } from './paths.ts';

export const WayIn = ({ isSignedIn }: { isSignedIn: boolean }): Markup => (
  <p class="row">
    {isSignedIn && (
      <ButtonLink href="/dashboard" tone="primary">
        Start with your own offer
      </ButtonLink>
    )}
    <ButtonLink href={guidePath('quickstart')} tone={isSignedIn ? 'plain' : 'primary'}>
      {isSignedIn ? 'Quickstart' : 'Quickstart: your first call in a minute'}
    </ButtonLink>
  </p>
);
