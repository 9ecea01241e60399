import { z } from '@hono/zod-openapi';
import type { Context } from '../../base/context.ts';
import { createListing } from '../../marketplace/listings/create.ts';
import {
  approveListing,
  type Decision,
  liftSuspension,
  rejectListing,
  requestChanges,
  suspendListing,
} from '../../marketplace/listings/decisions.ts';
import { editListing } from '../../marketplace/listings/edit.ts';
import { featureListing, MAX_FEATURED } from '../../marketplace/listings/feature.ts';
import { LISTING_FIELDS } from '../../marketplace/listings/fields.ts';
import { LISTING_STATES } from '../../marketplace/listings/listing.ts';
import { findListing, type Listing, listListings } from '../../marketplace/listings/queries.ts';
import { unsetOf } from '../../platform/text/fields.ts';
import { MAX_REASON_LENGTH } from '../../platform/text/text.ts';
import { time } from '../owner/schemas.ts';
import {
  accountReference,
  bodyOf,
  listingReference,
  operatorRoute,
  outputsOf,
  pageOf,
  pageOutputs,
  pageQuery,
  text,
  UNKNOWN_LISTING,
} from './definitions.ts';
import { changeOf, inputOf, outputOf } from './field-schemas.ts';

const listing = z
  .object({
    id: z.uuid(),
    account_id: z.uuid().meta({ description: 'The owner.' }),
    ...outputOf(LISTING_FIELDS),
    state: z.enum(LISTING_STATES),
    reason: z.string().nullable().meta({ description: "The operator's reason for the last decision." }),
    origin: z.string().nullable().meta({ description: 'The origin of `url` at approval.' }),
    proposed_url: z.string().nullable().meta({
      description:
        'A new URL with a different origin. The new URL is waiting for review or was declined; `url` is still live.',
    }),
    featured: z.int().nullable().meta({
      description:
        'Place of the listing in the featured row of the front page, from 1; `null`: not featured.',
    }),
    created_at: time,
    submitted_at: time.nullable(),
    decided_at: time.nullable(),
    version: z.int().meta({ description: 'Increases with each change to the listing or its offers.' }),
  })
  .openapi('Listing');

const LISTING_EXAMPLE = {
  id: '019a9f6c-2222-7c3a-9b52-4f0d8e6a1c37',
  ...unsetOf(LISTING_FIELDS),
  slug: 'ada-notes',
  name: 'Ada Notes',
  state: 'pending',
  reason: null,
  account_id: '019a9f6c-1111-7c3a-9b52-4f0d8e6a1c37',
  url: 'https://notes.example.com',
  origin: null,
  proposed_url: null,
  featured: null,
  created_at: '2026-11-20T10:00:00.000Z',
  submitted_at: '2026-11-20T10:00:00.000Z',
  decided_at: null,
  version: 2,
} as const;

export const oneListing = (description: string, changed: object = {}) =>
  outputsOf(description, listing, { ...LISTING_EXAMPLE, ...changed });
const path = z.object({ listing: listingReference });

const listedListing = z
  .object({
    ...listing.shape,
    account: z.string().meta({ description: 'Email address of the owner.' }),
  })
  .openapi('ListedListing');

const version = z.int().optional().meta({
  description: 'The version that you read. The call fails if the listing has changed since.',
});
const mayHaveReason = bodyOf('Decision', {
  reason: text('Shown to the owner.', MAX_REASON_LENGTH).optional(),
  version,
});
const needsReason = bodyOf('DecisionWithReason', {
  reason: text('Shown to the owner.', MAX_REASON_LENGTH, 'The site is down.'),
  version,
});

const DECIDED_AT = '2026-11-21T09:30:00.000Z';

