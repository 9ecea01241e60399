/** The only answer that shows the secret of a key. */

import type { NewKey } from '../../keys/create.ts';
import type { RolledKey } from '../../keys/roll.ts';
import { envFile } from '../../keys/view.ts';
import { Breadcrumb } from '../../ui/breadcrumb.tsx';
import { ButtonLink } from '../../ui/button.tsx';
import { Code, CopyLine, Mono } from '../../ui/code.tsx';
import type { Markup } from '../../ui/markup.ts';
import { Notice } from '../../ui/notice.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { SaveButton } from '../../ui/save-button.tsx';
import { Time } from '../../ui/time.tsx';
import { KEYS_PATH } from './keys-page.tsx';

export interface NewKeyPageProps {
  readonly made: NewKey;
  readonly name: string;
  readonly baseUrl: string;
  /** After a roll: the old key. */
  readonly old?: RolledKey['old'] | undefined;
}

export function NewKeyPage({ made, name, baseUrl, old }: NewKeyPageProps): Markup {
  const env = envFile({ baseUrl, key: made.key, name });
  return (
    <>
      <PageHeader
        above={<Breadcrumb trail={[['API keys', KEYS_PATH]]} />}
        title={old === undefined ? 'Your new API key' : 'The key is rolled'}
        lead={
          <>
            “{name}”, {made.mode} mode.{' '}
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
            <p>Only its fingerprint is stored here. If it gets lost, roll the key.</p>
            <CopyLine text={made.key} what="the API key" />
          </div>
        </Notice>
        {old !== undefined && <OldKey old={old} />}
        <section class="section">
          <div class="spread">
            <h2>For the environment of your server</h2>
            <SaveButton text={env} file="claimcheck.env">
              Download .env
            </SaveButton>
          </div>
          <Code text={env} what="the .env lines" wraps />
        </section>
        <p>
          <ButtonLink href={KEYS_PATH}>I have saved it</ButtonLink>
        </p>
      </div>
    </>
  );
}

const OldKey = ({ old }: { old: RolledKey['old'] }): Markup =>
  old.expiresAt === null ? (
    <Notice tone="warn" title="The old key has ended">
      Calls with it are refused from now on. Put the new key on your server.
    </Notice>
  ) : (
    <Notice title="The old key works for a while">
      Until <Time at={old.expiresAt} /> both keys work. Put the new one on every server by then; an{' '}
      <Mono>Idempotency-Key</Mono> keeps its meaning across both.
    </Notice>
  );
