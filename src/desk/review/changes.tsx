/** What an approval would change: the submitted listing or each proposed URL next to the live version, and a preview. */
import type { PropsWithChildren } from 'hono/jsx';

import { differencesSinceAsked, readAsked, waitingChanges } from '../../listings/review.ts';
import { kindName } from '../../offers/offer.ts';
import type { CountedOffer } from '../../offers/queries.ts';
import { isolated } from '../../text/text.ts';
import { ExternalLink } from '../../ui/code.tsx';
import { DifferenceTable } from '../../ui/difference.tsx';
import { DefinitionList } from '../../ui/facts.tsx';
import { ListingPreview, Ticket } from '../../ui/ticket.tsx';
import { Time } from '../../ui/time.tsx';
import { DecideAddress, type SentForm } from './decide.tsx';
import type { DeskListing } from './queries.ts';

export function AskedFor({ listing, offers }: DeskListing) {
  const asked = readAsked(listing);
  if (asked === null) return null;
  const differences = differencesSinceAsked(asked, listing, offers);
  return (
    <section class="section" aria-labelledby="asked">
      <h2 id="asked">You asked for changes</h2>
      <div class="card stack">
        <DefinitionList
          facts={[
            ['You asked for', <Lines>{asked.reason}</Lines>],
            ['When', <Time at={asked.at} />],
            ['Reply', listing.reply === null ? <None /> : <Lines>{listing.reply}</Lines>],
          ]}
        />
      </div>
      <h3>Changes since then</h3>
      {differences.length === 0 ? (
        <p class="soft-text">Nothing has changed.</p>
      ) : (
        <DifferenceTable differences={differences} headers={['You saw', 'Submitted']} />
      )}
    </section>
  );
}

export function Submitted({ listing, differences }: DeskListing) {
  if (listing.last_live === null) {
    return (
      <section class="card">
        <h2>Submitted listing</h2>
        <DefinitionList
          facts={[
            ['Name', listing.name],
            ['Summary', listing.summary ?? <None />],
            ['Description', listing.description ? <Lines>{listing.description}</Lines> : <None />],
            ['Website', <ExternalLink href={listing.url} />],
          ]}
        />
      </section>
    );
  }
  return (
    <section class="section">
      <h2>Changes since it was live</h2>
      {differences.length === 0 ? (
        <p class="soft-text">Nothing has changed.</p>
      ) : (
        <DifferenceTable differences={differences} headers={['Live', 'Submitted']} />
      )}
    </section>
  );
}

export const Lines = ({ children }: PropsWithChildren) => (
  <span class="plain-text" dir="auto">
    {children}
  </span>
);

const None = () => <span class="quiet-text">none</span>;

/** Proposed URLs and links next to the live ones, each with its decision. */
export function Proposals(props: DeskListing & { readonly sent: SentForm }) {
  const { listing, offers } = props;
  const waiting = waitingChanges(listing, offers).map(({ offer, difference }) => {
    if (offer === null) return { path: 'url', title: 'New website', difference, what: 'the new website' };
    const name = isolated(offer.offer);
    const [title, what] = [`New link for “${name}”`, `the new link for ${name}`];
    return { path: `offers/${offer.id}`, title, difference, what };
  });
  if (waiting.length === 0 || (listing.state !== 'approved' && listing.state !== 'suspended')) return null;
  return (
    <>
      {waiting.map(({ path, title, difference, what }, index) => (
        <section class="section">
          <h2>{title}</h2>
          <div class="stack">
            <DifferenceTable differences={[difference]} headers={['Live', 'Proposed']} />
            <DecideAddress {...props} path={path} what={what} hasShortcuts={index === 0} />
          </div>
        </section>
      ))}
    </>
  );
}

const howItWorks = ({ redemption_link, proposed_link, code }: CountedOffer): string => {
  const link = proposed_link ?? redemption_link;
  if (link === null) return 'A code to enter at checkout.';
  return `Opens ${new URL(link).host} with a claim${code === null ? '.' : ', and a code for checkout.'}`;
};

export const Preview = ({ listing, owner, offers }: DeskListing) => (
  <section class="section" aria-labelledby="preview">
    <h2 id="preview">As people will see it</h2>
    <div class="card">
      <ListingPreview
        name={isolated(listing.name)}
        summary={listing.summary ?? ''}
        description={listing.description ?? ''}
        host={new URL(listing.url).host}
        owner={owner.name}
      >
        {offers.map((offer) => (
          <Ticket heading="h3" kind={kindName(offer.kind)} title={offer.offer} stub={howItWorks(offer)} />
        ))}
      </ListingPreview>
    </div>
  </section>
);
