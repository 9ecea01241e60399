import type { Context } from '../../../base/context.ts';
import { DESK_SEARCH_PATH, deskAccountPath, deskClaimPath, deskListingPath } from '../../../base/paths.ts';
import { shownClaimState } from '../../../claims/claim.ts';
import { replaceClaim } from '../../../claims/creation/issue.ts';
import { type DetailedClaim, findClaim } from '../../../claims/queries.ts';
import { shortClaimId } from '../../../claims/short-id.ts';
import { kindName } from '../../../marketplace/offers/offer.ts';
import type { Account } from '../../../people/accounts/queries.ts';
import { t } from '../../../platform/languages/translate.ts';
import { isolated } from '../../../platform/text/text.ts';
import type { PageRouter } from '../../frame/page-router.ts';
import { actorOf, type PageContext, page, readForm, redirect } from '../../frame/pages.ts';
import { Mono } from '../../ui/code.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { DefinitionList } from '../../ui/facts.tsx';
import { type FormState, newForm } from '../../ui/form-state.ts';
import { Notice } from '../../ui/notice.tsx';
import { Breadcrumb, PageHeader } from '../../ui/page-header.tsx';
import { StateBadge } from '../../ui/state-badge.tsx';
import { Time } from '../../ui/time.tsx';
import { findAccountNamed } from '../accounts/queries.ts';
import { requireById } from '../lookups.ts';

export function claimDeskPages(app: PageRouter, context: Context): void {
  const { db } = context;
  const showClaim = async (c: PageContext, form: FormState) => {
    const claim = await requireClaim(c);
    const [owner, claimant] = await Promise.all([
      findAccountNamed(db.read, claim.account_id),
      claim.claimant_id === null ? undefined : findAccountNamed(db.read, claim.claimant_id),
    ]);
    return page(c, <DeskClaimPage {...{ claim, owner, claimant }} refused={form.refusal} />, {
      title: t('Claim {id}', { id: shortClaimId(claim.id) }),
      status: form.status,
    });
  };
  const requireClaim = (c: PageContext) => requireById(c, (id) => findClaim(db, null, { id }));

  app.get(deskClaimPath(':id'), { for: 'operator' }, (c) => showClaim(c, newForm()));

  app.post(`${deskClaimPath(':id')}/replace`, { for: 'operator' }, async (c, operator) => {
    const actor = actorOf(operator);
    const form = await readForm(c);
    const { id: claimId, account_id: accountId } = await requireClaim(c);
    const replacement = await form.attempt(null, () => replaceClaim(context, { accountId, claimId, actor }));
    return replacement === null ? showClaim(c, form) : redirect(c, deskClaimPath(replacement.claimId));
  });
}

interface DeskClaimProps {
  readonly claim: DetailedClaim;
  readonly owner: Account | undefined;
  /** `undefined`: the claim doesn't belong to an account here. */
  readonly claimant: Account | undefined;
  /** Why the replacement was refused; `null` if it was not attempted. */
  readonly refused: string | null;
}

/** Without a link, the claim is only a code, which is never opened or redeemed through this service. */
const hasLink = (claim: DetailedClaim): boolean => shownClaimState(claim) !== 'code_given';

const DeskClaimPage = ({ claim, owner, claimant, refused }: DeskClaimProps) => (
  <>
    <PageHeader
      above={<Breadcrumb trail={[[t('Find'), DESK_SEARCH_PATH]]} />}
      title={claim.offer}
      badge={
        <>
          <StateBadge state={shownClaimState(claim)} />
          {claim.replaced_at !== null && <StateBadge state="replaced" />}
          {claim.mode === 'test' && <StateBadge state="test" />}
        </>
      }
      lead={t('Claim {id} on {listing}', {
        id: shortClaimId(claim.id),
        listing: isolated(claim.listing_name),
      })}
      actions={claim.redeemed_at !== null && claim.replaced_at === null && <Replace claim={claim} />}
    />
    {refused !== null && <Notice tone="bad">{refused}</Notice>}
    <section class="card narrow" aria-label={t('The claim')}>
      <DefinitionList
        facts={[
          [t('Listing'), <a href={deskListingPath(claim.listing_id)}>{isolated(claim.listing_name)}</a>],
          [t('publisher|Owner'), owner === undefined ? t('unknown') : <AccountLink account={owner} />],
          [
            t('Claimed by'),
            claimant === undefined ? (
              t('someone without an account here')
            ) : (
              <AccountLink account={claimant} />
            ),
          ],
          claim.claimant !== null && [t('External claimant'), claim.claimant],
          [t('Label'), claim.via === null ? t('none') : <Mono>{claim.via}</Mono>],
          [t('Claimed'), <Time at={claim.claimed_at} precision="second" />],
          hasLink(claim) && [
            t('Opened'),
            claim.opened_at === null ? t('not yet') : <Time at={claim.opened_at} precision="second" />,
          ],
          hasLink(claim) && [
            t('Redeemed'),
            claim.redeemed_at === null ? t('not yet') : <Time at={claim.redeemed_at} precision="second" />,
          ],
          claim.reference !== null && [t('Owner’s reference'), isolated(claim.reference)],
          claim.redeemed_by_key_name !== null && [t('Redeemed with key'), claim.redeemed_by_key_name],
          claim.replaced_at !== null && [t('Replaced'), <Time at={claim.replaced_at} precision="second" />],
          [t('Kind'), kindName(claim.kind)],
          [t('ID'), <Mono>{claim.id}</Mono>],
        ]}
      />
    </section>
  </>
);

/** For a redeemed claim whose claimant didn't get what was offered, for example because the owner's checkout failed. */
const Replace = ({ claim }: { claim: DetailedClaim }) => (
  <Confirm
    action={`${deskClaimPath(claim.id)}/replace`}
    title={t('Replace this claim?')}
    confirm={t('Replace claim')}
    isHarmless
  >
    <p>
      {t(
        'The claimant gets a new claim on the same offer, even if the offer has reached its limit. The old claim stays redeemed.',
      )}
    </p>
  </Confirm>
);

const AccountLink = ({ account }: { account: Account }) => (
  <a href={deskAccountPath(account.id)}>{isolated(account.name)}</a>
);
