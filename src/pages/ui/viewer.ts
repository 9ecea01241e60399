/** What pages know about the signed-in person and the marketplace. These types must not contain secrets. */

import type { ThemedPicture } from '../../platform/network/picture-address.ts';

/** An account that a person is a member of. */
export interface WorkAccount {
  readonly accountId: string;
  readonly name: string;
  readonly role: 'owner' | 'member';
}

export interface Viewer {
  /** The account open in this session on the dashboard and in the documentation; elsewhere `personId`. */
  readonly accountId: string;
  readonly personId: string;
  readonly name: string;
  readonly email: string;
  readonly plan: 'starter' | 'studio' | 'everything';
  /** The person's role in the account `accountId`. */
  readonly role: 'owner' | 'member';
  /** Another person's account that is open in this session; `null`: the person's own account is open. */
  readonly worksIn: WorkAccount | null;
  /** Other people's accounts that the person may switch to. Empty on pages without the dashboard's menu. */
  readonly workAccounts: readonly WorkAccount[];
  readonly isOperator: boolean;
  /** Which claims, API keys and requests the dashboard lists. */
  readonly mode: 'live' | 'test';
  /** The id of the session's row, not the secret in its cookie. */
  readonly sessionId: string;
  /** Whether the person confirmed their identity in the last hours; for operators, in the last few minutes. */
  readonly isRecentlyProven: boolean;
  /** Whether the person did so in the last few minutes, as changes to keys and credentials require. */
  readonly isFreshlyProven: boolean;
  /** What the operator must do before the desk opens: use their second factor (`prove`) or set one up (`enroll`). */
  readonly deskLock: 'prove' | 'enroll' | null;
  /** The menu to show on account pages; `null`: the public header. Always `null` on other pages. */
  readonly menu: 'dashboard' | 'desk' | null;
}

/** The part of the operator's brand that pages use. See `src/base/brand/brand.ts`. */
export interface SiteBrand {
  readonly name: string;
  readonly accent: string | null;
  readonly contact: string | null;
  readonly imprint: string | null;
  readonly privacy: string | null;
  readonly terms: string | null;
  readonly asksConsent: boolean;
  readonly footer: string | null;
  readonly timeZone: string;
  readonly language: string;
  readonly hasLanguageSwitch: boolean;
  readonly showsSoftware: boolean;
  readonly logo: ThemedPicture | null;
  /** Replaces the default icon in the header, in browser tabs and on home screens. */
  readonly icon: ThemedPicture | null;
}

/** The part of the plans that pages use. See `src/base/brand/plans.ts`. */
export type SitePlans = Readonly<
  Record<Viewer['plan'], { readonly name: string; readonly isHidden: boolean }>
>;

/** The operator's announcement. See `src/base/brand/announcement.ts`. */
export interface SiteAnnouncement {
  readonly text: string;
  readonly level: 'info' | 'warning' | 'incident';
  readonly audience: 'everyone' | 'owners';
}

export type Theme = 'light' | 'dark';

export interface Site {
  readonly baseUrl: string;
  readonly isDemo: boolean;
  /** Whether people can sign up with a form, not only through an identity provider. */
  readonly hasSignUp: boolean;
  readonly brand: SiteBrand;
  readonly plans: SitePlans;
  /** `null`: none is shown now. */
  readonly announcement: SiteAnnouncement | null;
  /** Whether an operator exists. If not, public pages say that the service is not set up. */
  readonly isSetUp: boolean;
  /** The theme chosen in this browser; `null`: the device's. */
  readonly theme: Theme | null;
  /** Whether people may switch the language of this page. */
  readonly hasLanguageSwitch: boolean;
}
