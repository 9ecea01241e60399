import type { Child } from 'hono/jsx';
import { t } from '../../platform/languages/translate.ts';
import { isolated } from '../../platform/text/text.ts';
import { Breakable, Paragraph } from './breakable.tsx';
import { DefinitionList } from './facts.tsx';
import { tokenList } from './markup.ts';
import { Num } from './time.tsx';

interface TicketProps {
  /** A link to `#<id>` highlights the ticket. */
  readonly id?: string | undefined;
  /** The offer's text. An `<a>` in it makes the entire ticket a link. */
  readonly title: Child;
  readonly kind?: Child | undefined;
  readonly meta?: Child | undefined;
  readonly picture?: Child | undefined;
  /** The part after the perforation: an action or a state. */
  readonly stub?: Child | undefined;
  /** Places the stub below the body at every width. */
  readonly upright?: boolean | undefined;
  readonly spent?: boolean | undefined;
  /** Highlights the ticket, like a link to its id. */
  readonly marked?: boolean | undefined;
  readonly heading?: 'h1' | 'h2' | 'h3' | undefined;
}

/** An offer or a claim, shown as a ticket with a stub. */
export function Ticket(props: TicketProps) {
  const Heading = props.heading ?? 'h2';
  return (
    <article
      class={tokenList(
        'ticket',
        props.upright && 'upright',
        props.spent && 'spent',
        props.marked && 'marked',
      )}
      id={props.id}
    >
      <div class="ticket-body">
        {props.picture}
        {props.kind && <p class="kind">{isolated(props.kind)}</p>}
        <Heading class="ticket-title" dir="auto">
          {props.title}
        </Heading>
        {props.meta && <div class="ticket-meta">{isolated(props.meta)}</div>}
      </div>
      {props.stub && <div class="ticket-stub">{props.stub}</div>}
    </article>
  );
}

/** Says where an offer is redeemed: on the site `host`, or at checkout if the offer has only a code. */
export function howItWorks(host: string | null, hasCode: boolean): string {
  if (host === null) return t('Redeem at checkout with a code.');
  return hasCode ? t('Redeem at {host} with a code.', { host }) : t('Redeem at {host}.', { host });
}

interface TicketPreviewProps extends Pick<TicketProps, 'title' | 'kind' | 'picture' | 'upright'> {
  /** May be empty or invalid while it is being typed. */
  readonly link: string;
  readonly hasCode: boolean;
  readonly conditions: string;
}

/** An offer as claimants see it, with a button that does nothing. */
export function TicketPreview({ link, hasCode, conditions, ...ticket }: TicketPreviewProps) {
  const host = URL.parse(link)?.host ?? null;
  return (
    <Ticket
      {...ticket}
      heading="h3"
      meta={
        <>
          {(host !== null || hasCode) && <p>{howItWorks(host, hasCode)}</p>}
          {conditions !== '' && <Paragraph>{conditions}</Paragraph>}
        </>
      }
      stub={<span class="button primary">{t('Claim offer')}</span>}
    />
  );
}

export const ClaimsMade = ({ claims, limit }: { claims: number; limit: number | null }) => (
  <>
    {limit === null ? (
      <Num value={claims} />
    ) : (
      t('{claims} of {limit}', { claims: <Num value={claims} />, limit: <Num value={limit} /> })
    )}
  </>
);

interface ListingPreviewProps {
  readonly name: string;
  /** Shown next to the name. */
  readonly face?: Child;
  /** Shown above the name. */
  readonly cover?: Child;
  readonly summary: string;
  readonly description: string;
  readonly host: Child;
  readonly owner: Child;
  readonly children: Child;
}

export const ListingPreview = (props: ListingPreviewProps) => (
  <div class="stack">
    {props.cover}
    <div>
      <div class="faced">
        {props.face}
        <p class="preview-title" dir="auto">
          {props.name}
        </p>
      </div>
      {props.summary !== '' && (
        <p class="lead" dir="auto">
          {props.summary}
        </p>
      )}
    </div>
    {props.children}
    {props.description !== '' && <Paragraph>{props.description}</Paragraph>}
    <DefinitionList
      facts={[
        [t('Website'), typeof props.host === 'string' ? <Breakable text={props.host} /> : props.host],
        [t('By'), props.owner],
      ]}
    />
  </div>
);

interface PreviewBoxProps {
  readonly title: string;
  readonly id?: string | undefined;
  readonly isOpen?: boolean | undefined;
  readonly children: Child;
}

/**
 * Must precede the form in an element with the class `columns`. In wide windows, the preview is next to the form and
 * always open. In narrow windows, it is above the form and collapsed unless `isOpen`.
 */
export const PreviewBox = ({ title, id, isOpen, children }: PreviewBoxProps) => (
  <details class="card more preview" id={id} open={isOpen}>
    <summary>{title}</summary>
    <h2>{title}</h2>
    {children}
  </details>
);
