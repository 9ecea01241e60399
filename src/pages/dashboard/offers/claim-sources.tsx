/** The mail domains and networks of an offer's newest claims, with a warning if one of them dominates. */
import { ownOfferPath } from '../../../base/paths.ts';
import type { ClaimSources, SourceGroup } from '../../../claims/networks/sources.ts';
import { t } from '../../../platform/languages/translate.ts';
import { PostButton } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { DefinitionList } from '../../ui/facts.tsx';
import { Notice } from '../../ui/notice.tsx';
import { percentText } from '../../ui/time.tsx';

interface SourcesProps {
  readonly sources: ClaimSources;
  readonly offer: { readonly id: string; readonly paused_at: string | null };
}

export function DominantSource({ sources: { dominant }, offer }: SourcesProps) {
  if (dominant === null || offer.paused_at !== null) return null;
  const share = percentText(dominant.source.share, 1);
  return (
    <Notice
      tone="warn"
      title={t('Most new claims have the same origin')}
      actions={<PostButton action={`${ownOfferPath(offer.id)}/pause`}>{t('Pause offer')}</PostButton>}
    >
      {dominant.kind === 'network'
        ? t(
            '{share} of the claims of the last 24 hours come from one network. That can be an event or an office, or one person with many accounts. While the offer is paused, nobody can claim it; existing claims stay redeemable.',
            { share },
          )
        : t(
            '{share} of the claims of the last 24 hours were made with addresses at {domain}. That can be one company, or one person with many accounts. While the offer is paused, nobody can claim it; existing claims stay redeemable.',
            { share, domain: dominant.source.name },
          )}
    </Notice>
  );
}

const fact = (name: string, { claims, share }: SourceGroup) =>
  [
    name,
    t('{share} ({claims, plural, one {# claim} other {# claims}})', { share: percentText(share, 1), claims }),
  ] as const;

export const ClaimSourcesCard = ({ sources: { domains, networks } }: SourcesProps) =>
  domains.length + networks.length > 0 && (
    <Card title={t('Origin of new claims')} id="origin" isStack>
      <DefinitionList
        facts={[
          ...domains.map((one) => fact(one.name, one)),
          ...networks.map((one) => fact(t('Network {name}', { name: one.name }), one)),
        ]}
      />
      <p class="small-text soft-text">
        {networks.length > 0
          ? t(
              'Mail domains and networks with at least five claims in the last 24 hours. Network addresses are not stored.',
            )
          : t('Mail domains with at least five claims in the last 24 hours.')}
      </p>
    </Card>
  );
