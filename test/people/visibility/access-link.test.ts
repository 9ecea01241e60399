/** Members-only listings and invitation links, on both engines: concurrent uses, and claims of people who aren't members. */
import { describe, expect, test } from 'vitest';
import { readAccessGrants } from '../../../src/background/personal-data/data-queries.ts';
import { deleteRowsOfPerson } from '../../../src/background/personal-data/erase-queries.ts';
import { claimOffer, claimOffers } from '../../../src/claims/creation/claim-offer.ts';
import { createListing } from '../../../src/marketplace/listings/create.ts';
import { deleteListing, editListing } from '../../../src/marketplace/listings/edit.ts';
import { listForSitemap } from '../../../src/pages/market/discovery/queries.ts';
import { countMarket, listMarket } from '../../../src/pages/market/queries.ts';
import { createAccount } from '../../../src/people/accounts/create.ts';
import { defaultPolicy, type Policy, setPolicy } from '../../../src/people/accounts/policy.ts';
import { setOperator } from '../../../src/people/sign-in/access.ts';
import { insertIdentity } from '../../../src/people/sign-in/oidc/queries.ts';
import {
  acceptAccessLink,
  createAccessLink,
  MAX_ACCESS_LINKS,
  MAX_GRANTS_OF_PERSON,
  revokeAccessLink,
} from '../../../src/people/visibility/access-link.ts';
import { listAccessLinks, listOwnersLinks } from '../../../src/people/visibility/link-queries.ts';
import { createReadRights, readStrangerRights } from '../../../src/people/visibility/read-rights.ts';
import { uuidv7 } from '../../../src/platform/store/uuid.ts';
import { DAY_MS } from '../../../src/platform/text/durations.ts';
import { ENGINES } from '../../support/engines.ts';
import { refusalOf } from '../../support/events.ts';
import { createOwner, type Owner } from '../../support/marketplace.ts';
import { shareDatabase } from '../../support/shared.ts';

const RULES = { hasMail: true, address: null };
const MEMBERS_ONLY = 'This offer is for members only, and your account is not a member.';

