/**
 * Cache of the current brand, plans and announcement, one per context. Values change when an operator saves new ones;
 * the announcement also at its start and end.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database, Queryable } from '../../platform/store/database.ts';
import { readJsonSetting, readSettings } from '../../platform/store/settings.ts';
import { readShownPictures, type ShownPicture } from '../../platform/store/shown-pictures.ts';
import type { EpochMs } from '../../platform/text/time-text.ts';
import { type Announcement, NO_ANNOUNCEMENT, phaseOf } from './announcement.ts';
import { type Brand, type BrandPictures, changedFrom, PICTURE_SUBJECTS, type Theme } from './brand.ts';
import { FIRST_PLANS, type FlatPlans, type Plans, plansFrom } from './plans.ts';

export interface Marketplace {
  readonly brand: Brand;
  readonly look: Brand & BrandPictures;
  readonly timeZone: string;
  readonly language: string;
  /** The configured brand, without changes by operators. */
  readonly first: Brand;
  readonly plans: Plans;
  /** The stored announcement, even if it is not shown now. */
  readonly storedAnnouncement: Announcement;
  /** The announcement that is shown now. */
  readonly announcement: CurrentAnnouncement | null;
  /** Increases whenever the brand, its pictures, the plans or the current announcement change. */
  readonly version: number;
  /** Reloads the values, at most once a second. Returns `null` if there is nothing to wait for. Never rejects. */
  refresh(): Promise<void> | null;
  /** Call after this process has changed the values. */
  reload(): Promise<void>;
}

type CurrentAnnouncement = Announcement & { readonly text: string };

export const BRAND_SETTING = 'brand';
export const PLANS_SETTING = 'plans';
export const ANNOUNCEMENT_SETTING = 'announcement';

/** Minimum time between two reloads by `refresh`. The reloads pick up changes by other processes. */
const CURRENT_MS = 1_000;
/** How long `refresh` waits for the database. After that, stale values are used. */
const REFRESH_WITHIN_MS = 250;

export const readBrand = async (db: Queryable, first: Brand): Promise<Brand> => ({
  ...first,
  ...(await readJsonSetting<Partial<Brand>>(db, BRAND_SETTING)),
});

export const readPlans = async (db: Queryable): Promise<Plans> =>
  plansFrom((await readJsonSetting<Partial<FlatPlans>>(db, PLANS_SETTING)) ?? {});

export const readAnnouncement = async (db: Queryable): Promise<Announcement> => ({
  ...NO_ANNOUNCEMENT,
  ...(await readJsonSetting<Partial<Announcement>>(db, ANNOUNCEMENT_SETTING)),
});

/** A picture that exists only for dark themes is not shown. */
function picturesOf(rows: readonly ShownPicture[]): BrandPictures {
  const filesOf = (kind: keyof BrandPictures, theme: Theme) =>
    rows.find((one) => one.kind === kind && one.subjectId === PICTURE_SUBJECTS[theme])?.files ?? null;
  const themed = (kind: keyof BrandPictures) => {
    const light = filesOf(kind, 'light');
    return light && { light, dark: filesOf(kind, 'dark') };
  };
  return { logo: themed('logo'), icon: themed('icon') };
}

export async function openMarketplace(db: Database, first: Brand, now: () => EpochMs): Promise<Marketplace> {
  let brand = first;
  let plans = FIRST_PLANS;
  let announcement = NO_ANNOUNCEMENT;
  let versionAnnounces: Announcement | null = null;
  let pictures: BrandPictures = { logo: null, icon: null };
  let version = 0;
  let readAt = Number.NEGATIVE_INFINITY;
  let refreshedAt = Number.NEGATIVE_INFINITY;
  let waiting: Promise<void> | null = null;

  const reload = async (): Promise<void> => {
    const startedAt = performance.now();
    const stored = await readSettings(db.read, [BRAND_SETTING, PLANS_SETTING, ANNOUNCEMENT_SETTING]);
    const valuesOf = <T>(name: string): Partial<T> => JSON.parse(stored.get(name) ?? '{}');
    const nextBrand = { ...first, ...valuesOf<Brand>(BRAND_SETTING) };
    const nextPlans = plansFrom(valuesOf<FlatPlans>(PLANS_SETTING));
    const nextAnnouncement = { ...NO_ANNOUNCEMENT, ...valuesOf<Announcement>(ANNOUNCEMENT_SETTING) };
    const nextPictures = picturesOf(await readShownPictures(db.read, Object.values(PICTURE_SUBJECTS)));
    // If a reload that started later has already finished, its values are newer.
    if (startedAt < readAt) return;
    readAt = startedAt;
    // The same object as long as nothing changes, because `version` compares objects.
    if (JSON.stringify(nextAnnouncement) !== JSON.stringify(announcement)) announcement = nextAnnouncement;
    const isSame =
      JSON.stringify([nextPlans, nextPictures]) === JSON.stringify([plans, pictures]) &&
      Object.keys(changedFrom(brand, nextBrand)).length === 0;
    if (isSame) return;
    brand = nextBrand;
    plans = nextPlans;
    pictures = nextPictures;
    version += 1;
  };
  const refresh = (): Promise<void> | null => {
    if (performance.now() - refreshedAt < CURRENT_MS) return waiting;
    refreshedAt = performance.now();
    const wait = sleep(REFRESH_WITHIN_MS, undefined, { ref: false });
    waiting = Promise.race([reload().catch(() => {}), wait]).finally(() => {
      waiting = null;
    });
    return waiting;
  };

  const currentAnnouncement = () =>
    phaseOf(announcement, now()) === 'current' ? (announcement as CurrentAnnouncement) : null;

  await reload();
  return {
    get brand() {
      return brand;
    },
    get look() {
      return { ...brand, ...pictures };
    },
    get timeZone() {
      return brand.timeZone;
    },
    get language() {
      return brand.language;
    },
    first,
    get plans() {
      return plans;
    },
    get storedAnnouncement() {
      return announcement;
    },
    get announcement() {
      return currentAnnouncement();
    },
    get version() {
      // An announcement starts and ends without a change of the settings.
      const current = currentAnnouncement();
      if (current !== versionAnnounces) {
        versionAnnounces = current;
        version += 1;
      }
      return version;
    },
    refresh,
    reload,
  };
}
