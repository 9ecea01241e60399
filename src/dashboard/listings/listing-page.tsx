/** The page of an owner's listing: its state, waiting changes, its offers, and the form with its preview. */

import { labelsOf } from '../../fields.ts';
import type { OwnListing } from '../../listings/counted-queries.ts';
import { LISTING_FIELDS } from '../../listings/fields.ts';
import { hasLiveVersion, isDeletable } from '../../listings/listing.ts';
import type { CountedOffer } from '../../offers/queries.ts';
import { isolated } from '../../text.ts';
import { Breadcrumb } from '../../ui/breadcrumb.tsx';
import { Breakable } from '../../ui/breakable.tsx';
import { Button, ButtonLink, PostButton } from '../../ui/button.tsx';
import { CopyLine } from '../../ui/code.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { DefinitionList, Figures } from '../../ui/facts.tsx';
import { HiddenField } from '../../ui/field.tsx';
import { Form, FormActions } from '../../ui/form.tsx';
import { FormPart } from '../../ui/form-part.tsx';
import type { FormState } from '../../ui/form-state.ts';
import type { Markup } from '../../ui/markup.ts';
import { Notice } from '../../ui/notice.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { type Conflict, ConflictNotice, type Saved, SavedNotice, SeenValues } from '../../ui/stale-form.tsx';
import { StateBadge } from '../../ui/state-badge.tsx';
import { Num, percentText, Time } from '../../ui/time.tsx';
import { ListingFields } from './form.tsx';
import { WaitingBadge } from './list-page.tsx';
import { ListingNotices, WhatWaits } from './notices.tsx';
import { OfferTable } from './offers.tsx';
import { NEW_LISTING_PATH, newOfferPath, OWN_LISTINGS_PATH, ownListingPath } from './paths.ts';
import { ListingPreview, PREVIEW_ID } from './preview.tsx';

const FORM_ID = 'listing-form';
const SITE_HINT =
  'Where the app is. After approval, links to this site go live immediately; links to other sites are reviewed.';

export interface NewListingProps {
  readonly form: FormState;
  readonly baseUrl: string;
  readonly owner: string;
}

export const NewListing = ({ form, baseUrl, owner }: NewListingProps): Markup => (
  <>
    <PageHeader
      above={<Breadcrumb trail={[['Listings', OWN_LISTINGS_PATH]]} />}
      title="New listing"
      lead="It stays a draft that only you see until you submit it for review. Its offers come next."
    />
    <div class="columns">
      <Form form={form} action={NEW_LISTING_PATH} id={FORM_ID}>
        <ListingFields
          form={form}
          baseUrl={baseUrl}
          isSlugFixed={false}
          slugPart={{ form: FORM_ID, path: `${NEW_LISTING_PATH}/slug` }}
          urlHint={SITE_HINT}
        />
        <FormActions>
          <Button tone="primary">Create draft</Button>
          <Button formaction={`${NEW_LISTING_PATH}/preview`} tone="quiet">
            Preview without saving
          </Button>
        </FormActions>
      </Form>
      <PreviewCard path={`${NEW_LISTING_PATH}/preview`} form={form} owner={owner} offers={[]} />
    </div>
  </>
);

const PreviewCard = (props: {
  path: string;
  form: FormState;
  owner: string;
  offers: readonly CountedOffer[];
}): Markup => (
  <section class="card preview" aria-labelledby="preview-title">
    <h2 id="preview-title">As people will see it</h2>
    <FormPart id={PREVIEW_ID} form={FORM_ID} path={props.path}>
      <ListingPreview form={props.form} owner={props.owner} offers={props.offers} />
    </FormPart>
  </section>
);

