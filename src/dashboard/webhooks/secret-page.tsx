/** The only answer that shows the secret of an endpoint. */
import { Breadcrumb } from '../../ui/breadcrumb.tsx';
import { ButtonLink } from '../../ui/button.tsx';
import { CopyLine, Mono } from '../../ui/code.tsx';
import type { Markup } from '../../ui/markup.ts';
import { Notice } from '../../ui/notice.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Time } from '../../ui/time.tsx';
import type { NewEndpoint } from '../../webhooks/create.ts';
import { endpointPath, WEBHOOKS_PATH } from './paths.ts';

export interface SecretPageProps {
  readonly made: NewEndpoint;
  /** After a roll: until when the old secret signs too. */
  readonly oldExpiresAt?: string;
}

export const SecretPage = ({ made, oldExpiresAt }: SecretPageProps): Markup => (
  <>
    <PageHeader
      above={<Breadcrumb trail={[['Webhooks', WEBHOOKS_PATH]]} />}
      title={oldExpiresAt === undefined ? 'Your new endpoint' : 'The secret is rolled'}
      lead={`Events are sent to ${new URL(made.url).host}.`}
    />
    <div class="stack-loose narrow">
      {made.publicKey === null ? (
        <Notice tone="good" title="Save the secret now. It is shown once">
          <div class="stack">
            <p>Your server verifies every request with it. If it gets lost, roll it.</p>
            <CopyLine text={made.secret} what="the secret" />
          </div>
        </Notice>
      ) : (
        <Notice tone="good" title="The public key of this endpoint">
          <div class="stack">
            <p>
              Your server verifies every request with it. The page of the endpoint shows it too; the private
              key never leaves this service.
            </p>
            <CopyLine text={made.publicKey} what="the public key" />
          </div>
        </Notice>
      )}
      {oldExpiresAt !== undefined && (
        <Notice title="The old one signs for a day">
          Until <Time at={oldExpiresAt} /> every request carries a signature of each, and a receiver accepts
          either. Put the new one on every server by then.
        </Notice>
      )}
      <p>
        Requests carry <Mono>webhook-id</Mono>, <Mono>webhook-timestamp</Mono> and{' '}
        <Mono>webhook-signature</Mono>, by the{' '}
        <a href="https://www.standardwebhooks.com/">Standard Webhooks</a> specification. The{' '}
        <a href="/docs/webhooks">documentation</a> has programs that verify them.
      </p>
      <p>
        <ButtonLink href={endpointPath(made.id)}>
          {made.publicKey === null ? 'I have saved it' : 'To the endpoint'}
        </ButtonLink>
      </p>
    </div>
  </>
);
