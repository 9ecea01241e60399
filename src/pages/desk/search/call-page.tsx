import { DESK_SEARCH_PATH, deskAccountPath, deskClaimPath } from '../../../base/paths.ts';
import { CAUSES, isCause, outcomeOf, statusOf } from '../../../claims/attempts/cause.ts';
import type { CallWithKey } from '../../../claims/attempts/queries.ts';
import type { DetailedClaim } from '../../../claims/queries.ts';
import { shortClaimId } from '../../../claims/short-id.ts';
import type { Account } from '../../../people/accounts/queries.ts';
import { KEY_PREFIXES } from '../../../people/keys/key.ts';
import { t } from '../../../platform/languages/translate.ts';
import { isolated } from '../../../platform/text/text.ts';
import { SentenceWithCode } from '../../ui/breakable.tsx';
import { Mono } from '../../ui/code.tsx';
import { DefinitionList } from '../../ui/facts.tsx';
import { Breadcrumb, PageHeader } from '../../ui/page-header.tsx';
import { StateBadge } from '../../ui/state-badge.tsx';
import { numberText, Time } from '../../ui/time.tsx';

interface CallPageProps {
  readonly call: CallWithKey;
  readonly owner: Account | undefined;
  readonly claim: DetailedClaim | undefined;
}

const TENTHS_IN_US = 100;

export function CallPage({ call, owner, claim }: CallPageProps) {
  const cause = isCause(call.cause) ? CAUSES[call.cause] : null;
  return (
    <>
      <PageHeader
        above={<Breadcrumb trail={[[t('Find'), DESK_SEARCH_PATH]]} />}
        title={t('Call on {time}', { time: <Time at={call.at} precision="second" /> })}
        badge={call.mode === 'test' && <StateBadge state="test" />}
        lead={cause ? <SentenceWithCode text={t(cause.what)} /> : call.cause}
      />
      <section class="card narrow" aria-label={t('The call')}>
        <DefinitionList
          facts={[
            [t('Request ID'), <Mono>{call.request_id}</Mono>],
            [t('Response'), <Mono>{`${statusOf(call.cause)} ${outcomeOf(call.cause)}`}</Mono>],
            call.detail !== null && [t('Detail'), isolated(call.detail)],
            cause?.fix ? [t('What to do'), <SentenceWithCode text={t(cause.fix)} />] : null,
            [
              t('publisher|Owner'),
              owner === undefined ? (
                t('unknown')
              ) : (
                <a href={deskAccountPath(owner.id)}>{isolated(owner.name)}</a>
              ),
            ],
            call.key_mode !== null &&
              call.key_name !== null && [
                t('API key'),
                <>
                  {isolated(call.key_name)}, <Mono>{`${KEY_PREFIXES[call.key_mode]}${call.key_start}…`}</Mono>
                </>,
              ],
            call.token_last4 !== null && [t('Token'), <Mono>…{call.token_last4}</Mono>],
            claim !== undefined && [
              t('Claim'),
              <a href={deskClaimPath(claim.id)}>{`${shortClaimId(claim.id)}, ${isolated(claim.offer)}`}</a>,
            ],
            [
              t('Took'),
              call.latency_us === 0
                ? t('not measured')
                : t('{milliseconds} ms', {
                    milliseconds: numberText(Math.round(call.latency_us / TENTHS_IN_US) / 10),
                  }),
            ],
            call.ip !== null && [t('IP address'), <Mono>{call.ip}</Mono>],
            call.user_agent !== null && [t('User agent'), isolated(call.user_agent)],
          ]}
        />
      </section>
    </>
  );
}
