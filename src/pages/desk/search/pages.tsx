import type { Context } from '../../../base/context.ts';
import { callPath, DESK_ACCOUNTS_PATH, DESK_LISTINGS_PATH, DESK_SEARCH_PATH } from '../../../base/paths.ts';
import { findCall } from '../../../claims/attempts/queries.ts';
import { findClaim } from '../../../claims/queries.ts';
import { t, wordsOf } from '../../../platform/languages/translate.ts';
import { isolated } from '../../../platform/text/text.ts';
import type { PageRouter } from '../../frame/page-router.ts';
import { page, readForm, redirect, requireFound } from '../../frame/pages.ts';
import { DefinitionList } from '../../ui/facts.tsx';
import { FormProblems } from '../../ui/form.tsx';
import { type FormState, newForm } from '../../ui/form-state.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { linkTo } from '../../ui/site.tsx';
import { NameCell } from '../../ui/table.tsx';
import { findAccountNamed } from '../accounts/queries.ts';
import { CallPage } from './call-page.tsx';
import { findAnything, KINDS, type SearchResult, SHOWN_PER_KIND } from './find.ts';

export function searchPages(app: PageRouter, context: Context): void {
  const { db } = context;
  app.get(DESK_SEARCH_PATH, { for: 'operator' }, (c) =>
    page(c, <SearchPage form={newForm()} result={null} text="" />, { title: t('Find') }),
  );

  // POST, because the text may be a token, and tokens must not appear in URLs.
  app.post(DESK_SEARCH_PATH, { for: 'operator' }, async (c) => {
    const form = await readForm(c);
    const text = form.text('q').trim();
    const result = await form.attempt(null, () => findAnything(context, text));
    if (typeof result === 'string') return redirect(c, result);
    return page(c, <SearchPage {...{ form, result, text }} />, { title: t('Find'), status: form.status });
  });

  app.get(callPath(':id'), { for: 'operator' }, async (c) => {
    const call = requireFound(await findCall(db.read, null, c.req.param('id') ?? ''));
    const { token_hash: tokenHash, account_id: accountId } = call;
    const [owner, claim] = await Promise.all([
      findAccountNamed(db.read, accountId),
      tokenHash === null ? undefined : findClaim(db, accountId, { tokenHash }),
    ]);
    return page(c, <CallPage {...{ call, owner, claim }} />, {
      title: t('Call {id}', { id: call.request_id }),
    });
  });
}

interface SearchPageProps {
  readonly form: FormState;
  /** `null` before a search. */
  readonly result: SearchResult | null;
  readonly text: string;
}

/** Has no search field, because the header of every desk page has one. */
export const SearchPage = ({ form, result, text }: SearchPageProps) => (
  <>
    <PageHeader
      title={t('Find')}
      lead={
        result === null
          ? t('Enter a name, link, token, code or ID in the field above.')
          : leadOf(result, text)
      }
    />
    <div class="stack-loose">
      <FormProblems form={form} />
      {result !== null && result.hits.length > 0 && <Hits result={result} />}
      {(result === null || result.hits.length === 0) && <WhatCanBeFound />}
    </div>
  </>
);

function leadOf({ hits, isShown, tried }: SearchResult, typed: string): string {
  const text = isolated(typed);
  if (hits.length > 0) return isShown ? t('Results for “{text}”', { text }) : t('Results');
  const list = tried.map(wordsOf).join('; ');
  return isShown
    ? t('Nothing was found for “{text}”. The text was looked up as: {list}.', { text, list })
    : t('Nothing was found. The text was looked up as: {list}.', { list });
}

const Hits = ({ result: { hits, hasMore } }: { result: SearchResult }) => (
  <>
    {(Object.keys(KINDS) as (keyof typeof KINDS)[]).map((kind) => {
      const ofKind = hits.filter((hit) => hit.kind === kind);
      return (
        ofKind.length > 0 && (
          <section class="narrow">
            <h2>{t(KINDS[kind])}</h2>
            <ol class="ranking">
              {ofKind.map(({ name, about, href }) => (
                <li>
                  <div>
                    <NameCell href={href} name={name} sub={about} />
                  </div>
                </li>
              ))}
            </ol>
          </section>
        )
      );
    })}
    {hasMore && (
      <p class="soft-text">
        {t(
          'At most {count} of each kind are shown. Type more of the name, or search <accounts>all accounts</accounts> or <listings>all listings</listings>.',
          {
            count: SHOWN_PER_KIND,
            accounts: linkTo(DESK_ACCOUNTS_PATH),
            listings: linkTo(DESK_LISTINGS_PATH),
          },
        )}
      </p>
    )}
  </>
);

const WhatCanBeFound = () => (
  <section class="card narrow">
    <h2>{t('What can be found')}</h2>
    <DefinitionList
      facts={[
        [t('A person'), t('by email address, by name or part of a name, or by account ID')],
        [t('A listing'), t('by name, public address, website, link or ID')],
        [t('An offer'), t('by ID')],
        [
          t('A claim'),
          t(
            'by token, link, ID, short ID such as {example}, assigned code, the owner’s reference such as an order number, or the claimant’s reference in another marketplace',
            { example: <code>4F7K-2M9Q</code> },
          ),
        ],
        [
          t('A code'),
          t(
            'by the code itself: a shared code leads to its offer, and a code from a list leads to the claim that received it',
          ),
        ],
        [
          t('A key'),
          t(
            'by its beginning, such as {example}, or by the complete key, which the search neither shows nor stores',
            { example: <code>cck_live_4hT9</code> },
          ),
        ],
        [t('An API call'), t('by request ID, such as {example}', { example: <code>req_b3Vx_1f</code> })],
      ]}
    />
  </section>
);
