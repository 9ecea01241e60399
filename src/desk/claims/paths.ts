/** Paths of claims on the operator's desk. */
export const DESK_CLAIMS_PATH = '/desk/claims';

export const deskClaimPath = (id: string): string => `${DESK_CLAIMS_PATH}/${id}`;
