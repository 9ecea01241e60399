import type { Context } from '../../../base/context.ts';
import { OWNER_CLAIMS_PATH, ownerClaimPath, ownerClaimsPath } from '../../../base/paths.ts';
import { isReference } from '../../../claims/claim.ts';
import { codesOfClaims, findClaimByCode } from '../../../claims/codes/codes-of-claims.ts';
import type { Exporter } from '../../../claims/export/exporter.ts';
import { findClaim } from '../../../claims/queries.ts';
import {
  CLAIM_FILTER_NAMES,
  type ClaimFilter,
  type ClaimFilterTexts,
  parseClaimFilter,
} from '../../../claims/search/claim-filter.ts';
import {
  findClaimNamed,
  findClaimsByShortId,
  findOwnerClaim,
  isLink,
  searchClaims,
} from '../../../claims/search/search.ts';
import { readShortId, shortClaimId } from '../../../claims/short-id.ts';
import { classifyToken } from '../../../claims/token.ts';
import { endOfCode } from '../../../marketplace/offers/code.ts';
import { type Mode, otherMode } from '../../../people/keys/key.ts';
import { invalid } from '../../../platform/errors.ts';
import { sealedCursors } from '../../../platform/http/operations/query-parameters.ts';
import { message, t } from '../../../platform/languages/translate.ts';
import { EXPORT_FORMATS } from '../../../platform/text/record-writer.ts';
import { dayIn } from '../../../platform/text/time-zone.ts';
import { beginDownload, csvStyleOf, saveAs, whileAllowed } from '../../frame/downloads.ts';
import type { PageRouter } from '../../frame/page-router.ts';
import { type PageContext, page, readForm, redirect, requireFound } from '../../frame/pages.ts';
import { type FormState, newForm } from '../../ui/form-state.ts';
import { filterProblems, filterTexts } from '../../ui/searched-list.tsx';
import type { Viewer } from '../../ui/viewer.ts';
import { OwnerClaimPage } from './claim-page.tsx';
import { OwnerClaimsPage } from './list-page.tsx';
import { countLiveClaims, listFilterLabels, listFilterListings } from './queries.ts';

export function ownerClaimPages(app: PageRouter, context: Context, exporter: Exporter): void {
  app.get(OWNER_CLAIMS_PATH, { for: 'member' }, (c, viewer) => claimsPage(c, context, viewer, newForm()));

  app.post(`${OWNER_CLAIMS_PATH}/find`, { for: 'member' }, async (c, viewer) => {
    const form = await readForm(c);
    const path = await form.attempt('q', () => find(context, viewer, form.text('q').trim()));
    return path === null ? claimsPage(c, context, viewer, form) : redirect(c, path);
  });

  for (const format of EXPORT_FORMATS) {
    app.get(`${OWNER_CLAIMS_PATH}/export.${format}`, { for: 'member' }, async (c, { accountId, mode }) => {
      const filter = inOneMode(parseClaimFilter(textsOf(c), context.marketplace.timeZone), mode);
      const day = dayIn(context.marketplace.timeZone, context.at());
      saveAs(c, `claims-${day}`, format);
      // Don't start an export for HEAD: nothing would read its output.
      if (c.req.method === 'HEAD') return c.body(null);
      beginDownload(c, accountId);
      const input = { accountId, filter, format, csvStyle: csvStyleOf(c) };
      const stream = await exporter.export(input, context.db);
      return c.body(ReadableStream.from(whileAllowed(c, stream)));
    });
  }

  app.get(ownerClaimPath(':id'), { for: 'member' }, async (c, { accountId }) => {
    const claim = requireFound(await findOwnerClaim(context, { accountId, id: c.req.param('id') ?? '' }));
    const codes = await codesOfClaims(context, context.db.read, [{ ...claim, account_id: accountId }]);
    const code = codes.get(claim.id);
    const shownCode = code === undefined ? null : { end: endOfCode(code) };
    return page(c, <OwnerClaimPage claim={claim} code={shownCode} />, {
      title: t('Claim {shortId}', { shortId: shortClaimId(claim.id) }),
    });
  });
}

