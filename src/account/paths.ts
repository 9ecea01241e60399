/** Paths of the account pages. */
export const ACCOUNT_PATH = '/account';
export const MAIL_PATH = '/account/mail';
/** The file with everything stored about the person; its format follows as an extension. */
export const DATA_PATH = '/account/data';
export const DELETE_PATH = '/account/delete';
export const KEEP_PATH = '/account/keep';
/** Asks for a link that sets a password. */
export const FORGOT_PASSWORD_PATH = '/forgot-password';
/** Where a sign-in through the company's identity provider starts. */
export const OIDC_PATH = '/sign-in/oidc';
/** Where a signed-in person connects their account to the identity provider. */
export const OIDC_LINK_PATH = '/sign-in/oidc/link';
/** Where the new email address of an account is confirmed. */
export const NEW_EMAIL_PATH = '/account/email/confirm';
