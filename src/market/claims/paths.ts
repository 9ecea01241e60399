/** Paths of a claimant's pages. The id in a path is not a secret: other accounts get 404 there. */

export const MY_CLAIMS_PATH = '/claims';
export const CLAIM_PATH = `${MY_CLAIMS_PATH}/:id` as const;
/** Polled by the page of an unredeemed claim. */
export const CLAIM_LOOK_PATH = `${CLAIM_PATH}/look` as const;
/** POST: redirects to the owner's page. */
export const CLAIM_OPEN_PATH = `${CLAIM_PATH}/open` as const;

export const claimPath = (claimId: string): string => `${MY_CLAIMS_PATH}/${claimId}`;
export const claimOpenPath = (claimId: string): string => `${claimPath(claimId)}/open`;
export const claimLookPath = (claimId: string): string => `${claimPath(claimId)}/look`;
