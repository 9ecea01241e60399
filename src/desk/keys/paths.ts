/** Addresses of operator keys at the desk. */
export const OPERATOR_KEYS_PATH = '/desk/keys';
export const NEW_OPERATOR_KEY_PATH = `${OPERATOR_KEYS_PATH}/new`;
