/** The only answer that shows the secret of an operator key. */
import type { NewOperatorKey } from '../../operator-keys/create.ts';
import { operatorEnvFile } from '../../operator-keys/view.ts';
import { isolated } from '../../text.ts';
import { Breadcrumb } from '../../ui/breadcrumb.tsx';
import { ButtonLink } from '../../ui/button.tsx';
import { EnvFile, Expiry, OldKey, SecretNotice } from '../../ui/key-parts.tsx';
import type { Markup } from '../../ui/markup.ts';
import { PageHeader } from '../../ui/page-header.tsx';
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
            “{isolated(name)}”, for {made.scopes.join(', ')}. <Expiry at={made.expiresAt} />
          </>
        }
      />
      <div class="stack-loose narrow">
        <SecretNotice secret={made.key} what="operator key" instead="replace the key" />
        {oldExpiresAt !== undefined && <OldKey expiresAt={oldExpiresAt} />}
        <EnvFile text={env} file="claimcheck-operator.env" />
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
