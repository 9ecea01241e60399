import type { Context } from '../../../base/context.ts';
import {
  codesExportPath,
  newOfferPath,
  OPEN_TEST,
  offerCodesPath,
  ownListingPath,
  ownOfferPath,
} from '../../../base/paths.ts';
import { openClaim } from '../../../claims/claimants/open.ts';
import { claimForTest } from '../../../claims/creation/issue.ts';
import { readClaimSources } from '../../../claims/networks/sources.ts';
import { findOwnListing, type OwnListing } from '../../../marketplace/listings/counted-queries.ts';
import { readTextChanges, withWaitingTexts } from '../../../marketplace/listings/text-changes.ts';
import {
  type CodeLayout,
  type CodePlan,
  layoutText,
  parseLayout,
  planCodes,
  readCodes,
} from '../../../marketplace/offers/code-file.ts';
import { countWithheldCodes, listImports } from '../../../marketplace/offers/code-queries.ts';
import { addCodes, withdrawCodes, withdrawImport } from '../../../marketplace/offers/codes.ts';
import { deleteOffer, editOffer, pauseOffer, resumeOffer } from '../../../marketplace/offers/edit.ts';
import { exportCodes } from '../../../marketplace/offers/export-codes.ts';
import type { OfferTexts } from '../../../marketplace/offers/fields.ts';
import { findTooManyOffers, NO_LINKS, testClaimLink } from '../../../marketplace/offers/offer.ts';
import { findOwnOffer, type Offer } from '../../../marketplace/offers/queries.ts';
import { originsOf } from '../../../marketplace/offers/redemption-link.ts';
import { countWaitingPeople } from '../../../marketplace/waiting-list/queries.ts';
import { planHasApiKeys } from '../../../people/accounts/account.ts';
import { t, wordsOf } from '../../../platform/languages/translate.ts';
import { EXPORT_FORMATS } from '../../../platform/text/record-writer.ts';
import { parseIso } from '../../../platform/text/time-text.ts';
import { dayIn } from '../../../platform/text/time-zone.ts';
import { addEditPage, createSteps, type EditPage } from '../../editor/edit-page.ts';
import { LinkTester } from '../../editor/link-tester.tsx';
import { newOfferValues, offerValues, readOfferForm, saveNewOffer } from '../../editor/offer-form-values.ts';
import { addPictureRoutes, type PictureServices, readOwnPictures } from '../../editor/pictures.tsx';
import { OfferPreview } from '../../editor/previews.tsx';
import { csvStyleOf, download } from '../../frame/downloads.ts';
import type { PageRouter } from '../../frame/page-router.ts';
import {
  changeBy,
  type PageContext,
  page,
  proveFirst,
  readForm,
  redirect,
  redirectToOwner,
  requireFound,
} from '../../frame/pages.ts';
import { type FormState, newForm } from '../../ui/form-state.ts';
import type { Viewer } from '../../ui/viewer.ts';
import { type CodesDone, type CodesQuestion, OfferCodes } from './codes-page.tsx';
import { NewOffer, NoMoreOffers, OFFER_PICTURES, OwnerOffer } from './offer-page.tsx';

type Owned = Awaited<ReturnType<typeof readOwned>>;

export function ownerOfferPages(app: PageRouter, context: Context, services: PictureServices): void {
  addEditPage(app, newOffer(context));
  const offerPage = editedOffer(context);
  addEditPage(app, offerPage);
  addSteps(app, context, offerPage);
  addPictureRoutes(app, context, offerPage, services, {
    kinds: OFFER_PICTURES,
    of: ({ offer }, viewer) => ({ offerId: offer.id, kind: 'offer', ...changeBy(viewer) }),
  });
  codePages(app, context);
}

interface NewOwned {
  readonly listing: OwnListing;
  /** The offer to copy. */
  readonly copied: Offer | null;
}

const newOffer = (context: Context): EditPage<NewOwned, OfferTexts> => ({
  actor: 'member',
  route: newOfferPath(':id'),
  path: ({ listing }) => newOfferPath(listing.id),
  read: async (c, { accountId }) => ({
    listing: await readListing(context, accountId, c.req.param('id') ?? ''),
    copied: await findOwnOffer(context.db.read, accountId, c.req.query('from') ?? ''),
  }),
  instead: async (c, viewer, { listing }) => {
    const limit = context.marketplace.plans[viewer.plan].offersOfListing;
    const tooMany = findTooManyOffers(listing.offers, limit);
    if (tooMany === null) return null;
    const content = <NoMoreOffers {...{ listing, tooMany }} isOwner={viewer.role === 'owner'} />;
    return page(c, content, { title: t('New offer') });
  },
  show: (c, { plan }, { listing }, { form, status }) => {
    const content = <NewOffer listing={listing} form={form} hasApiKeys={planHasApiKeys(plan)} />;
    return page(c, content, { title: t('New offer'), status });
  },
  values: ({ listing, copied }) => newOfferValues(context, listing, copied),
  parse: (form) => readOfferForm(form, null, context),
  save: async ({ listing }, texts, by, form) =>
    `${ownOfferPath(await saveNewOffer(context, listing, texts, by, form))}?saved`,
  parts: {
    check: (form, { listing }) => <LinkTester form={form} current={NO_LINKS} listing={listing} />,
    preview: (form) => <OfferPreview form={form} pictures={null} />,
  },
});

