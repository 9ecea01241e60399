import { DESK_SEARCH_PATH, deskAccountPath, deskClaimPath } from '../../../base/paths.ts';
import { CAUSES, isCause, outcomeOf, statusOf } from '../../../claims/attempts/cause.ts';
import type { CallWithKey } from '../../../claims/attempts/queries.ts';
import type { FoundClaim } from '../../../claims/queries.ts';
import { shortClaimId } from '../../../claims/short-id.ts';
import type { Account } from '../../../people/accounts/queries.ts';
import { KEY_PREFIXES } from '../../../people/keys/key.ts';
import { t } from '../../../platform/languages/translate.ts';
import { isolated } from '../../../platform/text/text.ts';
import { Mono } from '../../ui/code.tsx';
import { DefinitionList } from '../../ui/facts.tsx';
import { Breadcrumb, PageHeader } from '../../ui/page-header.tsx';
import { StateBadge } from '../../ui/state-badge.tsx';
import { Time } from '../../ui/time.tsx';

interface CallPageProps {
  readonly call: CallWithKey;
  readonly owner: Account | undefined;
  readonly claim: FoundClaim | undefined;
}

const MICROSECONDS = 1_000;

export function CallPage({ call, owner, claim }: CallPageProps) {
  const cause = isCause(call.cause) ? CAUSES[call.cause] : null;
  return (
    <>
      <PageHeader
        above={<Breadcrumb trail={[['Find', DESK_SEARCH_PATH]]} />}
        title={
          <>
            Call on <Time at={call.at} precision="second" />
          </>
        }
        badge={call.mode === 'test' && <StateBadge state="test" />}
        lead={cause ? t(cause.what) : call.cause}
      />
      <section class="card narrow" aria-label="The call">
        <DefinitionList
          facts={[
            ['Request ID', <Mono>{call.request_id}</Mono>],
            ['Response', `${statusOf(call.cause)} ${outcomeOf(call.cause)}`],
            call.detail !== null && ['Detail', isolated(call.detail)],
            cause?.fix ? ['What to do', t(cause.fix)] : null,
            [
              'Owner',
              owner === undefined ? (
                'unknown'
              ) : (
                <a href={deskAccountPath(owner.id)}>{isolated(owner.name)}</a>
              ),
            ],
            call.key_mode !== null &&
              call.key_name !== null && [
                'API key',
                <>
                  {isolated(call.key_name)}, <Mono>{`${KEY_PREFIXES[call.key_mode]}${call.key_start}…`}</Mono>
                </>,
              ],
            call.token_last4 !== null && ['Token', <Mono>…{call.token_last4}</Mono>],
            claim !== undefined && [
              'Claim',
              <a href={deskClaimPath(claim.id)}>{`${shortClaimId(claim.id)}, ${isolated(claim.offer)}`}</a>,
            ],
            [
              'Took',
              call.latency_us === 0 ? 'not measured' : `${(call.latency_us / MICROSECONDS).toFixed(1)} ms`,
            ],
            call.ip !== null && ['Address', <Mono>{call.ip}</Mono>],
            call.user_agent !== null && ['User agent', isolated(call.user_agent)],
          ]}
        />
      </section>
    </>
  );
}
