/** The only answer that shows the secret of an operator key. */
import type { NewOperatorKey } from '../../operator-keys/create.ts';
import { operatorEnvFile } from '../../operator-keys/view.ts';
import { Breadcrumb } from '../../ui/breadcrumb.tsx';
import { ButtonLink } from '../../ui/button.tsx';
import { Code, CopyLine } from '../../ui/code.tsx';
import type { Markup } from '../../ui/markup.ts';
import { Notice } from '../../ui/notice.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { SaveButton } from '../../ui/save-button.tsx';
import { Time } from '../../ui/time.tsx';
import { OPERATOR_KEYS_PATH } from './paths.ts';

export interface NewOperatorKeyPageProps {
  readonly made: NewOperatorKey;
  readonly name: string;
  readonly baseUrl: string;
  /** After a replacement: when the old key ends, `null` where it has ended. */
  readonly oldExpiresAt: string | null | undefined;
}

export function NewOperatorKeyPage({ made, name, baseUrl, oldExpiresAt }: NewOperatorKeyPageProps): Markup {
  const env = operatorEnvFile({ baseUrl, key: made.key, name });
  return (
    <>
      <PageHeader
        above={<Breadcrumb trail={[['Operator keys', OPERATOR_KEYS_PATH]]} />}
        title={oldExpiresAt === undefined ? 'Your new operator key' : 'The key is replaced'}
        lead={
          <>
            “{name}”, for {made.scopes.join(', ')}.{' '}
            {made.expiresAt === null ? (
              'It does not expire.'
            ) : (
              <>
                It expires on <Time at={made.expiresAt} />.
              </>
            )}
          </>
        }
      />
      <div class="stack-loose narrow">
        <Notice tone="good" title="Save it now. It is shown once">
          <div class="stack">
            <p>Only its fingerprint is stored here. If it gets lost, replace the key.</p>
            <CopyLine text={made.key} what="the operator key" />
          </div>
        </Notice>
        {oldExpiresAt !== undefined && <OldKey expiresAt={oldExpiresAt} />}
        <section class="section">
          <div class="spread">
            <h2>For the environment of your server</h2>
            <SaveButton text={env} file="claimcheck-operator.env">
              Download .env
            </SaveButton>
          </div>
          <Code text={env} what="the .env lines" wraps />
        </section>
        <p class="soft-text">
          The command line takes the same two: see <a href="/docs/operator-api">the operator’s API</a>.
        </p>
        <p>
          <ButtonLink href={OPERATOR_KEYS_PATH}>I have saved it</ButtonLink>
        </p>
      </div>
    </>
  );
}

const OldKey = ({ expiresAt }: { expiresAt: string | null }): Markup =>
  expiresAt === null ? (
    <Notice tone="warn" title="The old key has ended">
      Calls with it are refused from now on. Put the new key on your server.
    </Notice>
  ) : (
    <Notice title="The old key works for a while">
      Until <Time at={expiresAt} /> both keys work. Put the new one on every server by then.
    </Notice>
  );
