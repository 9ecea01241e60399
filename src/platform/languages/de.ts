/** Readers are addressed as „Sie“. Terms: claim „Gutschein“, to claim „sichern“, to redeem „einlösen“. */
import { ACCOUNTS } from './de/accounts.ts';
import { DASHBOARD } from './de/dashboard.ts';
import { INTEGRATIONS } from './de/integrations.ts';
import { MAILS } from './de/mails.ts';
import { MARKET } from './de/market.ts';
import { MEMBERS } from './de/members.ts';
import { OFFERS } from './de/offers.ts';
import { PAGES } from './de/pages.ts';
import { REFUSALS } from './de/refusals.ts';
import { REQUESTS } from './de/requests.ts';

export const GERMAN: Readonly<Record<string, string>> = {
  ...ACCOUNTS,
  ...DASHBOARD,
  ...INTEGRATIONS,
  ...MAILS,
  ...MARKET,
  ...MEMBERS,
  ...OFFERS,
  ...PAGES,
  ...REFUSALS,
  ...REQUESTS,
};