const editedOffer = (context: Context): EditPage<Owned, OfferTexts> => ({
  actor: 'member',
  route: ownOfferPath(':id'),
  path: ({ offer }) => ownOfferPath(offer.id),
  read: (c, viewer) => readOwned(c, viewer, context),
  show: async (c, viewer, { offer, listing }, view) => {
    const hasApiKeys = planHasApiKeys(viewer.plan);
    const pictures = await readOwnPictures(context.db.read, listing, offer.id);
    const sources = await readClaimSources(context, offer);
    const waiting = await countWaitingPeople(context.db.read, [offer.id]);
    const waitingPeople = waiting.get(offer.id) ?? 0;
    const props = { offer, listing, hasApiKeys, view, pictures, sources, waitingPeople };
    return page(c, <OwnerOffer {...props} now={context.now()} />, {
      title: offer.offer,
      scripts: ['picture'],
      status: view.status,
      formAction: originsOf(testClaimLink(offer)),
    });
  },
  values: ({ offer, listing }) =>
    offerValues(
      withWaitingTexts(offer, readTextChanges(listing), offer.id, true),
      context.marketplace.timeZone,
    ),
  version: ({ listing }) => listing.version,
  parse: (form, { offer }) => readOfferForm(form, offer.ends_at, context),
  moves: ({ offer, listing }, input) =>
    listing.state === 'approved' &&
    offer.redemption_link !== null &&
    ![offer.redemption_link, offer.proposed_link].includes(input.redemption_link ?? null),
  save: async ({ offer, listing: { version } }, input, by) => {
    await editOffer(context, { ...input, offerId: offer.id, version, ...by });
    return ownOfferPath(offer.id);
  },
  parts: {
    check: (form, { offer, listing }) => <LinkTester form={form} current={offer} listing={listing} />,
    preview: async (form, { offer, listing }) => (
      <OfferPreview form={form} pictures={await readOwnPictures(context.db.read, listing, offer.id)} />
    ),
  },
});

function addSteps(app: PageRouter, context: Context, offerPage: EditPage<Owned, OfferTexts>): void {
  const step = createSteps(app, offerPage);
  const of = ({ offer }: Owned, viewer: Viewer) => ({ offerId: offer.id, ...changeBy(viewer) });
  step('pause', (owned, viewer) => pauseOffer(context, of(owned, viewer)));
  step('resume', (owned, viewer) => resumeOffer(context, of(owned, viewer)));
  // Saving the live link again withdraws a pending or declined proposal.
  step('take-back', (owned, viewer) =>
    editOffer(context, { ...of(owned, viewer), redemption_link: owned.offer.redemption_link }),
  );
  step(
    'delete',
    (owned, viewer) => deleteOffer(context, of(owned, viewer)),
    (c, { listing }) => redirect(c, ownListingPath(listing.id)),
  );
  step(
    OPEN_TEST,
    async (owned, viewer) => {
      const { claimId } = await claimForTest(context, of(owned, viewer));
      return openClaim(context, { claimantAccountId: viewer.accountId, claimId });
    },
    (c, _owned, { link }) => redirectToOwner(c, link),
  );
}

async function readOwned(c: PageContext, { accountId }: Viewer, context: Context) {
  const offer = requireFound(await findOwnOffer(context.db.read, accountId, c.req.param('id') ?? ''));
  return { offer, listing: await readListing(context, accountId, offer.listing_id) };
}

const readListing = async ({ db }: Context, accountId: string, id: string): Promise<OwnListing> =>
  requireFound(await findOwnListing(db.read, accountId, id));

const EXAMPLES = 3;
/** Imports that can be taken back on the page. */
const IMPORTS = 5;
/** Columns to choose from. */
const MAX_COLUMNS = 20;

function questionOf(text: string, plan: CodePlan): CodesQuestion {
  const lines = readCodes(text, plan.layout, plan.start);
  const examplesOf = (layout: CodeLayout) =>
    readCodes(text, layout, plan.start)
      .flatMap((line) => (line.problem === undefined ? [line.text] : []))
      .slice(0, EXAMPLES);
  const { columns } = plan.layout;
  return {
    doubts: plan.doubts.map((doubt) => wordsOf(doubt)),
    examples: examplesOf(plan.layout),
    columns: Array.from({ length: columns === 1 ? 0 : Math.min(columns, MAX_COLUMNS) }, (_, index) => {
      const layout = { ...plan.layout, column: index + 1 };
      const name = plan.headings[index] || t('Column {number}', { number: index + 1 });
      return { layout: layoutText(layout), name, examples: examplesOf(layout) };
    }),
    count: lines.length,
    layout: layoutText(plan.layout),
    start: plan.start,
    startWithHeading: plan.startWithHeading,
  };
}

