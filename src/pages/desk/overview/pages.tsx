import type { Check } from '../../../background/system/check.ts';
import { type Deployment, examine } from '../../../background/system/examine.ts';
import { hideFirstSteps } from '../../../background/system/first-steps.ts';
import type { Context } from '../../../base/context.ts';
import { DESK_PATH, HIDE_FIRST_STEPS_PATH } from '../../../base/paths.ts';
import { readRange } from '../../../marketplace/campaigns/range.ts';
import { t } from '../../../platform/languages/translate.ts';
import { SECOND_MS } from '../../../platform/text/durations.ts';
import type { EpochMs } from '../../../platform/text/time-text.ts';
import { dayIn } from '../../../platform/text/time-zone.ts';
import type { PageRouter } from '../../frame/page-router.ts';
import { actorOf, page, redirect } from '../../frame/pages.ts';
import { type Equipment, readOverview } from './overview.ts';
import { OverviewPage } from './overview-page.tsx';

export function overviewPages(
  app: PageRouter,
  context: Context,
  deployment: Deployment,
  equipment: Omit<Equipment, 'examine'>,
): void {
  const examineSometimes = keptChecks(deployment, context.now);

  app.get(DESK_PATH, { for: 'operator' }, async (c, { accountId: operatorId }) => {
    const today = dayIn(context.marketplace.timeZone, context.at());
    const [range, from, to] = [c.req.query('range'), c.req.query('from'), c.req.query('to')];
    const shownRange = readRange({ range, from, to }, today, '30');
    const { isDemo, baseUrl } = c.get('site');
    const request = { ...equipment, examine: examineSometimes, range: shownRange, operatorId, isDemo };
    const overview = await readOverview(context, request);
    return page(c, <OverviewPage {...{ overview, range: shownRange, baseUrl }} />, {
      title: t('Overview'),
      scripts: ['chart'],
    });
  });

  app.post(HIDE_FIRST_STEPS_PATH, { for: 'operator' }, async (c, viewer) => {
    await hideFirstSteps(context, { operatorId: viewer.accountId, actor: actorOf(viewer) });
    return redirect(c, DESK_PATH);
  });
}

/** How long the overview caches check results. Running the checks is slow. The system page doesn't use the cache. */
const CHECKS_KEPT_MS = 30 * SECOND_MS;

function keptChecks(deployment: Deployment, now: () => EpochMs): Equipment['examine'] {
  let cached: { readonly at: EpochMs; readonly checks: Promise<readonly Check[]> } | null = null;
  return () => {
    const at = now();
    if (cached === null || at - cached.at >= CHECKS_KEPT_MS || at < cached.at) {
      cached = { at, checks: examine(deployment, false) };
    }
    return cached.checks;
  };
}
