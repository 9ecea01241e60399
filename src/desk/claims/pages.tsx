/** Claims at the operator's desk, found by what people have: a token, a link, a code, an email address. */

import type { Account } from '../../accounts/queries.ts';
import { replaceClaim } from '../../claims/issue.ts';
import { type FoundClaim, findClaim } from '../../claims/queries.ts';
import { findClaimNamed } from '../../claims/search.ts';
import type { Context } from '../../context.ts';
import { invalid } from '../../errors.ts';
import { actorOf, type DeskApp, type PageContext, page, readForm, redirect } from '../../http/pages/pages.ts';
import { wordsOf } from '../../languages/translate.ts';
import { kindName } from '../../offers/offer.ts';
import { findOffersByCode } from '../../offers/queries.ts';
import { shortId } from '../../store/uuid.ts';
import { isolated } from '../../text/text.ts';
import { Button } from '../../ui/button.tsx';
import { Mono } from '../../ui/code.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { DefinitionList } from '../../ui/facts.tsx';
import { TextField } from '../../ui/field.tsx';
import { Form, FormActions } from '../../ui/form.tsx';
import { type FormState, newForm } from '../../ui/form-state.ts';
import { Notice } from '../../ui/notice.tsx';
import { Breadcrumb, PageHeader } from '../../ui/page-header.tsx';
import { StateBadge } from '../../ui/state-badge.tsx';
import { Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { findAccountNamed } from '../accounts/queries.ts';
import { accountPath, DESK_CLAIMS_PATH, deskClaimPath, deskListingPath, requireById } from '../paths.ts';

type OfferWithCode = Awaited<ReturnType<typeof findOffersByCode>>[number];

export function claimDeskPages(app: DeskApp, context: Context): void {
  const { db } = context;
  const show = (c: PageContext, form: FormState, offers: readonly OfferWithCode[] = []) =>
    page(c, <FindClaimPage {...{ form, offers }} />, { title: 'Find a claim', status: form.status });

  /** The path of what the text names, or the offers with this code. */
  const find = async (text: string): Promise<string | readonly OfferWithCode[]> => {
    if (text.includes('@')) {
      const account = await findAccountNamed(db.read, text);
      if (account === undefined) throw invalid('No account has this email address.');
      return `${accountPath(account.id)}#claims`;
    }
    const claim = await findClaimNamed(context, { accountId: null, text });
    if (claim !== null) return deskClaimPath(claim.id);
    const offers = await findOffersByCode(db.read, text);
    if (offers.length === 0)
      throw invalid('No claim has this token, id or link, and no offer has this code.');
    return offers;
  };

  app.get(DESK_CLAIMS_PATH, (c) => show(c, newForm()));

  // A POST, since a token is a secret and must not be in a URL.
  app.post(DESK_CLAIMS_PATH, async (c) => {
    const form = await readForm(c);
    const found = await form.attempt('q', () => find(form.text('q').trim()));
    return typeof found === 'string' ? redirect(c, found) : show(c, form, found ?? []);
  });

  const showClaim = async (c: PageContext, form: FormState) => {
    const claim = await requireClaim(c);
    const [owner, claimant] = await Promise.all([
      findAccountNamed(db.read, claim.account_id),
      claim.claimant_id === null ? undefined : findAccountNamed(db.read, claim.claimant_id),
    ]);
    const refused = form.problems[0] ? wordsOf(form.problems[0].sentence) : null;
    return page(c, <DeskClaimPage {...{ claim, owner, claimant, refused }} />, {
      title: `Claim …${shortId(claim.id)}`,
      status: form.status,
    });
  };
  const requireClaim = (c: PageContext) => requireById(c, (id) => findClaim(db, null, { id }));

  app.get(deskClaimPath(':id'), (c) => showClaim(c, newForm()));

  app.post(`${deskClaimPath(':id')}/replace`, async (c, operator) => {
    const actor = actorOf(operator);
    const form = await readForm(c);
    const { id: claimId, account_id: accountId } = await requireClaim(c);
    const made = await form.attempt(null, () => replaceClaim(context, { accountId, claimId, actor }));
    return made === null ? showClaim(c, form) : redirect(c, deskClaimPath(made.claimId));
  });
}

const FindClaimPage = ({ form, offers }: { form: FormState; offers: readonly OfferWithCode[] }) => (
  <>
    <PageHeader title="Find a claim" lead="Use this when someone contacts you about a claim." />
    <div class="stack-loose">
      <Form form={form} action={DESK_CLAIMS_PATH}>
        <TextField
          form={form}
          name="q"
          label="Email address, link, token, code or id"
          hint="The claimant's email address, the link or code they have, or the id in the URL of their claim."
          type="search"
          mono
          autofocus
        />
        <FormActions>
          <Button tone="primary">Find</Button>
        </FormActions>
      </Form>
      {offers.length > 0 && <Offers offers={offers} />}
    </div>
  </>
);

const Offers = ({ offers }: { offers: readonly OfferWithCode[] }) => (
  <section class="stack">
    <h2>Offers with this code</h2>
    <p class="soft-text">Everyone who claims one of these offers gets this code.</p>
    <Table
      caption="Offers with this code"
      rows={offers}
      columns={[
        { header: 'Offer', isName: true, cell: ({ offer }) => offer },
        {
          header: 'Listing',
          cell: ({ listing, listing_id }) => <a href={deskListingPath(listing_id)}>{listing}</a>,
        },
        { header: 'Owner', cell: ({ owner }) => owner },
      ]}
    />
  </section>
);

interface DeskClaimProps {
  readonly claim: FoundClaim;
  readonly owner: Account | undefined;
  /** `undefined`: it was not claimed by an account here. */
  readonly claimant: Account | undefined;
  /** Why it was not replaced. */
  readonly refused: string | null;
}

const DeskClaimPage = ({ claim, owner, claimant, refused }: DeskClaimProps) => (
  <>
    <PageHeader
      above={<Breadcrumb trail={[['Claims', DESK_CLAIMS_PATH]]} />}
      title={claim.offer}
      badge={
        <>
          <StateBadge state={claim.redeemed_at === null ? 'claimed' : 'redeemed'} />
          {claim.replaced_at !== null && <StateBadge state="replaced" />}
          {claim.mode === 'test' && <StateBadge state="test" />}
        </>
      }
      lead={`Claim …${shortId(claim.id)} of ${isolated(claim.listing_name)}`}
      actions={claim.redeemed_at !== null && claim.replaced_at === null && <Replace claim={claim} />}
    />
    {refused !== null && <Notice tone="bad">{refused}</Notice>}
    <section class="card narrow" aria-label="The claim">
      <DefinitionList
        facts={[
          ['Id', <Mono>{claim.id}</Mono>],
          ['Kind', kindName(claim.kind)],
          ['Listing', <a href={deskListingPath(claim.listing_id)}>{isolated(claim.listing_name)}</a>],
          ['Owner', owner === undefined ? 'unknown' : <AccountLink account={owner} />],
          ['Claimed by', claimant === undefined ? 'no account here' : <AccountLink account={claimant} />],
          claim.claimant === null ? null : ['Claimant', claim.claimant],
          ['Label', claim.via === null ? 'none' : <Mono>{claim.via}</Mono>],
          ['Claimed', <Time at={claim.claimed_at} precision="second" />],
          ['Opened', claim.opened_at === null ? 'not yet' : <Time at={claim.opened_at} precision="second" />],
          [
            'Redeemed',
            claim.redeemed_at === null ? 'not yet' : <Time at={claim.redeemed_at} precision="second" />,
          ],
          claim.reference === null ? null : ['Owner’s reference', isolated(claim.reference)],
          claim.redeemed_by_key_name === null ? null : ['Redeemed with key', claim.redeemed_by_key_name],
          claim.replaced_at === null
            ? null
            : ['Replaced', <Time at={claim.replaced_at} precision="second" />],
        ]}
      />
    </section>
  </>
);

/** For a redemption that went wrong. */
const Replace = ({ claim }: { claim: FoundClaim }) => (
  <Confirm
    action={`${deskClaimPath(claim.id)}/replace`}
    title="Replace this claim?"
    confirm="Replace claim"
    isHarmless
  >
    <p>
      The claimant gets a new claim of the same offer, even if the offer has reached its limit. This one stays
      redeemed.
    </p>
  </Confirm>
);

const AccountLink = ({ account }: { account: Account }) => (
  <a href={accountPath(account.id)}>{isolated(account.name)}</a>
);