function codePages(app: PageRouter, context: Context): void {
  const show = async (
    c: PageContext,
    viewer: Viewer,
    form: FormState,
    { done = null, question = null }: { done?: CodesDone | null; question?: CodesQuestion | null } = {},
  ) => {
    const { offer, listing } = await readOwned(c, viewer, context);
    const withheld = await countWithheldCodes(context.db.read, offer);
    const imports = await listImports(context.db.read, offer, IMPORTS);
    const props = {
      listing,
      offer,
      withheld,
      imports,
      isRecentlyProven: viewer.isRecentlyProven,
      form,
      done,
      question,
    };
    return page(c, <OfferCodes {...props} />, {
      title: t('Codes for {offer}', { offer: offer.offer }),
      status: form.status,
      scripts: ['codes'],
    });
  };
  app.get(offerCodesPath(':id'), { for: 'member' }, (c, viewer) => show(c, viewer, newForm()));

  app.post(offerCodesPath(':id'), { for: 'member' }, async (c, viewer) => {
    // Decide who may add codes before parsing them.
    const { offer } = await readOwned(c, viewer, context);
    const form = await readForm(c);
    const text = form.text('codes');
    const confirmed = parseLayout(form.text('layout'));
    const plan = confirmed === null ? planCodes(text, form.has('guessed')) : null;
    const isScript = c.req.header('accept') === 'application/json';
    if (plan !== null && (plan.doubts.length > 0 || form.has('preview'))) {
      const question = questionOf(text, plan);
      return isScript ? c.json({ question }) : show(c, viewer, form, { question });
    }
    const layout = confirmed ?? plan!.layout;
    const lines = readCodes(text, layout, plan?.start ?? (Number(form.text('start')) || 1));
    const done = await form.attempt('codes', () =>
      addCodes(context, { offerId: offer.id, lines, continues: form.text('import'), ...changeBy(viewer) }),
    );
    // The client script uploads a file in parts and adds up the counts from the responses.
    if (isScript) {
      return done === null
        ? c.json({ problem: form.refusal }, form.status)
        : c.json({
            added: done.added,
            repeated: done.repeated,
            import: done.importedAt,
            layout: layoutText(layout),
            bad: done.bad.map(({ line, reason }) => ({ line, reason: wordsOf(reason) })),
          });
    }
    if (done === null) return show(c, viewer, form);
    const { added, repeated, bad } = done;
    // The person has sent the same codes again, because the first response was lost.
    const isRepeat = repeated > 0 && repeated === bad.length && added === 0;
    return show(c, viewer, newForm(), {
      done: isRepeat
        ? {
            title: t(
              'The list already has {repeated, plural, one {this code} other {all of these # codes}}',
              { repeated },
            ),
            bad: [],
          }
        : {
            title: t('{added, plural, one {# code} other {# codes}} added', { added }),
            bad,
            canTakeBack: added > 0,
          },
    });
  });

  for (const format of EXPORT_FORMATS) {
    app.get(codesExportPath(':id', format), { for: 'member' }, async (c, viewer) => {
      const { offer, listing } = await readOwned(c, viewer, context);
      // A thief of the session could use the codes.
      if (!viewer.isRecentlyProven) throw proveFirst(c, offerCodesPath(offer.id));
      const name = `codes-${listing.slug}-${dayIn(context.marketplace.timeZone, context.at())}`;
      const input = { offerId: offer.id, ...changeBy(viewer), format, csvStyle: csvStyleOf(c) };
      return download(c, { accountId: viewer.accountId, name, format }, () => exportCodes(context, input));
    });
  }

  app.post(`${offerCodesPath(':id')}/withdraw`, { for: 'member' }, async (c, viewer) => {
    const form = await readForm(c);
    const target = { offerId: c.req.param('id') ?? '', ...changeBy(viewer) };
    const importedAt = form.text('import');
    // Not a time that an import on the page can have.
    if (
      importedAt !== '' &&
      (!/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(importedAt) || parseIso(importedAt) === null)
    )
      return show(c, viewer, form);
    const withdrawn = await form.attempt(null, async () =>
      importedAt === ''
        ? (await withdrawCodes(context, { ...target, lines: null })).withdrawn
        : withdrawImport(context, { ...target, importedAt }),
    );
    if (withdrawn === null) return show(c, viewer, form);
    const title =
      withdrawn === 0
        ? t('The list has no codes left to withdraw')
        : t('{withdrawn, plural, one {# code} other {# codes}} withdrawn', { withdrawn });
    return show(c, viewer, newForm(), { done: { title, bad: [] } });
  });
}
