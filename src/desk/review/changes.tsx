/** What an approval would change: the submitted listing or each proposed URL next to the live version, and a preview. */
import type { PropsWithChildren } from 'hono/jsx';

import {
  type Difference,
  differencesSinceAsked,
  linkDifference,
  readAsked,
  urlDifference,
} from '../../listings/review.ts';
import { kindName } from '../../offers/offer.ts';
import type { CountedOffer } from '../../offers/queries.ts';
import { capital, isolated } from '../../text/text.ts';
import { Breakable } from '../../ui/breakable.tsx';
import { ExternalLink } from '../../ui/code.tsx';
import { Changed } from '../../ui/difference.tsx';
import { DefinitionList } from '../../ui/facts.tsx';
import { Table } from '../../ui/table.tsx';
import { Ticket } from '../../ui/ticket.tsx';
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
        <DifferenceTable differences={differences} beforeHeader="You saw" proposedHeader="Submitted" />
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
        <DifferenceTable differences={differences} proposedHeader="Submitted" />
      )}
    </section>
  );
}

export const Lines = ({ children }: PropsWithChildren) => (
  <span class="lines" dir="auto">
    {children}
  </span>
);

const None = () => <span class="quiet-text">none</span>;

/** Proposed URLs and links next to the live ones, each with its decision. */
export function Proposals(props: DeskListing & { readonly sent: SentForm }) {
  const { listing, offers } = props;
  const waiting = [
    ...(listing.proposed_url === null || listing.declined_reason !== null
      ? []
      : [{ path: 'url', title: 'New website', difference: urlDifference(listing), what: 'the new website' }]),
    ...offers
      .filter((offer) => offer.proposed_link !== null && offer.declined_reason === null)
      .map((offer) => ({
        path: `offers/${offer.id}`,
        title: `New link for “${isolated(offer.offer)}”`,
        difference: linkDifference(offer),
        what: `the new link for ${isolated(offer.offer)}`,
      })),
  ];
  if (waiting.length === 0 || (listing.state !== 'approved' && listing.state !== 'suspended')) return null;
  return (
    <>
      {waiting.map(({ path, title, difference, what }, index) => (
        <section class="section">
          <h2>{title}</h2>
          <div class="stack">
            <DifferenceTable differences={[difference]} proposedHeader="Proposed" />
            <DecideAddress {...props} path={path} what={what} hasShortcuts={index === 0} />
          </div>
        </section>
      ))}
    </>
  );
}

interface DifferenceTableProps {
  readonly differences: readonly Difference[];
  /** `Live` by default. */
  readonly beforeHeader?: string;
  readonly proposedHeader: string;
}

const DifferenceTable = (props: DifferenceTableProps) => (
  <Table
    caption="Differences"
    rows={props.differences}
    columns={[
      { header: 'Field', isName: true, cell: ({ field }) => capital(field === 'url' ? 'website' : field) },
      {
        header: props.beforeHeader ?? 'Live',
        cell: (difference) => <Side difference={difference} side="before" />,
      },
      {
        header: props.proposedHeader,
        cell: (difference) => <Side difference={difference} side="after" />,
      },
    ]}
  />
);

function Side({ difference, side }: { difference: Difference; side: 'before' | 'after' }) {
  const { approved, proposed } = difference;
  const own = side === 'before' ? approved : proposed;
  if (own === null) return <None />;
  if (approved === null || proposed === null) {
    return (
      <Lines>
        <Breakable text={own} />
      </Lines>
    );
  }
  return <Changed before={approved} after={proposed} side={side} />;
}

const howItWorks = ({ redemption_link, proposed_link, code }: CountedOffer): string => {
  const link = proposed_link ?? redemption_link;
  if (link === null) return 'A code to enter at checkout.';
  return `Opens ${new URL(link).host} with a claim${code === null ? '.' : ', and a code for checkout.'}`;
};

export const Preview = ({ listing, owner, offers }: DeskListing) => (
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
