/** What an owner changed after the first approval: texts of listings and offers, and the account's name. */

import { z } from '@hono/zod-openapi';
import { approveTexts, restoreTexts } from '../../marketplace/listings/decide-proposal.ts';
import type { Listing } from '../../marketplace/listings/queries.ts';
import { listListingsWithChangedTexts } from '../../marketplace/listings/queue-queries.ts';
import { textDifferences } from '../../marketplace/listings/review.ts';
import { type CountedOffer, listCountedOffers } from '../../marketplace/offers/queries.ts';
import { MAX_ACCOUNT_NAME_LENGTH } from '../../people/accounts/account.ts';
import { findAccount } from '../../people/accounts/queries.ts';
import { listProposedNames } from '../../people/accounts/request-queries.ts';
import { declineRequest, grantRequest } from '../../people/accounts/requests.ts';
import { MAX_REASON_LENGTH } from '../../platform/text/text.ts';
import { time } from '../owner/schemas.ts';
import { accountPath, oneAccount, toAccount } from './accounts.ts';
import {
  bodyOf,
  listingReference,
  operatorRoute,
  pageOf,
  pageOutputs,
  pageQuery,
  text,
  UNKNOWN_LISTING,
} from './definitions.ts';
import { oneListing } from './listings.ts';

const changedText = z
  .object({
    listing: z.string().meta({ description: 'Slug of the listing.' }),
    listing_id: z.uuid(),
    version: z.int().meta({ description: 'Send it with the decision.' }),
    offer_id: z.uuid().nullable().meta({ description: 'The offer; `null`: a text of the listing itself.' }),
    field: z.string().meta({ description: 'Name of the changed field, such as `summary`.' }),
    approved: z.string().nullable().meta({ description: 'The text that you approved.' }),
    proposed: z.string().nullable().meta({ description: 'The text that the owner wants.' }),
    live: z.boolean().meta({ description: 'Whether people see `proposed` already.' }),
    changed_at: time.meta({ description: 'When the first of the texts of the listing changed.' }),
  })
  .openapi('ChangedText');

const proposedName = z
  .object({
    account_id: z.uuid(),
    email: z.string(),
    name: z.string().meta({ description: 'The name that people see.' }),
    proposed_name: z.string(),
    proposed_at: time,
  })
  .openapi('ProposedName');

const version = z.int().meta({
  description: 'The version that you read. The call fails if the listing has changed since.',
  example: 7,
});

const reason = text('Shown to the owner.', MAX_REASON_LENGTH, 'This is the name of another company.');

const name = text(
  'The proposed name that you read. The call fails if the owner has proposed another one since.',
  MAX_ACCOUNT_NAME_LENGTH,
  'Ada & Co',
);

const changedTextsOf = (listing: Listing, offers: readonly CountedOffer[]) =>
  textDifferences(
    listing,
    offers.filter(({ listing_id }) => listing_id === listing.id),
  ).map(({ offerId, column, approved, proposed, isLive }) => ({
    listing: listing.slug,
    listing_id: listing.id,
    version: listing.version,
    offer_id: offerId,
    field: column,
    approved,
    proposed,
    live: isLive,
    changed_at: listing.texts_changed_at!,
  }));

/** A decision on the changed texts of a listing. */
const textDecision = {
  method: 'post',
  scope: 'listings:write',
  errors: UNKNOWN_LISTING,
  outputs: oneListing('The listing.', { state: 'approved' }),
} as const;
const ofListing = (name: string) => ({
  name: `listings ${name}`,
  takes: ['listing', 'version'],
  shows: ['id', 'slug', 'state'],
});
const listingPath = z.object({ listing: listingReference });

/** A decision on the new name of an account. */
const nameDecision = {
  method: 'post',
  scope: 'accounts:write',
  errors: { unknown_account: {} },
} as const;
const ofAccount = (name: string) => ({
  name: `accounts ${name}`,
  takes: ['account', 'name'],
  shows: ['id', 'email', 'name'],
});

