/** Addresses of an owner's campaigns. */

export const CAMPAIGNS_PATH = '/dashboard/campaigns';
export const CAMPAIGNS_EXPORT_PATH = `${CAMPAIGNS_PATH}/export.csv`;

export interface CampaignsQuery {
  /** Slug. */
  readonly listing: string;
  /** The label shown in the chart; all together unless set. */
  readonly label?: string | undefined;
  /** Page of the labels, from 1. */
  readonly page?: number | undefined;
}

export function campaignsPath({ listing, label, page }: CampaignsQuery): string {
  const query = new URLSearchParams({ listing });
  if (label !== undefined) query.set('label', label);
  if (page !== undefined && page > 1) query.set('page', String(page));
  return `${CAMPAIGNS_PATH}?${query}`;
}

export const campaignsExportPath = (listing: string): string =>
  `${CAMPAIGNS_EXPORT_PATH}?${new URLSearchParams({ listing })}`;