export interface OwnerEditorProps {
  readonly listing: OwnListing;
  readonly offers: readonly CountedOffer[];
  readonly form: FormState;
  readonly baseUrl: string;
  readonly owner: string;
  readonly hasApiKeys: boolean;
  /** Whether the owner is the operator too, who decides about the listing. */
  readonly isOperator: boolean;
  readonly saved: Saved | null;
  readonly conflicts: readonly Conflict[];
  /** Why the action was refused. */
  readonly refused: string | null;
  /** With the reply to the operator as it was sent. */
  readonly replyForm: FormState;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

export function OwnerEditor(props: OwnerEditorProps): Markup {
  const { listing, offers } = props;
  const isClosed = listing.state === 'rejected';
  return (
    <>
      <PageHeader
        above={<Breadcrumb trail={[['Listings', OWN_LISTINGS_PATH]]} />}
        title={listing.name}
        badge={
          <>
            <StateBadge state={listing.state} />
            <WaitingBadge listing={listing} />
          </>
        }
        actions={<Actions listing={listing} isReady={offers.length > 0} />}
      />
      <div class="stack-loose">
        {(props.saved !== null ||
          props.conflicts.length > 0 ||
          props.refused !== null ||
          hasNotices(listing, offers)) && (
          <div class="stack">
            {props.refused !== null && (
              <Notice
                tone="bad"
                title="Nothing was changed"
                actions={
                  offers.length === 0 && <ButtonLink href={newOfferPath(listing.id)}>New offer</ButtonLink>
                }
              >
                {props.refused}
              </Notice>
            )}
            <ConflictNotice conflicts={props.conflicts} labels={labelsOf(LISTING_FIELDS)} />
            {props.saved !== null && <SavedNotice saved={props.saved} />}
            <ListingNotices
              listing={listing}
              offers={offers}
              isOperator={props.isOperator}
              replyForm={props.replyForm}
            />
          </div>
        )}
        <WhatWaits listing={listing} offers={offers} />
        {listing.claims > 0 && (
          <Figures
            figures={[
              ['Claims', <Num value={listing.claims} />],
              ['Redeemed', <Num value={listing.redeemed} />],
              props.hasApiKeys && [
                'Rate',
                percentText(
                  listing.redeemed,
                  Math.max(listing.redeemed, listing.claims - listing.codeClaims),
                ),
              ],
            ]}
          />
        )}
        <section class="section" aria-labelledby="offers">
          <div class="spread">
            <h2 id="offers">Offers</h2>
            {!isClosed && offers.length > 0 && (
              <ButtonLink href={newOfferPath(listing.id)} small>
                New offer
              </ButtonLink>
            )}
          </div>
          <OfferTable listing={listing} offers={offers} now={props.now} />
        </section>
        {isClosed ? <Facts {...props} /> : <Editor {...props} />}
      </div>
    </>
  );
}

const hasNotices = ({ state, declined_reason }: OwnListing, offers: readonly CountedOffer[]): boolean =>
  state !== 'approved' || declined_reason !== null || offers.some((offer) => offer.declined_reason !== null);

/** A listing without an offer needs one before it is submitted. */
function Actions({ listing, isReady }: { listing: OwnListing; isReady: boolean }): Markup | null {
  const path = ownListingPath(listing.id);
  switch (listing.state) {
    case 'draft':
    case 'changes_requested':
    case 'withdrawn':
      return (
        <>
          {listing.state === 'changes_requested' && isReady ? null : isReady ? (
            <PostButton action={`${path}/submit`} tone="primary">
              {listing.state === 'draft' ? 'Submit for review' : 'Submit again'}
            </PostButton>
          ) : (
            <ButtonLink href={newOfferPath(listing.id)} tone="primary">
              New offer
            </ButtonLink>
          )}
          {isDeletable(listing) && (
            <Confirm
              id="delete"
              action={`${path}/delete`}
              opener="Delete…"
              title={`Delete ${isolated(listing.name)}?`}
              confirm="Delete draft"
            >
              <p>The draft and its offers are gone for good. Nobody but you has seen them.</p>
            </Confirm>
          )}
        </>
      );
    case 'approved':
      return (
        <>
          <ButtonLink href={`/l/${listing.slug}`}>Public page</ButtonLink>
          <Confirm
            id="withdraw"
            action={`${path}/withdraw`}
            opener="Withdraw…"
            title={`Withdraw ${isolated(listing.name)}?`}
            confirm="Withdraw listing"
          >
            <p>
              It leaves the marketplace and takes no new claims. Claims already made stay redeemable. To come
              back it is reviewed again.
            </p>
          </Confirm>
        </>
      );
    default:
      return null;
  }
}

function Editor(props: OwnerEditorProps): Markup {
  const { listing, form, offers } = props;
  const path = ownListingPath(listing.id);
  return (
    <section class="section" aria-labelledby="edit">
      <h2 id="edit">Listing</h2>
      <div class="columns">
        <Form form={form} action={path} id={FORM_ID}>
          <HiddenField name="version" value={String(listing.version)} />
          <SeenValues form={form} />
          <ListingFields
            form={form}
            baseUrl={props.baseUrl}
            isSlugFixed={listing.origin !== null}
            slugPart={null}
            urlHint={<UrlHint listing={listing} />}
          />
          <FormActions>
            <Button tone={hasLiveVersion(listing.state) ? 'primary' : 'plain'}>Save listing</Button>
            <Button formaction={`${path}/preview`} tone="quiet">
              Preview without saving
            </Button>
          </FormActions>
        </Form>
        <div class="stack">
          <PreviewCard path={`${path}/preview`} form={form} owner={props.owner} offers={offers} />
          <Facts {...props} />
        </div>
      </div>
    </section>
  );
}

function UrlHint({ listing }: { listing: OwnListing }): Markup {
  if (listing.origin === null) {
    return <>{SITE_HINT}</>;
  }
  return (
    <>
      Links to <code>{listing.origin}</code> go live immediately; links to other sites are reviewed. A new
      website is reviewed too, and this one stays live until then.
    </>
  );
}

const Facts = ({ listing, baseUrl }: OwnerEditorProps): Markup => (
  <section class="card" aria-labelledby="facts">
    <h2 id="facts">Facts</h2>
    <div class="stack">
      {listing.state === 'approved' && (
        <CopyLine text={`${baseUrl}/l/${listing.slug}`} what="the address of the listing" />
      )}
      <DefinitionList
        facts={[
          ['Created', <Time at={listing.created_at} />],
          listing.submitted_at === null ? null : ['Submitted', <Time at={listing.submitted_at} />],
          listing.decided_at === null ? null : ['Decided', <Time at={listing.decided_at} />],
          listing.origin === null
            ? null
            : ['Approved site', <Breakable text={new URL(listing.origin).host} />],
        ]}
      />
    </div>
  </section>
);
