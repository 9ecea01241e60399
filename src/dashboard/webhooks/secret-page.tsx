/** The only page that shows an endpoint's secret. */

import { ButtonLink } from '../../ui/button.tsx';
import { CopyLine, Mono } from '../../ui/code.tsx';
import type { Markup } from '../../ui/markup.ts';
import { Notice } from '../../ui/notice.tsx';
import { Breadcrumb, PageHeader } from '../../ui/page-header.tsx';
import { Time } from '../../ui/time.tsx';
import type { EndpointWithSecret } from '../../webhooks/endpoints.ts';
import { endpointPath, WEBHOOKS_PATH } from './parts.tsx';

interface SecretPageProps {
  readonly made: EndpointWithSecret;
  /** After a roll: until when the old secret signs too. */
  readonly oldUntil?: string;
}

export const SecretPage = ({ made, oldUntil }: SecretPageProps): Markup => (
  <>
    <PageHeader
      above={<Breadcrumb trail={[['Webhooks', WEBHOOKS_PATH]]} />}
      title={oldUntil === undefined ? 'Endpoint added' : 'Secret rolled'}
      lead={`Events are sent to ${new URL(made.url).host}.`}
    />
    <div class="stack-loose narrow">
      <Notice tone="good" title="Save the secret now. It is shown only once">
        <div class="stack">
          <p>Your server verifies every request with it. If you lose it, roll it.</p>
          <CopyLine text={made.secret} what="the secret" />
        </div>
      </Notice>
      {oldUntil !== undefined && (
        <Notice title="The old secret works for another day">
          Until <Time at={oldUntil} />, every request is signed with both secrets. Put the new one on all your
          servers by then.
        </Notice>
      )}
      <p>
        Requests carry the headers <Mono>webhook-id</Mono>, <Mono>webhook-timestamp</Mono> and{' '}
        <Mono>webhook-signature</Mono> of the{' '}
        <a href="https://www.standardwebhooks.com/">Standard Webhooks</a> specification. The{' '}
        <a href="/docs/webhooks">documentation</a> shows how to verify them.
      </p>
      <p>
        <ButtonLink href={endpointPath(made.id)}>I have saved it</ButtonLink>
      </p>
    </div>
  </>
);
