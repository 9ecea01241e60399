/** The operator's checklist after set-up. Completed steps are detected from the data. */
import type { Context } from '../../base/context.ts';
import { loggedChanges } from '../../base/events/logged-changes.ts';
import { changeSettings, type SettingsChange } from '../../base/settings/change-settings.ts';
import { hasLiveListing } from '../../marketplace/listings/queries.ts';
import { hasSecondFactor, listPasskeys } from '../../people/sign-in/credentials/queries.ts';
import type { Queryable } from '../../platform/store/database.ts';
import { LAST_BACKUP_AT, readJsonSetting, readSetting } from '../../platform/store/settings.ts';
import { SOFTWARE } from '../../platform/text/text.ts';

export type FirstStep = 'brand' | 'mail' | 'documents' | 'app' | 'backup' | 'secondFactor';
export type FirstSteps = Readonly<Record<FirstStep, boolean>>;

interface FirstStepsReader {
  readonly operatorId: string;
  readonly hasMail: boolean;
  readonly hasBackups: boolean;
}

interface StepContext {
  readonly isShown: boolean;
}

const FIRST_STEPS = 'first_steps';

const readShown = async (db: Queryable): Promise<StepContext> =>
  (await readJsonSetting<StepContext>(db, FIRST_STEPS)) ?? { isShown: true };

/** Returns `null` if all steps are done or an operator has hidden the list. */
export async function readFirstSteps(
  { db, marketplace }: Pick<Context, 'db' | 'marketplace'>,
  { operatorId, hasMail, hasBackups }: FirstStepsReader,
): Promise<FirstSteps | null> {
  if (!(await readShown(db.read)).isShown) return null;
  const { brand } = marketplace;
  const [hasApp, backedUpAt, hasFactor, passkeys] = await Promise.all([
    hasLiveListing(db.read),
    readSetting(db.read, LAST_BACKUP_AT),
    hasSecondFactor(db.read, operatorId),
    listPasskeys(db.read, operatorId),
  ]);
  const steps: FirstSteps = {
    brand: brand.name !== SOFTWARE,
    mail: hasMail,
    documents: brand.imprint !== null && brand.privacy !== null,
    app: hasApp,
    backup: hasBackups || backedUpAt !== null,
    secondFactor: hasFactor || passkeys.length > 0,
  };
  return Object.values(steps).every((isDone) => isDone) ? null : steps;
}

export async function hideFirstSteps(context: Context, change: SettingsChange): Promise<void> {
  await changeSettings(context, change, {
    key: FIRST_STEPS,
    read: readShown,
    to: { isShown: false },
    changes: loggedChanges<StepContext>({ isShown: 'First steps at the desk' }),
  });
}
