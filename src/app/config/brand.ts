/** Parses the initial brand. Operators can change the brand at the desk. */
import { BRAND_SETTINGS, type Brand, DEFAULT_BRAND } from '../../base/brand/brand.ts';
import { invalid, Refusal, tried } from '../../platform/errors.ts';
import type { Setting } from '../../platform/text/setting.ts';
import { type Complain, quote, type ReadSetting } from './setting.ts';
import type { SettingName } from './settings.ts';

const SETTINGS: Readonly<Record<keyof Brand, Setting & { readonly environment: SettingName }>> =
  BRAND_SETTINGS;

export function parseFirstBrand(setting: ReadSetting, complain: Complain): Brand {
  const firstOf = (field: keyof Brand) => {
    const { environment: name, control, parse } = SETTINGS[field];
    const text = setting(name);
    if (text === null) return DEFAULT_BRAND[field];
    const value = tried(() => (control === 'toggle' ? parseSwitch(text) : parse(text, () => '')));
    if (!(value instanceof Refusal)) return value;
    complain(`${name}: ${value.message}`);
    return DEFAULT_BRAND[field];
  };
  const fields = Object.keys(DEFAULT_BRAND) as (keyof Brand)[];
  return { ...DEFAULT_BRAND, ...Object.fromEntries(fields.map((field) => [field, firstOf(field)])) };
}

function parseSwitch(text: string): boolean {
  if (text !== 'true' && text !== 'false') {
    throw invalid(`The value must be true or false; found ${quote(text)}.`);
  }
  return text === 'true';
}
