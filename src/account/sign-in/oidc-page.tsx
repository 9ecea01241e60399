/** Signing in through the company's identity provider: its button, and the pages on the way. */

import { ButtonLink, PostButton } from '../../ui/button.tsx';
import { FormActions } from '../../ui/form.tsx';
import type { Markup } from '../../ui/markup.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { OIDC_LINK_PATH, OIDC_PATH } from '../paths.ts';

/** `next`: path of this service to continue at. */
export const OidcButton = ({ text, next }: { text: string; next: string }): Markup => (
  <PostButton action={OIDC_PATH} values={{ next }}>
    {text}
  </PostButton>
);

/** The `Refresh` header redirects the browser; the link is for a browser that ignores it. */
export const OidcLeavingPage = ({ name, url }: { name: string; url: string }): Markup => (
  <>
    <PageHeader title="One moment" lead={`Continue to ${name} to sign in.`} />
    <ButtonLink href={url} tone="primary">
      Continue
    </ButtonLink>
  </>
);

/** `canConnect`: there is an account with the same address that can be connected. */
export const OidcRefusedPage = ({
  sentence,
  canConnect,
}: {
  sentence: string;
  canConnect: boolean;
}): Markup => (
  <>
    <PageHeader title="You’re not signed in" lead={sentence} />
    <FormActions>
      {canConnect && (
        <>
          <ButtonLink href={`/sign-in?next=${encodeURIComponent(OIDC_LINK_PATH)}`} tone="primary">
            Sign in and connect
          </ButtonLink>
          <a href="/forgot-password">Set a new password</a>
        </>
      )}
      <a href="/sign-in">Back to sign-in</a>
    </FormActions>
  </>
);

export const OidcLinkPage = ({ name, next }: { name: string; next: string }): Markup => (
  <>
    <PageHeader
      title="Connect your account"
      lead={`Then you can sign in with ${name}. Both accounts must have the same email address.`}
    />
    <FormActions>
      <OidcButton text={`Connect with ${name}`} next={next} />
      <a href={next}>Not now</a>
    </FormActions>
  </>
);