describe.each(ENGINES)('members only on %s', (engine) => {
  const { context } = shareDatabase(engine);
  let people = 0;

  const newPerson = async (): Promise<string> => {
    people += 1;
    return (await createAccount(context, { email: `p${people}@example.com`, name: 'Pat', actor: 'operator' }))
      .id;
  };
  const newListing = async (): Promise<Owner> => {
    const owner = await createOwner(context);
    await editListing(context, { listing: owner.slug, visibility: 'members', actor: 'operator' });
    return owner;
  };
  const claimBy = ({ slug, offerId }: Owner, claimantAccountId: string) => ({
    claimantAccountId,
    listing: slug,
    offerId,
    rules: RULES,
  });
  const linksOf = ({ listingId, accountId }: Owner) =>
    ({ listingId, accountId, actor: `account:${accountId}` }) as const;
  const newLink = async (owner: Owner, people = 100) =>
    (await createAccessLink(context, { ...linksOf(owner), name: 'Friends', people, days: 30 })).code;
  const setMembers = async (change: Partial<Policy>) =>
    setPolicy(context, {
      policy: { ...defaultPolicy(false), ...change },
      hasProvider: false,
      operatorId: await newPerson(),
      actor: 'operator',
    });

  test('refuses claims of people who are not members, in the same batch as the claims of members', async () => {
    const [hidden, open] = [await newListing(), await createOwner(context)];
    const [guest, stranger] = [await newPerson(), await newPerson()];
    await acceptAccessLink(context, { code: await newLink(hidden), personId: guest });
    const outcomes = await claimOffers(
      context,
      [guest, stranger].flatMap((id) => [claimBy(hidden, id), claimBy(open, id)]),
    );
    expect(outcomes.map((one) => (one instanceof Error ? one.message : one.created))).toEqual([
      true,
      true,
      MEMBERS_ONLY,
      true,
    ]);
    // Without a session, nobody is the owner.
    expect(await claimOffer(context, claimBy(hidden, hidden.accountId))).toMatchObject({ created: true });
  });

  test('a membership ends with the address, and an unconfirmed address gives none', async () => {
    const hidden = await newListing();
    const person = await newPerson();
    const views = async () => (await createReadRights(context, false)({ personId: person })).all;
    const change = (values: { email?: string; email_verified_at?: string | null }) =>
      context.db.transaction((tx) =>
        tx.updateTable('accounts').set(values).where('id', '=', person).execute(),
      );
    await setMembers({ memberDomains: ['example.com'] });
    await change({ email_verified_at: null });
    expect(await views()).toBe(false);
    expect(await refusalOf(claimOffer(context, claimBy(hidden, person)))).not.toBe('');
    await change({ email_verified_at: context.at() });
    expect(await views()).toBe(true);
    await change({ email: 'p@example.org' });
    expect(await views()).toBe(false);
    expect(await refusalOf(claimOffer(context, claimBy(hidden, person)))).toBe(MEMBERS_ONLY);
    await setMembers({});
  });

  test('an identity at the identity provider makes a member, and ends with the operator’s rule', async () => {
    const [person, other] = [await newPerson(), await newPerson()];
    const identity = { account_id: person, issuer: 'https://id.example', subject: person };
    await context.db.transaction((tx) =>
      insertIdentity(tx, { ...identity, created_at: context.at(), operator_since: null }),
    );
    const areMembers = async (hasProvider: boolean) => {
      const readRights = createReadRights(context, hasProvider);
      const rights = await Promise.all([person, other].map((personId) => readRights({ personId })));
      return rights.map(({ all }) => all);
    };
    await setMembers({ memberIdentities: true });
    expect([await areMembers(true), await areMembers(false)]).toEqual([
      [true, false],
      [false, false],
    ]);
    await setMembers({});
    expect(await areMembers(true)).toEqual([false, false]);
  });

  test('is part of a person’s data, and deleted with the account', async () => {
    const hidden = await newListing();
    const person = await newPerson();
    await acceptAccessLink(context, { code: await newLink(hidden), personId: person });
    const grants = () => readAccessGrants(context.db.read, person);
    expect(await grants()).toMatchObject([{ listing_id: hidden.listingId }]);
    const of = { id: person, email: '', mailbox: '' };
    await context.db.transaction((tx) => deleteRowsOfPerson(tx, of, context.at()));
    expect(await grants()).toEqual([]);
  });

  test('leaves the listing out of lists and counts for everybody else', async () => {
    const hidden = await newListing();
    const guest = await newPerson();
    await acceptAccessLink(context, { code: await newLink(hidden), personId: guest });
    const readRights = createReadRights(context, false);
    const strangers = await readStrangerRights(context.db.read);
    const seen = [];
    for (const rights of [
      strangers,
      await readRights({ personId: guest }),
      await readRights({ personId: hidden.accountId }),
    ]) {
      const query = { rights, now: context.now() };
      const listings = await listMarket(context.db.read, { ...query, sort: 'popular', page: 1, size: 500 });
      const { all } = await countMarket(context.db.read, query);
      const inSitemap = await listForSitemap(context.db.read, { rights, after: null, limit: 500 });
      expect(listings.length).toBe(all);
      seen.push([listings, inSitemap].map((list) => list.some(({ slug }) => slug === hidden.slug)));
    }
    expect(seen).toEqual([
      [false, false],
      [true, true],
      [true, true],
    ]);
  });

  test('lets only as many people use a link as it allows, however many use it at the same time', async () => {
    const hidden = await newListing();
    const code = await newLink(hidden, 3);
    const everybody = await Promise.all(Array.from({ length: 24 }, newPerson));
    const uses = await Promise.allSettled(
      [...everybody, ...everybody].map((personId) => acceptAccessLink(context, { code, personId })),
    );
    const [link] = await listAccessLinks(context.db.read, hidden.listingId);
    expect(Number(link!.people)).toBe(3);
    expect(uses.filter(({ status }) => status === 'fulfilled')).toHaveLength(6);
    await revokeAccessLink(context, { ...linksOf(hidden), id: link!.id });
    for (const person of everybody) {
      expect(await refusalOf(claimOffer(context, claimBy(hidden, person)))).toBe(MEMBERS_ONLY);
      expect(await refusalOf(acceptAccessLink(context, { code, personId: person }))).toContain(
        'does not work',
      );
    }
  });

  test('gives nobody access who uses a link while it is revoked', async () => {
    const hidden = await newListing();
    const code = await newLink(hidden);
    const [link] = await listAccessLinks(context.db.read, hidden.listingId);
    const everybody = await Promise.all(Array.from({ length: 12 }, newPerson));
    await Promise.allSettled([
      ...everybody.slice(6).map((personId) => acceptAccessLink(context, { code, personId })),
      revokeAccessLink(context, { ...linksOf(hidden), id: link!.id }),
      ...everybody.slice(0, 6).map((personId) => acceptAccessLink(context, { code, personId })),
    ]);
    const grants = await context.db.read
      .selectFrom('access_grants')
      .select('account_id')
      .where('link_id', '=', link!.id)
      .execute();
    expect(grants).toEqual([]);
  });

  test('limits how many links one person can use', async () => {
    const hidden = await newListing();
    const personId = await newPerson();
    await context.db.transaction((tx) =>
      tx
        .insertInto('access_grants')
        .values(
          Array.from({ length: MAX_GRANTS_OF_PERSON }, () => ({
            account_id: personId,
            link_id: uuidv7(context),
            created_at: context.at(),
          })),
        )
        .execute(),
    );
    expect(await refusalOf(acceptAccessLink(context, { code: await newLink(hidden), personId }))).toContain(
      'which is the limit',
    );
  });

  test('a person who doesn’t work in the account creates and revokes no links', async () => {
    const hidden = await newListing();
    await newLink(hidden);
    const [link] = await listAccessLinks(context.db.read, hidden.listingId);
    const stranger = { ...linksOf(hidden), actor: `account:${await newPerson()}` } as const;
    const more = { name: 'Mine', people: 1, days: 1 };
    await expect(createAccessLink(context, { ...stranger, ...more })).rejects.toThrow();
    await expect(revokeAccessLink(context, { ...stranger, id: link!.id })).rejects.toThrow();
    // Nor for the whole marketplace.
    const ofMarketplace = { ...stranger, listingId: null };
    await expect(createAccessLink(context, { ...ofMarketplace, ...more })).rejects.toThrow();
    expect(await listAccessLinks(context.db.read, hidden.listingId)).toHaveLength(1);
  });

  test.each(['suspended_at', 'deleted_at'] as const)('a person with %s is not a member', async (column) => {
    const person = await newPerson();
    const set = (values: object) =>
      context.db.transaction((tx) =>
        tx.updateTable('accounts').set(values).where('id', '=', person).execute(),
      );
    await setMembers({ memberDomains: ['example.com'] });
    await set({ email_verified_at: context.at() });
    const isMember = async () => (await createReadRights(context, false)({ personId: person })).all;
    expect(await isMember()).toBe(true);
    await set({ [column]: context.at() });
    expect(await isMember()).toBe(false);
    await setMembers({});
  });

  test('refuses an expired link, and links to another account’s listing', async () => {
    const [hidden, other] = [await newListing(), await newListing()];
    const code = await newLink(hidden);
    const later = { ...context, now: () => context.now() + 31 * DAY_MS };
    const personId = await newPerson();
    expect(await refusalOf(acceptAccessLink(later, { code, personId }))).toContain('does not work');
    const [link] = await listAccessLinks(context.db.read, hidden.listingId);
    const foreign = { ...linksOf(other), listingId: hidden.listingId };
    await expect(
      createAccessLink(context, { ...foreign, name: 'Mine', people: 1, days: 1 }),
    ).rejects.toThrow();
    await expect(revokeAccessLink(context, { ...foreign, id: link!.id })).rejects.toThrow();
    await revokeAccessLink(context, { ...linksOf(other), id: link!.id });
    expect(await listAccessLinks(context.db.read, hidden.listingId)).toHaveLength(1);
    await acceptAccessLink(context, { code, personId });
    for (let links = 1; links < MAX_ACCESS_LINKS; links += 1) await newLink(hidden);
    expect(await refusalOf(newLink(hidden))).toContain('At most 20 invitation links');
  });

  test('lets operators, and nobody else, list and revoke the links of all owners', async () => {
    const hidden = await newListing();
    await newLink(hidden);
    const { links, next } = await listOwnersLinks(context.db.read, null);
    expect(next).toBeNull();
    expect(links.map(({ id }) => id)).toEqual(
      links
        .map(({ id }) => id)
        .toSorted()
        .toReversed(),
    );
    const link = links.find(({ listing_id }) => listing_id === hidden.listingId)!;
    expect(link).toMatchObject({ name: 'Friends', account_id: hidden.accountId, listing: hidden.slug });
    expect(JSON.stringify(link)).not.toContain('code');
    expect((await listOwnersLinks(context.db.read, links[0]!.id)).links).toEqual(links.slice(1));
    const person = await newPerson();
    const revoke = () =>
      revokeAccessLink(context, {
        listingId: hidden.listingId,
        accountId: hidden.accountId,
        id: link.id,
        actor: `account:${person}`,
        asOperator: true,
      });
    await expect(revoke()).rejects.toThrow();
    expect(await listAccessLinks(context.db.read, hidden.listingId)).toHaveLength(1);
    await setOperator(context, { account: person, actor: 'operator', operator: true, hasMail: false });
    await revoke();
    expect(await listAccessLinks(context.db.read, hidden.listingId)).toEqual([]);
  });

  test('deletes the links of a deleted listing', async () => {
    const { accountId } = await createOwner(context);
    const actor = `account:${accountId}` as const;
    const draft = {
      account: accountId,
      slug: `draft-${engine}`,
      name: 'Draft',
      url: 'https://draft.example/',
    };
    const { id } = await createListing(context, { ...draft, actor });
    const scope = { listingId: id, accountId, actor };
    await createAccessLink(context, { ...scope, name: 'Friends', people: 1, days: 1 });
    await deleteListing(context, { listing: id, actor });
    expect(await listAccessLinks(context.db.read, id)).toEqual([]);
  });
});
