/** Addresses of the desk's accounts. */
import type { Account } from '../../accounts/queries.ts';

export const accountPath = ({ id }: Pick<Account, 'id'>): string => `/desk/accounts/${id}`;
