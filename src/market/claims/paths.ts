/** Where claimants see their claims. The id in a path is no secret: nobody else finds anything there. */

export const MY_CLAIMS_PATH = '/claims';
export const CLAIM_PATH = `${MY_CLAIMS_PATH}/:id` as const;
/** What the page of a claim that is not redeemed looks at. */
export const CLAIM_LOOK_PATH = `${CLAIM_PATH}/look` as const;
/** The hop to the owner's page, a POST. */
export const CLAIM_OPEN_PATH = `${CLAIM_PATH}/open` as const;

export const claimPath = (claimId: string): string => `${MY_CLAIMS_PATH}/${claimId}`;
export const claimOpenPath = (claimId: string): string => `${claimPath(claimId)}/open`;
export const claimLookPath = (claimId: string): string => `${claimPath(claimId)}/look`;
