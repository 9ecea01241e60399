import type { Child } from 'hono/jsx';
import type { TooMany } from '../../../base/brand/plans.ts';
import {
  ACCOUNT_PATH,
  listingLinksPath,
  listingPath,
  NEW_LISTING_PATH,
  newOfferPath,
  OWN_LISTINGS_PATH,
  ownListingPath,
} from '../../../base/paths.ts';
import type { Category } from '../../../marketplace/listings/category.ts';
import type { OwnListing } from '../../../marketplace/listings/counted-queries.ts';
import { LISTING_FIELDS } from '../../../marketplace/listings/fields.ts';
import { hasLiveVersion, isDeletable } from '../../../marketplace/listings/listing.ts';
import type { Question } from '../../../marketplace/listings/question-queries.ts';
import type { CountedOffer } from '../../../marketplace/offers/queries.ts';
import { planHasApiKeys } from '../../../people/accounts/account.ts';
import { message, t } from '../../../platform/languages/translate.ts';
import { labelsOf } from '../../../platform/text/fields.ts';
import { isolated } from '../../../platform/text/text.ts';
import type { EditView } from '../../editor/edit-page.ts';
import { fixedSlugOf, ListingForm } from '../../editor/listing-form.tsx';
import { type OwnPictures, Pictures } from '../../editor/pictures.tsx';
import { ListingPreviewCard } from '../../editor/previews.tsx';
import { accountName } from '../../frame/pages.ts';
import { Breakable } from '../../ui/breakable.tsx';
import { Button, ButtonLink, PostButton } from '../../ui/button.tsx';
import { Card, Section } from '../../ui/card.tsx';
import { CopyLine } from '../../ui/code.tsx';
import { ConsentSentence } from '../../ui/consent.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { DefinitionList } from '../../ui/facts.tsx';
import { TextAreaField, TextField } from '../../ui/field.tsx';
import type { FormState } from '../../ui/form-state.ts';
import { Breadcrumb, PageHeader } from '../../ui/page-header.tsx';
import { Face } from '../../ui/picture.tsx';
import { linkTo } from '../../ui/site.tsx';
import { EditNotices, LoadedVersion } from '../../ui/stale-form.tsx';
import { StateBadge } from '../../ui/state-badge.tsx';
import { Time } from '../../ui/time.tsx';
import type { Viewer } from '../../ui/viewer.ts';
import { funnelOfClaims } from '../campaigns/campaigns.ts';
import { FunnelFigures } from '../campaigns/funnel.tsx';
import { TooManyNotice } from '../publishing.tsx';
import { WaitingBadge } from './list-page.tsx';
import { isAnswerable, ListingNotices, PendingChanges } from './notices.tsx';
import { OfferTable } from './offers.tsx';
import { QuestionNotice } from './question-page.tsx';

const SITE_HINT = message(
  'The website of the app. Once the listing is approved, a new redemption link to this site goes live immediately; links to other sites are reviewed first.',
);

interface NewListingProps {
  readonly form: FormState;
  readonly baseUrl: string;
  readonly viewer: Viewer;
  readonly categories: readonly Category[];
  /** Whether the account accepts the operator's terms by creating the listing. */
  readonly acceptsTerms: boolean;
  readonly asksPublisher: boolean;
}

export const NewListing = ({ form, baseUrl, categories, acceptsTerms, ...creator }: NewListingProps) => (
  <>
    <PageHeader
      above={<Breadcrumb trail={[[t('Listings'), OWN_LISTINGS_PATH]]} />}
      title={t('New listing')}
      lead={t('The draft isn’t public. Next, you add its offers and submit it for review.')}
    />
    <div class="columns">
      <ListingPreviewCard
        path={NEW_LISTING_PATH}
        form={form}
        owner={publisherOf(form, creator)}
        offers={[]}
        pictures={null}
      />
      <ListingForm
        {...{ form, baseUrl, categories }}
        ending={
          <>
            {creator.asksPublisher && (
              <TextField
                form={form}
                name="publisher"
                label={t('Publisher')}
                hint={t(
                  'Your name or your company’s. People see it as “By …” on the listing, and the operator reviews it.',
                )}
                autocomplete="organization"
              />
            )}
            {acceptsTerms && <ConsentSentence />}
          </>
        }
        path={NEW_LISTING_PATH}
        fixedSlug={null}
        urlHint={t(SITE_HINT)}
        save={<Button tone="primary">{t('Create draft')}</Button>}
      />
    </div>
  </>
);

