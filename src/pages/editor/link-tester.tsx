import { leavesPinnedOrigin, websiteOf } from '../../marketplace/listings/listing.ts';
import type { Listing } from '../../marketplace/listings/queries.ts';
import { waitingLink } from '../../marketplace/listings/review.ts';
import type { OfferLinks } from '../../marketplace/offers/offer.ts';
import { describeRedemptionLink, linkWarnings } from '../../marketplace/offers/redemption-link.ts';
import { t, type Words, wordsOf } from '../../platform/languages/translate.ts';
import { withScheme } from '../../platform/network/web-address.ts';
import { Breakable } from '../ui/breakable.tsx';
import { DefinitionList } from '../ui/facts.tsx';
import type { FormState } from '../ui/form-state.ts';
import { Notice } from '../ui/notice.tsx';

export interface LinkTesterProps {
  readonly form: FormState;
  readonly current: OfferLinks;
  readonly listing: Pick<Listing, 'origin' | 'url'>;
  /** Set if an operator edits the offer. Links saved by an operator are not reviewed. */
  readonly isOperator?: true | undefined;
}

export function LinkTester({ form, current, listing, isOperator }: LinkTesterProps) {
  if (form.isTooLong('redemption_link')) return <BadLink problems={[form.problemOf('redemption_link')!]} />;
  const link = withScheme(form.typed('redemption_link').trim());
  if (link === '') return <p class="hint">{t('Enter a link to see where it leads.')}</p>;
  const { parameter, finalLink, origin, problems } = describeRedemptionLink(link);
  if (problems.length > 0) return <BadLink problems={problems} />;
  if (!isOperator && link === waitingLink(current)) {
    return <p class="hint">{t('This link is waiting for review.')}</p>;
  }
  const warnings = linkWarnings(link, websiteOf(listing));
  return (
    <Notice
      tone={warnings.length === 0 ? 'good' : 'warn'}
      title={warnings.length === 0 ? t('The link looks right') : t('The link looks right, but check this')}
    >
      <div class="stack">
        {warnings.length > 0 && (
          <ul>
            {warnings.map((warning) => (
              <li>{wordsOf(warning)}</li>
            ))}
          </ul>
        )}
        <DefinitionList
          facts={[
            [t('Parameter'), <code>{parameter}</code>],
            [
              t('Final link'),
              <code>
                <Breakable text={finalLink ?? ''} />
              </code>,
            ],
            [
              t('After saving'),
              isOperator && link !== current.redemption_link
                ? t('It becomes the offer’s link without a review.')
                : whenSaved(link, origin ?? '', current, listing.origin),
            ],
          ]}
        />
      </div>
    </Notice>
  );
}

const BadLink = ({ problems }: { problems: readonly Words[] }) => (
  <Notice tone="bad" title={t('This link won’t work')}>
    <ul>
      {problems.map((problem) => (
        <li>{wordsOf(problem)}</li>
      ))}
    </ul>
  </Notice>
);

function whenSaved(link: string, origin: string, current: OfferLinks, pinned: string | null): string {
  if (link === current.redemption_link) return t('This is the offer’s current link.');
  if (link === current.proposed_link) return t('The operator declined this link.');
  if (pinned === null) return t('It will be reviewed with the listing.');
  if (!leavesPinnedOrigin(pinned, origin)) return t('It goes live as soon as you save.');
  return current.redemption_link === null
    ? t('It will be reviewed before it goes live, because it doesn’t lead to the approved site {pinned}.', {
        pinned,
      })
    : t(
        'It will be reviewed, because it doesn’t lead to the approved site {pinned}. Until it is approved, the current link stays live.',
        { pinned },
      );
}
