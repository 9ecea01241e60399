/** A listing as people will see it once it is approved, without its forms. */
import { kindName } from '../../offers/offer.ts';
import type { CountedOffer } from '../../offers/queries.ts';
import { isolated } from '../../text/text.ts';
import { DefinitionList } from '../../ui/facts.tsx';
import type { Markup } from '../../ui/markup.ts';
import { Ticket } from '../../ui/ticket.tsx';
import type { DeskListing } from './queries.ts';

const howItWorks = ({ redemption_link, proposed_link, code }: CountedOffer): string => {
  const link = proposed_link ?? redemption_link;
  if (link === null) return 'A code to enter at checkout.';
  return `Opens ${new URL(link).host} with a claim${code === null ? '.' : ', and a code for checkout.'}`;
};

export const Preview = ({ listing, owner, offers }: DeskListing): Markup => (
  <section class="section" aria-labelledby="preview">
    <h2 id="preview">As people will see it</h2>
    <div class="card stack">
      <div>
        <p class="preview-title" dir="auto">
          {isolated(listing.name)}
        </p>
        {listing.summary !== null && (
          <p class="soft-text" dir="auto">
            {listing.summary}
          </p>
        )}
      </div>
      {offers.map((offer) => (
        <Ticket heading="h3" kind={kindName(offer.kind)} title={offer.offer} stub={howItWorks(offer)} />
      ))}
      {listing.description !== null && (
        <p class="plain-text" dir="auto">
          {listing.description}
        </p>
      )}
      <DefinitionList
        facts={[
          ['App', new URL(listing.url).host],
          ['By', owner.name],
        ]}
      />
    </div>
  </section>
);
