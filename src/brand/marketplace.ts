/** The brand as it is now, in every process: one object of a context, whose values change when operators change them. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database, Queryable } from '../store/database.ts';
import { readSetting } from '../store/settings.ts';
import { readShownPictures } from '../store/shown-pictures.ts';
import { type Brand, type BrandPictures, changedFrom, PICTURE_SUBJECTS, picturesOfBrand } from './brand.ts';

export interface Marketplace {
  readonly brand: Brand;
  /** The brand with its pictures, for pages. */
  readonly look: Brand & BrandPictures;
  readonly timeZone: string;
  readonly language: string;
  /** The brand without what operators changed. */
  readonly first: Brand;
  /** Grows whenever the brand changes. */
  readonly version: number;
  /** Reads values again that are older than a second; `null`: there is nothing to wait for. Never fails. */
  refresh(): Promise<void> | null;
  /** Reads the values again, for instance after they were changed here. */
  reload(): Promise<void>;
}

/** In the table `settings`. */
export const BRAND_SETTING = 'brand';

/** A change by another process shows after this time. */
const CURRENT_MS = 1_000;
/** Longest wait for a database that doesn't answer; the former values are then used. */
const REFRESH_WITHIN_MS = 250;

export async function readBrand(db: Queryable, first: Brand): Promise<Brand> {
  const stored = await readSetting(db, BRAND_SETTING);
  return { ...first, ...(stored !== null && (JSON.parse(stored) as Partial<Brand>)) };
}

/** Reads the brand of a database. `first`: what holds until operators change it. */
export async function openMarketplace(db: Database, first: Brand): Promise<Marketplace> {
  let brand = first;
  let pictures: BrandPictures = { logo: null, icon: null };
  let version = 0;
  let readAt = Number.NEGATIVE_INFINITY;
  let askedAt = Number.NEGATIVE_INFINITY;
  let waiting: Promise<void> | null = null;

  const reload = async (): Promise<void> => {
    const startedAt = performance.now();
    const found = await readBrand(db.read, first);
    const foundPictures = picturesOfBrand(await readShownPictures(db.read, Object.values(PICTURE_SUBJECTS)));
    // A read that started earlier may end later.
    if (startedAt < readAt) return;
    readAt = startedAt;
    const hasSamePictures = JSON.stringify(foundPictures) === JSON.stringify(pictures);
    if (Object.keys(changedFrom(brand, found)).length === 0 && hasSamePictures) return;
    brand = found;
    pictures = foundPictures;
    version += 1;
  };
  const refresh = (): Promise<void> | null => {
    if (performance.now() - askedAt < CURRENT_MS) return waiting;
    askedAt = performance.now();
    const wait = sleep(REFRESH_WITHIN_MS, undefined, { ref: false });
    waiting = Promise.race([reload().catch(() => {}), wait]).finally(() => {
      waiting = null;
    });
    return waiting;
  };

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
    get version() {
      return version;
    },
    refresh,
    reload,
  };
}