export const REVIEW_ROUTES = [
  operatorRoute(
    {
      id: 'listChangedTexts',
      command: {
        name: 'listings changed-texts',
        shows: ['listing', 'version', 'offer_id', 'field', 'approved', 'proposed', 'live', 'changed_at'],
      },
      method: 'get',
      path: '/api/v1/operator/changed-texts',
      scope: 'listings:read',
      summary: 'List changed texts',
      description:
        'Texts that owners changed after the approval of a listing and that no operator has decided on: those that wait, and those that are live already. A page has all changed texts of up to `limit` listings.',
      input: { query: z.object(pageQuery) },
      outputs: pageOutputs('ChangedTextPage', 'changed_texts', changedText, {
        listing: 'ada-notes',
        listing_id: '019a9f6c-2222-7c3a-9b52-4f0d8e6a1c37',
        version: 7,
        offer_id: null,
        field: 'summary',
        approved: 'Notes for teams',
        proposed: 'Notes for everyone',
        live: false,
        changed_at: '2026-11-21T09:30:00.000Z',
      }),
      errors: {},
    },
    async ({ query }, { db }) => {
      const { rows, next } = await pageOf(query, (page) => listListingsWithChangedTexts(db.read, page));
      const offers = await listCountedOffers(db.read, rows);
      return { changed_texts: rows.flatMap((listing) => changedTextsOf(listing, offers)), next };
    },
  ),
  operatorRoute(
    {
      ...textDecision,
      id: 'approveTexts',
      command: ofListing('approve-texts'),
      path: '/api/v1/operator/listings/{listing}/approve-texts',
      summary: 'Approve changed texts',
      description:
        'Publishes the changed texts of a listing and its offers, and offers that were added. Accepts the texts that are live already.',
      input: { path: listingPath, body: bodyOf('TextsToApprove', { version }) },
    },
    async ({ caller: { actor }, path, body }, context) => approveTexts(context, { ...path, ...body, actor }),
  ),
  operatorRoute(
    {
      ...textDecision,
      id: 'restoreTexts',
      command: ofListing('restore-texts'),
      path: '/api/v1/operator/listings/{listing}/restore-texts',
      summary: 'Restore the approved texts',
      description:
        'Declines the changed texts of a listing and its offers, with a reason. People see the texts that you approved; offers that were added are hidden. The owner’s good standing begins again.',
      input: { path: listingPath, body: bodyOf('TextsToRestore', { version, reason }) },
    },
    async ({ caller: { actor }, path, body }, context) => restoreTexts(context, { ...path, ...body, actor }),
  ),
  operatorRoute(
    {
      id: 'listProposedNames',
      command: {
        name: 'accounts proposed-names',
        shows: ['account_id', 'email', 'name', 'proposed_name', 'proposed_at'],
      },
      method: 'get',
      path: '/api/v1/operator/proposed-names',
      scope: 'accounts:read',
      summary: 'List proposed names',
      description:
        'New names of accounts that wait for review. Once a listing of an account was approved, a new name is live only after its approval.',
      input: { query: z.object(pageQuery) },
      outputs: pageOutputs('ProposedNamePage', 'proposed_names', proposedName, {
        account_id: '019a9f6c-1111-7c3a-9b52-4f0d8e6a1c37',
        email: 'ada@example.com',
        name: 'Ada',
        proposed_name: 'Ada & Co',
        proposed_at: '2026-11-21T09:30:00.000Z',
      }),
      errors: {},
    },
    async ({ query }, { db }) => {
      const { rows, next } = await pageOf(query, (page) => listProposedNames(db.read, page));
      return {
        proposed_names: rows.map(({ proposed_name, ...row }) => ({
          ...row,
          proposed_name: proposed_name ?? '',
        })),
        next,
      };
    },
  ),
  operatorRoute(
    {
      ...nameDecision,
      id: 'approveName',
      command: ofAccount('approve-name'),
      path: '/api/v1/operator/accounts/{account}/approve-name',
      summary: 'Approve a new name of an account',
      description: 'Makes the proposed name the name of the account. Its listings show the name immediately.',
      input: { path: accountPath, body: bodyOf('NameToApprove', { name }) },
      outputs: oneAccount('The account.', { name: 'Ada & Co' }),
    },
    async ({ caller: { actor }, path, body: { name } }, context) =>
      toAccount(await grantRequest(context, { ...path, wish: 'name', seen: name, actor })),
  ),
  operatorRoute(
    {
      ...nameDecision,
      id: 'declineName',
      command: ofAccount('decline-name'),
      path: '/api/v1/operator/accounts/{account}/decline-name',
      summary: 'Decline a new name of an account',
      description: 'Keeps the name of the account. The owner sees the reason and can propose another name.',
      input: { path: accountPath, body: bodyOf('NameToDecline', { name, reason }) },
      outputs: oneAccount('The account.'),
    },
    async ({ caller: { actor }, path, body: { name, reason } }, context) => {
      await declineRequest(context, { ...path, wish: 'name', seen: name, reason, actor });
      return toAccount(await findAccount(context.db.read, path.account));
    },
  ),
] as const;
