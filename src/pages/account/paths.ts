export const ACCOUNT_PATH = '/account';
export const MAIL_PATH = '/account/mail';
export const CLEAR_REFUSAL_PATH = '/account/mail/clear-refusal';
/** Path without the extension. The extension is the format, such as `.json`. */
export const DATA_PATH = '/account/data';
export const DELETE_PATH = '/account/delete';
export const KEEP_PATH = '/account/keep';
export const FORGOT_PASSWORD_PATH = '/forgot-password';
export const OIDC_PATH = '/sign-in/oidc';
export const OIDC_LINK_PATH = '/sign-in/oidc/link';
export const ENDED_ACCESS_PATH = '/sign-in/ended-access';
export const NEW_EMAIL_PATH = '/account/email/confirm';
export const HANDED_OVER_PATH = '/sign-in/handed-over';