/** Returns the account's name. If the account is the viewer's own, the name links to the account page. */
export function ownerOf(viewer: Viewer): Child {
  const name = accountName(viewer);
  return viewer.worksIn === null ? <a href={ACCOUNT_PATH}>{name}</a> : name;
}

/** The publisher in the form, or the account's name if the form doesn't ask for one. */
export const publisherOf = (
  form: FormState,
  { viewer, asksPublisher }: { readonly viewer: Viewer; readonly asksPublisher: boolean },
): Child =>
  (asksPublisher && !form.isTooLong('publisher') && form.typed('publisher').trim()) || ownerOf(viewer);

export const LISTING_PICTURES = ['icon', 'cover'] as const;

interface OwnerEditorProps {
  readonly listing: OwnListing;
  readonly offers: readonly CountedOffer[];
  readonly waitingPeople: ReadonlyMap<string, number>;
  readonly tooManyOffers: TooMany | null;
  readonly categories: readonly Category[];
  readonly view: EditView;
  readonly baseUrl: string;
  readonly viewer: Viewer;
  readonly pictures: OwnPictures;
  /** The operator's question that waits for a reply. */
  readonly question: Question | null;
  readonly now: number;
  /** The id of the form that duplicates the listing. */
  readonly copyFormId: string;
}

export function OwnerEditor(props: OwnerEditorProps) {
  const { listing, offers, tooManyOffers, view, viewer } = props;
  const isClosed = listing.state === 'rejected';
  const mayAddOffer = !isClosed && tooManyOffers === null;
  return (
    <>
      <PageHeader
        above={<Breadcrumb trail={[[t('Listings'), OWN_LISTINGS_PATH]]} />}
        face={<Face name={listing.name} icon={props.pictures.current.icon?.files ?? null} size={40} />}
        title={listing.name}
        badge={
          <>
            <StateBadge state={listing.state} />
            <WaitingBadge listing={listing} />
          </>
        }
        actions={<Actions listing={listing} offers={offers} />}
      />
      <div class="stack-loose">
        <div class="stack">
          <EditNotices {...view} labels={labelsOf(LISTING_FIELDS)} />
          {props.question !== null && <QuestionNotice listing={listing} question={props.question} />}
          <ListingNotices listing={listing} offers={offers} isOperator={viewer.isOperator} />
        </div>
        <PendingChanges listing={listing} offers={offers} />
        {listing.claims > 0 && (
          <FunnelFigures
            funnel={funnelOfClaims(listing)}
            hasApiKeys={planHasApiKeys(viewer.plan)}
            steps={['claims', 'redeemed']}
          />
        )}
        <Section
          title={t('Offers')}
          id="offers"
          action={
            mayAddOffer &&
            offers.length > 0 && (
              <ButtonLink href={newOfferPath(listing.id)} small>
                {t('New offer')}
              </ButtonLink>
            )
          }
        >
          {!isClosed && tooManyOffers !== null && (
            <div class="end-space">
              <TooManyNotice tooMany={tooManyOffers} isOwner={viewer.role === 'owner'} />
            </div>
          )}
          <OfferTable
            {...{ listing, offers, mayAddOffer }}
            waitingPeople={props.waitingPeople}
            now={props.now}
          />
        </Section>
        {!isClosed && (
          <Pictures
            pictures={props.pictures}
            kinds={LISTING_PICTURES}
            path={ownListingPath(listing.id)}
            name={listing.name}
            listing={listing}
            sent={view.picture}
          />
        )}
        {isClosed ? <Details {...props} /> : <Editor {...props} />}
      </div>
    </>
  );
}

const isSubmittable = ({ state }: OwnListing, offers: readonly CountedOffer[]): boolean =>
  offers.length > 0 && (state === 'draft' || state === 'withdrawn');

/**
 * Has no submit button if the operator requested changes, because the listing's form has a submit button next to the
 * reply.
 */
function Actions({ listing, offers }: Pick<OwnerEditorProps, 'listing' | 'offers'>) {
  const { id, slug, state } = listing;
  if (state === 'approved') return <ButtonLink href={listingPath(slug)}>{t('Public page')}</ButtonLink>;
  if (!isSubmittable(listing, offers)) return null;
  return (
    <PostButton action={`${ownListingPath(id)}/submit`} tone="primary">
      {state === 'draft' ? t('Submit for review') : t('Submit again')}
    </PostButton>
  );
}

