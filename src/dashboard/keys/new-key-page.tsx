/** The only answer that shows the secret of a key. */

import type { NewKey } from '../../keys/create.ts';
import type { RolledKey } from '../../keys/roll.ts';
import { envFile } from '../../keys/view.ts';
import { isolated } from '../../text.ts';
import { Breadcrumb } from '../../ui/breadcrumb.tsx';
import { ButtonLink } from '../../ui/button.tsx';
import { Mono } from '../../ui/code.tsx';
import { EnvFile, Expiry, OldKey, SecretNotice } from '../../ui/key-parts.tsx';
import type { Markup } from '../../ui/markup.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { KEYS_PATH } from './keys-page.tsx';

export interface NewKeyPageProps {
  readonly made: NewKey;
  readonly name: string;
  readonly baseUrl: string;
  /** Path of the page that comes next: the steps of setting up while they are not done. */
  readonly next: string;
  /** After a roll: the old key. */
  readonly old?: RolledKey['old'] | undefined;
}

export function NewKeyPage({ made, name, baseUrl, next, old }: NewKeyPageProps): Markup {
  const env = envFile({ baseUrl, key: made.key, name });
  return (
    <>
      <PageHeader
        above={<Breadcrumb trail={[['API keys', KEYS_PATH]]} />}
        title={old === undefined ? 'Your new API key' : 'The key is rolled'}
        lead={
          <>
            “{isolated(name)}”, {made.mode} mode. <Expiry at={made.expiresAt} />
          </>
        }
      />
      <div class="stack-loose narrow">
        <SecretNotice secret={made.key} what="API key" instead="roll the key" />
        {old !== undefined && (
          <OldKey expiresAt={old.expiresAt}>
            ; an <Mono>Idempotency-Key</Mono> keeps its meaning across both
          </OldKey>
        )}
        <EnvFile text={env} file="claimcheck.env" />
        <p>
          <ButtonLink href={next}>I have saved it</ButtonLink>
        </p>
      </div>
    </>
  );
}
