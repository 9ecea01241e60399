/** The signed-in person that a page is made for; holds no secret. */

export interface Viewer {
  readonly accountId: string;
  readonly name: string;
  readonly email: string;
  readonly plan: 'starter' | 'studio' | 'everything';
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
  readonly footer: string | null;
  /** Of the times on pages, an IANA name. */
  readonly timeZone: string;
  readonly showsSoftware: boolean;
}

export interface Site {
  readonly baseUrl: string;
  readonly isDemo: boolean;
  readonly brand: SiteBrand;
  /** Whether an operator exists; before that the public pages say so. */
  readonly isSetUp: boolean;
}
