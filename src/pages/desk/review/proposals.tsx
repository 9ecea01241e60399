/** What the owner of a live listing has changed: texts, the website, redemption links and pictures. */
import { hasLiveVersion } from '../../../marketplace/listings/listing.ts';
import { type TextDifference, waitingChanges } from '../../../marketplace/listings/review.ts';
import { KINDS, kindName } from '../../../marketplace/offers/offer.ts';
import { message, t, wordsOf } from '../../../platform/languages/translate.ts';
import { isolated } from '../../../platform/text/text.ts';
import { Section } from '../../ui/card.tsx';
import { DifferenceTable } from '../../ui/difference.tsx';
import { DecideProposal, type SentForm } from './decide.tsx';
import { ProposedPictures } from './pictures.tsx';
import type { DeskListing } from './queries.ts';

type ProposalsProps = DeskListing & { readonly sent: SentForm };

/** Whether the operator has something to decide about a listing that isn't pending. */
export const hasProposal = ({ listing, texts, differences, pictures }: DeskListing): boolean =>
  hasLiveVersion(listing.state) && texts.length + differences.length + pictures.waiting.length > 0;

export function Proposals(props: ProposalsProps) {
  const { listing, offers } = props;
  if (!hasLiveVersion(listing.state)) return null;
  const links = waitingChanges(listing, offers).map(({ offer, difference }) => {
    if (offer === null) {
      return { path: 'url', title: t('New website'), difference, what: t('the new website') };
    }
    const name = isolated(offer.offer);
    const [title, what] = [t('New link for “{name}”', { name }), t('the new link for {name}', { name })];
    return { path: `offers/${offer.id}`, title, difference, what };
  });
  return (
    <>
      <ChangedTexts {...props} />
      {links.map(({ path, title, difference, what }, index) => (
        <Section title={title} isStack>
          <DifferenceTable differences={[difference]} headers={[t('Live'), t('Proposed')]} />
          <DecideProposal
            {...props}
            path={path}
            what={what}
            hasShortcuts={index === 0 && props.texts.length === 0}
          />
        </Section>
      ))}
      <ProposedPictures {...props} hasShortcuts={links.length + props.texts.length === 0} />
    </>
  );
}

const WHO_SEES = {
  none: message('People see the approved texts until you decide.'),
  some: message(
    'People already see the texts marked as live. In place of the others, they see the approved texts.',
  ),
  all: message('People already see the new texts.'),
  newOffer: message('People see the offer once you approve it.'),
};

function withKindName(text: TextDifference): TextDifference {
  if (text.column !== 'kind') return text;
  const nameOf = (stored: string | null): string | null => {
    const kind = KINDS.find((one) => one === stored);
    return kind === undefined ? stored : kindName(kind);
  };
  return { ...text, approved: nameOf(text.approved), proposed: nameOf(text.proposed) };
}

function ChangedTexts(props: ProposalsProps) {
  const { texts } = props;
  if (texts.length === 0) return null;
  const live = texts.filter(({ isLive }) => isLive).length;
  const isNewOffer = live === 0 && texts.every(({ isOfNewOffer }) => isOfNewOffer);
  const amount = live === 0 ? 'none' : live < texts.length ? 'some' : 'all';
  const title = isNewOffer ? t('New offer') : t('New texts');
  return (
    <Section title={live > 0 ? t('Changed since you approved') : title} isStack>
      <p class="soft-text">{t(WHO_SEES[isNewOffer ? 'newOffer' : amount])}</p>
      <DifferenceTable
        differences={texts
          .map(withKindName)
          .map((text) =>
            amount === 'some' && text.isLive
              ? { ...text, field: t('{field} (live)', { field: wordsOf(text.field) }) }
              : text,
          )}
        headers={[t('Approved'), amount === 'all' ? t('Live now') : t('Proposed')]}
      />
      <DecideProposal
        {...props}
        path="texts"
        what={amount === 'all' ? t('the approved texts') : t('the new texts')}
        hasShortcuts
        isRestored={live > 0}
        hint={t(
          'Shown to the owner. People see the texts that you approved; offers that you haven’t approved are hidden.',
        )}
      />
    </Section>
  );
}