async function claimsPage(
  c: PageContext,
  { db, now, secretBox }: Pick<Context, 'db' | 'now' | 'secretBox'>,
  viewer: Viewer,
  find: FormState,
) {
  const { accountId } = viewer;
  const texts = textsOf(c);
  const { timeZone } = c.get('site').brand;
  const problems = filterProblems(texts, 'state', (some) => parseClaimFilter(some, timeZone));
  const cursors = sealedCursors(secretBox, 'claims', accountId);
  const after = cursors.open(c.req.query('after'));
  const isFine = Object.keys(problems).length === 0;
  const filter = isFine ? inOneMode(parseClaimFilter(texts, timeZone), viewer.mode) : null;
  const mode = filter?.mode ?? viewer.mode;
  const [listings, labels, results, total] = await Promise.all([
    listFilterListings(db.read, accountId, texts.listing),
    listFilterLabels(db.read, accountId),
    filter === null ? null : searchClaims({ db }, { accountId, filter, after }),
    filter === null || !isCounted(filter) ? null : countLiveClaims(db.read, accountId, filter),
  ]);
  // An invalid claimant or reference may be a token, so the page must not repeat it.
  const safeTexts = {
    ...texts,
    ...(problems.claimant !== undefined && { claimant: undefined }),
    ...(problems.reference !== undefined && { reference: undefined }),
  };
  return page(
    c,
    <OwnerClaimsPage
      listings={listings}
      labels={labels}
      texts={safeTexts}
      mode={mode}
      problems={problems}
      results={results && { ...results, next: results.next && cursors.seal(results.next) }}
      total={total}
      isFirst={after === undefined}
      find={find}
      now={now()}
    />,
    { title: t('Claims'), status: find.status, mode },
  );
}

const inOneMode = (filter: ClaimFilter, mode: Mode) => ({ ...filter, mode: filter.mode ?? mode });

/** The counts per label exclude test claims and support only filters by listing, label and state. */
const isCounted = ({ listing: _, via: __, state: ___, mode, ...others }: ClaimFilter): boolean =>
  mode !== 'test' && Object.values(others).every((value) => value === undefined);

const textsOf = (c: PageContext): ClaimFilterTexts =>
  filterTexts(CLAIM_FILTER_NAMES, (name) => c.req.query(name));

/** The path of the claim, claimant or reference. Contains no other `text`, because it may be a token. */
async function find(context: Context, { accountId, mode }: Viewer, text: string): Promise<string> {
  if (text === '') throw invalid(message('Enter a claim token, a code, an ID, a link or a reference.'));
  const claim = await findClaimNamed(context, { accountId, text });
  if (claim !== null) return ownerClaimPath(claim.id);
  const shortId = readShortId(text);
  const withShortId = await findClaimsByShortId(context, { accountId, text, limit: 2 });
  if (withShortId.length === 1) return ownerClaimPath(withShortId[0]!.id);
  if (withShortId.length > 1) return ownerClaimsPath({ short_id: shortId!, mode: withShortId[0]!.mode });
  const withCode = await findClaimByCode(context, accountId, text);
  if (withCode !== null) {
    if ((await findClaim(context.db, accountId, { id: withCode })) !== undefined) {
      return ownerClaimPath(withCode);
    }
    throw invalid(message('This code was given to a claim that was lost in a restore.'));
  }
  if (classifyToken(text) === 'imported' && !isLink(text)) {
    const named: readonly ClaimFilterTexts[] = [
      { claimant: text },
      ...(isReference(text) ? [{ reference: text }] : []),
    ];
    for (const texts of named.flatMap((some) => [some, { ...some, mode: otherMode(mode) }])) {
      const filter = inOneMode(parseClaimFilter(texts, context.marketplace.timeZone), mode);
      const results = await searchClaims(context, { accountId, filter, limit: 1 });
      if (results.rows.length > 0) return ownerClaimsPath(texts);
    }
  }
  throw invalid(message('None of your claims has this token, code, ID, short ID, link or reference.'));
}
