import { listCampaigns } from './campaigns.ts';
import { listClaims, readClaim, readReceipt } from './claims.ts';
import type { OwnerRoute } from './definitions.ts';
import { listEvents } from './events.ts';
import { listRedemptions } from './redemptions.ts';

const ROUTES = [listClaims, readClaim, readReceipt, listRedemptions, listCampaigns, listEvents] as const;

export type OwnerOperation = (typeof ROUTES)[number]['operation'];

/** All operations of owners except verify, which `createHttpServer` serves. */
export const OWNER_ROUTES: readonly OwnerRoute[] = ROUTES;
