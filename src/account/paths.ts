/** Addresses of the account pages. */
export const ACCOUNT_PATH = '/account';