function Editor(props: OwnerEditorProps) {
  const { listing, offers, viewer } = props;
  const { form } = props.view;
  const path = ownListingPath(listing.id);
  const hasReply = isAnswerable(listing, offers);
  return (
    <section class="section" aria-labelledby="edit">
      <h2 id="edit" class="end-space">
        {t('Listing')}
      </h2>
      <div class="columns">
        <ListingPreviewCard
          path={path}
          form={form}
          owner={ownerOf(viewer)}
          offers={offers}
          pictures={props.pictures}
        />
        <ListingForm
          {...{ form, path }}
          baseUrl={props.baseUrl}
          categories={props.categories}
          fixedSlug={fixedSlugOf(listing)}
          urlHint={urlHintOf(listing)}
          ending={
            hasReply && (
              <TextAreaField form={form} name="reply" label={t('Reply to the operator')} optional rows={3} />
            )
          }
          save={
            <>
              {/* The save button comes first, because pressing Enter activates the first button. */}
              <Button
                tone={hasLiveVersion(listing.state) || listing.state === 'pending' ? 'primary' : 'plain'}
              >
                {t('Save listing')}
              </Button>
              {(hasReply || isSubmittable(listing, offers)) && (
                <Button name={SUBMITS} value="yes" tone={hasReply ? 'primary' : 'plain'}>
                  {t('Save and submit')}
                </Button>
              )}
            </>
          }
        >
          <LoadedVersion version={listing.version} form={form} />
        </ListingForm>
        <aside class="stack">
          <Details {...props} />
        </aside>
      </div>
    </section>
  );
}

/** The name of the button that saves the listing and submits it. */
export const SUBMITS = 'submit';

const urlHintOf = ({ origin }: OwnListing) =>
  origin === null
    ? t(SITE_HINT)
    : t(
        'Links to {code} go live immediately; links to other sites are reviewed. If you change the website, the new website is reviewed too. The current website stays live until the new website is approved.',
        { code: <code>{origin}</code> },
      );

const Details = ({ listing, baseUrl, copyFormId }: OwnerEditorProps) => (
  <Card title={t('Details')} id="details" isStack>
    {listing.state === 'approved' && (
      <CopyLine text={baseUrl + listingPath(listing.slug)} what={t('the URL of the listing')} />
    )}
    <DefinitionList
      facts={[
        [t('Created'), <Time at={listing.created_at} />],
        listing.submitted_at !== null && [t('Submitted'), <Time at={listing.submitted_at} />],
        listing.decided_at !== null && [t('Decided'), <Time at={listing.decided_at} />],
        listing.origin !== null && [t('Approved site'), <Breakable text={new URL(listing.origin).host} />],
      ]}
    />
    {listing.visibility !== null && (
      <p>
        {t('For members only. <a>Invitation links</a> let other people in.', {
          a: linkTo(listingLinksPath(listing.id)),
        })}
      </p>
    )}
    <div class="row">
      <PostButton action={`${ownListingPath(listing.id)}/duplicate`} values={{ form: copyFormId }} small>
        {t('Duplicate listing')}
      </PostButton>
      {(listing.state === 'approved' || isDeletable(listing)) && <Removal listing={listing} />}
    </div>
  </Card>
);

function Removal({ listing }: { listing: OwnListing }) {
  const { id, name, state } = listing;
  if (state === 'approved') {
    return (
      <Confirm
        action={`${ownListingPath(id)}/withdraw`}
        title={t('Withdraw {name}?', { name: isolated(name) })}
        confirm={t('Withdraw listing')}
        small
      >
        <p>
          {t(
            'The listing leaves the marketplace and takes no new claims. Existing claims stay redeemable. If you submit the listing again, the operator reviews it again.',
          )}
        </p>
      </Confirm>
    );
  }
  return (
    <Confirm
      action={`${ownListingPath(id)}/delete`}
      title={t('Delete {name}?', { name: isolated(name) })}
      confirm={t('Delete listing')}
      opener={t('Delete listing…')}
      small
    >
      <p>{t('This deletes the listing and its offers, which were never public. This can’t be undone.')}</p>
    </Confirm>
  );
}
