import { BRAND_SETTINGS, type Brand } from '../../../base/brand/brand.ts';
import type { Context } from '../../../base/context.ts';
import { GENERAL_PATH } from '../../../base/paths.ts';
import { changeBrand } from '../../../base/settings/change-brand.ts';
import { type Message, message } from '../../../platform/languages/translate.ts';
import { pick } from '../../../platform/text/fields.ts';
import type { Settings } from '../../../platform/text/setting.ts';
import { DEFAULT_TIME_ZONE } from '../../../platform/text/time-zone.ts';
import type { PageRouter } from '../../frame/page-router.ts';
import type { Choice } from '../../ui/field.tsx';
import {
  addSettings,
  BrandFromEnvironment,
  type Sections,
  SettingsForm,
  settingsIn,
  textsOf,
} from './parts.tsx';

const SECTIONS: Sections<Brand> = [
  [message('Language and time'), ['language', 'hasLanguageSwitch', 'timeZone']],
  [message('Contact and legal pages'), ['contact', 'imprint', 'privacy']],
  [message('Terms'), ['terms', 'termsChangedOn', 'asksConsent']],
  [message('Footer'), ['footer', 'showsSoftware']],
];
const FIELDS = SECTIONS.flatMap(([, names]) => names);
const SETTINGS: Partial<Settings<Brand>> = pick(BRAND_SETTINGS, FIELDS);

export function generalDeskPages(app: PageRouter, context: Context): void {
  const { marketplace } = context;
  addSettings(app, {
    path: GENERAL_PATH,
    lead: message(
      'How people reach you, the terms that they accept, and the language and time zone of pages and emails. Changes apply as soon as you save.',
    ),
    saved: message('The settings are saved.'),
    needsProof: true,
    read: () => marketplace.brand,
    texts: (brand) => ({
      ...textsOf(pick(brand, FIELDS)),
      contact: brand.contact?.replace(/^mailto:/, '') ?? '',
    }),
    parse: (form, saved) => settingsIn(form, SETTINGS, saved),
    save: (brand, change) => changeBrand(context, { brand, ...change }),
    content: (form) => (
      <div class="columns">
        <SettingsForm
          form={form}
          path={GENERAL_PATH}
          settings={SETTINGS}
          sections={SECTIONS}
          extras={{ timeZone: { choices: zonesWith(marketplace.brand.timeZone) } }}
        />
        <BrandFromEnvironment fields={FIELDS} first={marketplace.first} brand={marketplace.brand} />
      </div>
    ),
  });
}

/** Node lists these zones under names that are out of date. Keys: as listed and stored; values: as shown. */
const CURRENT_NAMES: Readonly<Record<string, string>> = {
  'Africa/Asmera': 'Africa/Asmara',
  'America/Coral_Harbour': 'America/Atikokan',
  'America/Godthab': 'America/Nuuk',
  'Asia/Calcutta': 'Asia/Kolkata',
  'Asia/Katmandu': 'Asia/Kathmandu',
  'Asia/Rangoon': 'Asia/Yangon',
  'Asia/Saigon': 'Asia/Ho_Chi_Minh',
  'Atlantic/Faeroe': 'Atlantic/Faroe',
  'Europe/Kiev': 'Europe/Kyiv',
  'Pacific/Enderbury': 'Pacific/Kanton',
  'Pacific/Ponape': 'Pacific/Pohnpei',
  'Pacific/Truk': 'Pacific/Chuuk',
};

const currentName = (zone: string): string => CURRENT_NAMES[zone] ?? zone;

const ZONES: readonly string[] = Intl.supportedValuesOf('timeZone');

const REGIONS: Readonly<Record<string, Message>> = {
  Africa: message('Africa'),
  America: message('America'),
  Antarctica: message('Antarctica'),
  Arctic: message('Arctic'),
  Asia: message('Asia'),
  Atlantic: message('Atlantic'),
  Australia: message('Australia'),
  Europe: message('Europe'),
  Indian: message('Indian Ocean'),
  Pacific: message('Pacific'),
};

/** Labelled with the city, so that typing it selects it. */
function choiceOfZone(zone: string): Choice {
  const [region = '', ...city] = currentName(zone).split('/');
  const group = REGIONS[region];
  const label = group === undefined ? zone : city.toReversed().join(', ').replaceAll('_', ' ');
  return { value: zone, label, ...(group !== undefined && { group }) };
}

function zonesWith(zone: string): readonly Choice[] {
  const names = new Set([zone, ...ZONES]);
  names.delete(DEFAULT_TIME_ZONE);
  return [
    DEFAULT_TIME_ZONE,
    ...[...names].toSorted((a, b) => (currentName(a) < currentName(b) ? -1 : 1)),
  ].map(choiceOfZone);
}
