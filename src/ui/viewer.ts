/** The signed-in person that a page is made for; holds no secret. */

import type { ThemedPicture } from '../network/picture-address.ts';

/** An account that a person works in as its member. */
export interface WorkPlace {
  readonly accountId: string;
  readonly name: string;
  readonly role: 'owner' | 'member';
}

export interface Viewer {
  /** Whose data the page shows: in the dashboard and the documentation the account that the person works in. */
  readonly accountId: string;
  /** The person's own account. */
  readonly personId: string;
  readonly name: string;
  readonly email: string;
  /** Of `accountId`, as `role`: what the person may do there. */
  readonly plan: 'starter' | 'studio' | 'everything';
  readonly role: 'owner' | 'member';
  /** The account of somebody else whose dashboard is open in this session; `null`: their own. */
  readonly worksIn: WorkPlace | null;
  /** All accounts of others that the person may switch to. Known on pages with the menu of the dashboard only. */
  readonly workPlaces: readonly WorkPlace[];
  readonly isOperator: boolean;
  /** Which claims, API keys and requests the dashboard lists. */
  readonly mode: 'live' | 'test';
  /** Id of the row of the session, not the secret in its cookie. */
  readonly sessionId: string;
  /** When the person last proved who they are, ISO 8601 UTC. */
  readonly provenAt: string;
  /** What an operator must do before the desk opens; `null`: nothing. */
  readonly deskLock: 'prove' | 'enroll' | null;
  /** Whose menu the pages of the account have; `null`: the header of public pages. Known on those pages only. */
  readonly workplace: 'dashboard' | 'desk' | null;
}

/** What pages show of the operator's brand; `src/brand/brand.ts` describes it. */
export interface SiteBrand {
  readonly name: string;
  readonly accent: string | null;
  readonly contact: string | null;
  readonly imprint: string | null;
  readonly privacy: string | null;
  readonly terms: string | null;
  readonly asksConsent: boolean;
  readonly footer: string | null;
  /** Of the times on pages, an IANA name. */
  readonly timeZone: string;
  readonly language: string;
  readonly showsSoftware: boolean;
  /** In the header, in place of the name. */
  readonly logo: ThemedPicture | null;
  /** In place of the drawn mark: in the header, in tabs of browsers and on home screens. */
  readonly icon: ThemedPicture | null;
}

/** What pages name of the plans; `src/brand/plans.ts` describes them. */
export type SitePlans = Readonly<
  Record<Viewer['plan'], { readonly name: string; readonly isHidden: boolean }>
>;

export interface Site {
  readonly baseUrl: string;
  readonly isDemo: boolean;
  readonly brand: SiteBrand;
  readonly plans: SitePlans;
  /** Whether an operator exists; before that the public pages say so. */
  readonly isSetUp: boolean;
}
