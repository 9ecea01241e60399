/** Who looks at a page, as plain data: nothing of it is a secret. */

export interface Viewer {
  readonly accountId: string;
  readonly name: string;
  readonly email: string;
  readonly plan: 'starter' | 'studio' | 'everything';
  readonly isOperator: boolean;
  /** Id of the row of the session, not the secret in its cookie. */
  readonly sessionId: string;
  /** When the person last proved who they are, ISO 8601 UTC. */
  readonly provenAt: string;
  /** What an operator must do before the desk opens; `null`: nothing. */
  readonly deskLock: 'prove' | 'enroll' | null;
}

/** What every page knows of the service it belongs to. */
export interface Site {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  /** A banner says on every page that the data is made up. */
  readonly isDemo: boolean;
}