/** `action`: the last segment of the path and the last word of the command. */
const decision = <const Id extends string>(
  {
    action,
    body,
    ...texts
  }: {
    readonly id: Id;
    readonly action: string;
    readonly stopsAbuse?: true;
    readonly summary: string;
    readonly description: string;
    readonly body: typeof mayHaveReason | typeof needsReason;
    readonly outputs: ReturnType<typeof oneListing>;
  },
  decide: (context: Context, input: Decision) => Promise<Listing>,
) =>
  operatorRoute(
    {
      ...texts,
      command: { name: `listings ${action}`, shows: ['id', 'slug', 'state'] },
      method: 'post',
      path: `/api/v1/operator/listings/{listing}/${action}`,
      scope: 'listings:write',
      input: { path, body },
      errors: UNKNOWN_LISTING,
    },
    async ({ caller: { actor }, path, body }, context) => decide(context, { ...path, ...body, actor }),
  );

export const LISTING_ROUTES = [
  operatorRoute(
    {
      id: 'createListing',
      command: { name: 'listings create', shows: ['id', 'slug', 'state'] },
      method: 'post',
      path: '/api/v1/operator/listings',
      scope: 'listings:write',
      summary: 'Create a listing',
      description:
        'Creates a listing and submits it for approval, or approves it immediately. Slugs are unique.',
      input: {
        body: bodyOf('ListingToCreate', {
          account: accountReference,
          ...inputOf(LISTING_FIELDS),
          approve: z.boolean().optional().meta({
            description:
              'Whether to approve the listing immediately. By default, the listing waits for review.',
          }),
        }),
      },
      outputs: outputsOf('The listing.', listing, LISTING_EXAMPLE, 201),
      errors: { unknown_account: {} },
    },
    async ({ caller, body }, context) => {
      const { approve, ...input } = body;
      // This API has no operation to submit a draft, so the listing is pending from the start.
      const upTo = approve === true ? 'approved' : 'pending';
      return await createListing(context, { ...input, upTo, ...caller });
    },
  ),
  operatorRoute(
    {
      id: 'listListings',
      command: {
        name: 'listings list',
        shows: ['slug', 'name', 'state', 'account', 'url', 'created_at', 'id'],
      },
      method: 'get',
      path: '/api/v1/operator/listings',
      scope: 'listings:read',
      summary: 'List listings',
      description:
        'All listings in order of creation, or only those in one state. Listings in the state `pending` are waiting for review.',
      input: {
        query: z.object({
          state: z.enum(LISTING_STATES).optional().meta({ description: 'Only listings in this state.' }),
          ...pageQuery,
        }),
      },
      outputs: pageOutputs('ListingPage', 'listings', listedListing, {
        ...LISTING_EXAMPLE,
        account: 'ada@example.com',
      }),
      errors: {},
    },
    async ({ query }, { db }) => {
      const { rows, next } = await pageOf(query, (page) =>
        listListings(db.read, { ...page, state: query.state }),
      );
      return { listings: rows.map((row) => ({ ...row, account: row.email })), next };
    },
  ),
  operatorRoute(
    {
      id: 'readListing',
      method: 'get',
      path: '/api/v1/operator/listings/{listing}',
      scope: 'listings:read',
      summary: 'Read a listing',
      description: 'A listing by its slug or id.',
      input: { path },
      outputs: oneListing('The listing.'),
      errors: UNKNOWN_LISTING,
    },
    async ({ path: { listing } }, { db }) => findListing(db.read, listing),
  ),
  operatorRoute(
    {
      id: 'editListing',
      command: { name: 'listings edit', shows: ['id', 'slug', 'state'] },
      method: 'patch',
      path: '/api/v1/operator/listings/{listing}',
      scope: 'listings:write',
      summary: 'Change a listing',
      description:
        'Changes only the fields that are sent; an empty string clears `summary`, `description` or `category`. The change is live immediately, even if `url` gets another origin, and the listing keeps its state. The owner gets an email. The slug cannot change after the first approval.',
      input: { path, body: bodyOf('ListingToChange', { ...changeOf(LISTING_FIELDS), version }) },
      outputs: oneListing('The listing.'),
      errors: UNKNOWN_LISTING,
    },
    async ({ caller: { actor }, path, body }, context) =>
      await editListing(context, { ...body, ...path, actor }),
  ),
  decision(
    {
      id: 'approveListing',
      action: 'approve',
      summary: 'Approve a listing',
      description:
        'Lets a pending listing take claims, pins the origin of its URL and publishes the links of its offers. Approving a suspended listing lifts the suspension.',
      body: mayHaveReason,
      outputs: oneListing('The approved listing.', {
        state: 'approved',
        origin: 'https://notes.example.com',
        decided_at: DECIDED_AT,
      }),
    },
    approveListing,
  ),
  decision(
    {
      id: 'requestChanges',
      action: 'request-changes',
      summary: 'Ask for changes to a listing',
      description: 'Sends a pending listing back to its owner, with a reason.',
      body: needsReason,
      outputs: oneListing('The listing.', {
        state: 'changes_requested',
        reason: 'The site is down.',
        decided_at: DECIDED_AT,
      }),
    },
    requestChanges,
  ),
  decision(
    {
      id: 'rejectListing',
      action: 'reject',
      summary: 'Reject a listing',
      description: 'Rejects a pending listing permanently, with a reason.',
      body: needsReason,
      outputs: oneListing('The rejected listing.', {
        state: 'rejected',
        reason: 'The site is down.',
        decided_at: DECIDED_AT,
      }),
    },
    rejectListing,
  ),
  decision(
    {
      id: 'suspendListing',
      action: 'suspend',
      stopsAbuse: true,
      summary: 'Suspend a listing',
      description: 'Stops new claims on an approved listing. Existing claims stay redeemable.',
      body: mayHaveReason,
      outputs: oneListing('The suspended listing.', { state: 'suspended', decided_at: DECIDED_AT }),
    },
    suspendListing,
  ),
  decision(
    {
      id: 'restoreListing',
      action: 'restore',
      summary: 'Restore a listing',
      description:
        'Lets a suspended listing take claims again. Changes that are waiting for review keep waiting.',
      body: mayHaveReason,
      outputs: oneListing('The listing.', { state: 'approved', decided_at: DECIDED_AT }),
    },
    liftSuspension,
  ),
  operatorRoute(
    {
      id: 'featureListing',
      command: { name: 'listings feature', shows: ['id', 'slug', 'featured'] },
      method: 'post',
      path: '/api/v1/operator/listings/{listing}/feature',
      scope: 'listings:write',
      summary: 'Feature a listing',
      description:
        'Puts an approved listing into the featured row of the front page, or moves it within the row. The other featured listings move to make room.',
      input: {
        path,
        body: bodyOf('FeaturedPlace', {
          place: z.int().min(1).max(MAX_FEATURED).optional().meta({
            description: 'Place of the listing in the row, from 1. Default: the last place.',
          }),
        }),
      },
      outputs: oneListing('The listing.', { state: 'approved', featured: 1 }),
      errors: UNKNOWN_LISTING,
    },
    async ({ caller: { actor }, path: { listing }, body }, context) =>
      featureListing(context, { listing, rank: body.place, actor }),
  ),
  operatorRoute(
    {
      id: 'unfeatureListing',
      command: { name: 'listings unfeature', shows: ['id', 'slug', 'featured'] },
      method: 'post',
      path: '/api/v1/operator/listings/{listing}/unfeature',
      scope: 'listings:write',
      summary: 'Stop featuring a listing',
      description:
        'Removes a listing from the featured row of the front page. The listing stays in the marketplace.',
      input: { path },
      outputs: oneListing('The listing.', { state: 'approved' }),
      errors: UNKNOWN_LISTING,
    },
    async ({ caller: { actor }, path: { listing } }, context) =>
      featureListing(context, { listing, rank: null, actor }),
  ),
] as const;
