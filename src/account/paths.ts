/** Where people look after their own account. */
export const ACCOUNT_PATH = '/account';
