import { OWNER_CLAIMS_PATH, ownerClaimsPath, requestPath } from '../../../base/paths.ts';
import { NO_LABEL_FILTER } from '../../../claims/search/claim-filter.ts';
import type { ClaimDetail, ClaimHistoryEntry } from '../../../claims/search/search.ts';
import { shortClaimId } from '../../../claims/short-id.ts';
import { kindName } from '../../../marketplace/offers/offer.ts';
import { type Message, message, t } from '../../../platform/languages/translate.ts';
import { isolated } from '../../../platform/text/text.ts';
import { Section } from '../../ui/card.tsx';
import { CopyButton, Mono } from '../../ui/code.tsx';
import { DefinitionList, Timeline, type TimelineEntry } from '../../ui/facts.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Breadcrumb, PageHeader } from '../../ui/page-header.tsx';
import { StateBadge } from '../../ui/state-badge.tsx';
import { Time } from '../../ui/time.tsx';
import { ClaimState } from './list-page.tsx';

const ORIGINS: Readonly<Record<ClaimDetail['origin'], Message>> = {
  person: message('A signed-in person'),
  operator: message('The operator of this marketplace, or a person whose account was deleted'),
  import: message('An import by the operator of this marketplace'),
};

interface OwnerClaimProps {
  readonly claim: ClaimDetail;
  /** The claim's code from the offer's list. `end`: the code's last characters, or `null` if the code is short. */
  readonly code: { readonly end: string | null } | null;
}

export const OwnerClaimPage = ({ claim, code }: OwnerClaimProps) => (
  <>
    <PageHeader
      above={<Breadcrumb trail={[[t('Claims'), OWNER_CLAIMS_PATH]]} />}
      title={claim.offer}
      badge={
        <>
          <ClaimState claim={claim} />
          {claim.mode === 'test' && <StateBadge state="test" />}
        </>
      }
      lead={
        <span class="row">
          <Mono>{claim.id}</Mono>
          <CopyButton text={claim.id} what={t('the claim ID')} isQuiet />
        </span>
      }
    />
    <div class="columns">
      <div class="stack">
        {claim.replaced_at !== null && (
          <Notice title={t('Replaced')}>
            {t('The operator has issued a new claim as a replacement. This claim stays redeemed.')}
          </Notice>
        )}
        <Section title={t('What happened')}>
          <Timeline entries={entriesOf(claim)} />
          {claim.lookedUntil !== null && (
            <p class="small-text soft-text top-space">
              {t(
                'Since this claim was created, your server has made more calls than can be searched. Only calls up to {time} were searched.',
                { time: <Time at={claim.lookedUntil} precision="second" /> },
              )}
            </p>
          )}
        </Section>
      </div>
      <aside class="card">
        <h2>{t('The claim')}</h2>
        <DefinitionList
          facts={[
            [t('Short ID'), <Mono>{shortClaimId(claim.id)}</Mono>],
            [
              t('Listing'),
              <a href={ownerClaimsPath({ listing: claim.listing })}>{isolated(claim.listing_name)}</a>,
            ],
            [t('Offer'), <a href={ownerClaimsPath({ offer: claim.offer_id })}>{isolated(claim.offer)}</a>],
            [t('Kind'), kindName(claim.kind)],
            [
              t('Label'),
              <a href={ownerClaimsPath({ listing: claim.listing, via: claim.via ?? NO_LABEL_FILTER })}>
                {claim.via === null ? t('none') : <Mono>{claim.via}</Mono>}
              </a>,
            ],
            claim.claimant !== null && [
              t('Claimant'),
              <a href={ownerClaimsPath({ claimant: claim.claimant })}>{isolated(claim.claimant)}</a>,
            ],
            claim.reference !== null && [
              t('Reference'),
              <a href={ownerClaimsPath({ reference: claim.reference })}>{isolated(claim.reference)}</a>,
            ],
            code !== null && [t('Code'), code.end === null ? t('given') : <Mono>…{code.end}</Mono>],
            [t('Created by'), t(ORIGINS[claim.origin])],
          ]}
        />
      </aside>
    </div>
  </>
);

function entriesOf(claim: ClaimDetail): readonly TimelineEntry[] {
  const entries = claim.timeline.map(
    (entry): TimelineEntry => ({
      what: eventWords(entry),
      when: <Time at={entry.at} precision="second" />,
      detail: <EntryDetail entry={entry} claim={claim} />,
      state: entry.what === 'verified' && entry.outcome !== 'valid' ? 'bad' : 'done',
    }),
  );
  const isOpen = claim.redeemed_at === null && claim.code_only === 0;
  return isOpen ? [...entries, { what: t('Not redeemed yet'), state: 'open' }] : entries;
}

const WORDS: Readonly<Record<Exclude<ClaimHistoryEntry['what'], 'verified'>, Message>> = {
  claimed: message('Claimed'),
  opened: message('Opened your page'),
  redeemed: message('Redeemed'),
  repeated: message('Retried: the response was “redeemed” again'),
  replaced: message('Replaced by a new claim'),
};

function eventWords({ what, outcome }: ClaimHistoryEntry): string {
  if (what !== 'verified') return t(WORDS[what]);
  if (outcome === 'valid') return t('Verified: valid');
  return outcome === 'already_redeemed'
    ? t('Refused: already redeemed')
    : t('Answered {outcome}', { outcome: outcome ?? '' });
}

function EntryDetail({ entry, claim }: { entry: ClaimHistoryEntry; claim: ClaimDetail }) {
  const { what, key, requestId } = entry;
  return (
    <div class="small-text">
      {what === 'claimed' &&
        claim.via !== null &&
        t('With the label {mono}', { mono: <Mono>{claim.via}</Mono> })}
      {what === 'repeated' && (
        <p>
          {t('The call had the same Idempotency-Key as the redemption. The claim was not redeemed again.')}
        </p>
      )}
      {key !== null && (
        <p>
          {t('By the key “{name}” ({mono})', {
            name: isolated(key.name),
            mono: (
              <Mono>
                cck_{claim.mode}_{key.start}…
              </Mono>
            ),
          })}
        </p>
      )}
      {requestId !== null && (
        <p>
          {t('Request {mono}', {
            mono: (
              <a class="mono" translate="no" href={requestPath(requestId)}>
                {requestId}
              </a>
            ),
          })}
        </p>
      )}
    </div>
  );
}
