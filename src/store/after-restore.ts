/** What a database that was put back must not bring back, on both engines. */

/** Tables of sessions, and of links and codes that work once: each may have ended since the backup was made. */
export const ACCESS_TABLES = ['sessions', 'sign_in_steps', 'one_time_codes', 'oidc_sign_ins'] as const;

/** Rows that were deleted, by table. */
export type EndedAccess = Readonly<Record<(typeof ACCESS_TABLES)[number], number>>;
